package fewer;

import static fewer.Foreign.INT;
import static fewer.Foreign.POINTER;
import static fewer.Foreign.SIZE;

import fewer.Foreign.Table;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code include/fewer.h}, through the Foreign Function and Memory API: for Java
 * 22 and later. The class of the same name for older ones says what each does.
 *
 * <p>Functions are looked up when the first of their group is called: that takes a while.
 */
final class Native {
    static final int ABI_VERSION = 1;
    private static final int ENTRY_BYTES = 32;
    private static final int FAILURE_BYTES = 28;
    private static final int SIZE_ROW_BYTES = 40;
    private static final int CHANGE_BYTES = 24;
    private static final int ROW_BYTES = 160;
    private static final int CALL_BYTES = 32;

    static {
        NativeLibrary.checkVersion(abiVersion());
    }

    private Native() {}

    /** Version, calls, and what the C library knows of numbers. */
    private static final class Facts {
        static final MethodHandle VERSION = Foreign.function("fewer_version", POINTER);
        static final MethodHandle KIND =
                Foreign.function("fewer_kind_number", INT, POINTER, SIZE, POINTER);
        static final MethodHandle CALLS = Foreign.function("fewer_calls", SIZE, POINTER, SIZE);
        static final MethodHandle NAME =
                Foreign.standard("strerrorname_np", POINTER, INT);
        static final MethodHandle WORDS =
                Foreign.standard("strerrordesc_np", POINTER, INT);
    }

    static int abiVersion() {
        MethodHandle version = Foreign.function("fewer_abi_version", INT);
        try {
            return (int) version.invokeExact();
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static byte[] version() {
        try {
            return Foreign.terminated((long) Facts.VERSION.invokeExact());
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static int kindNumber(byte[] name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment kind = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment bytes = Foreign.copied(arena, name);
            int number = (int) Facts.KIND.invokeExact(
                    bytes.address(), (long) name.length, kind.address());
            return number == 0 ? kind.get(ValueLayout.JAVA_INT, 0) : -1;
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static byte[] errorCode(int number) {
        return words(Facts.NAME, number);
    }

    static byte[] errorWords(int number) {
        return words(Facts.WORDS, number);
    }

    private static byte[] words(MethodHandle function, int number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Long.BYTES);
            long address = (long) function.invokeExact(state, number);
            return address == 0 ? null : Foreign.terminated(address);
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static byte[] calls() {
        // Linux has fewer than 512 calls.
        long capacity = 512;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rows = arena.allocate(capacity * CALL_BYTES, Long.BYTES);
            long count = (long) Facts.CALLS.invokeExact(rows.address(), capacity);
            return Foreign.bytes(rows.address(), Math.min(count, capacity) * CALL_BYTES);
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    private static final class Walks {
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_walk_open", INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER,
                        POINTER);
        static final MethodHandle NEXT =
                Foreign.function("fewer_walk_next", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_walk_close", POINTER);
    }

    private static final class Prunes {
        static final MethodHandle PRUNE =
                Foreign.function("fewer_walk_prune", INT, POINTER, SIZE);
    }

    static long walkOpen(long scope, byte[] texts, long[] numbers) throws IOException {
        return Foreign.open((arena, out, error) -> {
            WalkArguments with = new WalkArguments(arena, texts, numbers);
            return (int) Walks.OPEN.invokeExact(
                    scope, with.roots(), with.rootsCount(), with.options(),
                    WalkArguments.BYTES, out.address(), error);
        });
    }

    static byte[] walkNext(long walk) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Walks.NEXT.invokeExact(walk, out.address(), error),
                batch -> Foreign.batch(
                        batch,
                        Table.at(batch, 16, ENTRY_BYTES),
                        Table.at(batch, 32, FAILURE_BYTES),
                        Integer.toUnsignedLong(batch.get(ValueLayout.JAVA_INT, 48)),
                        Integer.toUnsignedLong(batch.get(ValueLayout.JAVA_INT, 52)),
                        Integer.toUnsignedLong(batch.get(ValueLayout.JAVA_INT, 56))));
    }

    static void walkPrune(long walk, int index) throws IOException {
        Foreign.call(
                (arena, out, error) -> (int) Prunes.PRUNE.invokeExact(walk, (long) index),
                out -> null);
    }

    static void walkClose(long walk) {
        Foreign.close(Walks.CLOSE, walk);
    }

    private static final class Sizes {
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_size_open", INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER,
                        SIZE, POINTER, POINTER);
        static final MethodHandle NEXT =
                Foreign.function("fewer_size_next", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_size_close", POINTER);
    }

    static long sizeOpen(long scope, byte[] texts, long[] numbers, int flags, long depth)
            throws IOException {
        return Foreign.open((arena, out, error) -> {
            WalkArguments with = new WalkArguments(arena, texts, numbers);
            MemorySegment options = arena.allocate(16, Long.BYTES);
            options.set(ValueLayout.JAVA_INT, 0, flags);
            options.set(ValueLayout.JAVA_LONG, 8, depth);
            return (int) Sizes.OPEN.invokeExact(
                    scope, with.roots(), with.rootsCount(), with.options(),
                    WalkArguments.BYTES, options.address(), 16L, out.address(), error);
        });
    }

    static byte[] sizeNext(long size) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Sizes.NEXT.invokeExact(size, out.address(), error),
                batch -> Foreign.batch(
                        batch,
                        Table.at(batch, 16, SIZE_ROW_BYTES),
                        Table.at(batch, 32, FAILURE_BYTES)));
    }

    static void sizeClose(long size) {
        Foreign.close(Sizes.CLOSE, size);
    }

    private static final class Summaries {
        static final int FACTS_BYTES = 192;
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_summary_open", INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER,
                        POINTER);
        static final MethodHandle FACTS =
                Foreign.function("fewer_summary_facts_of", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_summary_close", POINTER);
    }

    static long summaryOpen(long scope, byte[] texts, long[] numbers) throws IOException {
        return Foreign.open((arena, out, error) -> {
            WalkArguments with = new WalkArguments(arena, texts, numbers);
            return (int) Summaries.OPEN.invokeExact(
                    scope, with.roots(), with.rootsCount(), with.options(),
                    WalkArguments.BYTES, out.address(), error);
        });
    }

    /** Facts, as fewer_summary_facts has them: what they point to lives as long as the summary. */
    private static byte[] facts(
            long summary, Foreign.Reader<byte[]> reader) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment facts = arena.allocate(Summaries.FACTS_BYTES, Long.BYTES);
            return Foreign.call(
                    (own, out, error) ->
                            (int) Summaries.FACTS.invokeExact(summary, facts.address(), error),
                    out -> reader.read(facts));
        }
    }

