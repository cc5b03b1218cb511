'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { make, temporary } = require('./tree.js');

function du(...args) {
  const printed = execFileSync('du', [...args], { encoding: 'utf8' });
  return printed.trim().split('\n').map((line) => line.split('\t')).sort((a, b) => {
    return a[1] < b[1] ? -1 : 1;
  });
}

function tree(t) {
  const place = make(temporary(t), {
    'a/f.js': 'x'.repeat(10_000), 'a/b/g.js': '12', 'c/h.txt': '123', 'c/none': '',
  });
  fs.linkSync(path.join(place, 'a/f.js'), path.join(place, 'c/again.js'));
  return place;
}

test('sizes are those of du', async (t) => {
  const place = tree(t);
  const shown = (rows) => rows.map((row) => [String(row.allocated / 1024), row.path]);
  // Where a file with two names counts is another directory for du, which does not sort.
  const all = { depth: Infinity, countLinks: true };
  assert.deepStrictEqual(shown(fewer.sizeSync(place, all)), du('-kl', place));
  assert.deepStrictEqual(shown(await fewer.size(place, all)), du('-kl', place));
  assert.deepStrictEqual(shown(fewer.sizeSync(place)), du('-ks', place));
  assert.strictEqual(fewer.sizeSync(place)[0].entries, 8);
  const [row] = fewer.sizeSync(place, { glob: '*.txt' });
  assert.deepStrictEqual([row.entries, row.size, row.kind], [1, 3, 'directory']);
  const files = fewer.sizeSync(path.join(place, 'c'), { depth: 1, files: true });
  assert.deepStrictEqual(files.map(({ path: name }) => path.basename(name)),
    ['c', 'again.js', 'h.txt', 'none']);
});

test('a summary says what there is', async (t) => {
  const place = tree(t);
  const found = fewer.summarySync(place);
  assert.deepStrictEqual([found.directories.entries, found.files.entries], [4, 5]);
  assert.deepStrictEqual(found.files.size, 10_005);
  assert.deepStrictEqual([...found.extensions.keys()], ['js', 'txt', '']);
  assert.strictEqual(found.extensions.get('js').entries, 3);
  assert.deepStrictEqual(found.largest[0], { path: path.join(place, 'a/f.js'), size: 10_000 });
  assert.strictEqual(found.deepest.path, path.join(place, 'a/b/g.js'));
  assert.strictEqual(found.deepest.depth, 3);
  assert.strictEqual(found.all.allocated, fewer.sizeSync(place)[0].allocated);
  assert.ok(found.newest.modified instanceof Date);
  assert.deepStrictEqual(await fewer.summary(place), found);
  const empty = fewer.summarySync(place, { glob: 'nothing' });
  assert.deepStrictEqual([empty.newest, empty.largest, empty.extensions.size], [undefined, [], 0]);
});

test('what cannot be looked at is an error, and the rest counts', async (t) => {
  const place = tree(t);
  const roots = [place, path.join(place, 'missing')];
  assert.throws(() => fewer.sizeSync(roots), { code: 'ENOENT' });
  await assert.rejects(fewer.summary(roots), { code: 'ENOENT', path: roots[1] });
  const errors = [];
  const [row] = fewer.sizeSync(roots, { onError: (error) => errors.push(error.code) });
  assert.deepStrictEqual([errors, row.entries], [['ENOENT'], 8]);
});
