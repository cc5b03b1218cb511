package fewer;

/** How much there is in a text. */
public final class LineCount {
    private final long lines;
    private final long ends;
    private final long bytes;

    LineCount(long lines, long ends, long bytes) {
        this.lines = lines;
        this.ends = ends;
        this.bytes = bytes;
    }

    /**
     * The lines that end, and one more if something follows the last end.
     *
     * @return the number
     */
    public long lines() {
        return lines;
    }

    /**
     * The lines that end: what {@code wc -l} counts.
     *
     * @return the number
     */
    public long ends() {
        return ends;
    }

    /**
     * The length of the text.
     *
     * @return in bytes
     */
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return lines + " lines, " + bytes + " bytes";
    }
}