    static byte[] summaryExtensions(long summary) throws IOException {
        return facts(summary, facts -> Foreign.batch(
                Foreign.number(facts, 0), Foreign.number(facts, 8),
                Table.at(facts, 112, 40), Table.at(facts, 176, FAILURE_BYTES)));
    }

    static byte[] summaryExtremes(long summary) throws IOException {
        return facts(summary, facts -> {
            try (Arena arena = Arena.ofConfined()) {
                long largest = Foreign.number(facts, 136);
                MemorySegment all = arena.allocate((4 + largest) * 32, Long.BYTES);
                for (int index = 0; index < 4; index++) {
                    copyRow(Foreign.number(facts, 144 + 8L * index), all, 32L * index, 32);
                }
                copyRow(Foreign.number(facts, 128), all, 128, 32 * largest);
                return Foreign.batch(
                        Foreign.number(facts, 0), Foreign.number(facts, 8),
                        new Table(all.address(), 4 + largest, 32),
                        new Table(facts.address() + 16, 4, 24));
            }
        });
    }

    private static void copyRow(long address, MemorySegment to, long at, long length) {
        if (address != 0 && length > 0) {
            MemorySegment row = MemorySegment.ofAddress(address).reinterpret(length);
            MemorySegment.copy(row, 0, to, at, length);
        }
    }

    static void summaryClose(long summary) {
        Foreign.close(Summaries.CLOSE, summary);
    }

    private static final class Snapshots {
        static final MethodHandle OF_WALK =
                Foreign.function("fewer_walk_snapshot", INT, POINTER, POINTER, POINTER);
        static final MethodHandle READ =
                Foreign.function("fewer_snapshot_read", INT, POINTER, SIZE, POINTER, POINTER);
        static final MethodHandle WRITE =
                Foreign.function("fewer_snapshot_write", INT, POINTER, POINTER, SIZE, POINTER);
        static final MethodHandle WALK =
                Foreign.function(
                        "fewer_snapshot_walk", INT, POINTER, POINTER, INT, POINTER, POINTER);
        static final MethodHandle FACTS =
                Foreign.function("fewer_snapshot_facts_of", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_snapshot_close", POINTER);
    }

