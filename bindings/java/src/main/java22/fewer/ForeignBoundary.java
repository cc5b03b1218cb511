package fewer;

import fewer.ForeignBatch.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The functions of {@code include/fewer.h} through the Foreign Function and Memory API: of any
 * libfewer, since nothing of JNI is needed in it. For those that want a scope there is {@link
 * ForeignScopes}.
 */
final class ForeignBoundary extends ForeignScopes {
    private static final int ENTRY_BYTES = 32;
    private static final int FAILURE_BYTES = 28;
    private static final int SIZE_ROW_BYTES = 40;
    private static final int CHANGE_BYTES = 24;
    private static final int ROW_BYTES = 160;
    private static final int CALL_BYTES = 32;
    private static final int EXTENSION_BYTES = 40;
    private static final int EXTREME_BYTES = 32;
    private static final int SPACE_BYTES = 24;
    /** In the order of {@link Boundary#WALK} and the others. */
    private static final String[] NAMES = {
        "walk", "size", "changes", "list", "lines", "summary", "snapshot", "owners", "scope"
    };

    @Override
    int abiVersion() {
        return (int) Foreign.call("fewer_abi_version");
    }

    @Override
    byte[] version() {
        return Foreign.terminated(Foreign.call("fewer_version"));
    }

    @Override
    int kindNumber(byte[] name) {
        try (ForeignCall call = new ForeignCall()) {
            long number =
                    Foreign.call("fewer_kind_number", call.copied(name), name.length, call.out());
            return (int) number == 0 ? call.outInt() : -1;
        }
    }

    @Override
    byte[] errorCode(int number) {
        return Foreign.terminated(Foreign.call("strerrorname_np", number));
    }

    @Override
    byte[] errorWords(int number) {
        return Foreign.terminated(Foreign.call("strerrordesc_np", number));
    }

    @Override
    byte[] calls() {
        // Linux has fewer than 512 calls.
        long capacity = 512;
        try (ForeignCall call = new ForeignCall()) {
            long rows = call.memory(capacity * CALL_BYTES).address();
            long count = Foreign.call("fewer_calls", rows, capacity);
            return Foreign.bytes(rows, Math.min(count, capacity) * CALL_BYTES);
        }
    }

    @Override
    void close(int what, long handle) {
        Foreign.call("fewer_" + NAMES[what] + "_close", handle);
    }

