'use strict';

const check = require('./arguments.js');
const { abortable } = require('./cancel.js');
const { answer, checked, native, wrongType, wrongValue } = require('./errors.js');
const { Iterable, MOST_IN_A_TURN, Whole, turn } = require('./iterate.js');

const OPTIONS = {
  encoding: check.oneOf('utf8', 'latin1', 'buffer'),
  fatal: check.boolean,
  crlf: check.boolean,
  nul: check.boolean,
  keepEnds: check.boolean,
  threads: check.count,
  scope: check.scope,
  signal: check.signal,
};

/** Lines of bytes: each a copy, so that keeping one does not keep all. */
function cut(bytes, ends, { keepEnds }, isEnded) {
  const lines = new Array(ends.length);
  let start = 0;
  for (let index = 0; index < ends.length; index += 1) {
    const hasEnd = isEnded || index + 1 < ends.length;
    const end = ends[index] - (hasEnd && !keepEnds ? 1 : 0);
    lines[index] = Buffer.from(bytes.subarray(start, end));
    start = ends[index];
  }
  return lines;
}

/** The lines of a block. */
function linesOf([text, isEnded, ends], options) {
  if (typeof text !== 'string') return cut(text, ends, options, isEnded);
  const end = options.nul ? '\0' : '\n';
  const lines = text.split(end);
  const last = lines.pop();
  if (options.keepEnds) {
    for (let index = 0; index < lines.length; index += 1) lines[index] += end;
  }
  if (!isEnded) lines.push(last);
  return lines;
}

/** A file, and how it is read. Each run of it opens it anew. */
class LinesSource {
  constructor(file, given, last = undefined) {
    const { scope, signal, ...options } = check.options(OPTIONS, given);
    if (options.crlf && options.nul) throw wrongValue('crlf and nul exclude each other.');
    const descriptor = typeof file === 'number' ? file : file?.fd;
    if (descriptor !== undefined) {
      if (!Number.isInteger(descriptor) || descriptor < 0 || descriptor > 0x7fffffff) {
        throw wrongType('file', 'a path or an open descriptor', file);
      }
      this.descriptor = descriptor;
    } else {
      this.path = Buffer.from(check.pathBytes(file, 'file'));
    }
    this.options = options;
    this.last = last;
    this.scope = scope;
    this.signal = signal;
    this.readsAhead = true;
  }

  open() {
    const { path, descriptor = -1, last, options, scope } = this;
    return checked(() =>
      native.NativeLines.open(path, descriptor, last, options, scope?.native),
    );
  }

  batch(result) {
    const lines = linesOf(result, this.options);
    return { length: lines.length, item: (index) => lines[index], all: () => lines };
  }
}

/** The lines of a file, at once or asynchronously, each time from the beginning. */
class Lines extends Iterable {
  batches() {
    return new Iterable(new Whole(this.source));
  }

  /** A web stream of lines, in which a block of the file is read when it is asked for more. */
  stream() {
    const batches = this.batches()[Symbol.asyncIterator]();
    let [lines, at] = [[], 0];
    return new ReadableStream(
      {
        async pull(controller) {
          if (at < lines.length) {
            await turn();
          } else {
            const { done, value } = await batches.next();
            if (done) return controller.close();
            [lines, at] = [value, 0];
          }
          const end = Math.min(at + MOST_IN_A_TURN / 4, lines.length);
          for (; at < end; at += 1) controller.enqueue(lines[at]);
          return undefined;
        },
        async cancel() {
          await batches.return();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function lines(file, options) {
  return new Lines(new LinesSource(file, options));
}

function push(all, batch) {
  for (let index = 0; index < batch.length; index += 1) all.push(batch[index]);
}

function collectSync(source) {
  const all = [];
  for (const batch of new Iterable(new Whole(source))) push(all, batch);
  return all;
}

async function collect(source) {
  const all = [];
  for await (const batch of new Iterable(new Whole(source))) push(all, batch);
  return all;
}

function readLinesSync(file, options) {
  return collectSync(new LinesSource(file, options));
}

async function readLines(file, options) {
  return collect(new LinesSource(file, options));
}

function lastLinesSync(file, count, options) {
  return collectSync(new LinesSource(file, options, check.count('count', count)));
}

async function lastLines(file, count, options) {
  return collect(new LinesSource(file, options, check.count('count', count)));
}

function countLinesSync(file, options) {
  const source = new LinesSource(file, options);
  source.signal?.throwIfAborted();
  const handle = source.open();
  try {
    return answer(handle.count(false));
  } finally {
    handle.close();
  }
}

async function countLines(file, options) {
  const source = new LinesSource(file, options);
  const { signal } = source;
  signal?.throwIfAborted();
  const handle = source.open();
  try {
    const counted = handle.count(true);
    const cancel = () => handle.close();
    return answer(await (signal === undefined ? counted : abortable(counted, signal, cancel)));
  } finally {
    handle.close();
  }
}

module.exports = {
  countLines, countLinesSync, lastLines, lastLinesSync, lines, readLines, readLinesSync,
};
