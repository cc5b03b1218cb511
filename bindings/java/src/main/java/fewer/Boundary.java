package fewer;

import java.io.IOException;

/**
 * The functions of {@code include/fewer.h}. {@link JniBoundary} calls them; Java 22 and later can
 * take {@code ForeignBoundary}, which does so by the Foreign Function and Memory API.
 *
 * <p>A handle is an address, valid until it is closed: {@link Handle} sees to that. A path is
 * bytes without a NUL. A batch is laid out as {@link Batch} reads it, null at the end. Errors are
 * made by {@link Errors#of}.
 */
abstract class Boundary {
    /** What a handle is of: the numbers that {@link #close} and {@link #next} take. */
    static final int WALK = 0;
    static final int SIZE = 1;
    static final int CHANGES = 2;
    static final int LIST = 3;
    static final int LINES = 4;
    static final int SUMMARY = 5;
    static final int SNAPSHOT = 6;
    static final int OWNERS = 7;
    static final int SCOPE = 8;

    /** What this process calls. */
    static final Boundary LIBRARY = chosen();

    /** What the library must answer to {@link #abiVersion}. */
    private static final int ABI_VERSION = 1;

    private static Boundary chosen() {
        Boundary chosen = Boolean.getBoolean("fewer.foreign") ? foreign() : new JniBoundary();
        int version = chosen.abiVersion();
        if (version != ABI_VERSION) {
            throw new UnsatisfiedLinkError(
                    "libfewer has ABI " + version + ", this jar is for " + ABI_VERSION);
        }
        return chosen;
    }

    /** By its name: a jar has the class for Java 22 and later only. */
    private static Boundary foreign() {
        try {
            return (Boundary)
                    Class.forName("fewer.ForeignBoundary").getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException error) {
            throw (Error) new UnsatisfiedLinkError("fewer.foreign is for Java 22 and later")
                    .initCause(error);
        }
    }

    abstract int abiVersion();

    abstract byte[] version();

    /** The number of a kind, or -1. */
    abstract int kindNumber(byte[] name);

    /** The name of an errno, such as ENOENT, or null. */
    abstract byte[] errorCode(int number);

    /** What an errno means, such as "No such file or directory", or null. */
    abstract byte[] errorWords(int number);

    /** Rows of 32 bytes: a name that ends with a NUL, and from byte 24 on how often. */
    abstract byte[] calls();

    /** Closes a handle. */
    abstract void close(int what, long handle);

    /**
     * The next batch of a handle. A walk has entries and failures, and offset, length and depth of
     * the directory as its own numbers; a size rows and failures; a list rows; lines have ends (64
     * bits each) and flags (8 bits each), and line and offset as their own numbers.
     *
     * @param reuse an array that the batch may be put into, if it is long enough; or null
     */
    abstract byte[] next(int what, long handle, byte[] reuse) throws IOException;

    /**
     * Begins a walk.
     *
     * @param scope a scope, or 0
     * @param texts roots, globs and excluded globs in this order, a NUL behind each
     * @param numbers flags, threads, kinds, maxThreads, maxDepth, minDepth, how many roots, globs
     *     and excluded globs there are, the snapshot or 0, what to record
     */
    abstract long walkOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    abstract void walkPrune(long walk, int index) throws IOException;

    abstract long sizeOpen(long scope, byte[] texts, long[] numbers, int flags, long depth)
            throws IOException;

    abstract long summaryOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    /** Extensions and failures. */
    abstract byte[] summaryExtensions(long summary) throws IOException;

    /** Extremes (deepest, longest, newest, oldest, then the largest), and the four kinds' space. */
    abstract byte[] summaryExtremes(long summary) throws IOException;

    abstract long walkSnapshot(long walk) throws IOException;

    abstract long snapshotRead(byte[] path) throws IOException;

    abstract void snapshotWrite(long snapshot, byte[] path) throws IOException;

    abstract long snapshotWalk(long snapshot, long scope, int threads) throws IOException;

    /** Entries, directories, bytes, and 1 if it has metadata. */
    abstract long[] snapshotFacts(long snapshot) throws IOException;

    abstract long changesOpen(long before, long after) throws IOException;

    abstract long ownersOpen();

    abstract long listOpen(
            long scope, byte[] path, int flags, int fields, int order, int threads, long owners)
            throws IOException;

    abstract long linesOpen(
            long scope, byte[] path, int flags, int check, int threads, int blockBytes)
            throws IOException;

    abstract long linesBorrow(
            int descriptor, byte[] name, int flags, int check, int threads, int blockBytes)
            throws IOException;

    /** Lines, ends and bytes, which are there after an exception, too. */
    abstract void linesCount(long lines, long[] counted) throws IOException;

    abstract void linesLast(long lines, long count) throws IOException;

    abstract long scopeEnter(long scope, byte[] path, boolean logical) throws IOException;

    abstract int scopeDescriptor(long scope);

    /** A fewer_stat: 120 bytes. */
    abstract byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException;

    abstract byte[] scopeReadLink(long scope, byte[] path) throws IOException;

    abstract byte[] scopePath(long scope, boolean physical) throws IOException;

    abstract int scopeOpen(long scope, byte[] path) throws IOException;

    abstract int scopeCreate(long scope, byte[] path, int permissions) throws IOException;

    abstract void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException;

    /** Makes a directory with them, or sets those of a file that is there. */
    abstract void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException;

    /** Removes a file (0), an empty directory (1) or a tree (2). */
    abstract void scopeRemove(long scope, byte[] path, int what) throws IOException;

    /** One read of at most 64 KiB; 0 at the end. */
    abstract int descriptorRead(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    /** One write of at most 64 KiB. */
    abstract int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    abstract void descriptorClose(int descriptor) throws IOException;
}
