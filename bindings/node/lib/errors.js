'use strict';

const os = require('node:os');
const native = require('./native.js');
const { decode } = require('./text.js');

let names;

/** The name of an error number: 'ENOENT' of 2. */
function codeOf(number) {
  if (names === undefined) {
    names = new Map();
    // Some numbers have two names; the first is the one that Node prints.
    for (const [name, known] of Object.entries(os.constants.errno)) {
      if (!names.has(known)) names.set(known, name);
    }
  }
  return names.get(number) ?? (number === 131 ? 'ENOTRECOVERABLE' : `E${number}`);
}

/** What went wrong, with the properties of the errors of `fs.promises`. */
class FewerError extends Error {
  constructor(number, action, path, message) {
    super(message);
    this.errno = -number;
    this.code = codeOf(number);
    this.action = action;
    this.path = decode(path);
  }
}
Object.defineProperty(FewerError.prototype, 'name', { value: 'FewerError', configurable: true });

/** Whether the library says that something went wrong: an array that begins with a number. */
function isFailure(result) {
  return Array.isArray(result) && typeof result[0] === 'number';
}

function errorOf([number, action, path, message]) {
  return new FewerError(number, action, path, message);
}

/** What an operation has made; throws if it went wrong. */
function answer(result) {
  if (isFailure(result)) throw errorOf(result);
  return result;
}

/** The same of a promise. */
async function answerLater(promise) {
  return answer(await promise);
}

/** What is to be done with an error: it is thrown, ignored, or passed on. */
function tell(error, onError = 'throw') {
  if (onError === 'throw') throw error;
  if (onError !== 'ignore') onError(error);
}

/** The same with all failures of a result. */
function tellAll(failures, onError) {
  for (const failure of failures) tell(errorOf(failure), onError);
}

function argumentError(Kind, code, message) {
  const error = new Kind(message);
  error.code = code;
  return error;
}

/** The error for an argument of another type than expected. */
function wrongType(name, expected, value) {
  const kind = value === null ? 'null' : typeof value;
  const message = `The "${name}" argument must be ${expected}. Received ${kind}`;
  return argumentError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
}

function wrongValue(message) {
  return argumentError(TypeError, 'ERR_INVALID_ARG_VALUE', message);
}

function outOfRange(name, expected, value) {
  const range = `The value of "${name}" is out of range. It must be ${expected}`;
  return argumentError(RangeError, 'ERR_OUT_OF_RANGE', `${range}. Received ${value}`);
}

/** Calls the library; what it says of a wrong argument becomes a TypeError. */
function checked(call) {
  try {
    return call();
  } catch (error) {
    throw error.code === 'InvalidArg' ? wrongValue(error.message) : error;
  }
}

module.exports = {
  FewerError, answer, answerLater, checked, errorOf, native, outOfRange, tell, tellAll, wrongType,
  wrongValue,
};
