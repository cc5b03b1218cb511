// The same objects as with `require`: one library, one set of classes.
import fewer from './index.js';

export const {
  Cost, Entry, FewerError, Row, Scope, Snapshot, Stat, calls, countLines, countLinesSync,
  directories, iterPaths, lastLines, lastLinesSync, lines, list, listSync, paths, pathsSync,
  readLines, readLinesSync, size, sizeSync, summary, summarySync, walk,
} = fewer;
export default fewer;
