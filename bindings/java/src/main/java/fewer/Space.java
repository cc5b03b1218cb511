package fewer;

/** The space that some entries take together. */
public final class Space {
    private final long entries;
    private final long size;
    private final long allocated;

    Space(long entries, long size, long allocated) {
        this.entries = entries;
        this.size = size;
        this.allocated = allocated;
    }

    static Space at(Batch batch, int at) {
        return new Space(batch.longAt(at), batch.longAt(at + 8), batch.longAt(at + 16));
    }

    Space plus(Space other) {
        return new Space(
                entries + other.entries, size + other.size, allocated + other.allocated);
    }

    /**
     * How many there are.
     *
     * @return the number of entries
     */
    public long entries() {
        return entries;
    }

    /**
     * The sum of what each states as its length.
     *
     * @return in bytes
     */
    public long size() {
        return size;
    }

    /**
     * What they take on the device.
     *
     * @return in bytes
     */
    public long allocated() {
        return allocated;
    }

    @Override
    public String toString() {
        return entries + " entries, " + size + " bytes, " + allocated + " allocated";
    }
}
