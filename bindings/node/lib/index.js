'use strict';

// fewer for Node. What each of these does and costs is in index.d.ts.
//
//     native     the compiled library, and where it is found
//     errors     FewerError, what it is made of, and what is done with it
//     text       strings and bytes of the texts that the library joins
//     arguments  paths and options
//     cancel     what an AbortSignal ends
//     kind       what a file is, and the questions of fs for it
//     iterate    items out of batches: iterators, asynchronous ones, signals
//     entry      entries, and the batches that they are cut from
//     walk       walk, paths, directories
//     stat       metadata
//     list       list, and its rows
//     lines      lines, and web streams of them
//     scope      a working directory as a value
//     space      size and summary
//     snapshot   what a walk found, and what has changed since
//     cost       the calls that were made

const { FewerError } = require('./errors.js');
const { Entry } = require('./entry.js');
const { directories, iterPaths, paths, pathsSync, walk } = require('./walk.js');
const { Row, list, listSync } = require('./list.js');
const lines = require('./lines.js');
const { Scope } = require('./scope.js');
const { Stat } = require('./stat.js');
const { size, sizeSync, summary, summarySync } = require('./space.js');
const { Snapshot } = require('./snapshot.js');
const { Cost, calls } = require('./cost.js');

module.exports = {
  Cost,
  Entry,
  FewerError,
  Row,
  Scope,
  Snapshot,
  Stat,
  calls,
  countLines: lines.countLines,
  countLinesSync: lines.countLinesSync,
  directories,
  iterPaths,
  lastLines: lines.lastLines,
  lastLinesSync: lines.lastLinesSync,
  lines: lines.lines,
  list,
  listSync,
  paths,
  pathsSync,
  readLines: lines.readLines,
  readLinesSync: lines.readLinesSync,
  size,
  sizeSync,
  summary,
  summarySync,
  walk,
};
