package fewer;

import static fewer.Foreign.INT;
import static fewer.Foreign.POINTER;
import static fewer.Foreign.SIZE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The part of {@link Native} that is about scopes, and descriptors that were opened in them. */
final class ForeignScopes {
    private static final int ERANGE = 34;
    private static final int EINTR = 4;
    private static final int BUFFER_BYTES = 64 << 10;

    private ForeignScopes() {}

    private static final class Scopes {
        static final MethodHandle ENTER = entering("fewer_scope_enter");
        static final MethodHandle ENTER_LOGICAL = entering("fewer_scope_enter_logical");
        static final MethodHandle CLOSE = Foreign.procedure("fewer_scope_close", POINTER);
        static final MethodHandle DESCRIPTOR =
                Foreign.function("fewer_scope_descriptor", INT, POINTER);
        static final MethodHandle STAT =
                Foreign.function(
                        "fewer_scope_stat", INT, POINTER, POINTER, SIZE, INT, INT, POINTER,
                        POINTER);

        private static MethodHandle entering(String name) {
            return Foreign.function(name, INT, POINTER, POINTER, SIZE, POINTER, POINTER);
        }
    }

    static long scopeEnter(long scope, byte[] path, boolean logical) throws IOException {
        MethodHandle enter = logical ? Scopes.ENTER_LOGICAL : Scopes.ENTER;
        return Foreign.open((arena, out, error) ->
                (int) enter.invokeExact(
                        scope, Foreign.copied(arena, path).address(), (long) path.length,
                        out.address(), error));
    }

    static void scopeClose(long scope) {
        Foreign.close(Scopes.CLOSE, scope);
    }

    static int scopeDescriptor(long scope) {
        try {
            return (int) Scopes.DESCRIPTOR.invokeExact(scope);
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Scopes.STAT.invokeExact(
                                scope, Foreign.copied(arena, path).address(),
                                (long) path.length, fields, follow ? 1 : 0, out.address(), error),
                stat -> Foreign.bytes(stat.address(), Stat.BYTES));
    }

    private static final class Paths {
        static final MethodHandle LINK =
                Foreign.function(
                        "fewer_scope_read_link", INT, POINTER, POINTER, SIZE, POINTER, SIZE,
                        POINTER, POINTER);
        static final MethodHandle LOGICAL = writing("fewer_scope_logical");
        static final MethodHandle PHYSICAL = writing("fewer_scope_physical");

        private static MethodHandle writing(String name) {
            return Foreign.function(name, INT, POINTER, POINTER, SIZE, POINTER, POINTER);
        }
    }

    /** A function that writes a text: again, with a longer buffer, if it says that it must. */
    private interface Writing {
        int with(long buffer, long capacity, long needed, long error) throws Throwable;
    }

