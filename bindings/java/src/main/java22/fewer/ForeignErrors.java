package fewer;

import static fewer.Foreign.INT;
import static fewer.Foreign.POINTER;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Errors of the library as exceptions. Its functions are looked up when there is one. */
final class ForeignErrors {
    private static final MethodHandle ACTION =
            Foreign.function("fewer_error_action", INT, POINTER);
    private static final MethodHandle PATH =
            Foreign.function("fewer_error_path", POINTER, POINTER, POINTER);
    private static final MethodHandle MESSAGE =
            Foreign.function("fewer_error_message", POINTER, POINTER);
    private static final MethodHandle POSITION =
            Foreign.procedure("fewer_error_position", POINTER, POINTER);
    private static final MethodHandle FREE = Foreign.procedure("fewer_error_free", POINTER);

    private ForeignErrors() {}

    /** The exception for a number and an error, which is freed, or 0. */
    static IOException take(int number, long error) {
        if (error == 0) {
            return Errors.of(number, 0, null, null, 0, 0, 0);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment position = arena.allocate(3 * Long.BYTES, Long.BYTES);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
            long path = (long) PATH.invokeExact(error, length.address());
            POSITION.invokeExact(error, position.address());
            IOException made =
                    Errors.of(
                            number,
                            (int) ACTION.invokeExact(error),
                            Foreign.bytes(path, Foreign.number(length, 0)),
                            Foreign.terminated((long) MESSAGE.invokeExact(error)),
                            Foreign.number(position, 0),
                            Foreign.number(position, 8),
                            Foreign.number(position, 16));
            FREE.invokeExact(error);
            return made;
        } catch (Throwable unexpected) {
            throw Foreign.unexpected(unexpected);
        }
    }
}
