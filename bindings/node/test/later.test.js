'use strict';

// What happens on threads of the pool, and meanwhile.

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const fewer = require('..');
const { makeMany, temporary } = require('./tree.js');

const aborted = { name: 'AbortError' };

test('a signal that is aborted already ends everything before a call', async (t) => {
  const place = temporary(t);
  const signal = AbortSignal.abort();
  const cost = new fewer.Cost();
  assert.throws(() => fewer.pathsSync(place, { signal }), aborted);
  assert.throws(() => fewer.listSync(place, { signal }), aborted);
  assert.throws(() => fewer.readLinesSync(place, { signal }), aborted);
  await assert.rejects(fewer.paths(place, { signal }), aborted);
  await assert.rejects(fewer.list(place, { signal }), aborted);
  await assert.rejects(fewer.readLines(place, { signal }), aborted);
  await assert.rejects(fewer.countLines(place, { signal }), aborted);
  await assert.rejects(fewer.size(place, { signal }), aborted);
  await assert.rejects(fewer.Snapshot.make(place, { signal }), aborted);
  assert.strictEqual(cost.total, 0);
});

test('a signal ends a walk in the middle, with its reason', async (t) => {
  const place = makeMany(temporary(t), 100, 30);
  const reason = new Error('enough');
  for (const begin of [fewer.walk, fewer.iterPaths]) {
    const controller = new AbortController();
    let count = 0;
    await assert.rejects(async () => {
      for await (const entry of begin(place, { signal: controller.signal })) {
        assert.ok(entry);
        count += 1;
        if (count === 5) controller.abort(reason);
      }
    }, reason);
    assert.ok(count < 3000);
  }
  const controller = new AbortController();
  assert.throws(() => {
    for (const entry of fewer.walk(place, { signal: controller.signal })) {
      assert.ok(entry);
      controller.abort(reason);
    }
  }, reason);
});

test('a signal that lives on does not keep what was abandoned', {
  skip: global.gc === undefined && 'needs --expose-gc',
}, async (t) => {
  const place = makeMany(temporary(t), 5, 5);
  const controller = new AbortController();
  async function abandon() {
    const iterator = fewer.walk(place, { signal: controller.signal })[Symbol.asyncIterator]();
    await iterator.next();
    return new WeakRef(iterator);
  }
  const references = [];
  for (let round = 0; round < 20; round += 1) references.push(await abandon());
  const kept = () => references.filter((reference) => reference.deref() !== undefined).length;
  // The last one may still be in a register. What was looked at is not collected in the same turn.
  for (let round = 0; round < 6000 && (round < 10 || kept() > 1); round += 1) {
    await new Promise((resolve) => { setTimeout(resolve, 5); });
    global.gc();
  }
  assert.ok(kept() <= 1);
  controller.abort();
});

test('a signal ends the wait for a FIFO that nothing writes to', async (t) => {
  const fifo = path.join(temporary(t), 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const wait of [fewer.readLines, fewer.countLines]) {
    await assert.rejects(wait(fifo, { signal: AbortSignal.timeout(20) }), {
      name: 'TimeoutError',
    });
  }
  // Their threads wait on until there has been a writer. As long as they do, the process lives.
  const [O_PATH, O_WRITING] = [0o10000000, fs.constants.O_RDWR | fs.constants.O_NONBLOCK];
  const removed = `/proc/self/fd/${fs.openSync(fifo, O_PATH)}`;
  setInterval(() => fs.closeSync(fs.openSync(removed, O_WRITING)), 5).unref();
});

test('calls of next that overlap are answered in their order', async (t) => {
  const place = makeMany(temporary(t), 20, 120);
  const expected = fewer.pathsSync(place, { sort: true });
  const iterator = fewer.iterPaths(place, { sort: true })[Symbol.asyncIterator]();
  const answers = await Promise.all(expected.map(() => iterator.next()));
  assert.deepStrictEqual(answers.map(({ value }) => value), expected);
  const rest = await Promise.all([iterator.next(), iterator.next(), iterator.return()]);
  assert.deepStrictEqual(rest.map(({ done }) => done), [true, true, true]);
});

test('a loop that is left ends the walk', async (t) => {
  const place = makeMany(temporary(t), 50, 50);
  for await (const entry of fewer.walk(place)) {
    assert.ok(entry);
    break;
  }
  const pending = fewer.walk(place)[Symbol.asyncIterator]();
  const first = pending.next();
  const ended = pending.return();
  assert.strictEqual((await ended).done, true);
  assert.strictEqual(typeof (await first).done, 'boolean');
});

test('the event loop is not held up while a tree is walked', async (t) => {
  const place = makeMany(temporary(t), 60, 100);
  let turns = 0;
  const ticking = setInterval(() => { turns += 1; }, 0);
  let count = 0;
  for await (const entry of fewer.walk(place)) count += entry.name.length > 0;
  clearInterval(ticking);
  assert.strictEqual(count, 6061);
  // A batch is some 1,000 entries, and each one is a turn: on a busy machine turns are certain, and
  // milliseconds are not.
  assert.ok(turns >= 3, `${turns} turns`);
});

test('a block of very many lines is not handed over in one turn', async (t) => {
  const file = path.join(temporary(t), 'empty lines');
  fs.writeFileSync(file, '\n'.repeat(200_000));
  for (const make of [() => fewer.lines(file), () => fewer.lines(file).stream()]) {
    let [turns, count, ended] = [0, 0, false];
    const tick = () => { turns += 1; if (!ended) setImmediate(tick); };
    setImmediate(tick);
    for await (const line of make()) count += line.length === 0;
    ended = true;
    assert.strictEqual(count, 200_000);
    // 4,096 at most in each.
    assert.ok(turns >= 48, `${turns} turns`);
  }
});

test('many walks at once share the pool', async (t) => {
  const place = makeMany(temporary(t), 30, 10);
  const all = await Promise.all(Array.from({ length: 50 }, () => fewer.paths(place)));
  assert.ok(all.every((paths) => paths.length === 331));
});
