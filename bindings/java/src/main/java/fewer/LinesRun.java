package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A text that is open. */
final class LinesRun extends Handle.Batches {
    LinesRun(long lines) {
        super(Boundary.LINES, lines);
    }

    <T> List<T> all(LineDecoder<T> decoder) throws IOException {
        List<T> all = new ArrayList<>();
        for (Batch batch; (batch = next()) != null; ) {
            int start = batch.bytes;
            for (int line = 0; line < batch.count; line++) {
                int end = batch.bytes + (int) batch.longAt(batch.table + Long.BYTES * line);
                all.add(decoder.decode(batch.array, start, end, batch.array[batch.second + line]));
                start = end;
            }
            giveBack(batch);
        }
        return all;
    }

    void skipToLast(long count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("negative: " + count);
        }
        long handle = begin();
        try {
            LIBRARY.linesLast(handle, count);
        } finally {
            end();
        }
    }

    LineCount count() throws IOException {
        long[] counted = new long[3];
        long handle = begin();
        try {
            LIBRARY.linesCount(handle, counted);
        } finally {
            end();
        }
        return new LineCount(counted[0], counted[1], counted[2]);
    }
}
