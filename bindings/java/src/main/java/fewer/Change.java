package fewer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One difference between two snapshots. */
public final class Change {
    private static final int BYTES = 24;
    private static final What[] ALL = What.values();

    private final Batch batch;
    private final int at;

    /** What became of an entry. */
    public enum What {
        /** It is gone; the path is the one that it had. */
        REMOVED,
        /** The same device and inode have another path; what is in a directory comes along. */
        RENAMED,
        /** It is new. */
        ADDED,
        /** Its kind; where there is metadata also size, time, permissions or inode. */
        CHANGED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Change(Batch batch, int index) {
        this.batch = batch;
        this.at = batch.table + BYTES * index;
    }

    /** All of what was opened, which is closed. */
    static List<Change> all(long changes) throws IOException {
        List<Change> all = new ArrayList<>();
        try (Handle.Batches reader = new Handle.Batches(Boundary.CHANGES, changes)) {
            for (Batch batch; (batch = reader.next()) != null; ) {
                for (int index = 0; index < batch.count; index++) {
                    all.add(new Change(batch, index));
                }
            }
        }
        return all;
    }

    /**
     * What became of the entry.
     *
     * @return the change
     */
    public What what() {
        return ALL[batch.intAt(at + 16)];
    }

    /**
     * Where it is, or was if it is gone.
     *
     * @return as {@link Names#decode} makes it
     */
    public String path() {
        return batch.textAt(at);
    }

    /**
     * Likewise, in the kernel's bytes.
     *
     * @return a new array
     */
    public byte[] pathBytes() {
        return batch.bytesAt(at);
    }

    /**
     * Where it was before it was renamed.
     *
     * @return empty if it was not
     */
    public Optional<String> from() {
        return batch.intAt(at + 12) == 0 ? Optional.empty() : Optional.of(batch.textAt(at + 8));
    }

    /**
     * What it is, or was if it is gone.
     *
     * @return its kind
     */
    public Kind kind() {
        return Kind.of(batch.intAt(at + 20));
    }

    @Override
    public String toString() {
        return what() + " " + path();
    }
}
