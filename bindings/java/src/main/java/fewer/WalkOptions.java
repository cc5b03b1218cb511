package fewer;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Roots and options of a walk, and how they cross the boundary. */
final class WalkOptions {
    static final int SORTED = 1 << 0;
    static final int FOLLOW = 1 << 1;
    static final int ONE_FILE_SYSTEM = 1 << 2;
    static final int GITIGNORE = 1 << 3;
    static final int SKIP_HIDDEN = 1 << 4;
    static final int MAX_DEPTH = 1 << 5;
    static final int IGNORE_CASE = 1 << 6;
    static final int FULL_PATH = 1 << 7;
    static final int BY_DIRECTORY = 1 << 8;
    static final int TARGETS = 1 << 9;

    final List<byte[]> roots;
    final List<byte[]> globs = new ArrayList<>();
    final List<byte[]> excludes = new ArrayList<>();
    Scope scope;
    Snapshot since;
    int flags;
    int kinds;
    int threads;
    int maxThreads;
    int minDepth;
    int maxDepth;
    int record;

    WalkOptions(List<byte[]> roots) {
        this.roots = roots;
    }

    WalkOptions copy() {
        WalkOptions copy = new WalkOptions(roots);
        copy.globs.addAll(globs);
        copy.excludes.addAll(excludes);
        copy.scope = scope;
        copy.since = since;
        copy.flags = flags;
        copy.kinds = kinds;
        copy.threads = threads;
        copy.maxThreads = maxThreads;
        copy.minDepth = minDepth;
        copy.maxDepth = maxDepth;
        copy.record = record;
        return copy;
    }

    void flag(int flag, boolean yes) {
        flags = yes ? flags | flag : flags & ~flag;
    }

    boolean isSorted() {
        return (flags & SORTED) != 0;
    }

    /** Roots, globs and excluded globs, a NUL behind each. */
    byte[] texts() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (List<byte[]> texts : List.of(roots, globs, excludes)) {
            for (byte[] text : texts) {
                out.writeBytes(text);
                out.write(0);
            }
        }
        return out.toByteArray();
    }

    /** As {@link Boundary#walkOpen} has them. */
    private long[] numbers(long snapshot) {
        return new long[] {
            flags, threads, kinds, maxThreads, maxDepth, minDepth, roots.size(), globs.size(),
            excludes.size(), snapshot, record,
        };
    }

    /** A call that takes a scope and the options. */
    interface Opening {
        long open(long scope, byte[] texts, long[] numbers) throws java.io.IOException;
    }

    /** Opens something, while scope and snapshot are kept from being closed. */
    long open(Opening opening) throws java.io.IOException {
        long directory = Scope.begin(scope);
        try {
            long snapshot = since == null ? 0 : since.begin();
            try {
                return opening.open(directory, texts(), numbers(snapshot));
            } finally {
                if (since != null) {
                    since.end();
                }
            }
        } finally {
            Scope.end(scope);
        }
    }
}
