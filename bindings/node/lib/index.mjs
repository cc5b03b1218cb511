// The same objects as with `require`: one library, one set of classes.
import fewer from './index.js';

export const {
  Cost, Entry, FewerError, Row, Scope, Stat, calls, countLines, countLinesSync, directories,
  iterPaths, lastLines, lastLinesSync, lines, list, listSync, paths, pathsSync, readLines,
  readLinesSync, walk,
} = fewer;
export default fewer;
