package fewer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Batches as {@link Batch} reads them. */
final class ForeignBatch {
    private static final int HEADER_BYTES = 9 * Long.BYTES;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final int EOVERFLOW = 75;

    private ForeignBatch() {}

    /** A table of a batch. */
    record Table(long address, long count, int rowBytes) {
        static final Table NONE = new Table(0, 0, 0);

        /** One that a result names by address and count, one behind the other. */
        static Table at(ForeignCall call, long offset, int rowBytes) {
            return new Table(call.outLong(offset), call.outLong(offset + 8), rowBytes);
        }

        long bytes() {
            return count * rowBytes;
        }
    }

    /**
     * Of a result that begins with address and length of its bytes; null at the end.
     *
     * @param reuse as {@link Boundary#next} has it
     */
    static byte[] of(ForeignCall call, byte[] reuse, Table first, Table second, long... own)
            throws IOException {
        long bytes = call.outLong(0);
        if (bytes == 0) {
            return null;
        }
        long length = call.outLong(8);
        long all = HEADER_BYTES + first.bytes() + second.bytes() + length;
        if (all > LONGEST_ARRAY) {
            throw Errors.of(EOVERFLOW, 0, null, null);
        }
        byte[] array = arrayFor(reuse, (int) all);
        int secondAt = HEADER_BYTES + (int) first.bytes();
        int bytesAt = secondAt + (int) second.bytes();
        ByteBuffer header = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
        header.putLong(first.count()).putLong(HEADER_BYTES);
        header.putLong(second.count()).putLong(secondAt).putLong(bytesAt).putLong(length);
        for (long number : own) {
            header.putLong(number);
        }
        Foreign.copy(first.address(), array, HEADER_BYTES, first.bytes());
        Foreign.copy(second.address(), array, secondAt, second.bytes());
        Foreign.copy(bytes, array, bytesAt, length);
        return array;
    }

    /** What is longer than an array that was meant to be reused is given room for the next one. */
    private static byte[] arrayFor(byte[] reuse, int length) {
        if (reuse == null) {
            return new byte[length];
        }
        int roomy = Math.min(length, LONGEST_ARRAY - length / 8) + length / 8;
        return length <= reuse.length ? reuse : new byte[roomy];
    }
}
