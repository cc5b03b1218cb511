'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { temporary } = require('./tree.js');

function file(t, text) {
  const name = path.join(temporary(t), 'text');
  fs.writeFileSync(name, text);
  return name;
}

async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

test('lines end with a newline, and what is behind the last one is a line too', async (t) => {
  for (const [text, expected] of [
    ['', []], ['\n', ['']], ['a', ['a']], ['a\n', ['a']], ['a\n\nb', ['a', '', 'b']],
    ['a\r\nb\r', ['a\r', 'b\r']], ['\ufeffa\0b\n', ['\ufeffa\0b']],
  ]) {
    const name = file(t, text);
    assert.deepStrictEqual(fewer.readLinesSync(name), expected);
    assert.deepStrictEqual(await fewer.readLines(name), expected);
    assert.deepStrictEqual([...fewer.lines(name)], expected);
    assert.deepStrictEqual(await all(fewer.lines(name)), expected);
    assert.deepStrictEqual(await all(fewer.lines(name).stream()), expected);
    assert.strictEqual(fewer.countLinesSync(name), expected.length);
    assert.strictEqual(await fewer.countLines(name), expected.length);
    const buffers = expected.map((line) => Buffer.from(line));
    assert.deepStrictEqual(fewer.readLinesSync(name, { encoding: 'buffer' }), buffers);
  }
});

test('ends can be kept, be NULs, have a return', (t) => {
  const read = (text, options) => fewer.readLinesSync(file(t, text), options);
  for (const encoding of ['utf8', 'latin1', 'buffer']) {
    const strings = (text, options) => read(text, { encoding, ...options }).map(String);
    assert.deepStrictEqual(strings('a\nb', { keepEnds: true }), ['a\n', 'b']);
    assert.deepStrictEqual(strings('a\r\nb\r\n', { keepEnds: true, crlf: true }),
      ['a\r\n', 'b\r\n']);
    assert.deepStrictEqual(strings('a\r\nb\rc\n\r', { crlf: true }), ['a', 'b\rc', '\r']);
    assert.deepStrictEqual(strings('a\nb\0c', { nul: true }), ['a\nb', 'c']);
    assert.deepStrictEqual(strings('a\0', { nul: true, keepEnds: true }), ['a\0']);
  }
  assert.throws(() => read('', { nul: true, crlf: true }), { code: 'ERR_INVALID_ARG_VALUE' });
});

test('text of many blocks is what wc and tail make of it', async (t) => {
  const letters = [...'é日😀x'];
  const text = Array.from({ length: 40_000 }, (_, n) => {
    return `line ${n} ${letters.slice(0, n % 5).join('')}\n`;
  });
  const name = file(t, text.join(''));
  const lines = text.join('').split('\n').slice(0, -1);
  assert.ok(fs.statSync(name).size > 2 * 256 * 1024);
  assert.deepStrictEqual(fewer.readLinesSync(name), lines);
  assert.deepStrictEqual(await fewer.readLines(name), lines);
  const counted = execFileSync('wc', ['-l', name], { encoding: 'utf8' });
  assert.strictEqual(fewer.countLinesSync(name), Number.parseInt(counted, 10));
  const tail = execFileSync('tail', ['-n', '7', name], { encoding: 'utf8' });
  const last = fewer.lastLinesSync(name, 7, { keepEnds: true });
  assert.strictEqual(last.join(''), tail);
  assert.deepStrictEqual(await fewer.lastLines(name, 0), []);
});

test('what is not UTF-8 is replaced, is an error, or is bytes', (t) => {
  const bytes = Buffer.from('a\nb\xff\nc\n', 'latin1');
  const name = file(t, bytes);
  const decoded = bytes.toString('utf8').split('\n').slice(0, -1);
  assert.deepStrictEqual(fewer.readLinesSync(name), decoded);
  assert.deepStrictEqual(fewer.readLinesSync(name, { encoding: 'latin1' }), ['a', 'b\xff', 'c']);
  const raw = fewer.readLinesSync(name, { encoding: 'buffer' });
  assert.deepStrictEqual(raw.map((line) => [...line]), [[0x61], [0x62, 0xff], [0x63]]);
  const read = [];
  assert.throws(
    () => { for (const line of fewer.lines(name, { fatal: true })) read.push(line); },
    { code: 'EILSEQ', action: 'decode', message: `line 2 of '${name}' is not UTF-8 at byte 3` },
  );
  assert.deepStrictEqual(read, ['a']);
});

test('a line longer than many blocks is one line', (t) => {
  const name = file(t, `${'x'.repeat(3_000_000)}\ny`);
  const [long, short] = fewer.readLinesSync(name);
  assert.deepStrictEqual([long.length, short], [3_000_000, 'y']);
});

test('an open descriptor is read from where it is, and stays open', async (t) => {
  const name = file(t, 'one\ntwo\n');
  const descriptor = fs.openSync(name, 'r');
  fs.readSync(descriptor, Buffer.alloc(4));
  assert.deepStrictEqual(fewer.readLinesSync(descriptor), ['two']);
  fs.fstatSync(descriptor);
  fs.closeSync(descriptor);
  assert.throws(() => fewer.readLinesSync(descriptor), { code: 'EBADF' });
  const handle = await fs.promises.open(name);
  assert.deepStrictEqual(await fewer.readLines(handle), ['one', 'two']);
  await handle.close();
  assert.throws(() => fewer.readLinesSync(-1), { code: 'ERR_INVALID_ARG_TYPE' });
});

test('errors come where the reading does', async (t) => {
  const place = temporary(t);
  const missing = path.join(place, 'missing');
  const lines = fewer.lines(missing);
  assert.throws(() => [...lines], { code: 'ENOENT', action: 'open', path: missing });
  await assert.rejects(fewer.readLines(missing), { code: 'ENOENT' });
  await assert.rejects(fewer.countLines(missing), { code: 'ENOENT' });
  assert.throws(() => fewer.readLinesSync(place), { code: 'EISDIR', action: 'read' });
  assert.throws(() => fewer.lastLinesSync(missing, 3), { code: 'ENOENT' });
});

test('a web stream reads when it is asked, and ends when it is cancelled', async (t) => {
  const name = file(t, 'a\nb\nc\n');
  const reader = fewer.lines(name).stream().getReader();
  assert.deepStrictEqual(await reader.read(), { done: false, value: 'a' });
  await reader.cancel();
  assert.strictEqual((await reader.read()).done, true);
  const failing = fewer.lines(`${name}x`).stream().getReader();
  await assert.rejects(failing.read(), { code: 'ENOENT' });
});

test('a FIFO is read to its end', async (t) => {
  const fifo = path.join(temporary(t), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const lines = fewer.readLines(fifo);
  await fs.promises.writeFile(fifo, 'a\nb\n');
  assert.deepStrictEqual(await lines, ['a', 'b']);
});