    @Override
    byte[] next(int what, long handle, byte[] reuse) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_" + NAMES[what] + "_next", handle, call.out());
            return switch (what) {
                case WALK -> ForeignBatch.of(
                        call, reuse, Table.at(call, 16, ENTRY_BYTES),
                        Table.at(call, 32, FAILURE_BYTES), call.outUnsigned(48),
                        call.outUnsigned(52), call.outUnsigned(56));
                case SIZE -> ForeignBatch.of(
                        call, reuse, Table.at(call, 16, SIZE_ROW_BYTES),
                        Table.at(call, 32, FAILURE_BYTES));
                case LINES -> {
                    long count = call.outLong(32);
                    yield ForeignBatch.of(
                            call, reuse, new Table(call.outLong(16), count, Long.BYTES),
                            new Table(call.outLong(24), count, 1), call.outLong(40),
                            call.outLong(48));
                }
                default -> ForeignBatch.of(
                        call, reuse, Table.at(call, 16, what == LIST ? ROW_BYTES : CHANGE_BYTES),
                        Table.NONE);
            };
        }
    }

    @Override
    long walkOpen(long scope, byte[] texts, long[] numbers) throws IOException {
        return open("fewer_walk_open", scope, texts, numbers);
    }

    @Override
    long summaryOpen(long scope, byte[] texts, long[] numbers) throws IOException {
        return open("fewer_summary_open", scope, texts, numbers);
    }

    private static long open(String function, long scope, byte[] texts, long[] numbers)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            WalkArguments with = new WalkArguments(call, texts, numbers);
            call.run(
                    function, scope, with.roots(), with.rootsCount(), with.options(),
                    WalkArguments.BYTES, call.out());
            return call.outLong(0);
        }
    }

    @Override
    long sizeOpen(long scope, byte[] texts, long[] numbers, int flags, long depth)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            WalkArguments with = new WalkArguments(call, texts, numbers);
            MemorySegment options = call.memory(16);
            options.set(ValueLayout.JAVA_INT, 0, flags);
            options.set(ValueLayout.JAVA_LONG, 8, depth);
            call.run(
                    "fewer_size_open", scope, with.roots(), with.rootsCount(), with.options(),
                    WalkArguments.BYTES, options.address(), options.byteSize(), call.out());
            return call.outLong(0);
        }
    }

    @Override
    void walkPrune(long walk, int index) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_walk_prune", walk, index);
        }
    }

    @Override
    byte[] summaryExtensions(long summary) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_summary_facts_of", summary, call.out());
            return ForeignBatch.of(
                    call, null, Table.at(call, 112, EXTENSION_BYTES),
                    Table.at(call, 176, FAILURE_BYTES));
        }
    }

    @Override
    byte[] summaryExtremes(long summary) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_summary_facts_of", summary, call.out());
            long largest = call.outLong(136);
            MemorySegment all = call.memory((4 + largest) * EXTREME_BYTES);
            for (int index = 0; index < 4; index++) {
                copyRows(call.outLong(144 + 8L * index), all, index, 1);
            }
            copyRows(call.outLong(128), all, 4, largest);
            return ForeignBatch.of(
                    call, null, new Table(all.address(), 4 + largest, EXTREME_BYTES),
                    new Table(call.out() + 16, 4, SPACE_BYTES));
        }
    }

    private static void copyRows(long address, MemorySegment to, long index, long count) {
        if (address != 0 && count > 0) {
            long bytes = EXTREME_BYTES * count;
            MemorySegment rows = MemorySegment.ofAddress(address).reinterpret(bytes);
            MemorySegment.copy(rows, 0, to, EXTREME_BYTES * index, bytes);
        }
    }

    @Override
    long walkSnapshot(long walk) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_walk_snapshot", walk, call.out());
            return call.outLong(0);
        }
    }

    @Override
    long snapshotRead(byte[] path) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_snapshot_read", call.copied(path), path.length, call.out());
            return call.outLong(0);
        }
    }

    @Override
    void snapshotWrite(long snapshot, byte[] path) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_snapshot_write", snapshot, call.copied(path), path.length);
        }
    }

    @Override
    long snapshotWalk(long snapshot, long scope, int threads) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_snapshot_walk", snapshot, scope, threads, call.out());
            return call.outLong(0);
        }
    }

    @Override
    long[] snapshotFacts(long snapshot) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_snapshot_facts_of", snapshot, call.out());
            return new long[] {
                call.outLong(0), call.outLong(8), call.outLong(16), call.outUnsigned(24)
            };
        }
    }

    @Override
    long changesOpen(long before, long after) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_changes_open", before, after, call.out());
            return call.outLong(0);
        }
    }

    @Override
    long ownersOpen() {
        return Foreign.call("fewer_owners_open");
    }

    @Override
    long listOpen(
            long scope, byte[] path, int flags, int fields, int order, int threads, long owners)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            MemorySegment options = call.memory(24);
            int[] numbers = {flags, fields, order, threads};
            MemorySegment.copy(numbers, 0, options, ValueLayout.JAVA_INT, 0, numbers.length);
            options.set(ValueLayout.JAVA_LONG, 16, owners);
            call.run(
                    "fewer_list_open", scope, call.copied(path), path.length, options.address(),
                    options.byteSize(), call.out());
            return call.outLong(0);
        }
    }

    @Override
    long linesOpen(long scope, byte[] path, int flags, int check, int threads, int blockBytes)
            throws IOException {
        return lines("fewer_lines_open", scope, path, flags, check, threads, blockBytes);
    }

    @Override
    long linesBorrow(
            int descriptor, byte[] name, int flags, int check, int threads, int blockBytes)
            throws IOException {
        return lines("fewer_lines_borrow", descriptor, name, flags, check, threads, blockBytes);
    }

    private static long lines(String function, long where, byte[] name, int... options)
            throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run(
                    function, where, call.copied(name), name.length, call.ints(options), 16,
                    call.out());
            return call.outLong(0);
        }
    }

    @Override
    void linesCount(long lines, long[] counted) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            int number = call.number("fewer_lines_count", lines, call.out());
            for (int index = 0; index < counted.length; index++) {
                counted[index] = call.outLong((long) Long.BYTES * index);
            }
            if (number != 0) {
                throw call.error(number);
            }
        }
    }

    @Override
    void linesLast(long lines, long count) throws IOException {
        try (ForeignCall call = new ForeignCall()) {
            call.run("fewer_lines_last", lines, count);
        }
    }
}
