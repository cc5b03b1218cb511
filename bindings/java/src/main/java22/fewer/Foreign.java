package fewer;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How C is called through the Foreign Function and Memory API: all functions in one shape, because
 * each shape that the linker meets takes it milliseconds.
 *
 * <p>The shape is nine numbers of 64 bits. On the machines that this is for, all integers and
 * addresses are passed alike, in a register or a slot of 64 bits each, whose upper half a function
 * of 32 bits does not look at; what it has no parameter for it does not see. The same goes for
 * results.
 */
final class Foreign {
    private static final int ARGUMENTS = 9;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY =
            SymbolLookup.libraryLookup(NativeLibrary.path(), Arena.global());
    private static final MethodHandle CALL = LINKER.downcallHandle(shape(ARGUMENTS));
    private static final Map<String, MemorySegment> ADDRESSES = new ConcurrentHashMap<>();

    private Foreign() {}

    private static FunctionDescriptor shape(int arguments) {
        MemoryLayout[] numbers = new MemoryLayout[arguments];
        Arrays.fill(numbers, ValueLayout.JAVA_LONG);
        return FunctionDescriptor.of(ValueLayout.JAVA_LONG, numbers);
    }

    /** Where a function is: in the library, or in that of C. */
    private static MemorySegment address(String function) {
        MemorySegment address = ADDRESSES.get(function);
        if (address == null) {
            address = LIBRARY.find(function).or(() -> LINKER.defaultLookup().find(function))
                    .orElseThrow(() -> new UnsatisfiedLinkError(function));
            ADDRESSES.put(function, address);
        }
        return address;
    }

    /** Calls a function; what it returns is as wide as its result. */
    static long call(String function, long... arguments) {
        long[] a = Arrays.copyOf(arguments, ARGUMENTS);
        try {
            return (long) CALL.invokeExact(
                    address(function), a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** Linked when a stream of a scope is used for the first time. */
    private static final class WithErrno {
        static final MethodHandle CALL =
                LINKER.downcallHandle(shape(3), Linker.Option.captureCallState("errno"));
    }

    /** Calls a function of C with three arguments, which leaves its errno. */
    static long call(MemorySegment errno, String function, long one, long two, long three) {
        try {
            return (long) WithErrno.CALL.invokeExact(address(function), errno, one, two, three);
        } catch (Throwable error) {
            throw unexpected(error);
        }
    }

    /** What the handles that are called cannot throw. */
    private static Error unexpected(Throwable error) {
        if (error instanceof Error itself) {
            return itself;
        }
        return new AssertionError(error);
    }

    static byte[] bytes(long address, long length) {
        byte[] bytes = new byte[(int) length];
        copy(address, bytes, 0, length);
        return bytes;
    }

    /** The bytes in front of a NUL; null of address 0. */
    static byte[] terminated(long address) {
        return address == 0 ? null : bytes(address, call("strlen", address));
    }

    static void copy(long address, byte[] to, int at, long length) {
        if (length > 0) {
            MemorySegment from = MemorySegment.ofAddress(address).reinterpret(length);
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, to, at, (int) length);
        }
    }
}
