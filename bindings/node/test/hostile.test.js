'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { find, isRoot, make, run, temporary } = require('./tree.js');

const BAD = Buffer.from('bad-\xff\xfe', 'latin1');

/** A directory with names of all sorts. */
function hostile(t) {
  const place = temporary(t);
  const names = [
    BAD, 'new\nline', 'tab\tquote"\'', 'é日😀', 'x'.repeat(255), '\u007f', ' ', '-rf', '\\',
    '\ufeffmark', '%s',
  ];
  for (const name of names) {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from(name)]), '');
  }
  return place;
}

const bytes = (names) => names.map((name) => Buffer.from(name)).sort(Buffer.compare);

test('every name comes through without loss', async (t) => {
  const place = hostile(t);
  const expected = find(place);
  assert.deepStrictEqual(bytes(fewer.pathsSync(place)), expected);
  assert.deepStrictEqual(bytes(await fewer.paths(place)), expected);
  assert.deepStrictEqual(bytes(fewer.pathsSync(place, { encoding: 'buffer' })), expected);
  assert.deepStrictEqual(bytes([...fewer.walk(place)].map((entry) => entry.pathBytes)), expected);
  const listed = fewer.listSync(place).map((row) => row.pathBytes);
  assert.deepStrictEqual(bytes([place, ...listed]), expected);
  assert.deepStrictEqual(bytes([...fewer.directories(place)].flatMap(({ entries }) => {
    return entries.map((entry) => entry.path);
  })), expected);
});

test('a name that is not UTF-8 is a buffer, and the others are strings', (t) => {
  const place = hostile(t);
  const odd = fewer.pathsSync(place).filter((name) => typeof name !== 'string');
  assert.deepStrictEqual(odd, [Buffer.concat([Buffer.from(`${place}/`), BAD])]);
  const entries = [...fewer.walk(place, { minDepth: 1 })];
  const [entry] = entries.filter(({ name }) => typeof name !== 'string');
  assert.deepStrictEqual([entry.name, entry.parentPath], [BAD, place]);
  assert.strictEqual(entry.statSync().size, 0);
  assert.strictEqual(fs.statSync(entry.path).size, 0);
  assert.deepStrictEqual(entry.nameBytes, BAD);
  const names = entries.map(({ name }) => Buffer.from(name)).sort(Buffer.compare);
  const listed = fs.readdirSync(place, { encoding: 'buffer' }).sort(Buffer.compare);
  assert.deepStrictEqual(names, listed);
});

test('with encoding utf8 all are the strings of fs', (t) => {
  const place = hostile(t);
  const strings = fewer.pathsSync(place, { encoding: 'utf8', minDepth: 1 });
  const expected = fs.readdirSync(place).map((name) => `${place}/${name}`);
  assert.deepStrictEqual(strings.sort(), expected.sort());
  const rows = fewer.listSync(place, { encoding: 'utf8' }).map((row) => row.name);
  assert.deepStrictEqual(rows.sort(), fs.readdirSync(place).sort());
});

test('with encoding buffer all are buffers', (t) => {
  const place = make(temporary(t), { 'é/f': '' });
  for (const entry of fewer.walk(place, { encoding: 'buffer' })) {
    assert.ok([entry.path, entry.name, entry.parentPath].every(Buffer.isBuffer));
  }
  assert.ok(fewer.listSync(place, { encoding: 'buffer' }).every(({ name }) => {
    return Buffer.isBuffer(name);
  }));
  assert.deepStrictEqual(fewer.listSync(place, 'buffer')[0].name, Buffer.from('é'));
});

