// Prints what a program can notice of what is loaded into Node.js before it: one thing after the
// other, so that every run prints the same.
'use strict';
const fs = require('fs');
const { execFileSync, spawnSync } = require('child_process');
const { Worker, isMainThread } = require('worker_threads');

const say = (what, value) => console.log(what, JSON.stringify(value));

const about = () => ({
  given: process.execArgv,
  words: process.argv.length,
  options: process.env.NODE_OPTIONS,
  variables: Object.keys(process.env).sort(),
  loaded: Object.keys(require.cache).length,
  children: module.children.length,
  limit: Error.stackTraceLimit,
  prepare: typeof Error.prepareStackTrace,
  hasDeprecation: 'noDeprecation' in process,
});

function children() {
  const text = 'console.log(process.execArgv, process.env.NODE_OPTIONS, new Error().stack)';
  const options = { encoding: 'utf8' };
  console.log(execFileSync(process.execPath, ['--no-warnings', '-e', text], options));
  options.env = { ...process.env, NODE_OPTIONS: '--stack-trace-limit=2' };
  const words = ['-e', `${text}; process.exit(7)`];
  const { stdout, status } = spawnSync(process.execPath, words, options);
  say(stdout, status);
}

function worker() {
  const worker = new Worker(__filename, { execArgv: ['--no-warnings'] });
  worker.on('exit', (status) => {
    say('the worker ended with', status);
    process.on('exit', (status) => console.error('ends with', status));
    setImmediate(() => { throw new TypeError('which nobody expects'); });
  });
}

function failures(then) {
  try {
    fs.readFileSync('missing');
  } catch (error) {
    say('at once', error.stack);
  }
  fs.readFile('missing', (error) => {
    say('called back', error.stack);
    fs.promises.readFile('missing').catch((error) => {
      say('promised', error.stack);
      then();
    });
  });
}

if (isMainThread) {
  say('the program', about());
  say('input', fs.readFileSync(0, 'utf8'));
  children();
  failures(worker);
} else {
  say('the worker', about());
}
