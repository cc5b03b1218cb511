'use strict';

// The compiled library: the one that was built here, or that of the package for this platform,
// which npm has installed beside this one. `libc` in its package.json makes it the right one.

const path = require('node:path');

const PACKAGE = '@fewer-fs/fewer';
const built = path.join(__dirname, '..', 'fewer.node');

function candidates() {
  const name = `${PACKAGE}-${process.platform}-${process.arch}`;
  if (process.env.FEWER_LIBRARY !== undefined) return [process.env.FEWER_LIBRARY];
  return [built, `${name}-gnu`, `${name}-musl`];
}

function load() {
  const reasons = [];
  for (const candidate of candidates()) {
    try {
      return require(candidate);
    } catch (error) {
      // A package that is not there is expected; one that does not load is worth telling.
      if (error.code !== 'MODULE_NOT_FOUND') reasons.push(error.message);
    }
  }
  const platform = `${process.platform} ${process.arch}`;
  const why = reasons.length > 0 ? reasons.join('; ') : 'its package is not installed';
  throw new Error(`${PACKAGE} has no library for ${platform}: ${why}`);
}

module.exports = load();
