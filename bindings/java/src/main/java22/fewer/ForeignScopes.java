package fewer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The part of {@link ForeignBoundary} about scopes, and descriptors that were opened in them. */
abstract class ForeignScopes extends Boundary {
    private static final int ERANGE = 34;
    private static final int EINTR = 4;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final String[] REMOVALS = {
        "fewer_scope_remove_file", "fewer_scope_remove_directory", "fewer_scope_remove_tree"
    };

    @Override
    final long scopeEnter(long scope, byte[] path, boolean logical) throws IOException {
        String enter = logical ? "fewer_scope_enter_logical" : "fewer_scope_enter";
        try (ForeignCall call = new ForeignCall()) {
            call.run(enter, scope, call.copied(path), path.length, call.out());
            return call.outLong(0);
        }
    }

    @Override
    final int scopeDescriptor(long scope) {
        return (int) Foreign.call("fewer_scope_descriptor", scope);
    }

    @Override
    final byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(
                    "fewer_scope_stat", scope, call.copied(path), path.length, fields,
                    follow ? 1 : 0, call.out());
            return Foreign.bytes(call.out(), Stat.BYTES);
        }
    }

    /**
     * What a function writes that takes these arguments, and a buffer, its length, and where the
     * length goes that it needs: again, with a longer buffer, if it says that it must.
     */
    private static byte[] written(ForeignCall call, String function, long... arguments)
            throws IOException {
        long[] all = java.util.Arrays.copyOf(arguments, arguments.length + 3);
        int own = arguments.length;
        for (long capacity = BUFFER_BYTES; ; capacity = call.outLong(0) + 1) {
            all[own] = call.memory(capacity).address();
            all[own + 1] = capacity;
            all[own + 2] = call.out();
            int number = call.number(function, all);
            if (number == 0) {
                return Foreign.bytes(all[own], call.outLong(0));
            }
            IOException error = call.error(number);
            if (number != ERANGE) {
                throw error;
            }
        }
    }

    @Override
    final byte[] scopeReadLink(long scope, byte[] path) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            return written(call, "fewer_scope_read_link", scope, call.copied(path), path.length);
        }
    }

    @Override
    final byte[] scopePath(long scope, boolean physical) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            return written(call, physical ? "fewer_scope_physical" : "fewer_scope_logical", scope);
        }
    }

    @Override
    final int scopeOpen(long scope, byte[] path) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_scope_open", scope, call.copied(path), path.length, call.out());
            return call.outInt();
        }
    }

    @Override
    final int scopeCreate(long scope, byte[] path, int permissions) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(
                    "fewer_scope_create", scope, call.copied(path), path.length, permissions,
                    call.out());
            return call.outInt();
        }
    }

    @Override
    final void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(
                    symbolic ? "fewer_scope_make_symlink" : "fewer_scope_make_hard_link", scope,
                    call.copied(path), path.length, call.copied(target), target.length);
        }
    }

    @Override
    final void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(
                    directory ? "fewer_scope_make_directory" : "fewer_scope_set_permissions",
                    scope, call.copied(path), path.length, permissions);
        }
    }

    @Override
    final void scopeRemove(long scope, byte[] path, int what) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(REMOVALS[what], scope, call.copied(path), path.length);
        }
    }

    /** What read or write returned; again if a signal interrupted it. */
    private static int transfer(
            ForeignCall call, String function, int descriptor, MemorySegment buffer)
            throws IOException {
        MemorySegment errno = call.memory(Long.BYTES);
        while (true) {
            long got = Foreign.call(
                    errno, function, descriptor, buffer.address(), buffer.byteSize());
            if (got >= 0) {
                return (int) got;
            }
            int number = errno.get(ValueLayout.JAVA_INT, 0);
            if (number != EINTR) {
                throw Errors.of(number, 0, null, null);
            }
        }
    }

    @Override
    final int descriptorRead(int descriptor, byte[] bytes, int at, int length)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            MemorySegment buffer = call.memory(Math.min(length, BUFFER_BYTES));
            int got = transfer(call, "read", descriptor, buffer);
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, at, got);
            return got;
        }
    }

    @Override
    final int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            int most = Math.min(length, BUFFER_BYTES);
            MemorySegment buffer = call.memory(most);
            MemorySegment.copy(bytes, at, buffer, ValueLayout.JAVA_BYTE, 0, most);
            return transfer(call, "write", descriptor, buffer);
        }
    }

    @Override
    final void descriptorClose(int descriptor) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            MemorySegment errno = call.memory(Long.BYTES);
            int failed = (int) Foreign.call(errno, "close", descriptor, 0, 0);
            int number = errno.get(ValueLayout.JAVA_INT, 0);
            // After EINTR Linux has closed it all the same.
            if (failed < 0 && number != EINTR) {
                throw Errors.of(number, 0, null, null);
            }
        }
    }
}
