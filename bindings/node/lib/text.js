'use strict';

const { isUtf8 } = require('node:buffer');

// Where `isUtf8` is missing (before Node 18.14), what comes back the same is UTF-8.
const isText = isUtf8 ?? ((bytes) => Buffer.from(bytes.toString()).equals(bytes));

/** A string if these bytes are UTF-8, else the bytes themselves. */
function decode(bytes) {
  return isText(bytes) ? bytes.utf8Slice(0, bytes.length) : bytes;
}

/** Bytes between NULs, each as a copy, so that keeping one does not keep all. */
function cut(bytes) {
  const parts = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0, start);
    parts.push(Buffer.from(bytes.subarray(start, end < 0 ? bytes.length : end)));
    if (end < 0) return parts;
    start = end + 1;
  }
}

/**
 * The texts that the library has joined with a NUL between them: strings of a string. Of bytes,
 * each that is UTF-8 is a string, unless bytes are wanted.
 */
function split(joined, count, encoding) {
  if (count === 0) return [];
  if (typeof joined === 'string') return joined.split('\0');
  const parts = cut(joined);
  return encoding === 'buffer' ? parts : parts.map(decode);
}

/** The bytes of a path or a name, as the kernel has them. */
function bytesOf(text) {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

module.exports = { bytesOf, decode, split };
