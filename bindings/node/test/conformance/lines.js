'use strict';

const fewer = require('../..');
const { bytes, notExpressible, parse } = require('./words.js');

const FLAGS = [
  [['-0', '--null'], false, 'null'],
  [['-n', '--number'], false, 'number'],
  [['--from'], true, 'from'],
  [['--to'], true, 'to'],
  [['--last'], true, 'last'],
  [['--crlf'], false, 'crlf'],
  [['--count'], false, 'count'],
  [['--longest'], false, 'longest'],
];

function printFile(file, options, { base, out }) {
  const nul = options.null !== undefined;
  const how = { encoding: 'buffer', keepEnds: true, nul, scope: base };
  const from = Number(options.from?.at(-1) ?? 1);
  const to = Number(options.to?.at(-1) ?? Infinity);
  if (to < from) notExpressible('a reader opens its file when it is asked for a line');
  let number = 0;
  const lines = options.last === undefined
    ? fewer.lines(file, how)
    : fewer.lastLinesSync(file, Number(options.last.at(-1)), how);
  for (const line of lines) {
    number += 1;
    if (number > to) break;
    if (number < from) continue;
    if (options.number !== undefined) out(`${String(number).padStart(6)}\t`);
    const cut = options.crlf !== undefined && line.length > 1 && line.at(-2) === 0x0d
      && line.at(-1) === 0x0a;
    out(cut ? Buffer.concat([line.subarray(0, -2), Buffer.from('\n')]) : line);
    if (number === to) break;
  }
}

function lines(words, context) {
  const { options, operands } = parse(words, FLAGS);
  if (operands.length === 0 || operands.includes('-')) {
    notExpressible('the standard input brings the requests');
  }
  if (options.count !== undefined || options.longest !== undefined) {
    notExpressible('how counts are laid out');
  }
  if (options.last !== undefined && options.number !== undefined) {
    notExpressible('numbers of the last lines');
  }
  let [failed, withoutAny] = [0, 0];
  for (const operand of operands) {
    const before = context.printed();
    try {
      printFile(bytes(operand), options, context);
    } catch (error) {
      if (!(error instanceof fewer.FewerError)) throw error;
      context.complain('fewer', error);
      failed += 1;
      if (context.printed() === before) withoutAny += 1;
    }
  }
  if (withoutAny === operands.length) return 2;
  return failed > 0 ? 1 : 0;
}

module.exports = { lines };
