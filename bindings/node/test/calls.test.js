'use strict';

// Prices, as strace counts them.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { make, makeMany, run, temporary } = require('./tree.js');

const needsStrace = {
  skip: spawnSync('strace', ['-V']).error !== undefined && 'strace is not installed',
};

const quoted = JSON.stringify;

/** The calls on files below `place` between two that mark the beginning and the end. */
function traced(place, source) {
  const log = path.join(place, '..', `${path.basename(place)}.strace`);
  const library = quoted(path.resolve(__dirname, '..'));
  const mark = (name) => `try { require('node:fs').statSync('/${name}'); } catch {}`;
  const program = `const fewer = require(${library}); ${mark('begin')}; ${source}; ${mark('end')}`;
  const traceOf = 'openat,getdents64,statx,newfstatat,readlinkat,read,close';
  // With one arena for all threads V8's own never shrink theirs, for which glibc reads a file.
  const env = { ...process.env, MALLOC_ARENA_MAX: '1' };
  const { status, stderr } = spawnSync('strace',
    ['-f', '-o', log, '-e', `trace=${traceOf}`, process.execPath, '-e', program], { env });
  assert.strictEqual(status, 0, String(stderr));
  const lines = fs.readFileSync(log, 'latin1').split('\n');
  fs.unlinkSync(log);
  const at = (name) => lines.findIndex((line) => line.includes(`"/${name}"`));
  const counts = {};
  for (const line of lines.slice(at('begin') + 1, at('end'))) {
    const name = /^\d+ +(\w+)\(/.exec(line)?.[1];
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('a walk is 3 calls a directory and none an entry', needsStrace, (t) => {
  const place = temporary(t);
  const small = makeMany(make(place, { 'small/': '' }) + '/small', 10, 3);
  const large = makeMany(make(place, { 'large/': '' }) + '/large', 60, 30);
  const found = fs.statfsSync?.(place).type;
  const few = traced(place, `fewer.pathsSync(${quoted(small)})`);
  const many = traced(place, `fewer.pathsSync(${quoted(large)})`);
  const more = (name) => (many[name] ?? 0) - (few[name] ?? 0);
  // 50 directories more, and of what it takes once nothing more.
  assert.deepStrictEqual([more('openat'), more('close'), more('statx')], [50, 50, 0]);
  assert.strictEqual(more('newfstatat'), 0);
  const marksItsEnd = [0xef53, 0x01021994, 0x9123683e, 0x58465342].includes(found);
  assert.strictEqual(more('getdents64'), marksItsEnd ? 50 : more('getdents64'));
});

test('the library counts what strace counts', needsStrace, (t) => {
  const place = make(temporary(t), { f: 'a\nb\n', g: '', h: '' });
  const cost = new fewer.Cost();
  fewer.readLinesSync(path.join(place, 'f'));
  assert.deepStrictEqual(cost.calls(), { read: 2, openat: 1, close: 1 });
  assert.strictEqual(cost.total, 4);
  const lines = traced(place, `fewer.readLinesSync(${quoted(path.join(place, 'f'))})`);
  assert.deepStrictEqual([lines.openat, lines.read, lines.close], [1, 2, 1]);
  const list = traced(place, `fewer.listSync(${quoted(place)})`);
  assert.deepStrictEqual([list.openat, list.statx, list.close], [1, 3, 1]);
});

test('entries cost nothing until they are asked for what the directory does not say', (t) => {
  const place = make(temporary(t), { f: '' });
  const [, file] = fewer.walk(place, { sort: true });
  const cost = new fewer.Cost();
  assert.deepStrictEqual([file.name, file.kind, file.isFile()], ['f', 'file', true]);
  assert.ok(file.inode > 0n);
  assert.strictEqual(cost.total, 0);
  file.statSync();
  assert.deepStrictEqual(cost.calls(), { statx: 1 });
  const calls = fewer.calls();
  assert.deepStrictEqual(Object.values(calls), Object.values(calls).sort((a, b) => b - a));
});

test('nothing is done before the first entry is taken', (t) => {
  const place = temporary(t);
  const cost = new fewer.Cost();
  fewer.walk(place);
  fewer.walk(place)[Symbol.iterator]();
  fewer.lines(path.join(place, 'missing'));
  assert.strictEqual(cost.total, 0);
});

test('a program that loads the library makes no call with it', () => {
  assert.strictEqual(run('console.log(JSON.stringify(fewer.calls()))'), '{}\n');
});
