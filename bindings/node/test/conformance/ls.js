'use strict';

// The names in directories, one a line, or all there is to know as JSON. Long listings are a matter
// of the command line.

const fewer = require('../..');
const { bytes, named, notExpressible, parse } = require('./words.js');

const FLAGS = [
  [['-1'], false, 'one'],
  [['-a', '--all'], false, 'all'],
  [['-A', '--almost-all'], false, 'almostAll'],
  [['-c'], false, 'changed'],
  [['-d', '--directory'], false, 'themselves'],
  [['-f'], false, 'raw'],
  [['-i'], false, 'inode'],
  [['-l'], false, 'long'],
  [['-L', '--dereference'], false, 'follow'],
  [['-n'], false, 'numeric'],
  [['-r', '--reverse'], false, 'reverse'],
  [['-R', '--recursive'], false, 'recursive'],
  [['-s'], false, 'space'],
  [['-S'], false, 'size'],
  [['-t'], false, 'modified'],
  [['-u'], false, 'accessed'],
  [['-U'], false, 'none'],
  [['-v'], false, 'version'],
  [['-X'], false, 'extension'],
  [['--group-directories-first'], false, 'directoriesFirst'],
  [['--json'], false, 'json'],
  [['--sort'], true, 'sort'],
  [['--zero'], false, 'zero'],
];

const ORDERS = ['none', 'size', 'modified', 'version', 'extension', 'name'];

/** What flags say in the order in which they come: the last of a kind counts. */
function settle({ options, given }) {
  const has = (key) => options[key] !== undefined;
  const [isLong, space] = [has('long') || has('numeric'), has('space')];
  if (!has('json') && (isLong || space || has('inode'))) {
    notExpressible('long listings are a matter of the command line');
  }
  let [sort, dots, hidden, time] = ['name', false, false, undefined];
  for (const [key, value] of given) {
    const order = key === 'raw' ? 'none' : key === 'sort' ? value.replace('time', 'modified') : key;
    if (ORDERS.includes(order)) sort = order;
    else if (key === 'sort') notExpressible(`no ls --sort=${value} in fewer for Node`);
    if (key === 'all' || key === 'raw') [dots, hidden] = [true, true];
    if (key === 'almostAll') [dots, hidden] = [false, true];
    if (key === 'changed' || key === 'accessed') time = key;
  }
  // Without -l and -t the time is what is sorted by.
  if (time !== undefined && (sort === 'modified' || !isLong)) sort = time;
  // What is entered behind a link is found out by looking.
  let fields = has('recursive') && has('follow') ? ['kind'] : [];
  if (isLong) fields = undefined;
  else if (space) fields.push('allocated');
  return {
    isLong, space, isJson: has('json'), themselves: has('themselves'), recursive: has('recursive'),
    end: has('zero') ? '\0' : '\n',
    list: {
      sort, dots, hidden, fields,
      reverse: has('reverse'), follow: has('follow'), directoriesFirst: has('directoriesFirst'),
      links: isLong, owners: has('long') && !has('numeric'),
    },
  };
}

/** Seconds with their fraction; before 1970 both count backwards. */
function seconds(nanoseconds) {
  const [sign, size] = nanoseconds < 0n ? ['-', -nanoseconds] : ['', nanoseconds];
  return `${sign}${size / 1_000_000_000n}.${String(size % 1_000_000_000n).padStart(9, '0')}`;
}

function owner(what, id, name) {
  return `,"${what}":${JSON.stringify({ id, ...(name && { name: named(name) }) })}`;
}

/** All there is to know of a file, as members of an object. */
function metadata(stat, { userName, groupName } = {}) {
  const mode = stat.permissions.toString(8).padStart(4, '0');
  const { links, sizeBig, allocated, rdev } = stat;
  let out = `,"mode":"${mode}","links":${links},"size":${sizeBig},"allocated":${allocated}`;
  out += owner('user', stat.user, userName) + owner('group', stat.group, groupName);
  if (stat.isCharacterDevice() || stat.isBlockDevice()) {
    const device = { major: (rdev >> 8) & 0xfff, minor: (rdev & 0xff) | ((rdev >> 12) & 0xfff00) };
    out += `,"device":${JSON.stringify(device)}`;
  }
  for (const time of ['modified', 'accessed', 'changed', 'created']) {
    const nanoseconds = stat[`${time}Ns`];
    if (nanoseconds !== undefined) out += `,"${time}":${seconds(nanoseconds)}`;
  }
  return out;
}

/** A command line at work: what it has printed and what failed. */
class Lister {
  constructor(how, context) {
    this.how = how;
    this.context = context;
    this.failures = 0;
    this.failedOperands = 0;
    // Something has been listed, so that the next heading is set off.
    this.hasBegun = false;
  }

