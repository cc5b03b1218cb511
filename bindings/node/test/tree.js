'use strict';

// Temporary directories, and what other programs say of them.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Makes a directory for a test, and removes it when the test is over. */
function temporary(t) {
  const place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'fewer-node-')));
  t.after(() => {
    execFileSync('chmod', ['-R', 'u+rwX', place]);
    fs.rmSync(place, { recursive: true, force: true });
  });
  return place;
}

/** Files by their paths, with their texts; a path that ends in a slash is a directory. */
function make(place, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(place, name);
    if (name.endsWith('/')) {
      fs.mkdirSync(file, { recursive: true });
    } else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
  }
  return place;
}

/** Directories and files in each: `directories` times `files`. */
function makeMany(place, directories, files) {
  for (let directory = 0; directory < directories; directory += 1) {
    const folder = path.join(place, `directory-${directory}`);
    fs.mkdirSync(folder);
    for (let file = 0; file < files; file += 1) {
      fs.writeFileSync(path.join(folder, `file-${file}`), '');
    }
  }
  return place;
}

/** What GNU find prints, as buffers in byte order. */
function find(...args) {
  const printed = execFileSync('find', [...args, '-print0'], { maxBuffer: 1 << 28 });
  const names = printed.toString('latin1').split('\0').slice(0, -1);
  return names.map((name) => Buffer.from(name, 'latin1')).sort(Buffer.compare);
}

const isRoot = process.getuid() === 0;

/** Runs a program of ours in a Node of its own, and returns what it prints. */
function run(source, { flags = [], input } = {}) {
  const program = `const fewer = require(${JSON.stringify(path.resolve(__dirname, '..'))});`;
  const options = { encoding: 'utf8', input, timeout: 60_000, stdio: ['pipe', 'pipe', 'inherit'] };
  return execFileSync(process.execPath, [...flags, '-e', `${program}\n${source}`], options);
}

module.exports = { find, isRoot, make, makeMany, run, temporary };
