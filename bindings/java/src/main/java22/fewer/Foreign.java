package fewer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How functions of {@code include/fewer.h} are called through the Foreign Function and Memory API.
 * An address is a long: on the machines that this is for both are passed alike.
 */
final class Foreign {
    static final MemoryLayout POINTER = ValueLayout.JAVA_LONG;
    static final MemoryLayout SIZE = ValueLayout.JAVA_LONG;
    static final MemoryLayout INT = ValueLayout.JAVA_INT;

    private static final int HEADER_NUMBERS = 8;
    private static final int HEADER_BYTES = HEADER_NUMBERS * Long.BYTES;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final int EOVERFLOW = 75;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY =
            SymbolLookup.libraryLookup(NativeLibrary.path(), Arena.global());

    private Foreign() {}

    /** A function of the library. */
    static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LIBRARY.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name)),
                FunctionDescriptor.of(result, arguments));
    }

    /** A function without a result. */
    static MethodHandle procedure(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LIBRARY.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name)),
                FunctionDescriptor.ofVoid(arguments));
    }

    /** A function of the C library, which leaves its errno in the segment that comes first. */
    static MethodHandle standard(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** A call that may fail: it returns 0 or the kernel's number. */
    interface Call {
        /**
         * Makes the call.
         *
         * @param out where a result of up to 128 bytes goes, zeroed
         * @param error where the error goes
         */
        int with(Arena arena, MemorySegment out, long error) throws Throwable;
    }

    /** What a call that went well has written. */
    interface Reader<T> {
        T read(MemorySegment out) throws IOException;
    }

    static <T> T call(Call call, Reader<T> reader) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(128, Long.BYTES);
            MemorySegment slot = arena.allocate(Long.BYTES, Long.BYTES);
            int number;
            try {
                number = call.with(arena, out, slot.address());
            } catch (Throwable error) {
                throw unexpected(error);
            }
            if (number != 0) {
                throw ForeignErrors.take(number, slot.get(ValueLayout.JAVA_LONG, 0));
            }
            return reader.read(out);
        }
    }

    /** A call that makes a handle. */
    static long open(Call call) throws IOException {
        return call(call, out -> number(out, 0));
    }

    /** Calls a procedure that closes a handle. */
    static void close(MethodHandle procedure, long handle) {
        try {
            procedure.invokeExact(handle);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** What the handles that are called cannot throw. */
    static Error unexpected(Throwable error) {
        if (error instanceof Error itself) {
            return itself;
        }
        return new AssertionError(error);
    }

    static MemorySegment copied(Arena arena, byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    static long number(MemorySegment at, long offset) {
        return at.get(ValueLayout.JAVA_LONG, offset);
    }

    static byte[] bytes(long address, long length) {
        byte[] bytes = new byte[(int) length];
        copy(address, bytes, 0, length);
        return bytes;
    }

    /** The bytes in front of a NUL. */
    static byte[] terminated(long address) {
        MemorySegment all = MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE);
        long length = 0;
        while (all.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return bytes(address, length);
    }

    private static void copy(long address, byte[] to, int at, long length) {
        if (length > 0) {
            MemorySegment from = MemorySegment.ofAddress(address).reinterpret(length);
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, to, at, (int) length);
        }
    }

    /** A table of a batch. */
    record Table(long address, long count, int rowBytes) {
        static final Table NONE = new Table(0, 0, 0);

        /** One that a batch names by address and count, one behind the other. */
        static Table at(MemorySegment batch, long offset, int rowBytes) {
            return new Table(number(batch, offset), number(batch, offset + 8), rowBytes);
        }

        long bytes() {
            return count * rowBytes;
        }
    }

    /** As {@link Batch} reads it; null at the end, where the batch has no bytes. */
    static byte[] batch(MemorySegment batch, Table first, Table second, long... own)
            throws IOException {
        long bytes = number(batch, 0);
        return bytes == 0 ? null : batch(bytes, number(batch, 8), first, second, own);
    }

    static byte[] batch(long bytes, long length, Table first, Table second, long... own)
            throws IOException {
        long all = HEADER_BYTES + first.bytes() + second.bytes() + length;
        if (all > LONGEST_ARRAY) {
            throw Errors.of(EOVERFLOW, 0, null, null, 0, 0, 0);
        }
        byte[] array = new byte[(int) all];
        long[] header = new long[HEADER_NUMBERS];
        header[0] = first.count();
        header[1] = HEADER_BYTES;
        header[2] = second.count();
        header[3] = HEADER_BYTES + first.bytes();
        header[4] = header[3] + second.bytes();
        System.arraycopy(own, 0, header, 5, own.length);
        MemorySegment to = MemorySegment.ofArray(array);
        for (int index = 0; index < header.length; index++) {
            to.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) index * Long.BYTES, header[index]);
        }
        copy(first.address(), array, HEADER_BYTES, first.bytes());
        copy(second.address(), array, (int) header[3], second.bytes());
        copy(bytes, array, (int) header[4], length);
        return array;
    }
}
