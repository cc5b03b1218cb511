package fewer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The entries of a walk, one after the other; for one thread at a time.
 *
 * <p>{@link #next} throws an {@link UncheckedIOException} in the place of an entry that cannot be
 * looked at, unless the walk has {@link Walk#onError}, and can be called again. If its thread is
 * interrupted, the cause is a {@link java.nio.channels.ClosedByInterruptException}, and the walk is
 * over.
 *
 * <p>A closed iterator has no further entries. One that is left without being closed is closed when
 * it is collected as garbage; until then its threads wait.
 */
public final class EntryIterator implements Iterator<Entry>, AutoCloseable {
    private final WalkRun run;
    private Batch batch;
    private int entry;
    private int failure;
    private boolean isOver;

    EntryIterator(WalkRun run) {
        this.run = run;
    }

    /** Price: that of the next batch, for each 1,000th entry or so. */
    @Override
    public boolean hasNext() {
        while (!isOver && !isAtItem()) {
            advance();
        }
        return !isOver;
    }

    /** Whether there is an entry or an exception here. */
    private boolean isAtItem() {
        while (batch != null && isAtFailure() && run.handlesErrors()) {
            run.handle(batch.failure(failure++));
        }
        return batch != null && (isAtFailure() || entry < batch.count);
    }

    private boolean isAtFailure() {
        return failure < batch.secondCount && batch.failureBefore(failure) <= entry;
    }

    private void advance() {
        try {
            batch = run.nextBatch();
        } catch (IOException error) {
            close();
            throw new UncheckedIOException(error);
        }
        entry = 0;
        failure = 0;
        isOver = batch == null;
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (isAtFailure()) {
            throw new UncheckedIOException(batch.failure(failure++));
        }
        return new Entry(batch, entry++, run.scope);
    }

    /** Ends the walk and its threads; the second time it does nothing. */
    @Override
    public void close() {
        isOver = true;
        batch = null;
        run.close();
    }
}
