'use strict';

const check = require('./arguments.js');
const { answer, answerLater, checked, native, wrongType, wrongValue } = require('./errors.js');
const { Stat } = require('./stat.js');

const STAT_OPTIONS = { follow: check.boolean, fields: check.strings };
const RUN_OPTIONS = {
  captureOutput: check.boolean,
  env: variables,
  encoding(name, value) {
    if (Buffer.isEncoding(value)) return value;
    throw wrongValue(`The value of "${name}" must be an encoding. Received ${String(value)}`);
  },
};

/** The variables of a program, each with a NUL behind it. */
function variables(name, value) {
  if (typeof value !== 'object' || value === null) throw wrongType(name, 'of type object', value);
  const given = Object.entries(value).filter(([, text]) => text !== undefined);
  const pairs = given.map(([variable, text]) => `${variable}=${text}`);
  if (pairs.some((pair) => pair.includes('\0'))) {
    throw wrongValue(`The value of "${name}" must be variables without null bytes.`);
  }
  return Buffer.from(pairs.map((pair) => `${pair}\0`).join(''));
}

/** A working directory as a value. */
class Scope {
  constructor(handle) {
    if (!(handle instanceof native.NativeScope)) {
      throw wrongType('handle', 'left to Scope.start() and Scope.enter()', handle);
    }
    Object.defineProperty(this, 'native', { value: handle });
  }

  static start() {
    return new Scope(native.NativeScope.start());
  }

  static enter(path) {
    return Scope.start().enter(path);
  }

  static enterSync(path) {
    return Scope.start().enterSync(path);
  }

  close() {
    this.native.close();
  }
}
if (Symbol.dispose !== undefined) Scope.prototype[Symbol.dispose] = Scope.prototype.close;

const scopeOf = (handle) => new Scope(handle);
const statOf = (row) => new Stat(row);
const same = (result) => result;

/** The bytes of words, a NUL between them. */
function joinWords(args) {
  if (!Array.isArray(args) || args.length === 0) {
    throw wrongType('args', 'an array of a program and its arguments', args);
  }
  return check.rootBytes(args);
}

/** What a program has left. */
function endedOf(encoding) {
  const text = (bytes) => (encoding === undefined ? bytes : bytes?.toString(encoding));
  return ([, status, signal, stdout, stderr]) => ({
    status, signal, stdout: text(stdout), stderr: text(stderr),
  });
}

/** A call with a path, and what is made of its result. */
function one(what, make) {
  return [
    (scope, later, path) => scope.native.one(what, check.pathBytes(path), 0, later),
    () => make,
  ];
}

/** A call with a path and permissions, which are `usual` where none are passed. */
function withPermissions(what, usual = undefined) {
  return [
    (scope, later, path, bits = usual) => {
      const number = check.permissions('permissions', bits);
      return scope.native.one(what, check.pathBytes(path), number, later);
    },
    () => same,
  ];
}

function bare(what) {
  return [(scope, later) => scope.native.one(what, Buffer.alloc(0), 0, later), () => same];
}

function link(hard) {
  return [
    (scope, later, path, target) => {
      const bytes = check.pathBytes(target, 'target');
      return scope.native.link(hard, check.pathBytes(path), bytes, later);
    },
    () => same,
  ];
}

// Of each operation: the call, which returns a result or the promise of one, and what makes a value
// of the result.
const OPERATIONS = {
  enter: one('enter', scopeOf),
  enterLogical: one('enterLogical', scopeOf),
  readLink: one('readLink', same),
  open: one('open', same),
  create: withPermissions('create', 0o666),
  setPermissions: withPermissions('setPermissions'),
  makeDirectory: withPermissions('makeDirectory', 0o777),
  removeFile: one('removeFile', same),
  removeDirectory: one('removeDirectory', same),
  removeTree: one('removeTree', same),
  logical: bare('logical'),
  physical: bare('physical'),
  makeSymlink: link(false),
  makeHardLink: link(true),
  stat: [
    (scope, later, path, given) => {
      const { follow = true, fields } = check.options(STAT_OPTIONS, given);
      return scope.native.stat(check.pathBytes(path), follow, fields, later);
    },
    () => statOf,
  ],
  run: [
    (scope, later, args, given) => {
      const { captureOutput = false, env } = check.options(RUN_OPTIONS, given);
      const words = joinWords(args);
      return native.runIn(scope.native, words, env, captureOutput, later);
    },
    (_args, given) => endedOf(given?.encoding),
  ],
};

for (const [name, [call, make]] of Object.entries(OPERATIONS)) {
  const define = (key, value) =>
    Object.defineProperty(Scope.prototype, key, { value, configurable: true, writable: true });
  define(`${name}Sync`, function now(...words) {
    return make(...words)(answer(checked(() => call(this, false, ...words))));
  });
  define(name, async function later(...words) {
    return make(...words)(await answerLater(checked(() => call(this, true, ...words))));
  });
}

module.exports = { Scope };
