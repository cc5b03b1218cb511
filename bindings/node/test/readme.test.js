'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const { temporary } = require('./tree.js');

const root = path.resolve(__dirname, '..');

test('the examples of the README run, one after the other', (t) => {
  const place = temporary(t);
  for (const name of ['lib', 'src', 'Cargo.toml', 'README.md']) {
    fs.cpSync(path.join(root, name), path.join(place, name), { recursive: true });
  }
  const text = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
  const examples = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, example]) => example);
  const program = examples.join('\n').replace("'@fewer-fs/fewer'", "'./lib'");
  const whole = `(async () => {\n${program}\n})().catch((error) => {
    console.error(error);
    process.exit(1);
  });`;
  execFileSync(process.execPath, ['-e', whole], { cwd: place, stdio: ['ignore', 'ignore', 2] });
});
