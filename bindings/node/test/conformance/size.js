'use strict';

const fewer = require('../..');
const { Failures } = require('./walk.js');
const { bytes, named, parse, text } = require('./words.js');

const FLAGS = [
  [['-0', '--null'], false, 'null'],
  [['-A', '--apparent'], false, 'apparent'],
  [['-a', '--all'], false, 'files'],
  [['-b', '--bytes'], false, 'bytes'],
  [['-d', '--depth'], true, 'depth'],
  [['-s', '--summarize'], false, 'rootsOnly'],
  [['-l', '--count-links'], false, 'countLinks'],
  [['-x', '--one-file-system'], false, 'oneFileSystem'],
  [['-E', '--exclude'], true, 'exclude'],
  [['-j', '--threads'], true, 'threads'],
  [['--gitignore'], false, 'gitignore'],
  [['--no-hidden'], false, 'noHidden'],
  [['--json'], false, 'json'],
];

function size(words, { base, out, complain }) {
  const { options, operands } = parse(words, FLAGS);
  const roots = operands.length > 0 ? operands : ['.'];
  const failures = new Failures(roots, complain);
  const has = (key) => options[key] !== undefined;
  const rows = fewer.sizeSync(roots.map(bytes), {
    depth: has('rootsOnly') ? 0 : Number(options.depth?.at(-1) ?? 1),
    files: has('files'),
    countLinks: has('countLinks'),
    oneFileSystem: has('oneFileSystem'),
    gitignore: has('gitignore'),
    hidden: !has('noHidden'),
    exclude: (options.exclude ?? []).map(text),
    threads: has('threads') ? Number(options.threads.at(-1)) : undefined,
    scope: base,
    onError: failures.note,
  });
  const key = has('apparent') || has('bytes') ? 'size' : 'allocated';
  const unit = has('bytes') ? 1 : 1024;
  rows.sort((one, other) => one[key] - other[key] || other.depth - one.depth);
  for (const row of rows) {
    if (has('json')) {
      const { path, kind, depth, allocated, size: bytesOfRow, entries } = row;
      const line = { v: 1, path: named(path), kind, depth, allocated, size: bytesOfRow, entries };
      out(`${JSON.stringify(line)}\n`);
    } else {
      out(`${Math.ceil(row[key] / unit)}\t`);
      out(row.path);
      out(has('null') ? '\0' : '\n');
    }
  }
  return failures.status;
}

module.exports = { size };
