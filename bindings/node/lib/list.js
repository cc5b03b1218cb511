'use strict';

const check = require('./arguments.js');
const { errorOf, native, tell } = require('./errors.js');
const { KINDS, answersKind } = require('./kind.js');
const { cancellable } = require('./cancel.js');
const { COLUMNS, Stat } = require('./stat.js');
const { bytesOf, split } = require('./text.js');

const OPTIONS = {
  fields: check.strings,
  sort: check.string,
  reverse: check.boolean,
  directoriesFirst: check.boolean,
  hidden: check.boolean,
  dots: check.boolean,
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
  constructor([names, length, table, targets, users, groups], directory, encoding) {
    this.length = length;
    this.table = table;
    this.names = split(names, length, encoding);
    const texts = (joined, how) => (joined === undefined ? undefined : split(joined, length, how));
    this.targets = texts(targets, encoding);
    this.users = texts(users);
    this.groups = texts(groups);
    this.directory = directory;
    this.encoding = encoding;
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

  toString() {
    return String(this.name);
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
    return `Row ${inspect(this.name, options)} (${this.kind})`;
  }
}

answersKind(Row);

/** A list, to be made now or later. */
function listing(path, given) {
  const { onError, scope, signal, ...options } = check.options(OPTIONS, given);
  const directory = Buffer.from(check.pathBytes(path));
  const call = (cancel, later) => native.list(directory, options, scope?.native, cancel, later);
  return cancellable(call, signal, (result) => {
    const brokenOff = result[6];
    if (brokenOff !== undefined) tell(errorOf(brokenOff), onError);
    return new Listing(result, directory, options.encoding).rows();
  });
}

const listSync = (path = '.', options = undefined) => listing(path, options).now();
const list = async (path = '.', options = undefined) => listing(path, options).later();

module.exports = { Row, list, listSync };
