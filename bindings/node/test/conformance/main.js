'use strict';

// Does with the package what the command `fewer` does, so that the shared cases can be run through
// it: see cases/README.md. A request is a line of words in hexadecimal: the directory to work in, a
// verb, its arguments.

const readline = require('node:readline');

const fewer = require('../..');
const { NotExpressible, bytes, notExpressible } = require('./words.js');
const { lines } = require('./lines.js');
const { ls } = require('./ls.js');
const { scope } = require('./scope.js');
const { size } = require('./size.js');
const { walk } = require('./walk.js');

const VERBS = { lines, ls, scope, size, walk };
const word = (hex) => (hex === '-' ? '' : Buffer.from(hex, 'hex').toString('latin1'));
const hex = (parts) => Buffer.concat(parts).toString('hex') || '-';

/** Does what a verb says; the exit status. */
function perform(verb, words, context) {
  try {
    return (VERBS[verb] ?? notExpressible(`no ${verb} in fewer for Node`))(words, context);
  } catch (error) {
    if (error instanceof NotExpressible) {
      context.only(`not expressible: ${error.message}\n`);
      return 125;
    }
    const isWrong = error instanceof fewer.FewerError || error.code?.startsWith('ERR_');
    if (!isWrong) throw error;
    context.complain('fewer', error);
    return 2;
  }
}

function answer(request) {
  const [directory, verb, ...words] = request.split(' ').map(word);
  const [printed, said] = [[], []];
  let length = 0;
  const base = fewer.Scope.enterSync(bytes(directory));
  const out = (part) => {
    printed.push(Buffer.from(part));
    length += part.length;
  };
  const err = (part) => said.push(Buffer.from(part));
  const context = {
    base, out, err,
    printed: () => length,
    complain: (program, error) => err(`${program}: ${error.message}\n`),
    only: (reason) => said.splice(0, said.length, Buffer.from(reason)),
  };
  const cost = new fewer.Cost();
  const status = perform(verb, words, context);
  const counts = Object.entries(cost.calls()).map(([name, count]) => ` ${name}=${count}`);
  base.close();
  process.stdout.write(`${status} ${hex(printed)} ${hex(said)}${counts.join('')}\n`);
}

readline.createInterface({ input: process.stdin }).on('line', answer);
