'use strict';

// Arguments: paths, and options by tables that say of what type each is.

const { fileURLToPath } = require('node:url');
const { native, outOfRange, wrongType, wrongValue } = require('./errors.js');

const PATH = 'of type string or an instance of Buffer, Uint8Array, URL, Entry or Row';
const NUL = Buffer.from([0]);

/** The bytes of a path. */
function pathBytes(path, name = 'path') {
  let bytes;
  if (typeof path === 'string') bytes = Buffer.from(path);
  else if (path instanceof Uint8Array) bytes = path;
  else if (path instanceof URL) bytes = Buffer.from(fileURLToPath(path));
  else if (path?.pathBytes instanceof Uint8Array) bytes = path.pathBytes;
  else throw wrongType(name, PATH, path);
  if (bytes.includes(0)) {
    throw wrongValue(`The argument '${name}' must be a path without null bytes.`);
  }
  return bytes;
}

/** The bytes of one path or several, with a NUL between them. */
function rootBytes(roots) {
  if (!Array.isArray(roots)) return pathBytes(roots);
  if (roots.length === 0) throw wrongValue('There must be a path.');
  const each = roots.map((root) => pathBytes(root));
  return Buffer.concat(each.flatMap((bytes, index) => (index === 0 ? [bytes] : [NUL, bytes])));
}

function count(name, value) {
  if (typeof value !== 'number') throw wrongType(name, 'of type number', value);
  if (!(value >= 0) || (value !== Infinity && !Number.isInteger(value))) {
    throw outOfRange(name, 'a whole number', value);
  }
  return value;
}

/** Permission bits: a number that the library can be told, which knows those that there are. */
function permissions(name, value) {
  if (count(name, value) > 0xffffffff) throw outOfRange(name, 'at most 0xffffffff', value);
  return value;
}

function boolean(name, value) {
  if (typeof value !== 'boolean') throw wrongType(name, 'of type boolean', value);
  return value;
}

/** One string or an array of them. */
function strings(name, value) {
  const all = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(all) || all.some((one) => typeof one !== 'string')) {
    throw wrongType(name, 'a string or an array of strings', value);
  }
  return all;
}

function string(name, value) {
  if (typeof value !== 'string') throw wrongType(name, 'of type string', value);
  return value;
}

/** One of these words. */
function oneOf(...words) {
  return (name, value) => {
    if (words.includes(value)) return value;
    const which = words.map((word) => `'${word}'`).join(', ');
    throw wrongValue(`The value of "${name}" must be one of ${which}. Received ${String(value)}`);
  };
}

function aFunction(name, value) {
  if (typeof value !== 'function') throw wrongType(name, 'of type function', value);
  return value;
}

function signal(name, value) {
  if (typeof value?.aborted !== 'boolean') {
    throw wrongType(name, 'an instance of AbortSignal', value);
  }
  return value;
}

function onError(name, value) {
  if (value === 'throw' || value === 'ignore' || typeof value === 'function') return value;
  throw wrongType(name, "'throw', 'ignore' or a function", value);
}

/** An object that holds one of the library, of this class. */
function holding(className, what) {
  return (name, value) => {
    if (value?.native instanceof native[className]) return value;
    throw wrongType(name, `an instance of ${what}`, value);
  };
}

/** Options checked by a table: undefined is as if it was not there, an unknown name is refused. */
function options(table, value) {
  if (value === undefined) return {};
  if (typeof value === 'string' && table.encoding !== undefined) {
    return { encoding: table.encoding('encoding', value) };
  }
  if (typeof value !== 'object' || value === null) {
    throw wrongType('options', 'of type object', value);
  }
  const checked = {};
  for (const name of Object.keys(value)) {
    if (table[name] === undefined) throw wrongValue(`There is no option "${name}".`);
    if (value[name] !== undefined) checked[name] = table[name](`options.${name}`, value[name]);
  }
  return checked;
}

const scope = holding('NativeScope', 'Scope');
const snapshot = holding('NativeSnapshot', 'Snapshot');

module.exports = {
  aFunction, boolean, count, onError, oneOf, options, pathBytes, permissions, rootBytes, scope,
  signal, snapshot, string, strings,
};
