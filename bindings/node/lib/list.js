'use strict';

const check = require('./arguments.js');
const { answer, checked, errorOf, native } = require('./errors.js');
const { KINDS } = require('./entry.js');
const { Scope } = require('./scope.js');
const { COLUMNS, Stat } = require('./stat.js');
const { bytesOf, split } = require('./text.js');

const OPTIONS = {
  fields: check.strings,
  sort: check.string,
  reverse: check.boolean,
  directoriesFirst: check.boolean,
  hidden: check.boolean,
  follow: check.boolean,
  links: check.boolean,
  owners: check.boolean,
  threads: check.count,
  encoding: check.oneOf('utf8', 'buffer'),
  onError: check.onError,
  scope: check.scope,
  signal: check.signal,
};

// Behind the metadata: see src/list.rs.
const [HAS_STAT, STAT_NUMBER, TARGET_NUMBER] = [COLUMNS, COLUMNS + 1, COLUMNS + 2];
const WIDTH = COLUMNS + 3;

/** A directory that was read: texts with all names, and a table of numbers. */
class Listing {
  constructor(result, { directory, encoding, scope }) {
    const [names, length, table, targets, users, groups] = result;
    this.length = length;
    this.table = table;
    this.names = split(names, length, encoding);
    const texts = (joined, how) => (joined === undefined ? undefined : split(joined, length, how));
    this.targets = texts(targets, encoding);
    this.users = texts(users);
    this.groups = texts(groups);
    this.directory = directory;
    this.encoding = encoding;
    this.scope = scope;
  }

  rows() {
    return Array.from({ length: this.length }, (_, index) => new Row(this, index));
  }
}

/** An entry of a directory with its metadata: also what `fs.Dirent` is. */
class Row {
  #listing;

  #index;

  constructor(listing, index) {
    this.#listing = listing;
    this.#index = index;
  }

  #number(column) {
    return this.#listing.table[this.#index * WIDTH + column];
  }

  get name() {
    return this.#listing.names[this.#index];
  }

  get nameBytes() {
    return bytesOf(this.name);
  }

  get pathBytes() {
    const { directory } = this.#listing;
    const slash = Buffer.from(directory.at(-1) === 0x2f ? '' : '/');
    return Buffer.concat([directory, slash, this.nameBytes]);
  }

  get path() {
    const { encoding } = this.#listing;
    return split(this.pathBytes, 1, encoding)[0];
  }

  get parentPath() {
    const { directory, encoding } = this.#listing;
    return split(directory, 1, encoding)[0];
  }

  get kind() {
    return KINDS[this.#number(0)];
  }

  get inode() {
    return (BigInt(this.#number(3)) << 32n) | BigInt(this.#number(2));
  }

  get stat() {
    if (this.#number(HAS_STAT) === 0) return undefined;
    return new Stat(this.#listing.table, this.#index * WIDTH);
  }

  get target() {
    // A target is never empty.
    return this.#listing.targets?.[this.#index] || undefined;
  }

  get userName() {
    return this.#listing.users?.[this.#index] || undefined;
  }

  get groupName() {
    return this.#listing.groups?.[this.#index] || undefined;
  }

  get error() {
    const [stat, target] = [this.#number(STAT_NUMBER), this.#number(TARGET_NUMBER)];
    if (stat === 0 && target === 0) return undefined;
    return errorOf(native.rowFailure(stat || target, stat === 0, this.pathBytes));
  }

  isFile() {
    return this.#number(0) === 1;
  }

  isDirectory() {
    return this.#number(0) === 2;
  }

  isSymbolicLink() {
    return this.#number(0) === 3;
  }

  isFIFO() {
    return this.#number(0) === 4;
  }

  isSocket() {
    return this.#number(0) === 5;
  }

  isBlockDevice() {
    return this.#number(0) === 6;
  }

  isCharacterDevice() {
    return this.#number(0) === 7;
  }

  toString() {
    return String(this.name);
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
    return `Row ${inspect(this.name, options)} (${this.kind})`;
  }
}

/** What is asked of the library, and what is made of its answer. */
function request(path, given) {
  const { onError = 'throw', scope, signal, ...options } = check.options(OPTIONS, given);
  const directory = Buffer.from(check.pathBytes(path));
  const cancel = signal === undefined ? undefined : new native.NativeCancel();
  const call = (later) => {
    signal?.throwIfAborted();
    return checked(() => native.list(directory, options, scope?.native, cancel, later));
  };
  const rowsOf = (result) => {
    const done = answer(result);
    if (done[6] !== undefined) {
      const error = errorOf(done[6]);
      if (onError === 'throw') throw error;
      if (onError !== 'ignore') onError(error);
    }
    const { encoding } = options;
    return new Listing(done, { directory, encoding, scope: scope ?? Scope.start() }).rows();
  };
  return { call, cancel, rowsOf, signal };
}

function listSync(path = '.', options = undefined) {
  const { call, rowsOf } = request(path, options);
  return rowsOf(call(false));
}

async function list(path = '.', options = undefined) {
  const { call, cancel, rowsOf, signal } = request(path, options);
  if (signal === undefined) return rowsOf(await call(true));
  return rowsOf(await abortable(call(true), signal, () => cancel.cancel()));
}

/** A promise, or what the signal says before that. */
function abortable(promise, signal, cancel) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const settled = (settle) => (value) => {
      signal.removeEventListener('abort', onAbort);
      settle(value);
    };
    promise.then(settled(resolve), settled(reject));
  });
}

module.exports = { Row, abortable, list, listSync };
