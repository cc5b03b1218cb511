'use strict';

const check = require('./arguments.js');
const { answer, answerLater, checked, native, wrongType } = require('./errors.js');
const { Stat } = require('./stat.js');

const STAT_OPTIONS = { follow: check.boolean, fields: check.strings };
const RUN_OPTIONS = {
  captureOutput: check.boolean,
  env: (_name, value) => value,
  encoding: (_name, value) => value,
};

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

function permissions(value, otherwise) {
  return value === undefined ? otherwise : check.count('permissions', value);
}

/** The bytes of words or of variables, a NUL between them or behind each. */
function joinWords(args) {
  if (!Array.isArray(args) || args.length === 0) {
    throw wrongType('args', 'an array of a program and its arguments', args);
  }
  return check.rootBytes(args);
}

function environment(env) {
  if (env === undefined) return undefined;
  const pairs = Object.entries(env).filter(([, value]) => value !== undefined);
  return Buffer.from(pairs.map(([name, value]) => `${name}=${value}\0`).join(''));
}

/** What a program has left. */
function endedOf(encoding) {
  const text = (bytes) => (encoding === undefined ? bytes : bytes?.toString(encoding));
  return ([, status, signal, stdout, stderr]) => ({
    status, signal, stdout: text(stdout), stderr: text(stderr),
  });
}

/** A call with a path, and what is made of its result. */
function one(what, make, otherwise = 0) {
  return [
    (scope, later, path, bits) =>
      scope.native.one(what, check.pathBytes(path), permissions(bits, otherwise), later),
    () => make,
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
  create: one('create', same, 0o666),
  setPermissions: one('setPermissions', same),
  makeDirectory: one('makeDirectory', same, 0o777),
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
      return native.runIn(scope.native, words, environment(env), captureOutput, later);
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
