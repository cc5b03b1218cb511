package fewer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;

/**
 * The entries of a walk for a stream. What is split off is a batch, which is decoded by another
 * thread; batches are taken one after the other.
 */
final class EntrySpliterator implements Spliterator<Entry> {
    private final WalkRun run;
    private final boolean isSorted;
    private Part part;

    EntrySpliterator(WalkRun run, boolean isSorted) {
        this.run = run;
        this.isSorted = isSorted;
    }

    private boolean advance() {
        try {
            Batch batch = run.nextBatch();
            part = batch == null ? null : new Part(run, batch);
            return batch != null;
        } catch (IOException error) {
            run.close();
            throw new UncheckedIOException(error);
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Entry> action) {
        Objects.requireNonNull(action);
        while (part != null || !run.isClosed() && advance()) {
            if (part.tryAdvance(action)) {
                return true;
            }
            part = null;
        }
        return false;
    }

    @Override
    public void forEachRemaining(Consumer<? super Entry> action) {
        Objects.requireNonNull(action);
        while (part != null || !run.isClosed() && advance()) {
            part.forEachRemaining(action);
            part = null;
        }
    }

    @Override
    public Spliterator<Entry> trySplit() {
        if (part == null && (run.isClosed() || !advance())) {
            return null;
        }
        Spliterator<Entry> split = part;
        part = null;
        return split;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return NONNULL | (isSorted ? ORDERED : 0);
    }

    /** The rest of one batch. */
    private static final class Part implements Spliterator<Entry> {
        private final WalkRun run;
        private final Batch batch;
        private int entry;
        private int failure;

        Part(WalkRun run, Batch batch) {
            this.run = run;
            this.batch = batch;
        }

        /** Failures that come before the next entry. */
        private void report() {
            while (failure < batch.secondCount && batch.failureBefore(failure) <= entry) {
                IOException error = batch.failure(failure++);
                if (!run.handlesErrors()) {
                    throw new UncheckedIOException(error);
                }
                run.handle(error);
            }
        }

        @Override
        public boolean tryAdvance(Consumer<? super Entry> action) {
            report();
            if (entry >= batch.count) {
                return false;
            }
            action.accept(new Entry(batch, entry++, run.scope));
            return true;
        }

        @Override
        public Spliterator<Entry> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return batch.count - entry;
        }

        @Override
        public int characteristics() {
            return NONNULL | ORDERED;
        }
    }
}
