package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** A descriptor that a scope opened, as a stream. Closed once: its number may be another's then. */
final class Descriptor {
    private static final int CLOSED = -1;
    /** The library does not see these calls. */
    private static final AtomicLong READS = new AtomicLong();

    private static final AtomicLong WRITES = new AtomicLong();
    private static final AtomicLong CLOSES = new AtomicLong();
    private int number;

    Descriptor(int number) {
        this.number = number;
    }

    private synchronized int read(byte[] bytes, int at, int length) throws IOException {
        int open = open();
        READS.incrementAndGet();
        return LIBRARY.descriptorRead(open, bytes, at, length);
    }

    private synchronized int write(byte[] bytes, int at, int length) throws IOException {
        int open = open();
        WRITES.incrementAndGet();
        return LIBRARY.descriptorWrite(open, bytes, at, length);
    }

    private int open() throws IOException {
        if (number == CLOSED) {
            throw new IOException("Stream Closed");
        }
        return number;
    }

    private synchronized void close() throws IOException {
        if (number != CLOSED) {
            int last = number;
            number = CLOSED;
            CLOSES.incrementAndGet();
            LIBRARY.descriptorClose(last);
        }
    }

    /** Adds the calls that streams have made. */
    static void addTo(Map<String, Long> counts) {
        add(counts, "read", READS.get());
        add(counts, "write", WRITES.get());
        add(counts, "close", CLOSES.get());
    }

    private static void add(Map<String, Long> counts, String name, long count) {
        if (count > 0) {
            counts.merge(name, count, Long::sum);
        }
    }

    InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int at, int length) throws IOException {
                Objects.checkFromIndexSize(at, length, bytes.length);
                if (length == 0) {
                    return 0;
                }
                int got = Descriptor.this.read(bytes, at, length);
                return got == 0 ? -1 : got;
            }

            @Override
            public void close() throws IOException {
                Descriptor.this.close();
            }
        };
    }

    OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int at, int length) throws IOException {
                Objects.checkFromIndexSize(at, length, bytes.length);
                for (int done = 0; done < length; ) {
                    done += Descriptor.this.write(bytes, at + done, length - done);
                }
            }

            @Override
            public void close() throws IOException {
                Descriptor.this.close();
            }
        };
    }
}
