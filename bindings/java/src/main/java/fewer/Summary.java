package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What there is in trees, in numbers. All is there already: no method costs a call. */
public final class Summary {
    private static final int EXTENSION_BYTES = 40;
    private static final int EXTREME_BYTES = 32;
    private static final int SPACE_BYTES = 24;
    private static final int SINGLE = 4;

    private final Batch extensions;
    private final Batch extremes;

    /** Files whose names end in the same. */
    public static final class Extension {
        private final String name;
        private final Space space;

        private Extension(String name, Space space) {
            this.name = name;
            this.space = space;
        }

        /**
         * What is behind the last dot.
         *
         * @return nothing between the quotes if there is no dot; empty for the files of all others,
         *     after 65,536 different ones
         */
        public Optional<String> name() {
            return Optional.ofNullable(name);
        }

        /**
         * What they take.
         *
         * @return the numbers
         */
        public Space space() {
            return space;
        }
    }

    /** An entry that is more of something than all others. */
    public static final class Extreme {
        private final Batch batch;
        private final int at;

        private Extreme(Batch batch, int index) {
            this.batch = batch;
            this.at = batch.table + EXTREME_BYTES * index;
        }

        /**
         * Where it is.
         *
         * @return as {@link Names#decode} makes it
         */
        public String path() {
            return batch.textAt(at + 24);
        }

        /**
         * Likewise, in the kernel's bytes.
         *
         * @return a new array
         */
        public byte[] pathBytes() {
            return batch.bytesAt(at + 24);
        }

        /**
         * By how much.
         *
         * @return bytes of the largest, steps of the deepest, bytes of the longest; else 0
         */
        public long value() {
            return batch.longAt(at);
        }

        /**
         * When the newest or the oldest was modified.
         *
         * @return empty for any other
         */
        public Optional<Instant> modified() {
            return batch.intAt(at + 20) == 0
                    ? Optional.empty()
                    : Optional.of(Stat.instant(batch.longAt(at + 8), batch.intAt(at + 16)));
        }
    }

    private Summary(Batch extensions, Batch extremes) {
        this.extensions = extensions;
        this.extremes = extremes;
    }

    static Summary of(WalkOptions options, Consumer<? super IOException> onError)
            throws IOException {
        long summary = options.open(LIBRARY::summaryOpen);
        Summary made;
        try {
            Batch extensions = new Batch(LIBRARY.summaryExtensions(summary));
            made = new Summary(extensions, new Batch(LIBRARY.summaryExtremes(summary)));
        } finally {
            LIBRARY.close(Boundary.SUMMARY, summary);
        }
        SizeRow.report(made.extensions, onError);
        return made;
    }

    private Space space(int index) {
        return Space.at(extremes, extremes.second + SPACE_BYTES * index);
    }

    /**
     * Directories.
     *
     * @return what they take themselves
     */
    public Space directories() {
        return space(0);
    }

    /**
     * Regular files; the bytes of one with several names count once.
     *
     * @return what they take
     */
    public Space files() {
        return space(1);
    }

    /**
     * Symbolic links.
     *
     * @return what they take
     */
    public Space links() {
        return space(2);
    }

    /**
     * Everything else.
     *
     * @return what it takes
     */
    public Space other() {
        return space(3);
    }

    /**
     * All of it.
     *
     * @return the sum
     */
    public Space all() {
        return directories().plus(files()).plus(links()).plus(other());
    }

    /**
     * Files by what is behind the last dot of their names.
     *
     * @return the one with the largest size first
     */
    public List<Extension> extensions() {
        List<Extension> all = new ArrayList<>();
        for (int index = 0; index < extensions.count; index++) {
            int at = extensions.table + EXTENSION_BYTES * index;
            String name = extensions.intAt(at + 32) != 0 ? null : extensions.textAt(at + 24);
            all.add(new Extension(name, Space.at(extensions, at)));
        }
        return all;
    }

    /**
     * The largest files, each once.
     *
     * @return at most 10, the largest first
     */
    public List<Extreme> largest() {
        List<Extreme> all = new ArrayList<>();
        for (int index = SINGLE; index < extremes.count; index++) {
            all.add(new Extreme(extremes, index));
        }
        return all;
    }

    private Optional<Extreme> single(int index) {
        Extreme extreme = new Extreme(extremes, index);
        return extremes.intAt(extreme.at + 28) == 0 ? Optional.empty() : Optional.of(extreme);
    }

    /**
     * The entry with the most steps below its root.
     *
     * @return empty if there are no entries
     */
    public Optional<Extreme> deepest() {
        return single(0);
    }

    /**
     * The entry with the longest path.
     *
     * @return empty if there are no entries
     */
    public Optional<Extreme> longest() {
        return single(1);
    }

    /**
     * The file that was modified last.
     *
     * @return empty if there are no files
     */
    public Optional<Extreme> newest() {
        return single(2);
    }

    /**
     * The file that was modified first.
     *
     * @return empty if there are no files
     */
    public Optional<Extreme> oldest() {
        return single(3);
    }
}
