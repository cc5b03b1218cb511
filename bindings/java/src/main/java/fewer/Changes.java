package fewer;

import java.util.AbstractList;
import java.util.List;

/**
 * What is different between two snapshots, in the order of the paths. The new tree follows from the
 * old one by them: first what was removed goes, then what was renamed gets its new path, then comes
 * what was added.
 */
public final class Changes extends AbstractList<Change> implements AutoCloseable {
    private final List<Change> changes;
    private final Snapshot after;

    Changes(List<Change> changes, Snapshot after) {
        this.changes = changes;
        this.after = after;
    }

    /**
     * The later snapshot, to be written for the next time.
     *
     * @return what is there now, or the one that was compared
     */
    public Snapshot snapshot() {
        return after;
    }

    @Override
    public Change get(int index) {
        return changes.get(index);
    }

    @Override
    public int size() {
        return changes.size();
    }

    /** Closes the later snapshot; the changes stay. */
    @Override
    public void close() {
        after.close();
    }
}
