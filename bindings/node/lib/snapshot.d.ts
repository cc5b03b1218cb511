// What a walk found, kept; and what has changed since.

import type { Kind, Name, PathLike, WalkOptions } from './index.js';

/** What a snapshot is made with: options of a walk that say which directories are entered. */
export interface SnapshotOptions extends Pick<WalkOptions,
  | 'threads' | 'maxThreads' | 'maxDepth' | 'oneFileSystem' | 'exclude' | 'hidden' | 'gitignore'
  | 'ignoreCase' | 'fullPath' | 'onError' | 'scope' | 'signal' | 'since'> {
  /** Size, permissions and times of each entry as well: one `statx` more for each. */
  stat?: boolean | undefined;
}

/** What happened to an entry. Of what was renamed, `from` is the path before. */
export interface Change {
  readonly change: 'removed' | 'renamed' | 'added' | 'changed';
  /** The path now, or before if it is gone. */
  readonly path: Name;
  readonly from: Name | undefined;
  readonly kind: Kind;
}

/** What is different between two snapshots, in the order of the paths. The new tree follows from
 * the old one: first what was removed goes, then what was renamed gets its new path, then comes
 * what was added. */
export interface Changes extends Iterable<Change> {
  readonly length: number;
  /** The snapshot with the changes, to be kept for the next time. */
  readonly snapshot: Snapshot;
}

/** What a walk found: with it a later walk (`since`) asks for what has changed only. */
export class Snapshot {
  private constructor();
  /** Walks, and keeps what was found. Price: one `statx` a directory besides the walk. */
  static make(
    roots?: PathLike | readonly PathLike[],
    options?: SnapshotOptions,
  ): Promise<Snapshot>;
  static makeSync(roots?: PathLike | readonly PathLike[], options?: SnapshotOptions): Snapshot;
  /** Reads one from a file; EBADMSG if that is none. Price: `openat`, `statx`, one `read` for the
   * first 64 KiB and one for the rest, `close`. */
  static read(path: PathLike): Promise<Snapshot>;
  static readSync(path: PathLike): Snapshot;
  /** Writes it to a file, which is the old one until the new one is whole and on the disk. Price:
   * about a dozen calls, two `fdatasync` among them. */
  write(path: PathLike): Promise<void>;
  writeSync(path: PathLike): void;
  /** How many entries there are, without the roots. */
  readonly entries: number;
  readonly directories: number;
  /** Whether it has size, permissions and times of each entry. */
  readonly hasStat: boolean;
  /** The paths that it was made of. */
  readonly paths: Name[];
  /** The bytes of its file. */
  toBuffer(): Buffer;
  /**
   * What is different in another snapshot; or what is there now, below one of its paths or all,
   * with the options that it was made with. Price: none for another snapshot. Else one `statx` a
   * directory, and 6 calls more for one that changed.
   */
  changes(other?: Snapshot | PathLike, options?: ChangesOptions): Promise<Changes>;
  changesSync(other?: Snapshot | PathLike, options?: ChangesOptions): Changes;
}

export type ChangesOptions = Pick<WalkOptions, 'threads' | 'onError' | 'scope' | 'signal'>;
