'use strict';

const native = require('./native.js');

/** How often each system call was made, the most frequent first. */
function calls() {
  const counts = Object.entries(native.calls());
  return Object.fromEntries(counts.sort(([, first], [, second]) => second - first));
}

/** The system calls since it was made. */
class Cost {
  #before = native.calls();

  calls() {
    const since = Object.entries(calls()).map(([name, count]) => [
      name, count - (this.#before[name] ?? 0),
    ]);
    return Object.fromEntries(since.filter(([, count]) => count > 0));
  }

  get total() {
    return Object.values(this.calls()).reduce((sum, count) => sum + count, 0);
  }
}

module.exports = { Cost, calls };
