package fewer;

import java.util.Locale;

/** How a listing is sorted. */
public enum Order {
    /** In byte order of the names. */
    NAME,
    /** As the directory has them. */
    NOTHING,
    /** By name, numbers in it by their value. */
    VERSION,
    /** By what is behind the last dot. */
    EXTENSION,
    /** The largest first. */
    SIZE,
    /** The latest first. */
    MODIFIED,
    /** The latest first. */
    ACCESSED,
    /** The latest first. */
    CHANGED,
    /** The latest first. */
    CREATED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
