'use strict';

// Worker threads, exits in the middle, garbage: no crash and no leak.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');

const fewer = require('..');
const { makeMany, run, temporary } = require('./tree.js');

const quoted = JSON.stringify;

test('process.exit in the middle of a walk ends the process quietly', (t) => {
  const place = makeMany(temporary(t), 450, 2);
  for (const leave of ['process.exit(0)', 'process.reallyExit(0)', 'setImmediate(process.exit)']) {
    assert.strictEqual(run(`
      const walks = Array.from({ length: 8 }, () => fewer.paths(${quoted(place)}));
      const walk = fewer.walk(${quoted(place)})[Symbol.iterator]();
      walk.next();
      const later = fewer.walk(${quoted(place)})[Symbol.asyncIterator]();
      later.next().then(() => ${leave});
    `), '');
  }
});

test('a worker thread walks, and may be ended in the middle', async (t) => {
  const place = makeMany(temporary(t), 450, 2);
  const source = `
    const { parentPort } = require('node:worker_threads');
    const fewer = require(${quoted(path.resolve(__dirname, '..'))});
    (async () => {
      const walk = fewer.walk(${quoted(place)})[Symbol.asyncIterator]();
      await walk.next();
      parentPort.postMessage(fewer.pathsSync(${quoted(place)}).length);
      for (;;) await fewer.paths(${quoted(place)});
    })();
  `;
  const workers = Array.from({ length: 4 }, () => new Worker(source, { eval: true }));
  await Promise.all(workers.map(async (worker) => {
    const count = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    assert.strictEqual(count, 1351);
    await worker.terminate();
  }));
  assert.strictEqual(fewer.pathsSync(place).length, 1351);
});

function counts() {
  const status = fs.readFileSync('/proc/self/status', 'latin1');
  const number = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return {
    descriptors: fs.readdirSync('/proc/self/fd').length,
    threads: number('Threads'),
    kilobytes: number('VmRSS'),
  };
}

async function collectGarbage() {
  for (let round = 0; round < 4; round += 1) {
    global.gc();
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

// What has been added in the end: a finalizer may come a turn late, and a thread that has ended is
// listed for a moment yet. Counts again, for half a minute, until nothing is left.
async function added(before) {
  for (let patience = 0; ; patience += 1) {
    await collectGarbage();
    const after = counts();
    const more = {
      descriptors: after.descriptors - before.descriptors,
      threads: after.threads - before.threads,
      kilobytes: after.kilobytes - before.kilobytes,
    };
    const isFine = more.descriptors <= 0 && more.threads <= 0 && more.kilobytes < 30_000;
    if (isFine || patience === 300) return more;
    await new Promise((resolve) => { setTimeout(resolve, 80); });
  }
}

const needsGc = { skip: global.gc === undefined && 'needs --expose-gc' };

// A thousand, if `check` does not say otherwise.
const ROUNDS = Number(process.env.FEWER_ROUNDS ?? 1000);

test(`${ROUNDS} walks, half of them abandoned, leave nothing behind`, needsGc, async (t) => {
  const place = makeMany(temporary(t), 450, 2);
  const file = path.join(place, 'directory-0/file-0');
  fs.writeFileSync(file, 'a\n'.repeat(1000));
  async function some(rounds) {
    for (let round = 0; round < rounds; round += 1) {
      const walk = fewer.walk(place);
      if (round % 4 === 0) [...walk].at(-1);
      else if (round % 4 === 1) walk[Symbol.iterator]().next();
      else if (round % 4 === 2) await walk[Symbol.asyncIterator]().next();
      else for await (const entry of walk) if (entry.depth === 1) break;
      fewer.lines(file)[Symbol.iterator]().next();
      if (round % 50 === 0) await collectGarbage();
    }
    await collectGarbage();
  }
  await some(ROUNDS / 5);
  const before = counts();
  await some(ROUNDS);
  const more = await added(before);
  assert.ok(more.descriptors <= 0, `${more.descriptors} descriptors more`);
  assert.ok(more.threads <= 0, `${more.threads} threads more`);
  assert.ok(more.kilobytes < 30_000, `memory has grown by ${more.kilobytes} KiB`);
});

test('both kinds of modules have the same objects', async () => {
  const module = await import('../lib/index.mjs');
  assert.deepStrictEqual(Object.keys(module).sort(), ['default', ...Object.keys(fewer)].sort());
  for (const name of Object.keys(fewer)) assert.strictEqual(module[name], fewer[name]);
  assert.strictEqual(module.default, fewer);
});