    private static byte[] written(Writing writing) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment needed = arena.allocate(ValueLayout.JAVA_LONG);
            long[] capacity = {BUFFER_BYTES};
            while (true) {
                MemorySegment buffer = arena.allocate(capacity[0]);
                boolean isWhole =
                        Foreign.call(
                                (own, out, error) -> {
                                    int number = writing.with(
                                            buffer.address(), capacity[0], needed.address(),
                                            error);
                                    out.set(ValueLayout.JAVA_INT, 0, number);
                                    if (number != ERANGE) {
                                        return number;
                                    }
                                    MemorySegment slot =
                                            MemorySegment.ofAddress(error).reinterpret(8);
                                    ForeignErrors.take(number, Foreign.number(slot, 0));
                                    return 0;
                                },
                                out -> out.get(ValueLayout.JAVA_INT, 0) == 0);
                long length = Foreign.number(needed, 0);
                if (isWhole) {
                    return Foreign.bytes(buffer.address(), length);
                }
                capacity[0] = length + 1;
            }
        }
    }

    static byte[] scopeReadLink(long scope, byte[] path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long bytes = Foreign.copied(arena, path).address();
            return written((buffer, capacity, needed, error) ->
                    (int) Paths.LINK.invokeExact(
                            scope, bytes, (long) path.length, buffer, capacity, needed, error));
        }
    }

    static byte[] scopePath(long scope, boolean physical) throws IOException {
        MethodHandle path = physical ? Paths.PHYSICAL : Paths.LOGICAL;
        return written((buffer, capacity, needed, error) ->
                (int) path.invokeExact(scope, buffer, capacity, needed, error));
    }

    private static final class Operations {
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_scope_open", INT, POINTER, POINTER, SIZE, POINTER, POINTER);
        static final MethodHandle CREATE =
                Foreign.function(
                        "fewer_scope_create", INT, POINTER, POINTER, SIZE, INT, POINTER, POINTER);
        static final MethodHandle SYMLINK = linking("fewer_scope_make_symlink");
        static final MethodHandle HARD_LINK = linking("fewer_scope_make_hard_link");
        static final MethodHandle PERMISSIONS = permitting("fewer_scope_set_permissions");
        static final MethodHandle DIRECTORY = permitting("fewer_scope_make_directory");
        static final MethodHandle[] REMOVALS = {
            removing("fewer_scope_remove_file"), removing("fewer_scope_remove_directory"),
            removing("fewer_scope_remove_tree"),
        };

        private static MethodHandle linking(String name) {
            return Foreign.function(name, INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER);
        }

        private static MethodHandle permitting(String name) {
            return Foreign.function(name, INT, POINTER, POINTER, SIZE, INT, POINTER);
        }

        private static MethodHandle removing(String name) {
            return Foreign.function(name, INT, POINTER, POINTER, SIZE, POINTER);
        }
    }

    static int scopeOpen(long scope, byte[] path) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Operations.OPEN.invokeExact(
                                scope, Foreign.copied(arena, path).address(),
                                (long) path.length, out.address(), error),
                out -> out.get(ValueLayout.JAVA_INT, 0));
    }

    static int scopeCreate(long scope, byte[] path, int permissions) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Operations.CREATE.invokeExact(
                                scope, Foreign.copied(arena, path).address(),
                                (long) path.length, permissions, out.address(), error),
                out -> out.get(ValueLayout.JAVA_INT, 0));
    }

    static void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException {
        MethodHandle link = symbolic ? Operations.SYMLINK : Operations.HARD_LINK;
        Foreign.open((arena, out, error) ->
                (int) link.invokeExact(
                        scope, Foreign.copied(arena, path).address(), (long) path.length,
                        Foreign.copied(arena, target).address(), (long) target.length, error));
    }

    static void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException {
        MethodHandle set = directory ? Operations.DIRECTORY : Operations.PERMISSIONS;
        Foreign.open((arena, out, error) ->
                (int) set.invokeExact(
                        scope, Foreign.copied(arena, path).address(), (long) path.length,
                        permissions, error));
    }

    static void scopeRemove(long scope, byte[] path, int what) throws IOException {
        MethodHandle remove = Operations.REMOVALS[what];
        Foreign.open((arena, out, error) ->
                (int) remove.invokeExact(
                        scope, Foreign.copied(arena, path).address(), (long) path.length, error));
    }

    private static final class Descriptors {
        static final MethodHandle READ =
                Foreign.standard("read", SIZE, INT, POINTER, SIZE);
        static final MethodHandle WRITE =
                Foreign.standard("write", SIZE, INT, POINTER, SIZE);
        static final MethodHandle CLOSE = Foreign.standard("close", INT, INT);
    }

    /** What read or write returned; again if a signal interrupted it. */
    private static int transfer(
            MethodHandle function, int descriptor, MemorySegment buffer, long length)
            throws IOException {
        return Foreign.call(
                (arena, out, error) -> {
                    MemorySegment state = arena.allocate(Long.BYTES, Long.BYTES);
                    long got;
                    int number;
                    do {
                        got = (long) function.invokeExact(
                                state, descriptor, buffer.address(), length);
                        number = got < 0 ? state.get(ValueLayout.JAVA_INT, 0) : 0;
                    } while (number == EINTR);
                    out.set(ValueLayout.JAVA_LONG, 0, got);
                    return number;
                },
                out -> (int) Foreign.number(out, 0));
    }

    static int descriptorRead(int descriptor, byte[] bytes, int at, int length)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int most = Math.min(length, BUFFER_BYTES);
            MemorySegment buffer = arena.allocate(most);
            int got = transfer(Descriptors.READ, descriptor, buffer, most);
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, at, got);
            return got;
        }
    }

    static int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int most = Math.min(length, BUFFER_BYTES);
            MemorySegment buffer = arena.allocate(most);
            MemorySegment.copy(bytes, at, buffer, ValueLayout.JAVA_BYTE, 0, most);
            return transfer(Descriptors.WRITE, descriptor, buffer, most);
        }
    }

    static void descriptorClose(int descriptor) throws IOException {
        Foreign.open((arena, out, error) -> {
            MemorySegment state = arena.allocate(Long.BYTES, Long.BYTES);
            int failed = (int) Descriptors.CLOSE.invokeExact(state, descriptor);
            int number = failed < 0 ? state.get(ValueLayout.JAVA_INT, 0) : 0;
            // After EINTR Linux has closed it all the same.
            return number == EINTR ? 0 : number;
        });
    }
}
