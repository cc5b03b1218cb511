package fewer;

import java.io.IOException;

/**
 * The functions of {@code include/fewer.h}, through JNI. Java 22 and later load another class of
 * this name, which calls them through the Foreign Function and Memory API.
 *
 * <p>A handle is an address, valid until it is closed: {@link Handle} sees to that. A path is
 * bytes without a NUL. A batch is laid out as {@link Batch} reads it, null at the end. Errors are
 * made by {@link Errors#of}.
 */
final class Native {
    /** What the library must answer to {@link #abiVersion}. */
    static final int ABI_VERSION = 1;

    static {
        System.load(NativeLibrary.path().toString());
        NativeLibrary.checkVersion(abiVersion());
    }

    private Native() {}

    static native int abiVersion();

    static native byte[] version();

    /** The number of a kind, or -1. */
    static native int kindNumber(byte[] name);

    /** The name of an errno, such as ENOENT, or null. */
    static native byte[] errorCode(int number);

    /** What an errno means, such as "No such file or directory", or null. */
    static native byte[] errorWords(int number);

    /** Rows of 32 bytes: a name that ends with a NUL, and from byte 24 on how often. */
    static native byte[] calls();

    /**
     * Begins a walk.
     *
     * @param scope a scope, or 0
     * @param texts roots, globs and excluded globs in this order, a NUL behind each
     * @param numbers flags, threads, kinds, maxThreads, maxDepth, minDepth, how many roots, globs
     *     and excluded globs there are, the snapshot or 0, what to record
     */
    static native long walkOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    /** Entries and failures; its own numbers are offset, length and depth of the directory. */
    static native byte[] walkNext(long walk) throws IOException;

    static native void walkPrune(long walk, int index) throws IOException;

    static native void walkClose(long walk);

    static native long sizeOpen(long scope, byte[] texts, long[] numbers, int flags, long depth)
            throws IOException;

    /** Rows and failures. */
    static native byte[] sizeNext(long size) throws IOException;

    static native void sizeClose(long size);

    static native long summaryOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    /** Extensions and failures. */
    static native byte[] summaryExtensions(long summary) throws IOException;

    /** Extremes (deepest, longest, newest, oldest, then the largest), and the four kinds' space. */
    static native byte[] summaryExtremes(long summary) throws IOException;

    static native void summaryClose(long summary);

    static native long walkSnapshot(long walk) throws IOException;

    static native long snapshotRead(byte[] path) throws IOException;

    static native void snapshotWrite(long snapshot, byte[] path) throws IOException;

    static native long snapshotWalk(long snapshot, long scope, int threads) throws IOException;

    /** Entries, directories, bytes, and 1 if it has metadata. */
    static native long[] snapshotFacts(long snapshot) throws IOException;

    static native void snapshotClose(long snapshot);

    static native long changesOpen(long before, long after) throws IOException;

    /** Changes. */
    static native byte[] changesNext(long changes) throws IOException;

    static native void changesClose(long changes);

    static native long ownersOpen();

    static native void ownersClose(long owners);

    static native long listOpen(
            long scope, byte[] path, int flags, int fields, int order, int threads, long owners)
            throws IOException;

    /** Rows. */
    static native byte[] listNext(long list) throws IOException;

    static native void listClose(long list);

    static native long linesOpen(
            long scope, byte[] path, int flags, int check, int threads, int blockBytes)
            throws IOException;

    static native long linesBorrow(
            int descriptor, byte[] name, int flags, int check, int threads, int blockBytes)
            throws IOException;

    /** Ends (64 bits each) and flags (8 bits each); its own numbers are line and offset. */
    static native byte[] linesNext(long lines) throws IOException;

    /** Lines, ends and bytes, which are there after an exception, too. */
    static native void linesCount(long lines, long[] counted) throws IOException;

    static native void linesLast(long lines, long count) throws IOException;

    static native void linesClose(long lines);

    static native long scopeEnter(long scope, byte[] path, boolean logical) throws IOException;

    static native void scopeClose(long scope);

    static native int scopeDescriptor(long scope);

    /** A fewer_stat: 120 bytes. */
    static native byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException;

    static native byte[] scopeReadLink(long scope, byte[] path) throws IOException;

    static native byte[] scopePath(long scope, boolean physical) throws IOException;

    static native int scopeOpen(long scope, byte[] path) throws IOException;

    static native int scopeCreate(long scope, byte[] path, int permissions) throws IOException;

    static native void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException;

    /** Makes a directory with them, or sets those of a file that is there. */
    static native void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException;

    /** Removes a file (0), an empty directory (1) or a tree (2). */
    static native void scopeRemove(long scope, byte[] path, int what) throws IOException;

    /** One read of at most 64 KiB; 0 at the end. */
    static native int descriptorRead(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    /** One write of at most 64 KiB. */
    static native int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    static native void descriptorClose(int descriptor) throws IOException;
}
