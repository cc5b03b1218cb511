package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A handle of the library, which is closed once: by {@link #close}, or when nothing refers to this
 * any more. A call on a closed one is an IllegalStateException, never a call of the library.
 */
abstract class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock use;
    private final Cleaner.Cleanable cleanable;
    private final Address address;

    /** What the cleaner holds: it must not refer to the handle itself. */
    private static final class Address implements Runnable {
        private final int what;
        private long value;

        Address(int what, long value) {
            this.what = what;
            this.value = value;
        }

        @Override
        public void run() {
            long last = value;
            value = 0;
            if (last != 0) {
                LIBRARY.close(what, last);
            }
        }
    }

    /**
     * Takes over a handle.
     *
     * @param what {@link Boundary#WALK} or another
     * @param isShared whether any number of threads may use it at once, or one at a time
     */
    Handle(int what, long value, boolean isShared) {
        this.address = new Address(what, value);
        this.use = isShared ? lock.readLock() : lock.writeLock();
        this.cleanable = CLEANER.register(this, address);
    }

    /** Locks the handle for a call; {@link #end} has to follow. */
    final long begin() {
        use.lock();
        if (address.value == 0) {
            use.unlock();
            throw new IllegalStateException("closed: " + getClass().getSimpleName());
        }
        return address.value;
    }

    final void end() {
        use.unlock();
        Reference.reachabilityFence(this);
    }

    final boolean isClosed() {
        lock.readLock().lock();
        try {
            return address.value == 0;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Closes it; waits for a call that is under way. The second time it does nothing. */
    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            cleanable.clean();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** A sequence of batches. */
    static class Batches extends Handle {
        private final int what;
        /** For the next batch; null if the one before it may still be wanted. */
        private byte[] reuse;

        Batches(int what, long value) {
            super(what, value, false);
            this.what = what;
        }

        final byte[] next(long handle) throws IOException {
            byte[] array = reuse;
            reuse = null;
            return LIBRARY.next(what, handle, array);
        }

        /**
         * Gives back the last batch, of which nothing is wanted any more: the next one comes in the
         * same array. New ones for all would be as much memory again as what is decoded from them,
         * which the collector has to take from the kernel and to give it its zeros.
         */
        void giveBack(Batch batch) {
            reuse = batch.array;
        }

        /**
         * The next batch; null at the end, when it is closed.
         *
         * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted: the
         *     work ends, and the thread stays interrupted
         */
        final Batch next() throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                close();
                throw new java.nio.channels.ClosedByInterruptException();
            }
            byte[] bytes;
            long handle = begin();
            try {
                bytes = next(handle);
            } finally {
                end();
            }
            if (bytes == null) {
                close();
                return null;
            }
            return new Batch(bytes);
        }
    }
}
