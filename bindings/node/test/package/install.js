'use strict';

// Packs the package, installs it in an empty project, and uses it there as a program would.
//
//     node install.js FOLDER

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const [folder] = process.argv.slice(2);
const project = path.join(folder, 'project');
const root = path.join(__dirname, '../..');
const env = { ...process.env };
const library = env.FEWER_LIBRARY;
delete env.FEWER_LIBRARY;
delete env.NODE_PATH;

function run(program, args, cwd = project) {
  return execFileSync(program, args, { cwd, env, encoding: 'utf8' });
}

fs.rmSync(project, { recursive: true, force: true });
fs.mkdirSync(project, { recursive: true });
const tarballs = run('node', [path.join(root, 'pack.js'), '../packed', library]).trim().split('\n');
assert.strictEqual(tarballs.length, 2);
fs.writeFileSync(path.join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
// The other platforms' packages are optional, and are not there.
run('npm', ['install', '--no-package-lock', '--offline', ...tarballs]);

fs.writeFileSync(path.join(project, 'a.cjs'), `
  const fewer = require('@fewer-fs/fewer');
  console.log(fewer.pathsSync('.', { glob: 'a.*', sort: true }).join(' '));
`);
fs.writeFileSync(path.join(project, 'a.mjs'), `
  import fewer, { walk } from '@fewer-fs/fewer';
  for await (const entry of walk('.', { glob: 'a.*', sort: true })) console.log(entry.path);
  console.log(fewer.walk === walk);
`);
assert.strictEqual(run('node', ['a.cjs']), './a.cjs ./a.mjs\n');
assert.strictEqual(run('node', ['a.mjs']), './a.cjs\n./a.mjs\ntrue\n');

// Without the library the reason is told.
const scope = path.join(project, 'node_modules/@fewer-fs');
const platform = fs.readdirSync(scope).find((name) => name !== 'fewer');
fs.renameSync(path.join(scope, platform), path.join(project, 'away'));
assert.throws(() => run('node', ['a.cjs']), /has no library for linux/);
fs.renameSync(path.join(project, 'away'), path.join(scope, platform));

// The types are tested as an installed package has them: see check.
for (const file of fs.readdirSync(path.join(root, 'test/typescript'))) {
  fs.copyFileSync(path.join(root, 'test/typescript', file), path.join(project, file));
}
