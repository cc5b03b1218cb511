'use strict';

const check = require('./arguments.js');
const { checked, errorOf, native, tell } = require('./errors.js');
const { EntryBatch } = require('./entry.js');
const { Iterable, Whole } = require('./iterate.js');
const { Scope } = require('./scope.js');
const { split } = require('./text.js');

const OPTIONS = {
  sort: check.boolean,
  threads: check.count,
  maxThreads: check.count,
  kinds: check.strings,
  glob: check.strings,
  exclude: check.strings,
  ignoreCase: check.boolean,
  fullPath: check.boolean,
  minDepth: check.count,
  maxDepth: check.count,
  hidden: check.boolean,
  gitignore: check.boolean,
  follow: check.boolean,
  oneFileSystem: check.boolean,
  encoding: check.oneOf('utf8', 'buffer'),
  onError: check.onError,
  scope: check.scope,
  signal: check.signal,
  since: check.snapshot,
  prune: check.aFunction,
};

/** A handle of a walk by directory, which knows of which batch a directory is. */
class PrunableWalk {
  #walk;

  constructor(walk) {
    this.#walk = walk;
    this.turn = 0;
  }

  next(later) {
    this.turn += 1;
    return this.#walk.next(later);
  }

  /** Does not enter an entry of the batch of that turn, unless another has been asked for since. */
  prune(turn, index) {
    return turn === this.turn && this.#walk.prune(index);
  }

  close() {
    this.#walk.close();
  }
}

/** What a walk is made of: its roots and its options. Each run of it opens a handle. */
class WalkSource {
  constructor(roots, given, { shown = 'entries', byDirectory = false } = {}) {
    const checkedOptions = check.options(OPTIONS, given);
    const { onError, scope, signal, since, prune, ...options } = checkedOptions;
    this.roots = Buffer.from(check.rootBytes(roots));
    this.options = options;
    this.onError = onError;
    this.scope = scope;
    this.since = since;
    this.signal = signal;
    this.prune = prune;
    this.shown = prune === undefined ? shown : 'entries';
    this.byDirectory = byDirectory || prune !== undefined;
    // What is asked about each directory must be known before the next batch is made.
    this.readsAhead = !this.byDirectory;
    const { encoding, follow = false } = options;
    this.context = { encoding, follow, scope: scope ?? Scope.start() };
    // Wrong patterns are found out at once, for no call.
    this.open().close();
  }

  open() {
    const { roots, options, shown, byDirectory } = this;
    const [scope, since] = [this.scope?.native, this.since?.native];
    const walk = checked(() =>
      native.NativeWalk.open(roots, options, shown, byDirectory, scope, since),
    );
    return byDirectory ? new PrunableWalk(walk) : walk;
  }

  fail(error) {
    tell(error, this.onError);
  }

  batch(result, handle) {
    const batch = new EntryBatch(result, this.context);
    if (this.prune !== undefined) {
      for (let index = 0; index < batch.length; index += 1) {
        const entry = batch.item(index);
        if (entry.isDirectory() && this.prune(entry)) handle.prune(handle.turn, index);
      }
    }
    return batch;
  }
}

/** Paths alone: there is no table. */
class PathsSource extends WalkSource {
  constructor(roots, options, shown = 'paths') {
    super(roots, options, { shown });
  }

  batch(result, handle) {
    if (this.shown === 'entries') {
      const batch = super.batch(result, handle);
      return { length: batch.length, errors: batch.errors, item: (index) => batch.path(index) };
    }
    const [text, , length, , failures] = result;
    const paths = split(text, length, this.context.encoding);
    const errors = failures?.map(([before, failure]) => [before, errorOf(failure)]);
    return { length, errors, item: (index) => paths[index], all: () => paths };
  }
}

/** A directory of a walk, with all its entries. */
class Directory {
  #batch;

  #handle;

  #turn;

  constructor(batch, handle) {
    this.#batch = batch;
    this.#handle = handle;
    this.#turn = handle.turn;
    this.path = batch.directory;
    this.depth = batch.depth;
    this.entries = Array.from({ length: batch.length }, (_, index) => batch.item(index));
  }

  prune(entry) {
    const index = this.entries.indexOf(entry);
    return index >= 0 && this.#handle.prune(this.#turn, index);
  }
}

class DirectoriesSource extends WalkSource {
  constructor(roots, options) {
    super(roots, options, { byDirectory: true });
  }

  batch(result, handle) {
    const batch = super.batch(result, handle);
    const isAny = batch.length > 0 || batch.directory !== undefined;
    const errors = batch.errors?.map(([, error]) => [0, error]);
    return { length: isAny ? 1 : 0, errors, item: () => new Directory(batch, handle) };
  }
}

/** A walk: its entries, at once or asynchronously, each time from the beginning. */
class Walk extends Iterable {
  batches() {
    return new Iterable(new Whole(this.source));
  }
}

function walk(roots = '.', options = undefined) {
  return new Walk(new WalkSource(roots, options));
}

function iterPaths(roots = '.', options = undefined) {
  return new Walk(new PathsSource(roots, options));
}

function directories(roots = '.', options = undefined) {
  return new Iterable(new DirectoriesSource(roots, options));
}

/** One array of all these: a step for so many that a call does not take more arguments. */
function joined(arrays) {
  let rest = arrays;
  while (rest.length > 1000) {
    const steps = [];
    for (let at = 0; at < rest.length; at += 1000) {
      steps.push([].concat(...rest.slice(at, at + 1000)));
    }
    rest = steps;
  }
  return [].concat(...rest);
}

/** Paths for an array of all of them. */
function allPaths(roots, options) {
  return new Iterable(new Whole(new PathsSource(roots, options, 'gathered')));
}

function pathsSync(roots = '.', options = undefined) {
  return joined([...allPaths(roots, options)]);
}

async function paths(roots = '.', options = undefined) {
  const all = [];
  for await (const batch of allPaths(roots, options)) all.push(batch);
  return joined(all);
}

module.exports = { OPTIONS, directories, iterPaths, paths, pathsSync, walk };
