// Loaded into Node.js before the program, by `fewer why`: leaves in memory which functions of the
// program ask for what it does, so that the tracer can read it at each system call. It makes no
// call of its own but the one at the end, which tells the tracer where that memory is.
//
// Nothing of it is on the stack while the program or Node.js runs: properties become accessors,
// which note the stack and hand out the very function that was there. So errors have the stacks
// that they have without it.
//
// The memory: 8 bytes "fewer-js", then numbers of 32 bits, see `runtime/node/notes.rs`.
'use strict';
(function () {
  const MARK = 0x7ffffffe; // The descriptor of the call at the end; no program has it.
  const SIZE = 4 << 20, TABLE = 64, SLOTS = 1 << 16, LOG = TABLE + 8 * SLOTS;
  const FRAMES = 32; // At most so many functions of a stack.
  const bytes = Buffer.from(new ArrayBuffer(SIZE));
  const words = new Uint32Array(bytes.buffer);
  const SITE = 2, END = 3; // Which words hold the present stack, and how long the log is.
  bytes.write('fewer-js', 0, 'latin1');
  words[END] = LOG;

  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { captureStackTrace } = Error;
  const { write } = Buffer.prototype;
  const mapGet = Map.prototype.get, mapSet = Map.prototype.set;
  const get = (map, key) => apply(mapGet, map, [key]);
  const set = (map, key, value) => apply(mapSet, map, [key, value]);

  // Frames, by the name of the file and the place in it; stacks as paths in a tree of frames.
  const files = new Map();
  const isOwn = [false]; // Whether a frame, by its number, is the program's own.
  const newStack = (site, own) => ({ site, own, inner: new Map() });
  const root = newStack(0, []);
  let frames = 0, sites = 0;
  const stacks = [root];

  const fits = (length) => words[END] + length <= SIZE;

  function put(numbers, texts) {
    let at = words[END];
    for (let i = 0; i < numbers.length; i++, at += 4) words[at >> 2] = numbers[i];
    for (let i = 0; i < texts.length; i++) {
      const length = apply(write, bytes, [texts[i], at + 4, 'utf8']);
      words[at >> 2] = length;
      at += 4 + ((length + 3) & ~3);
    }
    words[END] = at;
  }

  // A name as V8 prints it; of methods with their class.
  const PLAIN = new Set(['Object', 'Module', 'Function', 'global', 'process']);
  function nameOf(call) {
    const name = call.getFunctionName() || '<anonymous>';
    if (call.isConstructor()) return `new ${name}`;
    const isMethod = !call.isToplevel() && call.getMethodName() === name;
    const type = isMethod ? call.getTypeName() : null;
    const isPlain = !type || PLAIN.has(type) || name.startsWith(`${type}.`);
    return isPlain ? name : `${type}.${name}`;
  }

  const { fileURLToPath } = require('url');
  function pathOf(file) {
    try {
      return file.startsWith('file:') ? fileURLToPath(file) : file;
    } catch {
      return file;
    }
  }

  // The number of a frame; 0 for what is not to be shown.
  function frameOf(call) {
    const file = call.getScriptNameOrSourceURL();
    if (!file || file === __filename || file === 'node:internal/async_hooks') return 0;
    let known = get(files, file);
    if (known === undefined) set(files, file, (known = new Map()));
    const place = call.getPosition();
    let frame = get(known, place);
    if (frame === undefined) {
      const name = nameOf(call), path = pathOf(file);
      if (!fits(24 + 3 * (name.length + path.length))) return 0;
      put([1, call.getLineNumber() || 0], [name, path]);
      frame = ++frames;
      isOwn[frame] = !file.startsWith('node:');
      set(known, place, frame);
    }
    return frame;
  }

  // The stack that lists these frames.
  function stackOf(list) {
    let stack = root;
    for (let i = 0; i < list.length; i++) {
      let next = get(stack.inner, list[i]);
      if (next === undefined) set(stack.inner, list[i], (next = newStack(0, [])));
      stack = next;
    }
    if (stack.site === 0 && list.length > 0 && fits(8 + 4 * list.length)) {
      stack.site = ++sites;
      stack.own = list.slice(Math.max(0, list.findIndex((frame) => isOwn[frame])));
      put([2, list.length, ...list], []);
      stacks[stack.site] = stack;
    }
    return stack.site;
  }

  // The stack from which what runs now was asked for: what made the timer, request or stream.
  let context = () => 0;

  const plain = (error, calls) => calls;
  const isValue = (name) => {
    const property = getOwnPropertyDescriptor(Error, name);
    return property === undefined || 'value' in property && property.writable;
  };

  // The number of the present stack. 0 if it cannot be known.
  function here() {
    if (!isValue('stackTraceLimit') || !isValue('prepareStackTrace')) return 0;
    const had = 'prepareStackTrace' in Error, hadLimit = 'stackTraceLimit' in Error;
    const { stackTraceLimit, prepareStackTrace } = Error;
    const holder = {};
    let calls;
    try {
      Error.stackTraceLimit = FRAMES;
      Error.prepareStackTrace = plain;
      captureStackTrace(holder, here);
      calls = holder.stack;
    } finally {
      if (hadLimit) Error.stackTraceLimit = stackTraceLimit;
      else delete Error.stackTraceLimit;
      if (had) Error.prepareStackTrace = prepareStackTrace;
      else delete Error.prepareStackTrace;
    }
    if (typeof calls !== 'object') return 0;
    const list = [];
    let own = false;
    for (let i = 0; i < calls.length; i++) {
      const frame = frameOf(calls[i]);
      if (frame === 0) continue;
      list.push(frame);
      own ||= isOwn[frame];
    }
    const asked = own ? 0 : context();
    if (asked !== 0) list.push(...stacks[asked].own);
    return stackOf(list.slice(0, FRAMES));
  }

  // A request that was made, and whose call comes next.
  let requested = 0;

  // Notes the present stack: what is called next makes system calls.
  function note() {
    try {
      const site = requested;
      requested = 0;
      words[SITE] = site || here();
    } catch {
      words[SITE] = 0; // The stack is full, or the program has changed what this needs.
    }
  }

  // Makes a property note where it is used. It may be replaced as before.
  function watch(object, name) {
    const property = object && getOwnPropertyDescriptor(object, name);
    if (!property || !property.configurable) return;
    const { value, enumerable, writable } = property;
    if (property.get) {
      const get = function () {
        note();
        return apply(property.get, this, []);
      };
      defineProperty(object, name, { get, set: property.set, enumerable, configurable: true });
    }
    if (property.get || value === undefined) return;
    const get = () => (note(), value);
    const set = function (value) {
      defineProperty(this, name, { value, enumerable, writable, configurable: true });
    };
    defineProperty(object, name, { get, set, enumerable, configurable: true });
  }

  const isClass = (name) => /^[A-Z]/.test(name);
  function watchAll(object) {
    for (const name of Object.getOwnPropertyNames(object || {})) {
      const { value } = getOwnPropertyDescriptor(object, name);
      if (typeof value === 'function' && !isClass(name) && name !== 'constructor') {
        watch(object, name);
      }
    }
  }

  // What is asked for asynchronously: each request has a number, by which the tracer finds it.
  const slotOf = (id) => (TABLE >> 2) + 2 * (id & (SLOTS - 1));
  function remember(id, site) {
    const slot = slotOf(id);
    words[slot] = id;
    words[slot + 1] = site;
  }
  function siteOf(id) {
    const slot = slotOf(id);
    return words[slot] === id ? words[slot + 1] : 0;
  }

  let promised = 0; // The stack of a request whose promise is made next.
  function init(id, type, trigger) {
    try {
      if (type === 'PROMISE') {
        remember(id, promised || siteOf(trigger));
        promised = 0;
      } else if (type === 'FSREQPROMISE') {
        // It is made inside the call, behind the note.
        remember(id, (promised = words[SITE]));
      } else if (type !== 'Microtask') {
        const site = here();
        if (type === 'FSREQCALLBACK') requested = site;
        remember(id, site);
      }
    } catch {
      remember(id, 0);
    }
  }

  // Follows what is asked for asynchronously. Promises are followed by V8 itself as far as they
  // are awaited; beyond that all belongs to what ran last, where Node.js allows that to be known
  // without its own functions on the stack of each callback.
  function follow() {
    const { createHook, executionAsyncId } = require('async_hooks');
    const wrap = binding('async_wrap');
    if (!wrap?.setPromiseHooks || !wrap.setCallbackTrampoline) {
      context = () => siteOf(executionAsyncId());
      return createHook({ init }).enable();
    }
    let latest = 0;
    context = () => latest;
    const before = (id) => {
      latest = siteOf(id);
      words[SITE] = requested = 0;
    };
    createHook({ init, before }).enable();
    wrap.setPromiseHooks(undefined, undefined, undefined, undefined);
    wrap.setCallbackTrampoline(undefined);
  }

  function binding(name) {
    try {
      return process.binding(name);
    } catch {
      return undefined; // Node.js may forbid it, or know it no longer.
    }
  }

  function begin() {
    const fs = binding('fs');
    if (!fs) return;
    watchAll(fs);
    watchAll(fs.FileHandle?.prototype);
    watch(binding('process_wrap')?.Process?.prototype, 'spawn');
    watch(binding('spawn_sync'), 'spawn');
    watchAll(binding('stream_wrap')?.LibuvStreamWrap?.prototype);
    watchAll(binding('fs_event_wrap')?.FSEvent?.prototype);
    const files = require('fs');
    watch(files, 'opendirSync');
    watch(files.Dir?.prototype, 'readSync');
    watch(files.Dir?.prototype, 'closeSync');
    // It has functions of the binding at hand. Its own, as accessors, would print other stacks;
    // this is no function, and is asked before files are looked for.
    watch(require('module'), '_pathCache');
    watch(process, 'chdir');
    watch(process, 'dlopen');
    follow();
  }

  // Node.js remembers which paths it looked at for this file: the program's own are to be looked
  // at as without it.
  function forget() {
    const Module = require('module'), files = require('fs');
    const { realpathSync } = files;
    let known;
    files.realpathSync = (path, options) => {
      const symbols = Object.getOwnPropertySymbols(options || {});
      known = symbols.map((symbol) => options[symbol]).find((it) => it?.clear !== undefined);
      return apply(realpathSync, files, [path, options]);
    };
    try {
      Module._findPath(__filename, ['/']);
    } finally {
      files.realpathSync = realpathSync;
    }
    known?.clear();
    for (const key of Object.keys(Module._pathCache)) {
      if (key.includes(__filename)) delete Module._pathCache[key];
    }
    delete require.cache[__filename];
  }

  // The variable as the program's user has set it.
  function restore(variable) {
    const value = process.env[variable];
    const own = value?.indexOf(__filename);
    if (!(own > 0)) return;
    const rest = value.slice(own + __filename.length + 1);
    if (rest.startsWith(' ')) process.env[variable] = rest.slice(1);
    else delete process.env[variable];
  }

  const { noDeprecation } = process;
  const hadDeprecation = 'noDeprecation' in process;
  try {
    restore('NODE_OPTIONS');
    process.noDeprecation = true;
    forget();
    begin();
  } catch {
    // Then the program runs without it.
  } finally {
    if (hadDeprecation) process.noDeprecation = noDeprecation;
    else delete process.noDeprecation;
    try {
      require('fs').writeSync(MARK, bytes, 0, 64, null);
    } catch {
      // There is no such descriptor.
    }
    words[SITE] = requested = 0;
  }
})();
