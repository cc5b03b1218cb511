package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a walk found: the directories below some roots, and the names in each, in memory or in a
 * file that all languages and the command {@code fewer changes} understand.
 *
 * <p>Any number of threads may use one at once. One that is not closed is closed when it is
 * collected as garbage.
 */
public final class Snapshot extends Handle {
    static final int NAMES = 1;
    static final int STAT = 2;

    /** Where its relative roots begin. */
    private final Scope scope;

    Snapshot(long snapshot, Scope scope) {
        super(Boundary.SNAPSHOT, snapshot, true);
        this.scope = scope;
    }

    /**
     * Reads one from a file. Price: openat, statx, one read for the first 64 KiB and one for the
     * rest, close.
     *
     * @param file relative to the process's directory
     * @return the snapshot, to be closed
     * @throws IOException with EBADMSG for a file that is no snapshot, or not a whole one
     */
    public static Snapshot read(String file) throws IOException {
        return new Snapshot(LIBRARY.snapshotRead(Names.encode(file)), null);
    }

    /**
     * Likewise.
     *
     * @param file relative to the process's directory
     * @return the snapshot, to be closed
     * @throws IOException with EBADMSG for a file that is no snapshot, or not a whole one
     */
    public static Snapshot read(Path file) throws IOException {
        return new Snapshot(LIBRARY.snapshotRead(Names.encode(file)), null);
    }

    /**
     * Writes it to a file, which is the old one until the new one is whole and on the disk. Price:
     * openat and close of the directory and of the file, statx, write, two fdatasync, renameat2; an
     * fchmod if there was a file.
     *
     * @param file relative to the process's directory
     * @throws IOException if it cannot be written
     */
    public void write(String file) throws IOException {
        write(Names.encode(file));
    }

    /**
     * Likewise.
     *
     * @param file relative to the process's directory
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        write(Names.encode(file));
    }

    private void write(byte[] file) throws IOException {
        long snapshot = begin();
        try {
            LIBRARY.snapshotWrite(snapshot, file);
        } finally {
            end();
        }
    }

    private long fact(int index) {
        long snapshot = begin();
        try {
            return LIBRARY.snapshotFacts(snapshot)[index];
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } finally {
            end();
        }
    }

    /**
     * How many entries there are, without the roots. Price: none.
     *
     * @return the number in all directories
     */
    public long entries() {
        return fact(0);
    }

    /**
     * How many directories there are. Price: none.
     *
     * @return the number, roots included
     */
    public long directories() {
        return fact(1);
    }

    /**
     * The length of its file. Price: none.
     *
     * @return in bytes
     */
    public long bytes() {
        return fact(2);
    }

    /**
     * Whether it has size, times and permissions of each entry. Price: none.
     *
     * @return true if {@link Walk#snapshotWithStat} made it
     */
    public boolean hasStat() {
        return fact(3) != 0;
    }

    /**
     * What is different now: walks through its roots again, with the options it was made with.
     * Price: one statx for each directory, and 6 calls more for one that changed.
     *
     * @return the changes, and the snapshot of now, to be closed
     * @throws IOException the first directory that cannot be looked at
     */
    public Changes changes() throws IOException {
        long walk;
        long directory = Scope.begin(scope);
        try {
            long snapshot = begin();
            try {
                walk = LIBRARY.snapshotWalk(snapshot, directory, 0);
            } finally {
                end();
            }
        } finally {
            Scope.end(scope);
        }
        try (WalkRun run = new WalkRun(walk, scope, null, null)) {
            Snapshot now = run.snapshot();
            try {
                return new Changes(between(now), now);
            } catch (IOException | RuntimeException error) {
                now.close();
                throw error;
            }
        }
    }

    /**
     * What is different in a later one. Price: none.
     *
     * @param after the later one; roots with the same path are compared
     * @return the changes
     * @throws IOException if they cannot be compared
     */
    public Changes changes(Snapshot after) throws IOException {
        return new Changes(between(after), after);
    }

    private List<Change> between(Snapshot after) throws IOException {
        long one = begin();
        try {
            long other = after.begin();
            try {
                return Change.all(LIBRARY.changesOpen(one, other));
            } finally {
                after.end();
            }
        } finally {
            end();
        }
    }
}
