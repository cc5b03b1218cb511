// The types in an ES module. `is` fails to compile unless the types are exactly the same.

import type { Dirent, Stats } from 'node:fs';
import defaultExport, * as fewer from '@fewer-fs/fewer';
import { type Entry, FewerError, type Name, Scope, Snapshot, walk } from '@fewer-fs/fewer';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function is<Expected>() {
  return <Actual,>(_value: Actual, _same: Same<Expected, Actual>): void => {};
}

is<Name[]>()(fewer.pathsSync(), true);
is<string[]>()(fewer.pathsSync('.', { encoding: 'utf8' }), true);
is<Buffer[]>()(fewer.pathsSync(Buffer.from('.'), { encoding: 'buffer' }), true);
is<Promise<Name[]>>()(fewer.paths(['.', new URL('file:///')]), true);
is<Promise<string[]>>()(defaultExport.paths('.', { encoding: 'utf8' }), true);

for (const entry of walk('.', { prune: (directory) => directory.name === 'a' })) {
  is<Entry>()(entry, true);
  is<Name>()(entry.path, true);
  is<bigint>()(entry.inode, true);
  is<Promise<fewer.Stat>>()(entry.stat({ fields: ['size'] }), true);
  // What takes a Dirent's questions takes an entry.
  const asked: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO'> = entry;
  console.log(asked, fewer.readLinesSync(entry));
}
for await (const entry of walk('.', { encoding: 'utf8', signal: AbortSignal.timeout(1) })) {
  is<string>()(entry.name, true);
}
for (const batch of walk('.').batches()) is<Entry[]>()(batch, true);
for await (const path of fewer.iterPaths('.', { encoding: 'buffer' })) is<Buffer>()(path, true);
for (const directory of fewer.directories('.')) {
  is<Name | undefined>()(directory.path, true);
  for (const entry of directory.entries) is<boolean>()(directory.prune(entry), true);
}

is<string[]>()(fewer.readLinesSync('a'), true);
is<string[]>()(fewer.readLinesSync(0, { encoding: 'latin1', crlf: true }), true);
is<Buffer[]>()(fewer.lastLinesSync('a', 3, { encoding: 'buffer' }), true);
is<Promise<number>>()(fewer.countLines('a'), true);
for await (const line of fewer.lines('a')) is<string>()(line, true);
for (const line of fewer.lines('a', { encoding: 'buffer' })) is<Buffer>()(line, true);
const stream: ReadableStream<string> = fewer.lines('a').stream();

const [row] = await fewer.list('.', { sort: 'size', fields: ['size'] });
is<fewer.Stat | undefined>()(row?.stat, true);
const stats: Pick<Stats, 'size' | 'mode' | 'mtimeMs' | 'isFile'> | undefined = row?.stat;

const scope = await Scope.enter('.');
is<string | undefined>()(scope.runSync(['ls'], { encoding: 'utf8' }).stdout, true);
is<Buffer | undefined>()((await scope.run(['ls'])).stdout, true);
is<number>()(scope.openSync('a'), true);

const snapshot = await Snapshot.make('.', { stat: true });
for (const { change, from } of await snapshot.changes()) {
  is<'removed' | 'renamed' | 'added' | 'changed'>()(change, true);
  is<Name | undefined>()(from, true);
}
is<number>()(fewer.sizeSync('.', { depth: Infinity })[0]!.allocated, true);
is<fewer.Space | undefined>()(fewer.summarySync('.').extensions.get('js'), true);
is<Record<string, number>>()(new fewer.Cost().calls(), true);

try {
  walk('.');
} catch (error) {
  if (error instanceof FewerError) is<string>()(error.code, true);
}

// @ts-expect-error: there is no such option
walk('.', { sorted: true });
// @ts-expect-error: nor such a kind
walk('.', { kinds: 'x' });
// @ts-expect-error: nor such a field
fewer.listSync('.', { fields: ['sizes'] });
// @ts-expect-error: a path is no number
walk(7);
// @ts-expect-error: entries are made by walks
new fewer.Entry();
// @ts-expect-error: strings are asked for
const strings: string[] = fewer.pathsSync('.');
// @ts-expect-error: a scope is made by enter
new Scope();
console.log(stream, stats, strings);
