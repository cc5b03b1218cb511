// How much space trees take, and what there is in them.

import type { Kind, Name, PathLike, WalkOptions } from './index.js';

/** What some entries take. Sums are exact up to 8 PiB. */
export interface Space {
  readonly entries: number;
  /** The sum of what each states, in bytes; with that of directories. */
  readonly size: number;
  /** The bytes that they take on the device. */
  readonly allocated: number;
}

/** A path with what is below it. */
export interface Size extends Space {
  readonly path: Name;
  readonly kind: Kind;
  readonly depth: number;
}

/** The options of a walk that say what counts. */
export type MeasureOptions = Omit<WalkOptions, 'sort' | 'prune' | 'since' | 'follow'>;

export interface SizeOptions extends MeasureOptions {
  /** So many levels below the roots have rows; by default only the roots, with `Infinity` all. */
  depth?: number | undefined;
  /** Files have rows, too. */
  files?: boolean | undefined;
  /** A file counts for each of its names. */
  countLinks?: boolean | undefined;
}

/**
 * How much space trees take, as `du` counts it: root by root, below each in byte order. A file with
 * several names counts once, below the first root that holds it; a root that lies in an earlier one
 * has no row. Price: one `statx` an entry besides the walk, and one for a root that is a directory.
 */
export function size(
  roots?: PathLike | readonly PathLike[],
  options?: SizeOptions,
): Promise<Size[]>;
export function sizeSync(roots?: PathLike | readonly PathLike[], options?: SizeOptions): Size[];

/** What there is in trees, in numbers. */
export interface Summary {
  readonly directories: Space;
  /** The bytes of a file with several names count once. */
  readonly files: Space;
  readonly links: Space;
  readonly other: Space;
  readonly all: Space;
  /** Files by what is behind the last dot of the name (empty if there is none), the largest size
   * first. After 65,536 different ones, undefined has the files of all others. */
  readonly extensions: ReadonlyMap<Name | undefined, Space>;
  /** At most 10. */
  readonly largest: readonly { readonly path: Name; readonly size: number }[];
  readonly deepest: { readonly path: Name; readonly depth: number } | undefined;
  readonly longest: { readonly path: Name; readonly bytes: number } | undefined;
  readonly newest: { readonly path: Name; readonly modified: Date } | undefined;
  readonly oldest: { readonly path: Name; readonly modified: Date } | undefined;
}

/** Price: one `statx` an entry besides the walk. */
export function summary(
  roots?: PathLike | readonly PathLike[],
  options?: MeasureOptions & { follow?: boolean | undefined },
): Promise<Summary>;
export function summarySync(
  roots?: PathLike | readonly PathLike[],
  options?: MeasureOptions & { follow?: boolean | undefined },
): Summary;
