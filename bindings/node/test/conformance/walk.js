'use strict';

const fewer = require('../..');
const { bytes, named, notExpressible, parse, text } = require('./words.js');

const FLAGS = [
  [['-0', '--null'], false, 'null'],
  [['-g', '--glob'], true, 'glob'],
  [['-E', '--exclude'], true, 'exclude'],
  [['-e', '--extension'], true, 'extension'],
  [['-t', '--type'], true, 'kinds'],
  [['-j', '--threads'], true, 'threads'],
  [['--max-threads'], true, 'maxThreads'],
  [['--min-depth'], true, 'minDepth'],
  [['-d', '--max-depth'], true, 'maxDepth'],
  [['-i', '--ignore-case'], false, 'ignoreCase'],
  [['-L', '--follow'], false, 'follow'],
  [['--one-file-system'], false, 'oneFileSystem'],
  [['--sort'], false, 'sort'],
  [['--gitignore'], false, 'gitignore'],
  [['--no-hidden'], false, 'noHidden'],
  [['--full-path'], false, 'fullPath'],
  [['--count'], false, 'count'],
  [['--json'], false, 'json'],
  [['--summary'], false, 'summary'],
];

/** The options of a walk, of those of the command line. */
function walkOptions(given) {
  const options = {};
  for (const [key, values] of Object.entries(given)) {
    const last = values.at(-1);
    if (key === 'extension') options.glob = values.map(withExtension);
    else if (key === 'glob' || key === 'exclude') options[key] = values.map(text);
    else if (key === 'kinds') options.kinds = values.flatMap((value) => value.split(','));
    else if (key === 'noHidden') options.hidden = false;
    else if (/[tT]hreads|Depth/.test(key)) options[key] = Number(last);
    else if (!['null', 'count', 'json', 'summary'].includes(key)) options[key] = true;
  }
  return options;
}

/** A glob for names with something before a dot and this; the dot may be given. */
function withExtension(extension) {
  return `?*.${text(extension).replace(/^\./, '').replace(/[*?[\]{}\\,!]/g, '\\$&')}`;
}

/** Counts failures, and whether there was any root to look at. */
class Failures {
  constructor(roots, complain) {
    this.roots = roots;
    this.missing = 0;
    this.count = 0;
    this.note = (error) => {
      complain('fewer', error);
      this.count += 1;
      const path = Buffer.from(error.path);
      if (error.action === 'access' && roots.some((root) => bytes(root).equals(path))) {
        this.missing += 1;
      }
    };
  }

  get status() {
    if (this.missing >= this.roots.length) return 2;
    return this.count > 0 ? 1 : 0;
  }
}

function walk(words, { base, out, complain }) {
  const { options, operands } = parse(words, FLAGS);
  const roots = operands.length > 0 ? operands : ['.'];
  const failures = new Failures(roots, complain);
  const how = { ...walkOptions(options), scope: base, onError: failures.note };
  const paths = roots.map(bytes);
  if (options.extension && (options.glob || options.fullPath)) {
    notExpressible('an extension beside a glob');
  }
  if (options.summary) {
    if (!options.json || options.count || options.sort) {
      notExpressible('how summaries are laid out');
    }
    const found = fewer.summarySync(paths, how);
    if (failures.status < 2) out(summaryLine(found));
  } else if (options.count) {
    out(countLine(fewer.walk(paths, how), options.json));
  } else if (options.json) {
    for (const entry of fewer.walk(paths, how)) out(jsonLine(entry));
  } else {
    const end = Buffer.from(options.null ? '\0' : '\n');
    for (const path of fewer.iterPaths(paths, { ...how, encoding: 'buffer' })) {
      out(path);
      out(end);
    }
  }
  return failures.status;
}

function countLine(entries, isJson) {
  const counts = { all: 0, directory: 0, file: 0, symlink: 0 };
  for (const { kind } of entries) {
    counts.all += 1;
    if (kind in counts) counts[kind] += 1;
  }
  const { all, directory, file, symlink } = counts;
  const other = all - directory - file - symlink;
  if (isJson) {
    const row = { v: 1, entries: all, directories: directory, files: file, links: symlink, other };
    return `${JSON.stringify(row)}\n`;
  }
  return `${all} entries, ${directory} directories, ${file} files, ${symlink} links, `
    + `${other} other\n`;
}

function jsonLine({ path, kind, depth, inode }) {
  const head = JSON.stringify({ v: 1, path: named(path), kind, depth });
  return `${head.slice(0, -1)},"inode":${inode}}\n`;
}

function summaryLine(found) {
  const row = { v: 1 };
  for (const group of ['directories', 'files', 'links', 'other', 'all']) row[group] = found[group];
  row.extensions = [...found.extensions].map(([name, space]) => ({
    extension: name === undefined ? null : named(name), ...space,
  }));
  row.largest = found.largest.map(({ path, size }) => ({ path: named(path), size }));
  for (const extreme of ['deepest', 'longest', 'newest', 'oldest']) {
    const it = found[extreme];
    if (it === undefined) continue;
    const { path, modified, ...more } = it;
    row[extreme] = { path: named(path), ...more };
    if (modified !== undefined) row[extreme].modified = modified.getTime() / 1000;
  }
  // Times are fractions, and are written as such.
  return `${JSON.stringify(row).replace(/("modified":-?\d+)([,}])/g, '$1.0$2')}\n`;
}

module.exports = { Failures, walk };
