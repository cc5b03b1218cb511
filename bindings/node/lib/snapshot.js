'use strict';

const check = require('./arguments.js');
const { cancellable } = require('./cancel.js');
const { answer, answerLater, native, tellAll, wrongType } = require('./errors.js');
const { KINDS } = require('./kind.js');
const { split } = require('./text.js');
const { OPTIONS } = require('./walk.js');

// Those that say which directories are entered, and how.
const {
  threads, maxThreads, maxDepth, oneFileSystem, exclude, hidden, gitignore, ignoreCase, fullPath,
  onError, scope, signal, since,
} = OPTIONS;
const MAKE_OPTIONS = {
  threads, maxThreads, maxDepth, oneFileSystem, exclude, hidden, gitignore, ignoreCase, fullPath,
  onError, scope, signal, since, stat: check.boolean,
};
const CHANGES_OPTIONS = { threads, onError, scope, signal };
const CHANGES = Object.freeze(['removed', 'renamed', 'added', 'changed']);

/** What a walk found: the directories below some paths, and the names in each. */
class Snapshot {
  constructor(handle) {
    if (!(handle instanceof native.NativeSnapshot)) {
      throw wrongType('handle', 'left to Snapshot.make() and Snapshot.read()', handle);
    }
    Object.defineProperty(this, 'native', { value: handle });
    [this.entries, this.directories, this.hasStat] = handle.facts();
  }

  static #making(roots, given) {
    const { stat = false, ...options } = check.options(MAKE_OPTIONS, given);
    const { onError: told = 'throw', scope: within, since: known, ...walk } = options;
    const bytes = check.rootBytes(roots);
    const call = (cancel, later) => {
      const how = { stat, stops: told === 'throw', later };
      const { NativeSnapshot } = native;
      return NativeSnapshot.make(bytes, walk, how, within?.native, known?.native, cancel);
    };
    return cancellable(call, options.signal, ([handle, failures]) => {
      tellAll(failures, told);
      return new Snapshot(handle);
    });
  }

  static async make(roots = '.', options = undefined) {
    return Snapshot.#making(roots, options).later();
  }

  static makeSync(roots = '.', options = undefined) {
    return Snapshot.#making(roots, options).now();
  }

  static async read(path) {
    const [handle] = await answerLater(native.NativeSnapshot.read(check.pathBytes(path), true));
    return new Snapshot(handle);
  }

  static readSync(path) {
    return new Snapshot(answer(native.NativeSnapshot.read(check.pathBytes(path), false))[0]);
  }

  async write(path) {
    await answerLater(this.native.write(check.pathBytes(path), true));
  }

  writeSync(path) {
    answer(this.native.write(check.pathBytes(path), false));
  }

  get paths() {
    const joined = this.native.paths();
    return split(joined, joined.length === 0 ? 0 : 1);
  }

  toBuffer() {
    return this.native.bytes();
  }

  #comparing(other, given) {
    const { onError: told = 'throw', ...options } = check.options(CHANGES_OPTIONS, given);
    const root = other === undefined || other instanceof Snapshot
      ? undefined
      : check.pathBytes(other);
    const call = (cancel, later) => {
      if (other instanceof Snapshot) return this.native.changesTo(other.native, later);
      const how = { stat: false, stops: told === 'throw', later };
      const within = options.scope?.native;
      return this.native.changesNow(root, options.threads, how, within, cancel);
    };
    return cancellable(call, options.signal, (result) => {
      tellAll(result[1], told);
      return new Changes(result);
    });
  }

  async changes(other = undefined, options = undefined) {
    return this.#comparing(other, options).later();
  }

  changesSync(other = undefined, options = undefined) {
    return this.#comparing(other, options).now();
  }
}

/** What is different between two snapshots, in the order of the paths. */
class Changes {
  #paths;

  #before;

  #table;

  constructor([handle, , paths, before, length, table]) {
    this.snapshot = new Snapshot(handle);
    this.length = length;
    this.#paths = split(paths, length);
    this.#before = split(before, length);
    this.#table = table;
  }

  * [Symbol.iterator]() {
    for (let index = 0; index < this.length; index += 1) {
      const [change, kind] = this.#table.subarray(2 * index);
      yield {
        change: CHANGES[change],
        path: this.#paths[index],
        // An empty path is none.
        from: this.#before[index].length === 0 ? undefined : this.#before[index],
        kind: KINDS[kind],
      };
    }
  }
}

module.exports = { Snapshot };
