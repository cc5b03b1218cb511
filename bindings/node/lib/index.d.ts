// fewer for Node: walk, list and read in the fewest system calls. Each function says its price.
// `name` returns a promise and works on a thread of Node's pool; `nameSync` works at once.

/// <reference types="node" />

import type { Snapshot } from './snapshot.js';

export * from './snapshot.js';
export * from './space.js';

/** A path: what `fs` takes, or an entry. */
export type PathLike = string | Uint8Array | URL | { readonly pathBytes: Uint8Array };

/**
 * A name or a path. It is a `Buffer` where it is not UTF-8, so that nothing is lost: every function
 * here and in `fs` takes either. With `encoding: 'utf8'` it is always a string, in which U+FFFD
 * takes the place of such bytes, as in `fs`; with `encoding: 'buffer'` always a `Buffer`.
 */
export type Name = string | Buffer;

/** What a file is. Where the directory did not say it and asking failed: `'unknown'`. */
export type Kind =
  | 'unknown' | 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'block' | 'char';

/** A kind, or another name of it: the letters of `find -type`, `dir`, `link`, `pipe`. */
export type KindName =
  | Kind | 'f' | 'd' | 'l' | 'p' | 's' | 'b' | 'c' | 'dir' | 'link' | 'pipe';

/** A field of `Stat`. `owner` is user and group; `inode` is the device as well. */
export type Field =
  | 'kind' | 'permissions' | 'owner' | 'size' | 'links' | 'inode' | 'allocated'
  | 'accessed' | 'modified' | 'changed' | 'created';

/** What was being done when something went wrong, such as `'open directory'`. */
export type Action = string;

/** What went wrong, with the properties of the errors of `fs`. */
export class FewerError extends Error {
  private constructor();
  /** `'ENOENT'`, say. */
  readonly code: string;
  /** The kernel's number, negative as everywhere in Node. */
  readonly errno: number;
  /** What was being done; undefined for an action that has no name. */
  readonly action: Action | undefined;
  /** What it was done with, as it was passed; a `Buffer` if that is not UTF-8. */
  readonly path: Name;
}

/** What to do with the error of an entry: it ends the iteration, is ignored, or is passed on. */
export type OnError = 'throw' | 'ignore' | ((error: FewerError) => void);

/** Which entries a walk has. */
export interface WalkOptions<Text extends Name = Name> {
  /** Depth-first, the names of each directory in byte order; else as it comes. */
  sort?: boolean | undefined;
  /** How many threads work; by default as many as there are processors, and more, up to
   * `maxThreads` (64), while storage has to be waited for. */
  threads?: number | undefined;
  maxThreads?: number | undefined;
  /** Only entries of these kinds. */
  kinds?: KindName | readonly KindName[] | undefined;
  /** Only entries whose names match one of these patterns. */
  glob?: string | readonly string[] | undefined;
  /** Leaves out entries that match one of these, and everything below them. */
  exclude?: string | readonly string[] | undefined;
  /** Patterns ignore the case of letters. */
  ignoreCase?: boolean | undefined;
  /** Patterns are matched with the whole path rather than the name. */
  fullPath?: boolean | undefined;
  /** Steps below the root, which is at 0. */
  minDepth?: number | undefined;
  maxDepth?: number | undefined;
  /** `false` leaves out names that begin with a dot, and everything below. */
  hidden?: boolean | undefined;
  /** Leaves out what git would ignore, `.git` included. */
  gitignore?: boolean | undefined;
  /** A link is treated as its target. */
  follow?: boolean | undefined;
  /** Mount points are entries, but are not entered. */
  oneFileSystem?: boolean | undefined;
  /** See {@link Name}. */
  encoding?: Encoding<Text> | undefined;
  /** By default an error ends the iteration. */
  onError?: OnError | undefined;
  /** The scope that the paths are relative to. */
  scope?: Scope | undefined;
  /** A directory that this snapshot has, and that did not change, is not opened. */
  since?: Snapshot | undefined;
  /** Ends the walk: the iteration throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Is called with each directory before it is read: if it returns true, it is not entered, for no
   * call. The walk then reads a directory at a time on one thread.
   */
  prune?: ((directory: Entry<Text>) => boolean) | undefined;
}

