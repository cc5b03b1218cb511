package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A walk that is under way. */
final class WalkRun extends Handle.Batches {
    final Scope scope;
    private final Consumer<? super IOException> onError;
    private final Predicate<? super Entry> pruned;

    WalkRun(
            WalkOptions options,
            Consumer<? super IOException> onError,
            Predicate<? super Entry> pruned)
            throws IOException {
        this(options.open(OPENING), options.scope, onError, pruned);
    }

    WalkRun(
            long walk,
            Scope scope,
            Consumer<? super IOException> onError,
            Predicate<? super Entry> pruned) {
        super(Boundary.WALK, walk);
        this.scope = scope;
        this.onError = onError;
        this.pruned = pruned;
    }

    /** No lambda: the first one of a process takes longer than a small walk. */
    private static final WalkOptions.Opening OPENING =
            new WalkOptions.Opening() {
                @Override
                public long open(long scope, byte[] texts, long[] numbers) throws IOException {
                    return LIBRARY.walkOpen(scope, texts, numbers);
                }
            };

    /** The next batch, out of which the directories not to enter are taken; null at the end. */
    Batch nextBatch() throws IOException {
        Batch batch = next();
        if (batch != null && pruned != null) {
            for (int index = 0; index < batch.count; index++) {
                Entry entry = new Entry(batch, index, scope);
                if (entry.isDirectory() && pruned.test(entry)) {
                    prune(index);
                }
            }
        }
        return batch;
    }

    /** Not for those that the caller was asked about: it may keep an entry. */
    @Override
    void giveBack(Batch batch) {
        if (pruned == null) {
            super.giveBack(batch);
        }
    }

    /** Does not enter a directory of the present batch. */
    void prune(int index) throws IOException {
        long handle = begin();
        try {
            LIBRARY.walkPrune(handle, index);
        } finally {
            end();
        }
    }

    /** Whether errors are handled, rather than thrown. */
    boolean handlesErrors() {
        return onError != null;
    }

    void handle(IOException error) {
        onError.accept(error);
    }

    /** Hands all failures of a batch over; without a handler the first is thrown. */
    void report(Batch batch) throws IOException {
        for (int index = 0; index < batch.secondCount; index++) {
            if (onError == null) {
                throw batch.failure(index);
            }
            onError.accept(batch.failure(index));
        }
    }

    /** Goes to the end of a walk that is recorded, and takes the record. */
    Snapshot snapshot() throws IOException {
        byte[] bytes;
        do {
            long handle = begin();
            try {
                bytes = next(handle);
                if (bytes == null) {
                    return new Snapshot(LIBRARY.walkSnapshot(handle), scope);
                }
            } finally {
                end();
            }
            report(new Batch(bytes));
        } while (!Thread.currentThread().isInterrupted());
        throw new java.nio.channels.ClosedByInterruptException();
    }
}
