package fewer;

import java.util.Locale;

/** What there is to know of a file. All that is asked for at once costs one {@code statx}. */
public enum Field {
    /** What it is. */
    KIND,
    /** The twelve bits. */
    PERMISSIONS,
    /** User and group, as numbers. */
    OWNER,
    /** In bytes. */
    SIZE,
    /** How many names it has. */
    LINKS,
    /** Inode, and the device that it is on. */
    INODE,
    /** The space it takes, in bytes. */
    ALLOCATED,
    /** When it was last read. */
    ACCESSED,
    /** When its contents changed. */
    MODIFIED,
    /** When its contents or its metadata changed. */
    CHANGED,
    /** When it was made, where the file system knows. */
    CREATED;

    /** All of them, as bits. */
    static final int ALL = (1 << values().length) - 1;

    static int bits(Field... fields) {
        int bits = 0;
        for (Field field : fields) {
            bits |= 1 << field.ordinal();
        }
        return bits;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
