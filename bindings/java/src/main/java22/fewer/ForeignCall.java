package fewer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A call with its arguments and results, in memory that is given back when this is closed. */
final class ForeignCall implements AutoCloseable {
    /** As long as the longest struct, fewer_summary_facts. */
    private static final int OUT_BYTES = 192;

    private static final int ERROR_BYTES = 4 * Long.BYTES;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment out = memory(OUT_BYTES);
    private final MemorySegment error = memory(Long.BYTES);

    @Override
    public void close() {
        arena.close();
    }

    /** Zeros. */
    MemorySegment memory(long bytes) {
        return arena.allocate(bytes, Long.BYTES);
    }

    /** The address of a copy. */
    long copied(byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
    }

    /** The address of numbers of 32 bits, one behind the other. */
    long ints(int... numbers) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, numbers).address();
    }

    /** Where a result goes. */
    long out() {
        return out.address();
    }

    int outInt() {
        return out.get(ValueLayout.JAVA_INT, 0);
    }

    long outLong(long offset) {
        return out.get(ValueLayout.JAVA_LONG, offset);
    }

    /** A number of 32 bits without a sign. */
    long outUnsigned(long offset) {
        return Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, offset));
    }

    /**
     * Calls a function that returns 0 or the kernel's number; after its arguments comes, if it has
     * that parameter, where the error goes.
     */
    void run(String function, long... arguments) throws IOException {
        int number = number(function, arguments);
        if (number != 0) {
            throw error(number);
        }
    }

    /** Likewise; {@link #error} has to follow if the number is not 0. */
    int number(String function, long... arguments) {
        long[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = error.address();
        return (int) Foreign.call(function, all);
    }

    /** The exception for the number of the last call; its error is freed. */
    IOException error(int number) {
        long failed = error.get(ValueLayout.JAVA_LONG, 0);
        error.set(ValueLayout.JAVA_LONG, 0, 0);
        if (failed == 0) {
            return Errors.of(number, 0, null, null);
        }
        // The length of the path; line, offset and column.
        MemorySegment facts = memory(ERROR_BYTES);
        long path = Foreign.call("fewer_error_path", failed, facts.address());
        Foreign.call("fewer_error_position", failed, facts.address() + Long.BYTES);
        IOException made =
                Errors.of(
                        number,
                        (int) Foreign.call("fewer_error_action", failed),
                        Foreign.bytes(path, facts.get(ValueLayout.JAVA_LONG, 0)),
                        Foreign.terminated(Foreign.call("fewer_error_message", failed)),
                        facts.get(ValueLayout.JAVA_LONG, 8),
                        facts.get(ValueLayout.JAVA_LONG, 16),
                        facts.get(ValueLayout.JAVA_LONG, 24));
        Foreign.call("fewer_error_free", failed);
        return made;
    }
}