  complain(error) {
    // The library says what it did; of what it lists ls says "access".
    const { message } = error;
    const said = message.replace(/^cannot stat/, 'cannot access')
      .replace(/^cannot read link/, 'cannot read symbolic link');
    this.context.complain('fewer', { message: said });
    this.failures += 1;
  }

  /** Prints an entry, of a directory or by itself. */
  show(name, file, directory) {
    const { isJson, isLong, space, end } = this.how;
    const { out } = this.context;
    if (!isJson) {
      out(name);
      return out(end);
    }
    const stat = directory === undefined ? file : file.stat;
    const head = { v: 1, ...(directory && { directory: named(directory) }), name: named(name) };
    let line = `${JSON.stringify({ ...head, kind: file.kind }).slice(0, -1)},"inode":${file.inode}`;
    if (file.error !== undefined && file.error.action === 'stat') {
      line += `,"errno":${-file.error.errno}`;
    } else if (isLong) {
      line += metadata(stat, file);
    } else if (space) {
      line += `,"allocated":${stat.allocated}`;
    }
    if (file.target !== undefined) line += `,"target":${JSON.stringify(named(file.target))}`;
    return out(`${line}}\n`);
  }

  list(path, hasHeading, isOperand) {
    const { out, base } = this.context;
    let failure;
    const onError = (error) => { failure = error; };
    let rows;
    try {
      rows = fewer.listSync(path, { ...this.how.list, scope: base, onError });
    } catch (error) {
      if (!(error instanceof fewer.FewerError)) throw error;
      if (isOperand) this.failedOperands += 1;
      return this.complain(error);
    }
    if (hasHeading && !this.how.isJson) {
      out(Buffer.concat([Buffer.from(this.hasBegun ? '\n' : ''), path, Buffer.from(':\n')]));
    }
    this.hasBegun = true;
    for (const row of rows) {
      this.show(row.name, row, rows[0].parentPath);
      if (row.error !== undefined) this.complain(row.error);
    }
    if (failure !== undefined) this.complain(failure);
    if (!this.how.recursive) return undefined;
    for (const row of rows) {
      const isDots = row.name === '.' || row.name === '..';
      if (row.isDirectory() && !isDots) this.list(row.pathBytes, true, false);
    }
    return undefined;
  }

  /** What a word stands for: a link to a directory for that, unless links are shown themselves. */
  look(path) {
    const { base } = this.context;
    const { list, isLong, themselves } = this.how;
    const asked = list.fields === undefined ? undefined : ['kind', 'inode', ...list.fields];
    try {
      const stat = base.statSync(path, { follow: list.follow, fields: asked });
      if (!stat.isSymbolicLink() || themselves || isLong) return { path, stat };
      return { path, stat: this.directoryBehind(path, asked) ?? stat };
    } catch (error) {
      if (!(error instanceof fewer.FewerError)) throw error;
      this.complain(error);
      this.failedOperands += 1;
      return undefined;
    }
  }

  /** The directory that a link leads to, if it is one. */
  directoryBehind(path, fields) {
    try {
      const target = this.context.base.statSync(path, { follow: true, fields });
      return target.isDirectory() ? target : undefined;
    } catch {
      return undefined;
    }
  }

  listOperands(paths) {
    const { themselves, recursive, list } = this.how;
    if (paths.length > 1 && list.sort !== 'name') {
      notExpressible('words of the command line in that order');
    }
    const found = paths.map((path) => this.look(path)).filter((it) => it !== undefined);
    found.sort((one, other) => Buffer.compare(one.path, other.path));
    if (list.reverse) found.reverse();
    const isItself = ({ stat }) => themselves || !stat.isDirectory();
    const shown = found.filter(isItself);
    for (const { path, stat } of shown) this.show(path, stat);
    this.hasBegun = shown.length > 0;
    const hasHeading = shown.length > 0 || paths.length > 1 || recursive;
    for (const operand of found) {
      if (!isItself(operand)) this.list(operand.path, hasHeading, true);
    }
  }
}

function ls(words, context) {
  const parsed = parse(words, FLAGS);
  const lister = new Lister(settle(parsed), context);
  const paths = parsed.operands.map(bytes);
  const here = Buffer.from('.');
  if (paths.length > 0) lister.listOperands(paths);
  else if (lister.how.themselves) lister.listOperands([here]);
  else lister.list(here, lister.how.recursive, true);
  if (lister.failedOperands >= Math.max(paths.length, 1)) return 2;
  return lister.failures > 0 ? 1 : 0;
}

module.exports = { ls };