test('a path longer than the kernel takes at once is walked and looked at', (t) => {
  const place = temporary(t);
  execFileSync('sh', ['-c', `
    cd "$1"; i=0
    while [ $i -lt 25 ]; do name=$(printf "%0250d" 7); mkdir $name; cd -P $name; i=$((i + 1)); done
    echo text > leaf
  `, 'sh', place]);
  const deepest = [...fewer.walk(place, { sort: true })].at(-1);
  assert.strictEqual(deepest.depth, 26);
  assert.ok(deepest.path.length > 6000);
  assert.strictEqual(deepest.statSync().size, 5);
  assert.deepStrictEqual(fewer.readLinesSync(deepest), ['text']);
  fewer.Scope.enterSync(place).removeTreeSync('0'.repeat(249) + '7');
});

test('an unreadable directory is an error among entries', { skip: isRoot && 'root' }, (t) => {
  const place = make(temporary(t), { 'a/f': '', 'b/g': '' });
  fs.chmodSync(path.join(place, 'a'), 0);
  const errors = [];
  const names = fewer.pathsSync(place, { onError: (error) => errors.push(error) });
  assert.strictEqual(names.length, 4);
  assert.deepStrictEqual(errors.map(({ code, action }) => [code, action]),
    [['EACCES', 'open directory']]);
});

test('wrong arguments are TypeErrors, as in fs', async () => {
  const type = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
  const value = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
  for (const path_ of [null, 7, {}, true, Symbol('s'), [null], () => {}]) {
    assert.throws(() => fewer.walk(path_), type);
    assert.throws(() => fewer.listSync(path_), type);
    await assert.rejects(fewer.paths(path_), type);
    await assert.rejects(fewer.Snapshot.make(path_), type);
  }
  assert.throws(() => fewer.readLinesSync(null), type);
  assert.throws(() => fewer.pathsSync('a\0b'), value);
  assert.throws(() => fewer.pathsSync(Buffer.from('a\0b')), value);
  assert.throws(() => fewer.pathsSync([]), value);
  assert.throws(() => fewer.walk('.', { sorted: true }), value);
  assert.throws(() => fewer.walk('.', { glob: '[' }), value);
  assert.throws(() => fewer.walk('.', { kinds: 'x' }), value);
  assert.throws(() => fewer.walk('.', { encoding: 'utf16' }), value);
  assert.throws(() => fewer.walk('.', { sort: 1 }), type);
  assert.throws(() => fewer.walk('.', { scope: {} }), type);
  assert.throws(() => fewer.walk('.', { since: new Map() }), type);
  assert.throws(() => fewer.walk('.', { signal: {} }), type);
  assert.throws(() => fewer.walk('.', { glob: [1] }), type);
  assert.throws(() => fewer.walk('.', 7), type);
  assert.throws(() => fewer.walk('.', { maxDepth: '1' }), type);
  for (const count of [-1, 1.5, NaN]) {
    assert.throws(() => fewer.walk('.', { maxDepth: count }),
      { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' });
  }
});

test('closing twice and using what is closed do nothing', async (t) => {
  const place = make(temporary(t), { a: '', b: '' });
  const iterator = fewer.walk(place)[Symbol.iterator]();
  iterator.next();
  assert.deepStrictEqual(iterator.return(7), { done: true, value: 7 });
  iterator.return();
  assert.strictEqual(iterator.next().done, true);
  const later = fewer.walk(place)[Symbol.asyncIterator]();
  await later.next();
  assert.deepStrictEqual(await later.return(7), { done: true, value: 7 });
  await later.return();
  assert.strictEqual((await later.next()).done, true);
  const fresh = fewer.lines(path.join(place, 'a'))[Symbol.asyncIterator]();
  await fresh.return();
  assert.strictEqual((await fresh.next()).done, true);
});

test('a program whose directory is gone gets errors', (t) => {
  const place = temporary(t);
  const printed = run(`
    const fs = require('node:fs');
    fs.mkdirSync(${JSON.stringify(place)} + '/gone');
    process.chdir(${JSON.stringify(place)} + '/gone');
    fs.rmdirSync('../gone');
    console.log(fewer.pathsSync('.').length);
    try { fewer.Scope.start().physicalSync(); } catch (error) { console.log(error.code); }
  `);
  assert.strictEqual(printed, '1\nENOENT\n');
});
