package fewer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the library lent, in one array of its own: nine numbers, two tables, and the bytes that the
 * offsets of the tables count from. Nothing is decoded before it is wanted.
 */
final class Batch {
    private static final int HEADER_BYTES = 72;
    private static final int FAILURE_BYTES = 28;
    private static final int ASCII_STEP = 8;
    private static final long NOT_ASCII = 0x8080808080808080L;

    final byte[] array;
    final ByteBuffer numbers;
    /** Rows of the first table, and where it begins. */
    final int count;

    final int table;
    /** Rows of the second table, which is that of failures in many batches. */
    final int secondCount;

    final int second;
    final int bytes;
    private final int end;
    private byte ascii;

    Batch(byte[] array) {
        this.array = array;
        numbers = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
        count = (int) numbers.getLong(0);
        table = (int) numbers.getLong(8);
        secondCount = (int) numbers.getLong(16);
        second = (int) numbers.getLong(24);
        bytes = (int) numbers.getLong(32);
        end = bytes + (int) numbers.getLong(40);
    }

    /**
     * A batch of one row, with no bytes but its own: what is at {@code inner} is a part of what is
     * at {@code outer}.
     */
    Batch of(int row, int rowBytes, int outer, int inner) {
        int start = intAt(row + outer);
        int length = intAt(row + outer + 4);
        ByteBuffer one = ByteBuffer.allocate(HEADER_BYTES + rowBytes + length);
        one.order(ByteOrder.nativeOrder());
        one.putLong(1).putLong(HEADER_BYTES).putLong(0).putLong(HEADER_BYTES);
        one.putLong(HEADER_BYTES + rowBytes).putLong(length).putLong(0).putLong(0).putLong(0);
        one.put(array, row, rowBytes).put(array, bytes + start, length);
        one.putInt(HEADER_BYTES + outer, 0);
        one.putInt(HEADER_BYTES + inner, intAt(row + inner) - start);
        return new Batch(one.array());
    }

    /** A number of the batch's own: 0, 1 or 2. */
    long own(int index) {
        return numbers.getLong(48 + 8 * index);
    }

    /** The text whose offset and length are the first two of these numbers. */
    String textOwn() {
        return Names.decode(array, bytes + (int) own(0), (int) own(1));
    }

    int intAt(int at) {
        return numbers.getInt(at);
    }

    long longAt(int at) {
        return numbers.getLong(at);
    }

    /** The bytes whose offset and length are a pair of numbers at {@code at}. */
    byte[] bytesAt(int at) {
        int start = bytes + intAt(at);
        return Arrays.copyOfRange(array, start, start + intAt(at + 4));
    }

    /** Likewise, as a string. */
    String textAt(int at) {
        int start = bytes + intAt(at);
        int length = intAt(at + 4);
        if (isAscii()) {
            return new String(array, start, length, StandardCharsets.ISO_8859_1);
        }
        return Names.decode(array, start, length);
    }

    /** Whether all names are ASCII, which is looked for once: then each is a copy of bytes. */
    boolean isAscii() {
        if (ascii == 0) {
            ascii = (byte) (isAscii(numbers, bytes, end) ? 1 : 2);
        }
        return ascii == 1;
    }

    private static boolean isAscii(ByteBuffer numbers, int from, int to) {
        int at = from;
        for (; at <= to - ASCII_STEP; at += ASCII_STEP) {
            if ((numbers.getLong(at) & NOT_ASCII) != 0) {
                return false;
            }
        }
        for (; at < to; at++) {
            if (numbers.get(at) < 0) {
                return false;
            }
        }
        return true;
    }

    /** How many rows of the first table came before a failure. */
    int failureBefore(int index) {
        return intAt(second + FAILURE_BYTES * index + 16);
    }

    /** A failure, which is a row of the second table, as an exception. */
    IOException failure(int index) {
        int at = second + FAILURE_BYTES * index;
        return Errors.of(intAt(at + 20), intAt(at + 24), bytesAt(at), bytesAt(at + 8));
    }
}
