'use strict';

// Steps with a working directory as a value; tools/src/scope_steps.rs says which there are.

const fs = require('node:fs');

const fewer = require('../..');
const { bytes, notExpressible, text } = require('./words.js');

const bits = (word) => Number.parseInt(word, 8);

function statLine(scope, name) {
  const stat = scope.statSync(bytes(name), { follow: false, fields: ['kind', 'size'] });
  return stat.isFile() ? `file ${stat.size}\n` : `${stat.kind}\n`;
}

/** What the first read brings. */
function read(scope, name) {
  const options = { scope, encoding: 'buffer', keepEnds: true };
  for (const batch of fewer.lines(bytes(name), options).batches()) return Buffer.concat(batch);
  return '';
}

function walk(scope, root) {
  const paths = fewer.pathsSync(bytes(root), { scope, sort: true, encoding: 'buffer' });
  return Buffer.concat(paths.flatMap((path) => [path, Buffer.from('\n')]));
}

const withEnd = (name) => Buffer.concat([Buffer.from(name), Buffer.from('\n')]);

/** What a child has printed, and how it ended if not well. */
function output(scope, words, variables, err) {
  const options = { captureOutput: true, env: { ...process.env, ...variables } };
  const { status, signal, stdout, stderr } = scope.runSync(words.map(bytes), options);
  err(stderr);
  if (status === 0) return stdout;
  const how = status === undefined ? `signal ${signal}` : `exit status ${status}`;
  return Buffer.concat([stdout, Buffer.from(`${how}\n`)]);
}

/** How many words each step takes, and what it does. */
const STEPS = {
  stat: [1, ({ scope }, name) => statLine(scope, name)],
  link: [1, ({ scope }, name) => withEnd(scope.readLinkSync(bytes(name)))],
  read: [1, ({ scope }, name) => read(scope, name)],
  walk: [1, ({ scope }, root) => walk(scope, root)],
  logical: [0, ({ scope }) => withEnd(scope.logicalSync())],
  physical: [0, ({ scope }) => withEnd(scope.physicalSync())],
  chmod: [2, ({ scope }, mode, path) => scope.setPermissionsSync(bytes(path), bits(mode))],
  mkdir: [2, ({ scope }, mode, path) => scope.makeDirectorySync(bytes(path), bits(mode))],
  create: [2, ({ scope }, mode, path) => {
    fs.closeSync(scope.createSync(bytes(path), bits(mode)));
  }],
  symlink: [2, ({ scope }, path, target) => scope.makeSymlinkSync(bytes(path), bytes(target))],
  'hard-link': [2, ({ scope }, path, target) => {
    scope.makeHardLinkSync(bytes(path), bytes(target));
  }],
  remove: [1, ({ scope }, path) => scope.removeFileSync(bytes(path))],
  'remove-directory': [1, ({ scope }, path) => scope.removeDirectorySync(bytes(path))],
  'remove-tree': [1, ({ scope }, path) => scope.removeTreeSync(bytes(path))],
  enter: [1, ({ scope, goIn }, path) => goIn(scope.enterSync(bytes(path)))],
  'enter-logical': [1, ({ scope, goIn }, path) => goIn(scope.enterLogicalSync(bytes(path)))],
  env: [1, ({ variables }, word) => {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(text(word));
    variables[name] = value;
  }],
};

function scope(words, { base, out, err, complain }) {
  const [inside, rest, variables] = [[base], [...words], {}];
  let status = 0;
  const goIn = (entered) => {
    inside.push(entered);
  };
  while (rest.length > 0) {
    const step = rest.shift();
    const here = { scope: inside.at(-1), goIn, variables };
    if (step === 'clone' || step === 'threads' || step === 'run') {
      notExpressible(`no ${step} of a scope where requests come through the standard input`);
    }
    try {
      if (step === 'leave' && inside.length > 1) {
        inside.pop().close();
      } else if (step === 'output') {
        const command = rest.splice(0, rest.indexOf(';') + 1).slice(0, -1);
        out(output(here.scope, command, variables, err));
      } else if (STEPS[step] === undefined || rest.length < STEPS[step][0]) {
        err(`scope: '${step}' is no step\n`);
        return 2;
      } else {
        const [count, take] = STEPS[step];
        out(take(here, ...rest.splice(0, count)) ?? '');
      }
    } catch (error) {
      if (!(error instanceof fewer.FewerError)) throw error;
      complain('scope', error);
      status = 1;
    }
  }
  inside.slice(1).forEach((entered) => entered.close());
  return status;
}

module.exports = { scope };
