'use strict';

const path = require('node:path').posix;

const { errorOf } = require('./errors.js');
const { KINDS, answersKind } = require('./kind.js');
const { bytesOf, decode, split } = require('./text.js');

// The columns of the table of a batch, as src/walk.rs writes them.
const COLUMNS = 8;
const [START, LENGTH, NAME, NAME_LENGTH, DEPTH, KIND, INODE_LOW, INODE_HIGH] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];

/** Some entries of a walk: one text for all paths, cut when a path is asked for. */
class EntryBatch {
  constructor(result, context) {
    const [text, isAscii, length, table, failures, directory, depth] = result;
    this.text = text;
    this.isAscii = isAscii;
    this.length = length;
    this.table = table;
    this.context = context;
    this.directory = directory;
    this.depth = depth;
    this.errors = failures?.map(([before, failure]) => [before, errorOf(failure)]);
    this.cut = undefined;
  }

  item(index) {
    return new Entry(this, index);
  }

  path(index) {
    if (this.isAscii) {
      const start = this.table[index * COLUMNS + START];
      return this.text.slice(start, start + this.table[index * COLUMNS + LENGTH]);
    }
    this.cut ??= split(this.text, this.length, this.context.encoding);
    return this.cut[index];
  }

  name(index) {
    const at = index * COLUMNS;
    const [start, length] = [this.table[at + NAME], this.table[at + NAME_LENGTH]];
    if (this.isAscii) {
      const from = this.table[at + START] + start;
      return this.text.slice(from, from + length);
    }
    const whole = this.path(index);
    // Offsets are in bytes. Of a string only a root can have slashes behind its name.
    if (typeof whole === 'string' && this.table[at + DEPTH] > 0) {
      return whole.slice(whole.lastIndexOf('/') + 1);
    }
    const bytes = bytesOf(whole).subarray(start, start + length);
    return this.context.encoding === 'buffer' ? bytes : decode(bytes);
  }

  parent(index) {
    const child = this.path(index);
    if (typeof child === 'string') return path.dirname(child);
    const parent = Buffer.from(path.dirname(child.latin1Slice()), 'latin1');
    return this.context.encoding === 'buffer' ? parent : decode(parent);
  }
}

/** An entry of a tree, as its directory describes it: also what `fs.Dirent` is. */
class Entry {
  #batch;

  #index;

  constructor(batch, index) {
    this.#batch = batch;
    this.#index = index;
  }

  get path() {
    return this.#batch.path(this.#index);
  }

  get name() {
    return this.#batch.name(this.#index);
  }

  get parentPath() {
    return this.#batch.parent(this.#index);
  }

  get pathBytes() {
    return bytesOf(this.path);
  }

  get nameBytes() {
    return bytesOf(this.name);
  }

  get kind() {
    return KINDS[this.#number(KIND)];
  }

  get depth() {
    return this.#number(DEPTH);
  }

  get inode() {
    return (BigInt(this.#number(INODE_HIGH)) << 32n) | BigInt(this.#number(INODE_LOW));
  }

  #number(column) {
    return this.#batch.table[this.#index * COLUMNS + column];
  }

  stat(options) {
    const { scope, follow } = this.#batch.context;
    return scope.stat(this.path, { follow, ...options });
  }

  statSync(options) {
    const { scope, follow } = this.#batch.context;
    return scope.statSync(this.path, { follow, ...options });
  }

  readLink() {
    return this.#batch.context.scope.readLink(this.path);
  }

  readLinkSync() {
    return this.#batch.context.scope.readLinkSync(this.path);
  }

  toString() {
    return String(this.path);
  }

  toJSON() {
    const { path, kind, depth } = this;
    return { path: String(path), kind, depth, inode: this.inode.toString() };
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
    return `Entry ${inspect(this.path, options)} (${this.kind})`;
  }
}
answersKind(Entry);

module.exports = { Entry, EntryBatch };
