package fewer;

/** What {@link Walk#size} does besides. */
public enum SizeOption {
    /** Files have rows, too. */
    FILES,
    /** A file counts for each of its names, and for each root. */
    COUNT_LINKS
}
