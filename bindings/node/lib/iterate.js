'use strict';

// Items out of batches, one by one: at once, or each batch by a thread of Node's pool.
//
// A source has `open()`, which returns a handle of the library, `batch(result, handle)`, which
// makes of a result an object with `length`, `item(index)` and `errors` (pairs of an index that
// the error comes before, and the error), and it may have `signal`, `onError` and `readsAhead`.

const { answer } = require('./errors.js');

const END = Object.freeze({ done: true, value: undefined });
const nothing = () => {};

// So many items go by before the event loop has another turn: a millisecond or two.
const MOST_IN_A_TURN = 4096;

/** A turn of the event loop. */
const turn = () => new Promise((resolve) => { setImmediate(resolve); });

/** What both kinds of iterators have: the batch at hand, and the errors in it. */
class Items {
  constructor(source, handle) {
    this.source = source;
    this.handle = handle;
    this.batch = undefined;
    this.index = 0;
    // Up to here items are handed over before an error or the next batch.
    this.end = 0;
    this.isOver = false;
  }

  /** Takes a result of the library; false at the end. */
  take(result) {
    if (result === undefined || this.isOver) {
      this.close();
      return false;
    }
    this.batch = this.source.batch(answer(result), this.handle);
    this.index = 0;
    this.end = this.batch.errors === undefined ? this.batch.length : 0;
    return true;
  }

  /** Goes on behind an error of the batch; throws it, or passes it on. */
  passErrors() {
    const { errors, length } = this.batch;
    while (errors.length > 0 && errors[0][0] <= this.index) {
      const [, error] = errors.shift();
      this.source.fail(error);
    }
    this.end = errors.length > 0 ? errors[0][0] : length;
    if (errors.length === 0) this.batch.errors = undefined;
  }

  /** Whether errors of this batch are still to be passed on. */
  get hasErrors() {
    return this.batch?.errors !== undefined;
  }

  close() {
    this.isOver = true;
    this.end = 0;
    this.index = 0;
    this.batch = undefined;
    this.handle.close();
  }
}

/** On the thread that asks. */
class SyncIterator extends Items {
  next() {
    if (this.index < this.end) return { done: false, value: this.batch.item(this.index++) };
    return this.refill();
  }

  refill() {
    try {
      for (;;) {
        if (this.hasErrors) this.passErrors();
        if (this.index < this.end) {
          return { done: false, value: this.batch.item(this.index++) };
        }
        if (this.hasErrors) continue;
        if (this.isOver) return END;
        this.source.signal?.throwIfAborted();
        if (!this.take(this.handle.next(false))) return END;
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  return(value) {
    this.close();
    return { done: true, value };
  }

  [Symbol.iterator]() {
    return this;
  }
}

/** On threads of the pool, at most a batch for each turn of the event loop. Calls of `next` that
 * overlap wait in a line. */
class AsyncIterator extends Items {
  constructor(source, handle) {
    super(source, handle);
    this.waiting = 0;
    this.last = Promise.resolve();
    this.ahead = undefined;
    this.rejectWait = undefined;
    this.onAbort = undefined;
    if (source.signal !== undefined) this.listen(source.signal);
  }

  listen(signal) {
    // A signal may outlive many loops, and must not keep alive what nobody else does.
    const reference = new WeakRef(this);
    this.onAbort = () => reference.deref()?.abort(signal.reason);
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  abort(reason) {
    this.rejectWait?.(reason);
    this.handle.close();
  }

  next() {
    if (this.waiting === 0) {
      if (this.index < this.end && !this.hasHadEnough) {
        return Promise.resolve({ done: false, value: this.batch.item(this.index++) });
      }
      if (this.isOver) return Promise.resolve(END);
    }
    return this.inTurn(() => this.refill());
  }

  get hasHadEnough() {
    return this.index % MOST_IN_A_TURN === MOST_IN_A_TURN - 1;
  }

  /** Runs `work` after all that was asked for before. */
  inTurn(work) {
    this.waiting += 1;
    const working = this.last.then(work);
    const done = () => {
      this.waiting -= 1;
    };
    this.last = working.then(done, done);
    return working;
  }

  async refill() {
    try {
      if (this.hasHadEnough) await turn();
      for (;;) {
        if (this.hasErrors) this.passErrors();
        if (this.index < this.end) {
          return { done: false, value: this.batch.item(this.index++) };
        }
        if (this.hasErrors) continue;
        if (this.isOver) return END;
        this.source.signal?.throwIfAborted();
        const result = await this.wait(this.ahead ?? this.handle.next(true));
        this.source.signal?.throwIfAborted();
        this.ahead = undefined;
        if (!this.take(result)) return END;
        // The next batch is made while this one is used.
        if (this.source.readsAhead) this.ahead = this.handle.next(true);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A promise, or what the signal says before that. */
  wait(promise) {
    if (this.onAbort === undefined) return promise;
    return new Promise((resolve, reject) => {
      this.rejectWait = reject;
      promise.then(resolve, reject);
    });
  }

  close() {
    super.close();
    this.ahead = undefined;
    if (this.onAbort !== undefined) {
      this.source.signal.removeEventListener('abort', this.onAbort);
      this.onAbort = undefined;
    }
  }

  /** Ends it at once, also while a thread is at work for it. */
  return(value) {
    this.close();
    return this.inTurn(nothing).then(() => ({ done: true, value }));
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

// `using` and `await using`, where Node has them.
if (Symbol.dispose !== undefined) {
  SyncIterator.prototype[Symbol.dispose] = function dispose() {
    this.close();
  };
}
if (Symbol.asyncDispose !== undefined) {
  AsyncIterator.prototype[Symbol.asyncDispose] = async function dispose() {
    await this.return();
  };
}

/** Something that can be gone through at once or asynchronously, each time from the beginning. */
class Iterable {
  constructor(source) {
    Object.defineProperty(this, 'source', { value: source });
  }

  [Symbol.iterator]() {
    this.source.signal?.throwIfAborted();
    return new SyncIterator(this.source, this.source.open());
  }

  [Symbol.asyncIterator]() {
    return new AsyncIterator(this.source, this.source.open());
  }
}

/** Whole batches as arrays, instead of their items one by one. */
class Whole {
  constructor(source) {
    this.inner = source;
    this.signal = source.signal;
    this.readsAhead = source.readsAhead;
  }

  open() {
    return this.inner.open();
  }

  fail(error) {
    this.inner.fail(error);
  }

  batch(result, handle) {
    const batch = this.inner.batch(result, handle);
    const errors = batch.errors?.map(([, error]) => [0, error]);
    const items = () => Array.from({ length: batch.length }, (_, index) => batch.item(index));
    return { length: batch.length > 0 ? 1 : 0, errors, item: batch.all?.bind(batch) ?? items };
  }
}

module.exports = { Iterable, MOST_IN_A_TURN, Whole, turn };
