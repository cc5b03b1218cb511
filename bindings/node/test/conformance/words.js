'use strict';

// The words of a request. Their bytes are characters here (latin1), so that none is lost.

const bytes = (word) => Buffer.from(word, 'latin1');
const text = (word) => bytes(word).toString();

/** Thrown for what cannot be said in this language. */
class NotExpressible extends Error {}

function notExpressible(reason) {
  throw new NotExpressible(reason);
}

/**
 * Splits words into options and operands by a table: a name or letter, whether a value follows, and
 * a key. Of each key all values come in their order; `given` are all of them in theirs.
 */
function parse(words, table) {
  const [options, operands, given] = [{}, [], []];
  const rest = [...words];
  const row = (name) => {
    const found = table.find(([names]) => names.includes(name));
    return found ?? notExpressible(`no ${name} in fewer for Node`);
  };
  const put = (key, value) => {
    (options[key] ??= []).push(value);
    given.push([key, value]);
  };
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === '--') {
      operands.push(...rest.splice(0));
    } else if (word.startsWith('--')) {
      const [, name, , value] = /^([^=]*)(=(.*))?$/s.exec(word);
      const [, takesValue, key] = row(name);
      put(key, takesValue ? value ?? rest.shift() : true);
    } else if (word.length > 1 && word.startsWith('-')) {
      for (let at = 1; at < word.length; at += 1) {
        const [, takesValue, key] = row(`-${word[at]}`);
        if (takesValue) {
          put(key, at + 1 < word.length ? word.slice(at + 1) : rest.shift());
          break;
        }
        put(key, true);
      }
    } else {
      operands.push(word);
    }
  }
  return { options, operands, given };
}

/** A name as JSON has it: its text, or its bytes if that is none. */
function named(name) {
  const string = name.toString();
  return Buffer.from(string).equals(Buffer.from(name)) ? { text: string }
    : { bytes: name.toString('base64') };
}

module.exports = { NotExpressible, bytes, named, notExpressible, parse, text };
