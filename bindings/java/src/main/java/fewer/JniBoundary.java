package fewer;

import java.io.IOException;

/** The functions of {@code include/fewer.h} through JNI: {@code src/main/c} has the other side. */
final class JniBoundary extends Boundary {
    static {
        System.load(NativeLibrary.path().toString());
    }

    @Override
    native int abiVersion();

    @Override
    native byte[] version();

    @Override
    native int kindNumber(byte[] name);

    @Override
    native byte[] errorCode(int number);

    @Override
    native byte[] errorWords(int number);

    @Override
    native byte[] calls();

    @Override
    native void close(int what, long handle);

    @Override
    native byte[] next(int what, long handle, byte[] reuse) throws IOException;

    @Override
    native long walkOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    @Override
    native void walkPrune(long walk, int index) throws IOException;

    @Override
    native long sizeOpen(long scope, byte[] texts, long[] numbers, int flags, long depth)
            throws IOException;

    @Override
    native long summaryOpen(long scope, byte[] texts, long[] numbers) throws IOException;

    @Override
    native byte[] summaryExtensions(long summary) throws IOException;

    @Override
    native byte[] summaryExtremes(long summary) throws IOException;

    @Override
    native long walkSnapshot(long walk) throws IOException;

    @Override
    native long snapshotRead(byte[] path) throws IOException;

    @Override
    native void snapshotWrite(long snapshot, byte[] path) throws IOException;

    @Override
    native long snapshotWalk(long snapshot, long scope, int threads) throws IOException;

    @Override
    native long[] snapshotFacts(long snapshot) throws IOException;

    @Override
    native long changesOpen(long before, long after) throws IOException;

    @Override
    native long ownersOpen();

    @Override
    native long listOpen(
            long scope, byte[] path, int flags, int fields, int order, int threads, long owners)
            throws IOException;

    @Override
    native long linesOpen(
            long scope, byte[] path, int flags, int check, int threads, int blockBytes)
            throws IOException;

    @Override
    native long linesBorrow(
            int descriptor, byte[] name, int flags, int check, int threads, int blockBytes)
            throws IOException;

    @Override
    native void linesCount(long lines, long[] counted) throws IOException;

    @Override
    native void linesLast(long lines, long count) throws IOException;

    @Override
    native long scopeEnter(long scope, byte[] path, boolean logical) throws IOException;

    @Override
    native int scopeDescriptor(long scope);

    @Override
    native byte[] scopeStat(long scope, byte[] path, int fields, boolean follow)
            throws IOException;

    @Override
    native byte[] scopeReadLink(long scope, byte[] path) throws IOException;

    @Override
    native byte[] scopePath(long scope, boolean physical) throws IOException;

    @Override
    native int scopeOpen(long scope, byte[] path) throws IOException;

    @Override
    native int scopeCreate(long scope, byte[] path, int permissions) throws IOException;

    @Override
    native void scopeLink(long scope, byte[] path, byte[] target, boolean symbolic)
            throws IOException;

    @Override
    native void scopePermissions(long scope, byte[] path, int permissions, boolean directory)
            throws IOException;

    @Override
    native void scopeRemove(long scope, byte[] path, int what) throws IOException;

    @Override
    native int descriptorRead(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    @Override
    native int descriptorWrite(int descriptor, byte[] bytes, int at, int length)
            throws IOException;

    @Override
    native void descriptorClose(int descriptor) throws IOException;
}
