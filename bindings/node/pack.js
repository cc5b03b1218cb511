'use strict';

// Packs what npm publishes: the package, and that of this platform with the library in it.
//
//     node pack.js FOLDER LIBRARY
//
// prints the two tarballs, which it makes in the folder.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const here = __dirname;
const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const [folder, library] = process.argv.slice(2).map((name) => path.resolve(name));

/** What the C library of this machine is called in names of packages. */
function libc() {
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
}

/** A folder that is a package, with what every package has. */
function start(name, described) {
  const place = path.join(folder, name);
  fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(place, { recursive: true });
  fs.writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    fs.copyFileSync(path.join(here, '../..', licence), path.join(place, licence));
  }
  return place;
}

function platformPackage() {
  const kind = libc();
  const name = `${manifest.name}-${process.platform}-${process.arch}-${kind}`;
  const { version, description, license, engines } = manifest;
  const place = start('platform', {
    name, version, description, license, engines, main: 'fewer.node', files: ['fewer.node'],
    os: [process.platform], cpu: [process.arch], libc: [kind === 'gnu' ? 'glibc' : kind],
  });
  fs.copyFileSync(library, path.join(place, 'fewer.node'));
  fs.writeFileSync(path.join(place, 'README.md'), `The library of ${manifest.name}.\n`);
  return place;
}

function mainPackage() {
  const place = start('main', manifest);
  fs.cpSync(path.join(here, 'lib'), path.join(place, 'lib'), { recursive: true });
  fs.copyFileSync(path.join(here, 'README.md'), path.join(place, 'README.md'));
  return place;
}

for (const place of [platformPackage(), mainPackage()]) {
  const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'],
  });
  console.log(path.join(folder, JSON.parse(printed)[0].filename));
}