    static long walkSnapshot(long walk) throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Snapshots.OF_WALK.invokeExact(walk, out.address(), error));
    }

    static long snapshotRead(byte[] path) throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Snapshots.READ.invokeExact(
                        Foreign.copied(arena, path).address(), (long) path.length,
                        out.address(), error));
    }

    static void snapshotWrite(long snapshot, byte[] path) throws IOException {
        Foreign.open((arena, out, error) ->
                (int) Snapshots.WRITE.invokeExact(
                        snapshot, Foreign.copied(arena, path).address(), (long) path.length,
                        error));
    }

    static long snapshotWalk(long snapshot, long scope, int threads) throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Snapshots.WALK.invokeExact(
                        snapshot, scope, threads, out.address(), error));
    }

    static long[] snapshotFacts(long snapshot) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Snapshots.FACTS.invokeExact(snapshot, out.address(), error),
                facts -> new long[] {
                    Foreign.number(facts, 0), Foreign.number(facts, 8),
                    Foreign.number(facts, 16), facts.get(ValueLayout.JAVA_INT, 24),
                });
    }

    static void snapshotClose(long snapshot) {
        Foreign.close(Snapshots.CLOSE, snapshot);
    }

    private static final class Differences {
        static final MethodHandle OPEN =
                Foreign.function("fewer_changes_open", INT, POINTER, POINTER, POINTER, POINTER);
        static final MethodHandle NEXT =
                Foreign.function("fewer_changes_next", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_changes_close", POINTER);
    }

    static long changesOpen(long before, long after) throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Differences.OPEN.invokeExact(before, after, out.address(), error));
    }

    static byte[] changesNext(long changes) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Differences.NEXT.invokeExact(changes, out.address(), error),
                batch -> Foreign.batch(batch, Table.at(batch, 16, CHANGE_BYTES), Table.NONE));
    }

    static void changesClose(long changes) {
        Foreign.close(Differences.CLOSE, changes);
    }

    private static final class Listings {
        static final MethodHandle OWNERS_OPEN = Foreign.function("fewer_owners_open", POINTER);
        static final MethodHandle OWNERS_CLOSE =
                Foreign.procedure("fewer_owners_close", POINTER);
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_list_open", INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER,
                        POINTER);
        static final MethodHandle NEXT =
                Foreign.function("fewer_list_next", INT, POINTER, POINTER, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_list_close", POINTER);
    }

    static long ownersOpen() {
        try {
            return (long) Listings.OWNERS_OPEN.invokeExact();
        } catch (Throwable error) {
            throw Foreign.unexpected(error);
        }
    }

    static void ownersClose(long owners) {
        Foreign.close(Listings.OWNERS_CLOSE, owners);
    }

    static long listOpen(
            long scope, byte[] path, int flags, int fields, int order, int threads, long owners)
            throws IOException {
        return Foreign.open((arena, out, error) -> {
            MemorySegment options = numbers(arena, 24, flags, fields, order, threads);
            options.set(ValueLayout.JAVA_LONG, 16, owners);
            return (int) Listings.OPEN.invokeExact(
                    scope, Foreign.copied(arena, path).address(), (long) path.length,
                    options.address(), 24L, out.address(), error);
        });
    }

    private static MemorySegment numbers(Arena arena, long bytes, int... numbers) {
        MemorySegment options = arena.allocate(bytes, Long.BYTES);
        for (int index = 0; index < numbers.length; index++) {
            options.set(ValueLayout.JAVA_INT, 4L * index, numbers[index]);
        }
        return options;
    }

    static byte[] listNext(long list) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Listings.NEXT.invokeExact(list, out.address(), error),
                batch -> Foreign.batch(batch, Table.at(batch, 16, ROW_BYTES), Table.NONE));
    }

    static void listClose(long list) {
        Foreign.close(Listings.CLOSE, list);
    }

    private static final class Texts {
        static final MethodHandle OPEN =
                Foreign.function(
                        "fewer_lines_open", INT, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER,
                        POINTER);
        static final MethodHandle BORROW =
                Foreign.function(
                        "fewer_lines_borrow", INT, INT, POINTER, SIZE, POINTER, SIZE, POINTER,
                        POINTER);
        static final MethodHandle NEXT =
                Foreign.function("fewer_lines_next", INT, POINTER, POINTER, POINTER);
        static final MethodHandle COUNT =
                Foreign.function("fewer_lines_count", INT, POINTER, POINTER, POINTER);
        static final MethodHandle LAST =
                Foreign.function("fewer_lines_last", INT, POINTER, SIZE, POINTER);
        static final MethodHandle CLOSE = Foreign.procedure("fewer_lines_close", POINTER);
    }

    static long linesOpen(
            long scope, byte[] path, int flags, int check, int threads, int blockBytes)
            throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Texts.OPEN.invokeExact(
                        scope, Foreign.copied(arena, path).address(), (long) path.length,
                        numbers(arena, 16, flags, check, threads, blockBytes).address(), 16L,
                        out.address(), error));
    }

    static long linesBorrow(
            int descriptor, byte[] name, int flags, int check, int threads, int blockBytes)
            throws IOException {
        return Foreign.open((arena, out, error) ->
                (int) Texts.BORROW.invokeExact(
                        descriptor, Foreign.copied(arena, name).address(), (long) name.length,
                        numbers(arena, 16, flags, check, threads, blockBytes).address(), 16L,
                        out.address(), error));
    }

    static byte[] linesNext(long lines) throws IOException {
        return Foreign.call(
                (arena, out, error) ->
                        (int) Texts.NEXT.invokeExact(lines, out.address(), error),
                batch -> {
                    long count = Foreign.number(batch, 32);
                    return Foreign.batch(
                            batch,
                            new Table(Foreign.number(batch, 16), count, Long.BYTES),
                            new Table(Foreign.number(batch, 24), count, 1),
                            Foreign.number(batch, 40),
                            Foreign.number(batch, 48));
                });
    }

    static void linesCount(long lines, long[] counted) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment total = arena.allocate(3 * Long.BYTES, Long.BYTES);
            try {
                Foreign.open((own, out, error) ->
                        (int) Texts.COUNT.invokeExact(lines, total.address(), error));
            } finally {
                MemorySegment.copy(total, ValueLayout.JAVA_LONG, 0, counted, 0, 3);
            }
        }
    }

    static void linesLast(long lines, long count) throws IOException {
        Foreign.open((arena, out, error) -> (int) Texts.LAST.invokeExact(lines, count, error));
    }

    static void linesClose(long lines) {
        Foreign.close(Texts.CLOSE, lines);
    }

    static long scopeEnter(long scope, byte[] path, boolean logical) throws IOException {
        return ForeignScopes.scopeEnter(scope, path, logical);
    }

    static void scopeClose(long scope) {
        ForeignScopes.scopeClose(scope);
    }

    static int scopeDescriptor(long scope) {
        return ForeignScopes.scopeDescriptor(scope);
    }

    static byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException {
        return ForeignScopes.scopeStat(scope, path, fields, follow);
    }

    static byte[] scopeReadLink(long scope, byte[] path) throws IOException {
        return ForeignScopes.scopeReadLink(scope, path);
    }

    static byte[] scopePath(long scope, boolean physical) throws IOException {
        return ForeignScopes.scopePath(scope, physical);
    }

    static int scopeOpen(long scope, byte[] path) throws IOException {
        return ForeignScopes.scopeOpen(scope, path);
    }

    static int scopeCreate(long scope, byte[] path, int permissions) throws IOException {
        return ForeignScopes.scopeCreate(scope, path, permissions);
    }

    static void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException {
        ForeignScopes.scopeLink(scope, path, target, symbolic);
    }

    static void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException {
        ForeignScopes.scopePermissions(scope, path, permissions, directory);
    }

    static void scopeRemove(long scope, byte[] path, int what) throws IOException {
        ForeignScopes.scopeRemove(scope, path, what);
    }

    static int descriptorRead(int descriptor, byte[] bytes, int at, int length) throws IOException {
        return ForeignScopes.descriptorRead(descriptor, bytes, at, length);
    }

    static int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException {
        return ForeignScopes.descriptorWrite(descriptor, bytes, at, length);
    }

    static void descriptorClose(int descriptor) throws IOException {
        ForeignScopes.descriptorClose(descriptor);
    }
}
