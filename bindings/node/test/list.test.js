'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { isRoot, make, temporary } = require('./tree.js');

test('rows have the metadata that stat(1) prints', async (t) => {
  const place = make(temporary(t), { a: '12345', 'd/': '', '.h': 'x' });
  fs.symlinkSync('a', path.join(place, 'l'));
  fs.chmodSync(path.join(place, 'a'), 0o4751);
  fs.utimesSync(path.join(place, 'a'), 1, 86399.5);
  const format = '%n %f %s %b %i %h %u %g %X %Y %d';
  const names = ['.h', 'a', 'd', 'l'];
  const said = execFileSync('stat', ['-c', format, ...names], { cwd: place, encoding: 'utf8' });
  const seconds = (time) => Math.floor(time / 1000);
  const line = ({ name, stat }) => [
    name, stat.mode.toString(16), stat.size, stat.blocks, stat.ino, stat.nlink, stat.uid, stat.gid,
    seconds(stat.atimeMs), seconds(stat.mtimeMs), stat.dev,
  ].join(' ');
  for (const rows of [fewer.listSync(place), await fewer.list(place)]) {
    assert.deepStrictEqual(rows.map(line), said.trim().split('\n'));
  }
  const [, a] = fewer.listSync(place);
  assert.strictEqual(a.stat.permissions, 0o4751);
  assert.strictEqual(a.stat.modifiedNs, 86_399_500_000_000n);
  assert.deepStrictEqual(a.stat.modified, new Date(86_399_500));
  assert.strictEqual(a.path, path.join(place, 'a'));
  assert.strictEqual(a.parentPath, place);
  assert.strictEqual(a.inode, fs.statSync(a.path, { bigint: true }).ino);
});

test('a time before 1970 is negative', (t) => {
  const place = make(temporary(t), { a: '' });
  execFileSync('touch', ['-d', '@-1.5', path.join(place, 'a')]);
  const [{ stat }] = fewer.listSync(place);
  assert.strictEqual(stat.modifiedNs, -1_500_000_000n);
  assert.strictEqual(stat.mtimeMs, -1500);
});

test('orders are those of ls', (t) => {
  const place = make(temporary(t), { 'f10.b': '1', 'f9.a': '333', 'f1.c': '22', 'd/': '' });
  const names = (options) => fewer.listSync(place, options).map((row) => row.name);
  const ls = (...flags) => execFileSync('ls', ['-A', ...flags], {
    cwd: place, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' },
  }).trim().split('\n');
  for (const [options, flags] of [
    [{}, []], [{ reverse: true }, ['-r']], [{ sort: 'size' }, ['-S']],
    [{ dots: true }, ['-a']], [{ sort: 'version' }, ['-v']], [{ sort: 'extension' }, ['-X']],
    [{ directoriesFirst: true }, ['--group-directories-first']], [{ sort: 'none' }, ['-U']],
  ]) {
    assert.deepStrictEqual(names(options), ls(...flags));
  }
  assert.throws(() => names({ sort: 'nothing' }), { code: 'ERR_INVALID_ARG_VALUE' });
});

test('fields cost what they cost', (t) => {
  const place = make(temporary(t), { a: '', b: '', '.c': '' });
  const cost = new fewer.Cost();
  const rows = fewer.listSync(place, { fields: [], hidden: false });
  assert.deepStrictEqual(rows.map(({ name, kind, stat }) => [name, kind, stat]),
    [['a', 'file', undefined], ['b', 'file', undefined]]);
  assert.strictEqual(cost.calls().statx, undefined);
  fewer.listSync(place, { fields: 'size' });
  assert.strictEqual(cost.calls().statx, 3);
  assert.throws(() => fewer.listSync(place, { fields: ['sizes'] }),
    { code: 'ERR_INVALID_ARG_VALUE', message: /'sizes' is no field/ });
});

test('targets and owners come on request', (t) => {
  const place = make(temporary(t), { a: '' });
  fs.symlinkSync('a', path.join(place, 'l'));
  fs.symlinkSync(Buffer.from('\xff', 'latin1'), path.join(place, 'm'));
  const rows = fewer.listSync(place, { links: true, owners: true });
  assert.deepStrictEqual(rows.slice(0, 2).map((row) => row.target), [undefined, 'a']);
  assert.deepStrictEqual(rows[2].target, Buffer.from([0xff]));
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  assert.strictEqual(rows[0].userName, user);
  assert.strictEqual(fewer.listSync(place)[1].target, undefined);
});

test('an entry that cannot be looked at says why in its row', (t) => {
  const place = temporary(t);
  fs.symlinkSync('nowhere', path.join(place, 'l'));
  const [row] = fewer.listSync(place, { follow: true });
  assert.strictEqual(row.stat, undefined);
  assert.strictEqual(row.error.code, 'ENOENT');
  assert.strictEqual(row.error.path, path.join(place, 'l'));
  assert.strictEqual(row.error.action, 'stat');
  assert.strictEqual(fewer.listSync(place)[0].error, undefined);
});

test('a directory that cannot be opened is an error', async (t) => {
  const missing = path.join(temporary(t), 'missing');
  const expected = { code: 'ENOENT', action: 'open directory', path: missing };
  assert.throws(() => fewer.listSync(missing), expected);
  await assert.rejects(fewer.list(missing), expected);
});

test('an unreadable directory is an error', { skip: isRoot && 'root reads all' }, (t) => {
  const place = make(temporary(t), { 'd/f': '' });
  fs.chmodSync(path.join(place, 'd'), 0);
  assert.throws(() => fewer.listSync(path.join(place, 'd')), { code: 'EACCES' });
});

test('a large directory is read by several threads', (t) => {
  const place = temporary(t);
  for (let n = 0; n < 3000; n += 1) fs.writeFileSync(path.join(place, `f${n}`), 'x');
  const rows = fewer.listSync(place);
  assert.strictEqual(rows.length, 3000);
  assert.ok(rows.every((row) => row.stat.size === 1));
  assert.deepStrictEqual(rows.map((row) => row.name), fs.readdirSync(place).sort());
});
