'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { make, makeMany, temporary } = require('./tree.js');

test('changes are what was done', async (t) => {
  const place = temporary(t);
  const top = make(path.join(place, 'top'), { a: '', b: '', 'd/e': '' });
  const before = await fewer.Snapshot.make(top);
  assert.deepStrictEqual([before.entries, before.directories, before.hasStat], [4, 2, false]);
  assert.deepStrictEqual(before.paths, [top]);
  await before.write(path.join(place, 'kept'));
  const read = await fewer.Snapshot.read(path.join(place, 'kept'));
  assert.deepStrictEqual(read.toBuffer(), before.toBuffer());
  // The new file comes first, so that it does not get the inode of one that has gone.
  fs.writeFileSync(path.join(top, 'n\nl'), '');
  fs.unlinkSync(path.join(top, 'b'));
  fs.renameSync(path.join(top, 'a'), path.join(top, 'c'));
  const changes = await read.changes();
  assert.deepStrictEqual([...changes], [
    { change: 'removed', path: `${top}/b`, from: undefined, kind: 'file' },
    { change: 'renamed', path: `${top}/c`, from: `${top}/a`, kind: 'file' },
    { change: 'added', path: `${top}/n\nl`, from: undefined, kind: 'file' },
  ]);
  assert.strictEqual(changes.length, 3);
  assert.deepStrictEqual([...changes.snapshot.changesSync()], []);
  assert.strictEqual(before.changesSync(changes.snapshot).length, 3);
  assert.strictEqual(before.changesSync(top).length, 3);
  assert.throws(() => before.changesSync(place), { code: 'ERR_INVALID_ARG_VALUE' });
});

test('a walk since a snapshot does not open what has not changed', async (t) => {
  const place = makeMany(temporary(t), 20, 5);
  // A directory that changed just now may change again without a trace.
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  const before = fewer.Snapshot.makeSync(place);
  const cost = new fewer.Cost();
  const paths = fewer.pathsSync(place, { since: before, sort: true });
  const { getdents64 = 0, statx } = cost.calls();
  assert.deepStrictEqual(paths, fewer.pathsSync(place, { sort: true }));
  assert.strictEqual(getdents64, 0);
  assert.ok(statx >= 21 && statx <= 23, `${statx} statx`);
});

test('with stat a file that differs is a change', (t) => {
  const place = make(temporary(t), { f: '1' });
  const before = fewer.Snapshot.makeSync(place, { stat: true });
  fs.writeFileSync(path.join(place, 'f'), '22');
  assert.deepStrictEqual([...before.changesSync()].map(({ change }) => change), ['changed']);
});

test('what is no snapshot is an error', async (t) => {
  const place = make(temporary(t), { f: 'no snapshot' });
  const file = path.join(place, 'f');
  assert.throws(() => fewer.Snapshot.readSync(file), { code: 'EBADMSG', action: 'read snapshot' });
  await assert.rejects(fewer.Snapshot.read(`${file}x`), { code: 'ENOENT' });
  assert.throws(() => fewer.Snapshot.makeSync(`${file}x`), { code: 'ENOENT' });
  const snapshot = fewer.Snapshot.makeSync(place);
  assert.throws(() => snapshot.writeSync('/nowhere/at all'), { code: 'ENOENT' });
  assert.throws(() => new fewer.Snapshot({}), { code: 'ERR_INVALID_ARG_TYPE' });
});
