'use strict';

const { KINDS, answersKind } = require('./kind.js');

// The numbers of a row, as src/stat.rs writes them.
const [KIND, PERMISSIONS, INODE, SIZE, ALLOCATED, MAJOR, MINOR, SPECIAL_MAJOR, SPECIAL_MINOR] = [
  0, 1, 2, 4, 6, 8, 9, 10, 11,
];
const [LINKS, USER, GROUP, ACCESSED, MODIFIED, CHANGED, CREATED, HAS_CREATED] = [
  12, 13, 14, 15, 17, 19, 21, 23,
];
const COLUMNS = 24;

// The file type bits of `mode`, by the number of the kind.
const TYPE_BITS = [0, 0o100000, 0o040000, 0o120000, 0o010000, 0o140000, 0o060000, 0o020000];

/** One number for a device, as Node has it. */
function device(major, minor) {
  const high = (BigInt(major) & ~0xfffn) << 32n | (BigInt(minor) & 0xffffff00n) << 12n;
  return Number(high | (BigInt(major) & 0xfffn) << 8n | BigInt(minor) & 0xffn);
}

/** Metadata of a file: the result of one `statx`, and what `fs.Stats` has. */
class Stat {
  #row;

  #at;

  constructor(row, at = 0) {
    this.#row = row;
    this.#at = at;
  }

  #number(column) {
    return this.#row[this.#at + column];
  }

  #large(column) {
    return (BigInt(this.#number(column + 1)) << 32n) | BigInt(this.#number(column));
  }

  /** As a number, rounded where it has no exact one, which takes 8 PiB. */
  #rounded(column) {
    return this.#number(column + 1) * 0x100000000 + this.#number(column);
  }

  #nanoseconds(column) {
    return BigInt(this.#number(column)) * 1_000_000_000n + BigInt(this.#number(column + 1));
  }

  #milliseconds(column) {
    return this.#number(column) * 1000 + this.#number(column + 1) / 1e6;
  }

  get kind() {
    return KINDS[this.#number(KIND)];
  }

  get permissions() {
    return this.#number(PERMISSIONS);
  }

  get user() {
    return this.#number(USER);
  }

  get group() {
    return this.#number(GROUP);
  }

  get size() {
    return this.#rounded(SIZE);
  }

  get sizeBig() {
    return this.#large(SIZE);
  }

  get allocated() {
    return this.#rounded(ALLOCATED);
  }

  get links() {
    return this.#number(LINKS);
  }

  get inode() {
    return this.#large(INODE);
  }

  get accessed() {
    return new Date(this.#milliseconds(ACCESSED));
  }

  get modified() {
    return new Date(this.#milliseconds(MODIFIED));
  }

  get changed() {
    return new Date(this.#milliseconds(CHANGED));
  }

  get created() {
    return this.#number(HAS_CREATED) === 0 ? undefined : new Date(this.#milliseconds(CREATED));
  }

  get accessedNs() {
    return this.#nanoseconds(ACCESSED);
  }

  get modifiedNs() {
    return this.#nanoseconds(MODIFIED);
  }

  get changedNs() {
    return this.#nanoseconds(CHANGED);
  }

  get createdNs() {
    return this.#number(HAS_CREATED) === 0 ? undefined : this.#nanoseconds(CREATED);
  }

  get mode() {
    return TYPE_BITS[this.#number(KIND)] | this.permissions;
  }

  get uid() {
    return this.user;
  }

  get gid() {
    return this.group;
  }

  get nlink() {
    return this.links;
  }

  get ino() {
    return Number(this.inode);
  }

  get dev() {
    return device(this.#number(MAJOR), this.#number(MINOR));
  }

  get rdev() {
    return device(this.#number(SPECIAL_MAJOR), this.#number(SPECIAL_MINOR));
  }

  get blocks() {
    return this.allocated / 512;
  }

  get atime() {
    return this.accessed;
  }

  get mtime() {
    return this.modified;
  }

  get ctime() {
    return this.changed;
  }

  get birthtime() {
    return this.created;
  }

  get atimeMs() {
    return this.#milliseconds(ACCESSED);
  }

  get mtimeMs() {
    return this.#milliseconds(MODIFIED);
  }

  get ctimeMs() {
    return this.#milliseconds(CHANGED);
  }

  get birthtimeMs() {
    return this.#number(HAS_CREATED) === 0 ? undefined : this.#milliseconds(CREATED);
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    const permissions = this.permissions.toString(8).padStart(4, '0');
    return `Stat (${this.kind}, permissions ${permissions}, ${this.size} bytes)`;
  }
}
answersKind(Stat);

module.exports = { COLUMNS, Stat };
