'use strict';

/** What a file is, by the number that the library has for it. */
const KINDS = Object.freeze([
  'unknown', 'file', 'directory', 'symlink', 'fifo', 'socket', 'block', 'char',
]);

// The questions of `fs.Dirent` and `fs.Stats`, and the kind that each of them asks for.
const QUESTIONS = Object.entries({
  isFile: 'file',
  isDirectory: 'directory',
  isSymbolicLink: 'symlink',
  isFIFO: 'fifo',
  isSocket: 'socket',
  isBlockDevice: 'block',
  isCharacterDevice: 'char',
});

/** Gives a class that has a `kind` the methods that ask for it. */
function answersKind(Class) {
  for (const [name, kind] of QUESTIONS) {
    const value = { [name]() { return this.kind === kind; } }[name];
    Object.defineProperty(Class.prototype, name, { value, configurable: true, writable: true });
  }
}

module.exports = { KINDS, answersKind };
