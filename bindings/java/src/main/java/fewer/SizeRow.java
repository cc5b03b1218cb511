package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A root, a directory below it, or a file, with the space of all that is below. A file with several
 * names counts once, in the directory whose path comes first.
 */
public final class SizeRow {
    private static final int BYTES = 40;
    private static final int PATH = 24;
    private final Batch batch;
    private final int at;

    private SizeRow(Batch batch, int index) {
        this.batch = batch;
        this.at = batch.table + BYTES * index;
    }

    static List<SizeRow> measure(
            WalkOptions options,
            Consumer<? super IOException> onError,
            long depth,
            List<SizeOption> what)
            throws IOException {
        int flags = 0;
        for (SizeOption option : what) {
            flags |= 1 << option.ordinal();
        }
        int chosen = flags;
        long size =
                options.open(
                        (scope, texts, numbers) ->
                                LIBRARY.sizeOpen(scope, texts, numbers, chosen, depth));
        List<SizeRow> rows = new ArrayList<>();
        try (Handle.Batches reader = new Handle.Batches(Boundary.SIZE, size)) {
            for (Batch batch; (batch = reader.next()) != null; ) {
                report(batch, onError);
                for (int index = 0; index < batch.count; index++) {
                    rows.add(new SizeRow(batch, index));
                }
            }
        }
        return rows;
    }

    /** Hands failures over; without a handler the first is thrown. */
    static void report(Batch batch, Consumer<? super IOException> onError) throws IOException {
        for (int index = 0; index < batch.secondCount; index++) {
            if (onError == null) {
                throw batch.failure(index);
            }
            onError.accept(batch.failure(index));
        }
    }

    /**
     * Where it is: the root as it was given, and the path below it.
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
     * Steps below the root.
     *
     * @return 0 for a root
     */
    public int depth() {
        return batch.intAt(at + 32);
    }

    /**
     * What it is.
     *
     * @return its kind
     */
    public Kind kind() {
        return Kind.of(batch.intAt(at + 36));
    }

    /**
     * What it takes with all that is below.
     *
     * @return the numbers
     */
    public Space space() {
        return Space.at(batch, at);
    }

    @Override
    public String toString() {
        return path() + ": " + space();
    }
}
