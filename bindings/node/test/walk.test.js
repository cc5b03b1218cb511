'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { find, make, makeMany, temporary } = require('./tree.js');

const sorted = (items) => [...items].sort();
const below = (place, names) => names.map((name) => path.join(place, name));

test('paths are those of find, at once and later, one by one and in batches', async (t) => {
  const place = makeMany(temporary(t), 30, 40);
  const expected = find(place).map(String);
  assert.strictEqual(expected.length, 1231);
  assert.deepStrictEqual(sorted(fewer.pathsSync(place)), expected);
  assert.deepStrictEqual(sorted(await fewer.paths(place)), expected);
  assert.deepStrictEqual(sorted(fewer.iterPaths(place)), expected);
  assert.deepStrictEqual(sorted([...fewer.iterPaths(place).batches()].flat()), expected);
  const later = [];
  for await (const entry of fewer.walk(place)) later.push(entry.path);
  assert.deepStrictEqual(sorted(later), expected);
  const batches = [];
  for await (const batch of fewer.walk(place).batches()) batches.push(...batch);
  assert.deepStrictEqual(sorted(batches.map((entry) => entry.path)), expected);
});

test('more than 400 directories are walked by several threads, with the same result', (t) => {
  const place = makeMany(temporary(t), 450, 2);
  assert.deepStrictEqual(sorted(fewer.pathsSync(place)), find(place).map(String));
  assert.deepStrictEqual(fewer.pathsSync(place, { sort: true }), find(place).map(String));
});

test('a walk begins anew each time', (t) => {
  const place = make(temporary(t), { a: '', b: '' });
  const walk = fewer.walk(place);
  assert.strictEqual([...walk].length, 3);
  fs.unlinkSync(path.join(place, 'a'));
  assert.strictEqual([...walk].length, 2);
});

test('an entry says what its directory says', (t) => {
  const place = make(temporary(t), { 'd/f': '123', 'd/s/': '' });
  fs.symlinkSync('f', path.join(place, 'd/l'));
  const [root, file, link, directory] = fewer.walk(path.join(place, 'd'), { sort: true });
  assert.deepStrictEqual([root.kind, root.depth, root.name], ['directory', 0, 'd']);
  assert.deepStrictEqual([file.kind, file.depth, file.name], ['file', 1, 'f']);
  assert.strictEqual(file.path, path.join(place, 'd/f'));
  assert.strictEqual(file.parentPath, path.join(place, 'd'));
  assert.strictEqual(file.inode, fs.statSync(file.path, { bigint: true }).ino);
  assert.ok(file.nameBytes.equals(Buffer.from('f')));
  assert.strictEqual(link.kind, 'symlink');
  assert.strictEqual(link.readLinkSync(), 'f');
  assert.strictEqual(link.statSync().kind, 'symlink');
  assert.strictEqual(link.statSync({ follow: true }).size, 3);
  assert.strictEqual(directory.kind, 'directory');
});

