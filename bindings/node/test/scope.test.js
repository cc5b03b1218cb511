'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { make, temporary } = require('./tree.js');

test('a scope is a directory, wherever that is moved to', async (t) => {
  const place = make(temporary(t), { 'a/f': '123' });
  const before = process.cwd();
  const scope = await fewer.Scope.enter(path.join(place, 'a'));
  fs.renameSync(path.join(place, 'a'), path.join(place, 'b'));
  assert.strictEqual(scope.statSync('f').size, 3);
  assert.strictEqual((await scope.stat('f', { fields: ['size'] })).size, 3);
  assert.deepStrictEqual(fewer.pathsSync('.', { scope, sort: true }), ['.', './f']);
  assert.deepStrictEqual(fewer.readLinesSync('f', { scope }), ['123']);
  assert.deepStrictEqual(fewer.listSync('.', { scope }).map((row) => row.name), ['f']);
  assert.strictEqual(scope.physicalSync(), path.join(place, 'b'));
  assert.strictEqual(await scope.logical(), path.join(place, 'b'));
  assert.strictEqual(process.cwd(), before);
  scope.close();
});

test('changes are made in the scope', async (t) => {
  const place = temporary(t);
  const scope = fewer.Scope.enterSync(place);
  scope.makeDirectorySync('d', 0o700);
  await scope.makeDirectory('d/e');
  fs.closeSync(scope.createSync('d/f', 0o600));
  assert.throws(() => scope.createSync('d/f'), { code: 'EEXIST', action: 'create' });
  await scope.setPermissions('d/f', 0o640);
  scope.makeSymlinkSync('l', 'd/f');
  scope.makeHardLinkSync('h', 'd/f');
  const format = ['-c', '%n %a %h', 'd', 'd/f', 'h'];
  const said = execFileSync('stat', format, { cwd: place, encoding: 'utf8' });
  assert.strictEqual(said, 'd 700 3\nd/f 640 2\nh 640 2\n');
  assert.strictEqual(await scope.readLink('l'), 'd/f');
  const descriptor = scope.openSync('l');
  assert.strictEqual(fs.readFileSync(descriptor, 'utf8'), '');
  fs.closeSync(descriptor);
  assert.throws(() => scope.removeDirectorySync('d'), { code: 'ENOTEMPTY' });
  scope.removeFileSync('l');
  await scope.removeDirectory('d/e');
  scope.removeTreeSync('d');
  assert.deepStrictEqual(fs.readdirSync(place), ['h']);
  scope.close();
});

test('`..` is the directory above, or a word', (t) => {
  const place = make(temporary(t), { 'a/b/': '' });
  fs.symlinkSync('a/b', path.join(place, 'l'));
  const link = fewer.Scope.enterSync(path.join(place, 'l'));
  assert.strictEqual(link.logicalSync(), path.join(place, 'l'));
  assert.strictEqual(link.enterSync('..').physicalSync(), path.join(place, 'a'));
  assert.strictEqual(link.enterLogicalSync('..').physicalSync(), place);
});

test('a program runs in the scope, and its output is collected', async (t) => {
  const place = make(temporary(t), { f: '' });
  const scope = fewer.Scope.enterSync(place);
  const options = { captureOutput: true, encoding: 'utf8' };
  assert.deepStrictEqual(scope.runSync(['ls'], options),
    { status: 0, signal: undefined, stdout: 'f\n', stderr: '' });
  const words = ['sh', '-c', 'echo "$A-$1"; kill -9 $$', 'sh', 'b c'];
  const killed = await scope.run(words, { ...options, env: { A: 'x', PATH: process.env.PATH } });
  assert.deepStrictEqual(killed, { status: undefined, signal: 9, stdout: 'x-b c\n', stderr: '' });
  assert.strictEqual((await scope.run(['sh', '-c', 'exit 7'])).status, 7);
  assert.throws(() => scope.runSync(['/no such program']), { code: 'ENOENT', action: 'run' });
  assert.throws(() => scope.runSync('ls'), { code: 'ERR_INVALID_ARG_TYPE' });
});

test('what cannot be run as it is said is not run', (t) => {
  const scope = fewer.Scope.enterSync(temporary(t));
  const cost = new fewer.Cost();
  const value = { code: 'ERR_INVALID_ARG_VALUE' };
  // Otherwise it would be two variables.
  assert.throws(() => scope.runSync(['touch', 'f'], { env: { A: '1\0B=2' } }), value);
  assert.throws(() => scope.runSync(['touch', 'f'], { encoding: 'utf9' }), value);
  assert.throws(() => scope.runSync(['touch', 'f'], { env: 'A=1' }),
    { code: 'ERR_INVALID_ARG_TYPE' });
  assert.strictEqual(cost.total, 0);
});

test('permissions are twelve bits, and are not left out where there are no usual ones', (t) => {
  const place = make(temporary(t), { f: '' });
  const scope = fewer.Scope.enterSync(place);
  assert.throws(() => scope.setPermissionsSync('f'), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => scope.setPermissionsSync('f', 0o10000), { code: 'EINVAL' });
  assert.throws(() => scope.makeDirectorySync('d', 2 ** 32 + 0o700), { code: 'ERR_OUT_OF_RANGE' });
  assert.deepStrictEqual(fs.readdirSync(place), ['f']);
  assert.notStrictEqual(fs.statSync(path.join(place, 'f')).mode & 0o777, 0);
});

test('a closed scope is refused, and closing it again does nothing', async (t) => {
  const place = temporary(t);
  const scope = fewer.Scope.enterSync(place);
  const inner = scope.enterSync('.');
  const walk = fewer.walk('.', { scope })[Symbol.iterator]();
  scope.close();
  scope.close();
  const closed = { code: 'ERR_INVALID_ARG_VALUE', message: 'this scope is closed' };
  assert.throws(() => scope.statSync('.'), closed);
  await assert.rejects(scope.stat('.'), closed);
  assert.throws(() => fewer.walk('.', { scope }), closed);
  assert.throws(() => fewer.listSync('.', { scope }), closed);
  assert.throws(() => fewer.readLinesSync('x', { scope }), closed);
  assert.strictEqual(walk.next().value.path, '.');
  assert.strictEqual(inner.statSync('.').kind, 'directory');
  assert.throws(() => new fewer.Scope(), { code: 'ERR_INVALID_ARG_TYPE' });
});

test('an entry of a walk in a scope is looked at in it', (t) => {
  const place = make(temporary(t), { 'a/f': '1' });
  const scope = fewer.Scope.enterSync(place);
  const [, file] = fewer.walk('a', { scope, sort: true });
  assert.strictEqual(file.path, 'a/f');
  assert.strictEqual(file.statSync().size, 1);
});
