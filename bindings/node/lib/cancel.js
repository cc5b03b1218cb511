'use strict';

// What an AbortSignal ends.

const { answer, checked, native } = require('./errors.js');

/** A promise, or what the signal says before that; then it calls `cancel`. */
function abortable(promise, signal, cancel) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const settled = (settle) => (value) => {
      signal.removeEventListener('abort', onAbort);
      settle(value);
    };
    promise.then(settled(resolve), settled(reject));
  });
}

/** A call that can be cancelled, now or later, and what is made of its result. */
function cancellable(call, signal, make) {
  const cancel = new native.NativeCancel();
  return {
    now() {
      signal?.throwIfAborted();
      return make(answer(checked(() => call(cancel, false))));
    },
    async later() {
      signal?.throwIfAborted();
      const promise = checked(() => call(cancel, true));
      const done = signal === undefined
        ? promise
        : abortable(promise, signal, () => cancel.cancel());
      return make(answer(await done));
    },
  };
}

module.exports = { abortable, cancellable };