test('an entry is what fs.Dirent is', (t) => {
  const place = make(temporary(t), { f: '' });
  fs.symlinkSync('f', path.join(place, 'l'));
  const dirents = fs.readdirSync(place, { withFileTypes: true });
  const entries = [...fewer.walk(place, { sort: true, minDepth: 1 })];
  const questions = Object.getOwnPropertyNames(fs.Dirent.prototype)
    .filter((name) => name.startsWith('is'));
  assert.ok(questions.length >= 7);
  for (const [index, dirent] of dirents.sort((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
    assert.strictEqual(entries[index].name, dirent.name);
    for (const question of questions) {
      assert.strictEqual(entries[index][question](), dirent[question](), question);
    }
  }
});

test('the name of a root is its last component, slashes and all', (t) => {
  const place = make(temporary(t), { 'd/é/f': '' });
  const [root] = fewer.walk(path.join(place, 'd') + '//');
  assert.deepStrictEqual([root.path, root.name], [`${place}/d//`, 'd']);
  const [other, file] = fewer.walk(`${place}/d/é/`, { sort: true });
  assert.deepStrictEqual([other.name, file.name], ['é', 'f']);
  assert.deepStrictEqual([root, other, file].map((entry) => entry.parentPath),
    [place, `${place}/d`, `${place}/d/é`]);
  const [buffer] = fewer.walk(`${place}/d/é//`, { encoding: 'buffer' });
  assert.deepStrictEqual(buffer.parentPath, Buffer.from(`${place}/d`));
  assert.strictEqual(file.path, `${place}/d/é/f`);
});

test('filters leave out what they say', (t) => {
  const place = make(temporary(t), {
    'a.js': '', 'B.JS': '', '.h/x.js': '', 'n/m/y.js': '', 'n/z.txt': '', '.gitignore': 'n/m\n',
  });
  const names = (options) => fewer.pathsSync(place, { sort: true, ...options })
    .map((name) => path.relative(place, name));
  assert.deepStrictEqual(names({ glob: '*.js' }), ['.h/x.js', 'a.js', 'n/m/y.js']);
  assert.deepStrictEqual(names({ glob: '*.js', ignoreCase: true, maxDepth: 1 }), ['B.JS', 'a.js']);
  assert.deepStrictEqual(names({ glob: ['*.txt', 'a*'] }), ['a.js', 'n/z.txt']);
  assert.deepStrictEqual(names({ exclude: ['n', '.*'] }), ['', 'B.JS', 'a.js']);
  assert.deepStrictEqual(names({ hidden: false, kinds: 'd' }), ['', 'n', 'n/m']);
  assert.deepStrictEqual(names({ kinds: ['dir'], minDepth: 1 }), ['.h', 'n', 'n/m']);
  assert.deepStrictEqual(names({ glob: '*.js', gitignore: true, hidden: false }), ['B.JS', 'a.js']
    .filter((name) => name.endsWith('.js')));
  assert.deepStrictEqual(names({ fullPath: true, glob: '**/m/*' }), ['n/m/y.js']);
});

test('several roots come one after the other', (t) => {
  const place = make(temporary(t), { 'a/1': '', 'b/2': '' });
  const expected = below(place, ['a', 'a/1', 'b', 'b/2']);
  assert.deepStrictEqual(fewer.pathsSync(below(place, ['a', 'b']), { sort: true }), expected);
});

test('a pruned directory is an entry that is not entered', async (t) => {
  const place = make(temporary(t), { 'a/1/x': '', 'b/2': '' });
  const prune = (entry) => entry.name === 'a';
  const expected = below(place, ['', 'a', 'b', 'b/2']).map((name) => name.replace(/\/$/, ''));
  assert.deepStrictEqual(fewer.pathsSync(place, { sort: true, prune }), expected);
  assert.deepStrictEqual(await fewer.paths(place, { sort: true, prune }), expected);
  const walked = [...fewer.walk(place, { sort: true, prune })].map((entry) => entry.path);
  assert.deepStrictEqual(walked, expected);
});

test('what is pruned costs no call', (t) => {
  const place = makeMany(temporary(t), 10, 1);
  const cost = new fewer.Cost();
  fewer.pathsSync(place, { prune: (entry) => entry.depth === 1 });
  assert.strictEqual(cost.calls().openat, 1);
});

test('directories come one at a time, and can be pruned until the next is asked for', async (t) => {
  const place = make(temporary(t), { 'a/1': '', 'b/2': '' });
  const seen = [];
  for (const directory of fewer.directories(place, { sort: true })) {
    seen.push([directory.path, directory.entries.map((entry) => entry.name)]);
    const a = directory.entries.find((entry) => entry.name === 'a');
    if (a !== undefined) assert.strictEqual(directory.prune(a), true);
    assert.strictEqual(directory.prune({}), false);
  }
  const root = path.basename(place);
  const expected = [[undefined, [root]], [place, ['a', 'b']], [`${place}/b`, ['2']]];
  assert.deepStrictEqual(seen, expected);
  let count = 0;
  for await (const directory of fewer.directories(place)) count += directory.entries.length;
  assert.strictEqual(count, 5);
});

test('a directory that has gone by prunes nothing, least of all in the next one', async (t) => {
  const place = make(temporary(t), { 'a/1/x': '', 'a/2/y': '', 'b/3/z': '' });
  const now = fewer.directories(place, { sort: true })[Symbol.iterator]();
  const later = fewer.directories(place, { sort: true })[Symbol.asyncIterator]();
  for (const iterator of [now, later]) {
    await iterator.next();
    const { value: top } = await iterator.next();
    assert.deepStrictEqual(top.entries.map(({ name }) => name), ['a', 'b']);
    const asked = iterator.next();
    await undefined;
    assert.strictEqual(top.prune(top.entries[1]), false);
    assert.deepStrictEqual((await asked).value.entries.map(({ name }) => name), ['1', '2']);
    assert.strictEqual(top.prune(top.entries[1]), false);
    const { value: next } = await iterator.next();
    assert.strictEqual(next.path, `${place}/a/1`);
    await iterator.return();
    assert.strictEqual(next.prune(next.entries[0]), false);
  }
});

test('links are followed on request, and a loop is an error', (t) => {
  const place = make(temporary(t), { 'a/f': '' });
  fs.symlinkSync('a', path.join(place, 'l'));
  assert.strictEqual(fewer.pathsSync(place, { follow: true }).length, 5);
  fs.symlinkSync('.', path.join(place, 'a/loop'));
  const errors = [];
  fewer.pathsSync(place, { follow: true, onError: (error) => errors.push(error.code) });
  assert.deepStrictEqual(errors, ['ELOOP', 'ELOOP']);
});

test('an error ends the iteration, is ignored, or is passed on', async (t) => {
  const place = make(temporary(t), { f: '' });
  const roots = [path.join(place, 'missing'), place];
  const missing = { code: 'ENOENT', errno: -2, action: 'access', path: roots[0] };
  assert.throws(() => fewer.pathsSync(roots), missing);
  await assert.rejects(fewer.paths(roots), missing);
  assert.throws(() => [...fewer.walk(roots)], missing);
  assert.strictEqual(fewer.pathsSync(roots, { onError: 'ignore' }).length, 2);
  const errors = [];
  const onError = (error) => errors.push(error.message);
  assert.strictEqual([...fewer.walk(roots, { onError })].length, 2);
  assert.deepStrictEqual(errors, [`cannot access '${roots[0]}': No such file or directory`]);
  const told = new Error('told');
  assert.throws(() => fewer.pathsSync(roots, { onError: () => { throw told; } }), told);
});

test('entries before an error come first', (t) => {
  const place = make(temporary(t), { 'a/f': '' });
  const iterator = fewer.walk([path.join(place, 'a'), `${place}/x`], { sort: true })[
    Symbol.iterator]();
  assert.strictEqual(iterator.next().value.name, 'a');
  assert.strictEqual(iterator.next().value.name, 'f');
  assert.throws(() => iterator.next(), { code: 'ENOENT' });
  assert.deepStrictEqual(iterator.next(), { done: true, value: undefined });
});

test('paths may be buffers, URLs, entries', (t) => {
  const place = make(temporary(t), { f: '' });
  const { pathToFileURL } = require('node:url');
  const [entry] = fewer.walk(place);
  const other = { pathBytes: Buffer.from(place) };
  for (const root of [Buffer.from(place), pathToFileURL(place), entry, other]) {
    assert.deepStrictEqual(fewer.pathsSync(root, { sort: true }), [place, path.join(place, 'f')]);
  }
});
