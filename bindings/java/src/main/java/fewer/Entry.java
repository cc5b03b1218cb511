package fewer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * One entry of a walk. It is a view of its batch: names are decoded when they are asked for, and an
 * entry that is kept keeps the batch (some 1,000 entries, 100 KiB); {@link #copy} does not.
 *
 * <p>Price: none, unless a method says so.
 */
public final class Entry {
    static final int BYTES = 32;
    private static final int PATH = 8;
    private static final int NAME = 16;
    private static final int DEPTH = 24;
    private static final int KIND = 28;
    private static final int TARGET = 29;

    private final Batch batch;
    private final int at;
    private final Scope scope;

    Entry(Batch batch, int index, Scope scope) {
        this.batch = batch;
        this.at = batch.table + BYTES * index;
        this.scope = scope;
    }

    /**
     * The root as the walk was given it, and the path below it.
     *
     * @return as {@link Names#decode} makes it
     */
    public String path() {
        return batch.textAt(at + PATH);
    }

    /**
     * Likewise, in the kernel's bytes.
     *
     * @return a new array
     */
    public byte[] pathBytes() {
        return batch.bytesAt(at + PATH);
    }

    /**
     * The last component of the path.
     *
     * @return as {@link Names#decode} makes it
     */
    public String name() {
        return batch.textAt(at + NAME);
    }

    /**
     * Likewise, in the kernel's bytes.
     *
     * @return a new array
     */
    public byte[] nameBytes() {
        return batch.bytesAt(at + NAME);
    }

    /**
     * The path as {@code java.nio.file} has it.
     *
     * @return a path of the default file system that has the same bytes
     */
    public Path toPath() {
        return Names.toPath(pathBytes());
    }

    /** Its path in a directory, whose path is known: it is not taken apart again. */
    Path toPathIn(Path directory) {
        // ASCII is the same in each encoding that a locale has.
        return batch.isAscii()
                ? directory.resolve(name())
                : directory.resolve(Names.toPath(nameBytes()));
    }

    /**
     * What it is.
     *
     * @return its kind, as the directory says
     */
    public Kind kind() {
        return Kind.of(batch.array[at + KIND]);
    }

    /**
     * What a link points to, if the walk has {@link Walk#targets}.
     *
     * @return its kind; {@link Kind#UNKNOWN} for what is no link, and without that option
     */
    public Kind target() {
        return Kind.of(batch.array[at + TARGET]);
    }

    /**
     * Whether it is a directory; a link to one is not.
     *
     * @return true if it is
     */
    public boolean isDirectory() {
        return kind() == Kind.DIRECTORY;
    }

    /**
     * Whether it is a regular file; a link to one is not.
     *
     * @return true if it is
     */
    public boolean isFile() {
        return kind() == Kind.FILE;
    }

    /**
     * Whether it is a symbolic link.
     *
     * @return true if it is
     */
    public boolean isSymlink() {
        return kind() == Kind.SYMLINK;
    }

    /**
     * Steps below the root.
     *
     * @return 0 for a root
     */
    public int depth() {
        return batch.intAt(at + DEPTH);
    }

    /**
     * Its number, as the directory has it; of a mount point, that of the directory below it.
     *
     * @return the inode
     */
    public long inode() {
        return batch.longAt(at);
    }

    /**
     * What else there is to know; a link is asked itself. Price: one {@code statx}.
     *
     * @param fields what is wanted; none: all
     * @return the answer
     * @throws IOException if it is gone, or cannot be reached
     * @throws IllegalStateException if the walk began in a scope that is closed by now
     */
    public Stat stat(Field... fields) throws IOException {
        return Scope.stat(scope, pathBytes(), false, fields);
    }

    /**
     * An entry that keeps nothing but itself.
     *
     * @return one that is equal to this
     */
    public Entry copy() {
        return new Entry(batch.of(at, BYTES, PATH, NAME), 0, scope);
    }

    /** Equal are entries with the same path, kind, depth and inode. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Entry)) {
            return false;
        }
        Entry entry = (Entry) other;
        return inode() == entry.inode()
                && depth() == entry.depth()
                && kind() == entry.kind()
                && Arrays.equals(pathBytes(), entry.pathBytes());
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(pathBytes()) + Long.hashCode(inode());
    }

    /** Kind and path. */
    @Override
    public String toString() {
        return kind() + " " + path();
    }
}
