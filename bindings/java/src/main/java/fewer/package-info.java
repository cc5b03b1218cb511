/**
 * File-system work in the fewest system calls.
 *
 * <p>{@link fewer.Fewer} has a method for each job; {@link fewer.Walk}, {@link fewer.Listing} and
 * {@link fewer.Lines} take options. A {@link fewer.Scope} is a working directory as a value, a
 * {@link fewer.Snapshot} what a walk found. {@link fewer.FileSystemError} says what went wrong,
 * {@link fewer.Cost} how many system calls were made.
 *
 * <p>Names are bytes in the kernel. As strings they are UTF-8; a byte that is not becomes a
 * character from U+DC80 to U+DCFF, and the same byte on the way back: see {@link fewer.Names}.
 * Arguments that are null are a {@link NullPointerException}.
 */
package fewer;
