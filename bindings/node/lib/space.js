'use strict';

const check = require('./arguments.js');
const { cancellable } = require('./cancel.js');
const { native, tellAll } = require('./errors.js');
const { KINDS } = require('./kind.js');
const { split } = require('./text.js');
const { OPTIONS } = require('./walk.js');

const { sort: _sort, prune: _prune, since: _since, follow: _follow, ...MEASURED } = OPTIONS;
const SIZE_OPTIONS = {
  ...MEASURED, depth: check.count, files: check.boolean, countLinks: check.boolean,
};
const SUMMARY_OPTIONS = { ...MEASURED, follow: check.boolean };

function measurement(roots, given) {
  const options = check.options(SIZE_OPTIONS, given);
  const { depth = 0, files = false, countLinks = false } = options;
  const { onError = 'throw', scope, signal, ...walk } = options;
  const bytes = check.rootBytes(roots);
  const how = { depth, files, countLinks, stops: onError === 'throw' };
  const call = (cancel, later) => native.size(bytes, walk, how, scope?.native, cancel, later);
  return cancellable(call, signal, ([joined, length, table, failures]) => {
    tellAll(failures, onError);
    return split(joined, length, walk.encoding).map((path, index) => {
      const [kind, steps, entries, size, allocated] = table.subarray(5 * index);
      return { path, kind: KINDS[kind], depth: steps, entries, size, allocated };
    });
  });
}

/** The numbers of a group, of which a table has three each. */
function spaceAt(table, index) {
  const [entries, size, allocated] = table.subarray(3 * index);
  return { entries, size, allocated };
}

function plus(first, second) {
  return {
    entries: first.entries + second.entries,
    size: first.size + second.size,
    allocated: first.allocated + second.allocated,
  };
}

function foundOf(result, encoding) {
  const [, groups, names, namesCount, sizes, rest, largest, largestCount, bytes] = result;
  const [deepest, longest, newest, oldest] = result.slice(9, 13);
  const [directories, files, links, other] = [0, 1, 2, 3].map((index) => spaceAt(groups, index));
  const extensions = split(names, namesCount, encoding).map((name, index) => [
    index === rest ? undefined : name, spaceAt(sizes, index),
  ]);
  const time = (it) => it && { path: it[0], modified: new Date(it[1] * 1000 + it[2] / 1e6) };
  return {
    directories, files, links, other,
    all: [files, links, other].reduce(plus, directories),
    extensions: new Map(extensions),
    largest: split(largest, largestCount, encoding).map((path, index) => ({
      path, size: bytes[index],
    })),
    deepest: deepest && { path: deepest[0], depth: deepest[1] },
    longest: longest && { path: longest[0], bytes: longest[1] },
    newest: time(newest),
    oldest: time(oldest),
  };
}

function summarizing(roots, given) {
  const options = check.options(SUMMARY_OPTIONS, given);
  const { onError = 'throw', scope, signal, ...walk } = options;
  const bytes = check.rootBytes(roots);
  const stops = onError === 'throw';
  const call = (cancel, later) => native.summary(bytes, walk, stops, scope?.native, cancel, later);
  return cancellable(call, signal, (result) => {
    tellAll(result[13], onError);
    return foundOf(result, walk.encoding);
  });
}

const sizeSync = (roots = '.', options = undefined) => measurement(roots, options).now();
const size = async (roots = '.', options = undefined) => measurement(roots, options).later();
const summarySync = (roots = '.', options = undefined) => summarizing(roots, options).now();
const summary = async (roots = '.', options = undefined) => summarizing(roots, options).later();

module.exports = { size, sizeSync, summary, summarySync };
