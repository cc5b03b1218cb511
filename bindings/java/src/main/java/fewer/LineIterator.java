package fewer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The lines of a text, one after the other; for one thread at a time. An error is an {@link
 * UncheckedIOException} and the end. If its thread is interrupted, the cause is a {@link
 * java.nio.channels.ClosedByInterruptException}; a read that waits (for a FIFO, say) is not.
 *
 * <p>A closed iterator has no further lines. One that is left without being closed is closed when
 * it is collected as garbage.
 *
 * @param <T> String or byte[]
 */
public final class LineIterator<T> implements Iterator<T>, AutoCloseable {
    private final LinesRun run;
    private final LineDecoder<T> decoder;
    private Batch batch;
    private int line;
    private int start;
    private boolean isOver;

    LineIterator(LinesRun run, LineDecoder<T> decoder) {
        this.run = run;
        this.decoder = decoder;
    }

    /** Price: one read for each 256 KiB. */
    @Override
    public boolean hasNext() {
        while (!isOver && (batch == null || line == batch.count)) {
            advance();
        }
        return !isOver;
    }

    private void advance() {
        try {
            if (batch != null) {
                run.giveBack(batch);
            }
            batch = run.next();
        } catch (IOException error) {
            close();
            throw new UncheckedIOException(error);
        }
        isOver = batch == null;
        if (!isOver) {
            line = 0;
            start = batch.bytes;
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int end = batch.bytes + (int) batch.longAt(batch.table + Long.BYTES * line);
        T decoded = decoder.decode(batch.array, start, end, batch.array[batch.second + line]);
        start = end;
        line++;
        return decoded;
    }

    /** Ends the reading; the second time it does nothing. */
    @Override
    public void close() {
        isOver = true;
        batch = null;
        run.close();
    }
}