/** The option that makes names of this type. */
export type Encoding<Text extends Name> =
  Name extends Text ? undefined : Text extends string ? 'utf8' : 'buffer';

/** Something to go through at once or asynchronously. Each time it begins anew. */
export interface Batched<Item> {
  /** On this thread. `return()`, or leaving the loop, ends it with all its threads. */
  [Symbol.iterator](): IterableIterator<Item>;
  /** On threads of the pool, at most a batch and 4,096 items for each turn of the event loop. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
}

/** A walk: see {@link walk}. */
export interface Walk<Item> extends Batched<Item> {
  /** Some 1,000 items at a time, as arrays. */
  batches(): Batched<Item[]>;
}

/** The questions of `fs.Dirent` and `fs.Stats`. They are free. */
export interface Questions {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
}

/** An entry of a tree, as its directory describes it: also what `fs.Dirent` is. Everything but
 * `stat` and `readLink` is free. It keeps its batch, some 1,000 entries, in memory. */
export interface Entry<Text extends Name = Name> extends Questions {}
export class Entry<Text extends Name = Name> {
  private constructor();
  /** The root as it was passed, and the path below it. */
  readonly path: Text;
  /** The last component of the path. */
  readonly name: Text;
  /** The path of the directory that it is in. */
  readonly parentPath: Text;
  /** The bytes, as the kernel has them (with `encoding: 'utf8'`, those of the string). */
  readonly pathBytes: Buffer;
  readonly nameBytes: Buffer;
  readonly kind: Kind;
  /** Steps below the root, which is at 0. */
  readonly depth: number;
  /** The inode in the directory's record; of a mount point, that of the directory below it. */
  readonly inode: bigint;
  /** The metadata; of a link itself, unless the walk follows links. Price: one `statx`. */
  stat(options?: StatOptions): Promise<Stat>;
  statSync(options?: StatOptions): Stat;
  /** The target of a link. Price: one `readlinkat`. */
  readLink(): Promise<Name>;
  readLinkSync(): Name;
  toString(): string;
  toJSON(): { path: string; kind: Kind; depth: number; inode: string };
}

/**
 * The entries of the trees at some roots, which are entries themselves, by default of `'.'`.
 *
 * Price: per directory `openat`, `getdents64` and `close`, one `getdents64` more for each further
 * 256 KiB, and for the end where the file system does not mark it; none per entry, unless the
 * directory does not say its kind. Once some 10 calls.
 */
export function walk(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<string> & { encoding: 'utf8' },
): Walk<Entry<string>>;
export function walk(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<Buffer> & { encoding: 'buffer' },
): Walk<Entry<Buffer>>;
export function walk(roots?: PathLike | readonly PathLike[], options?: WalkOptions): Walk<Entry>;

/** The paths of a tree, one by one. Price: as {@link walk}. */
export function iterPaths(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<string> & { encoding: 'utf8' },
): Walk<string>;
export function iterPaths(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<Buffer> & { encoding: 'buffer' },
): Walk<Buffer>;
export function iterPaths(
  roots?: PathLike | readonly PathLike[],
  options?: WalkOptions,
): Walk<Name>;

/**
 * The paths of all entries, as an array: the fastest way to enumerate a tree. Many paths are
 * parts of one string, so keeping one path keeps some 256 KiB. Price: as {@link walk}.
 */
export function paths(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<string> & { encoding: 'utf8' },
): Promise<string[]>;
export function paths(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<Buffer> & { encoding: 'buffer' },
): Promise<Buffer[]>;
export function paths(
  roots?: PathLike | readonly PathLike[],
  options?: WalkOptions,
): Promise<Name[]>;
export function pathsSync(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<string> & { encoding: 'utf8' },
): string[];
export function pathsSync(
  roots: PathLike | readonly PathLike[] | undefined,
  options: WalkOptions<Buffer> & { encoding: 'buffer' },
): Buffer[];
export function pathsSync(
  roots?: PathLike | readonly PathLike[],
  options?: WalkOptions,
): Name[];

/** A directory of a walk with all its entries; or a root, by itself. */
export interface Directory {
  /** Undefined for a root by itself. */
  readonly path: Name | undefined;
  /** Steps below the root. */
  readonly depth: number | undefined;
  readonly entries: Entry[];
  /** Keeps the walk out of one of `entries`, until the next directory is asked for; false if it
   * does not. Price: none. */
  prune(entry: Entry): boolean;
}

/**
 * The walk a directory at a time, on one thread. Nothing is read ahead: until the next one is asked
 * for, directories can be pruned. Price: as {@link walk}.
 */
export function directories(
  roots?: PathLike | readonly PathLike[],
  options?: WalkOptions,
): Batched<Directory>;

/** The options of {@link list}. */
export interface ListOptions {
  /** What each entry is asked for; all if it is not there, nothing if it is empty. */
  fields?: Field | readonly Field[] | undefined;
  /** The largest and the latest come first; `'version'`: numbers in names by their value;
   * `'none'`: as the directory has them. */
  sort?:
    | 'name' | 'version' | 'extension' | 'size' | 'modified' | 'accessed' | 'changed' | 'created'
    | 'none' | undefined;
  reverse?: boolean | undefined;
  directoriesFirst?: boolean | undefined;
  /** `false` leaves out names that begin with a dot. */
  hidden?: boolean | undefined;
  /** `.` and `..` are entries as well. */
  dots?: boolean | undefined;
  /** The metadata of a link are those of its target. */
  follow?: boolean | undefined;
  /** Reads the targets of links. */
  links?: boolean | undefined;
  /** Looks up names of users and groups. */
  owners?: boolean | undefined;
  /** How many threads work at most, if there are more than 1,024 entries. */
  threads?: number | undefined;
  encoding?: 'utf8' | 'buffer' | undefined;
  /** What to do if the directory cannot be read to its end. */
  onError?: OnError | undefined;
  scope?: Scope | undefined;
  signal?: AbortSignal | undefined;
}

/** An entry of a directory with its metadata: also what `fs.Dirent` is. All of it is free. It keeps
 * the whole listing. */
export interface Row extends Questions {}
export class Row {
  private constructor();
  readonly name: Name;
  readonly nameBytes: Buffer;
  /** The directory as it was passed, and the name. */
  readonly path: Name;
  readonly pathBytes: Buffer;
  readonly parentPath: Name;
  readonly kind: Kind;
  readonly inode: bigint;
  /** Undefined if none were requested, or they could not be read: see `error`. */
  readonly stat: Stat | undefined;
  /** The target, if it is a link and that was requested (`links`). */
  readonly target: Name | undefined;
  readonly userName: string | undefined;
  readonly groupName: string | undefined;
  /** Why metadata or target could not be read. */
  readonly error: FewerError | undefined;
  toString(): string;
}

/**
 * The entries of a directory, with metadata, in order.
 *
 * Price: `openat`, `getdents64` for 32 KiB of entries, for each further 256 KiB and for the end,
 * `close`; per entry one `statx`, or none without fields; per link one `readlinkat` with `links`.
 * With `owners` one read of each file that names are in.
 */
export function list(path?: PathLike, options?: ListOptions): Promise<Row[]>;
export function listSync(path?: PathLike, options?: ListOptions): Row[];

/** What is asked of a file. */
export interface StatOptions {
  /** Of a link the metadata of its target. */
  follow?: boolean | undefined;
  /** All if it is not there. */
  fields?: Field | readonly Field[] | undefined;
}

/** Metadata: the result of one `statx`, and what `fs.Stats` has but for `blksize`. Fields that were
 * not requested are 0. */
export interface Stat extends Questions {}
export class Stat {
  private constructor();
  readonly kind: Kind;
  /** The twelve permission bits. */
  readonly permissions: number;
  readonly user: number;
  readonly group: number;
  /** In bytes; rounded from 8 PiB on, where `sizeBig` is exact. */
  readonly size: number;
  readonly sizeBig: bigint;
  /** Space taken on the device, in bytes. */
  readonly allocated: number;
  readonly links: number;
  readonly inode: bigint;
  readonly accessed: Date;
  readonly modified: Date;
  readonly changed: Date;
  /** Undefined where the file system keeps none. */
  readonly created: Date | undefined;
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  readonly accessedNs: bigint;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  readonly createdNs: bigint | undefined;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly nlink: number;
  readonly ino: number;
  readonly dev: number;
  readonly rdev: number;
  readonly blocks: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date | undefined;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number | undefined;
}

/** A text: a path, an open descriptor, or a `FileHandle`. A descriptor is duplicated, and read from
 * where it is. */
export type TextFile = PathLike | number | { readonly fd: number };

/** How lines are read. */
export interface LinesOptions {
  /** `'utf8'` if it is not there, in which U+FFFD takes the place of what is not UTF-8; `'latin1'`:
   * each byte is a character; `'buffer'`: lines are `Buffer`s. */
  encoding?: 'utf8' | 'latin1' | 'buffer' | undefined;
  /** A line that is not UTF-8 is an error (EILSEQ), after the lines before it. */
  fatal?: boolean | undefined;
  /** A `\r` in front of a newline belongs to the end of the line. */
  crlf?: boolean | undefined;
  /** NUL ends a line rather than a newline. */
  nul?: boolean | undefined;
  /** Lines come with what ends them. */
  keepEnds?: boolean | undefined;
  /** How many threads work at most, where several do. */
  threads?: number | undefined;
  scope?: Scope | undefined;
  signal?: AbortSignal | undefined;
}

type Buffers = LinesOptions & { encoding: 'buffer' };
type Strings = LinesOptions & { encoding?: 'utf8' | 'latin1' | undefined };

/** Lines of a file: see {@link lines}. */
export interface Lines<Line> extends Batched<Line> {
  /** The lines of a block at a time. */
  batches(): Batched<Line[]>;
  /** A web stream of lines; a block is read when it is asked for more. */
  stream(): ReadableStream<Line>;
}

/**
 * The lines of a file. A line ends with a newline; what is behind the last one is a line too,
 * unless there is nothing. Lines of a block are parts of one string, so keeping one keeps 256 KiB.
 *
 * Price: `openat`, one `read` for each 256 KiB and one for the end, `close`.
 */
export function lines(file: TextFile, options: Buffers): Lines<Buffer>;
export function lines(file: TextFile, options?: Strings): Lines<string>;

/** All lines as an array. Price: as {@link lines}. */
export function readLines(file: TextFile, options: Buffers): Promise<Buffer[]>;
export function readLines(file: TextFile, options?: Strings): Promise<string[]>;
export function readLinesSync(file: TextFile, options: Buffers): Buffer[];
export function readLinesSync(file: TextFile, options?: Strings): string[];

/** The last lines. Price: a file is read from its end, one `pread64` for each 256 KiB; anything
 * else to its end. */
export function lastLines(file: TextFile, count: number, options: Buffers): Promise<Buffer[]>;
export function lastLines(file: TextFile, count: number, options?: Strings): Promise<string[]>;
export function lastLinesSync(file: TextFile, count: number, options: Buffers): Buffer[];
export function lastLinesSync(file: TextFile, count: number, options?: Strings): string[];

/** How many lines there are. Price: one `read` for each 256 KiB; from 64 MiB on several threads
 * share it. */
export function countLines(file: TextFile, options?: LinesOptions): Promise<number>;
export function countLinesSync(file: TextFile, options?: LinesOptions): number;

/** How a program is run. */
export interface RunOptions {
  /** Collects standard output and error. */
  captureOutput?: boolean | undefined;
  /** Its whole environment; by default that of this process. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What is collected comes as strings. */
  encoding?: BufferEncoding | undefined;
}

/** How a program ended. */
export interface Ended<Output = Buffer | string> {
  readonly status: number | undefined;
  /** The number of the signal that ended it. */
  readonly signal: number | undefined;
  readonly stdout: Output | undefined;
  readonly stderr: Output | undefined;
}

/**
 * A working directory as a value, for options `scope`: relative paths are relative to it. The
 * process's own does not change. A directory that was entered is held open: it stays the same one
 * when it is renamed or removed. After `close` it cannot be used.
 */
export class Scope {
  private constructor();
  /** The working directory of the process. Price: none. */
  static start(): Scope;
  /** `Scope.start().enter(path)` */
  static enter(path: PathLike): Promise<Scope>;
  static enterSync(path: PathLike): Scope;
  /** As `chdir` would: `..` is the directory above, wherever a link has led. Price: one `openat`;
   * one `close` later. */
  enter(path: PathLike): Promise<Scope>;
  enterSync(path: PathLike): Scope;
  /** As a shell's `cd`: `..` takes the last name off the logical path. Price: as `enter`, and with
   * a `..` what `logical` costs and one `statx` for each name that is taken off. */
  enterLogical(path: PathLike): Promise<Scope>;
  enterLogicalSync(path: PathLike): Scope;
  /** Price: one `statx`. */
  stat(path: PathLike, options?: StatOptions): Promise<Stat>;
  statSync(path: PathLike, options?: StatOptions): Stat;
  /** The target of a link. Price: one `readlinkat`. */
  readLink(path: PathLike): Promise<Name>;
  readLinkSync(path: PathLike): Name;
  /** A descriptor for reading, which is the caller's to close (`fs.close`). Price: one `openat`. */
  open(path: PathLike): Promise<number>;
  openSync(path: PathLike): number;
  /** Makes a file that must not be there yet; a descriptor for reading and writing. Price: one
   * `openat`. */
  create(path: PathLike, permissions?: number): Promise<number>;
  createSync(path: PathLike, permissions?: number): number;
  /** The path by which it was entered, links included, as long as that leads here; otherwise the
   * physical one. Price: two `statx`, the second time one. */
  logical(): Promise<Name>;
  logicalSync(): Name;
  /** The path without links, as the kernel has it now. Price: one `readlinkat`, and two `statx`,
   * the second time one. */
  physical(): Promise<Name>;
  physicalSync(): Name;
  /** Sets the twelve permission bits. Price: one `fchmodat`. */
  setPermissions(path: PathLike, permissions: number): Promise<void>;
  setPermissionsSync(path: PathLike, permissions: number): void;
  /** Makes a symbolic link at `path`. Price: one `symlinkat`. */
  makeSymlink(path: PathLike, target: PathLike): Promise<void>;
  makeSymlinkSync(path: PathLike, target: PathLike): void;
  /** Makes another name of the file `target`. Price: one `linkat`. */
  makeHardLink(path: PathLike, target: PathLike): Promise<void>;
  makeHardLinkSync(path: PathLike, target: PathLike): void;
  /** Price: one `mkdirat`. */
  makeDirectory(path: PathLike, permissions?: number): Promise<void>;
  makeDirectorySync(path: PathLike, permissions?: number): void;
  /** Removes a name that is not a directory. Price: one `unlinkat`. */
  removeFile(path: PathLike): Promise<void>;
  removeFileSync(path: PathLike): void;
  /** Removes an empty directory. Price: one `unlinkat`. */
  removeDirectory(path: PathLike): Promise<void>;
  removeDirectorySync(path: PathLike): void;
  /** Removes a directory and everything below. Price: two `statx`; for each directory `openat`,
   * `getdents64`, `close`, `unlinkat`; for everything else one `unlinkat`. */
  removeTree(path: PathLike): Promise<void>;
  removeTreeSync(path: PathLike): void;
  /** Runs a program here and waits for it. Price: `clone3` (never a fork) and `wait4`; two `pipe2`
   * and one `read` per block that arrives to collect. */
  run(args: readonly PathLike[], options: RunOptions & { encoding: BufferEncoding }):
    Promise<Ended<string>>;
  run(args: readonly PathLike[], options?: RunOptions): Promise<Ended<Buffer>>;
  runSync(args: readonly PathLike[], options: RunOptions & { encoding: BufferEncoding }):
    Ended<string>;
  runSync(args: readonly PathLike[], options?: RunOptions): Ended<Buffer>;
  /** Closes the directory; closing again does nothing. Scopes that were entered from it stay open.
   * Price: one `close`, if nothing else uses it. */
  close(): void;
}

/** How often each system call was made through this library by all threads of the process, the most
 * frequent first. Price: none. */
export function calls(): Record<string, number>;

/** The system calls that were made since it was. */
export class Cost {
  calls(): Record<string, number>;
  /** All of them together. */
  readonly total: number;
}
