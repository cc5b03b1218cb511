// The types in a CommonJS module.

import fewer = require('@fewer-fs/fewer');

const names: fewer.Name[] = fewer.pathsSync('.', { sort: true, kinds: ['f', 'dir'] });
const lines: string[] = fewer.readLinesSync('a');
const kind: fewer.Kind | undefined = fewer.listSync('.')[0]?.kind;
console.log(names, lines, kind);
