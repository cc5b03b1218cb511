package fewer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Roots and options of a walk in the memory of C, as long as their call. */
final class WalkArguments {
    /** Of fewer_walk_options. */
    static final long BYTES = 80;

    private static final int TEXT_BYTES = 16;
    private final MemorySegment texts;
    private final MemorySegment options;
    private final long rootsCount;

    WalkArguments(ForeignCall call, byte[] block, long[] numbers) {
        rootsCount = numbers[6];
        long globs = numbers[7];
        long excludes = numbers[8];
        long count = rootsCount + globs + excludes;
        texts = call.memory(TEXT_BYTES * (count + 1));
        split(call.copied(block), block, count);
        options = call.memory(BYTES);
        // flags, threads, kinds, max_threads; max_depth, min_depth
        for (int index = 0; index < 4; index++) {
            options.set(ValueLayout.JAVA_INT, 4L * index, (int) numbers[index]);
        }
        options.set(ValueLayout.JAVA_LONG, 16, numbers[4]);
        options.set(ValueLayout.JAVA_LONG, 24, numbers[5]);
        options.set(ValueLayout.JAVA_LONG, 32, roots() + TEXT_BYTES * rootsCount);
        options.set(ValueLayout.JAVA_LONG, 40, globs);
        options.set(ValueLayout.JAVA_LONG, 48, roots() + TEXT_BYTES * (rootsCount + globs));
        options.set(ValueLayout.JAVA_LONG, 56, excludes);
        options.set(ValueLayout.JAVA_LONG, 64, numbers[9]);
        options.set(ValueLayout.JAVA_INT, 72, (int) numbers[10]);
    }

    /** Texts end with a NUL each. */
    private void split(long copy, byte[] block, long count) {
        int start = 0;
        for (int index = 0; index < count; index++) {
            int end = start;
            while (block[end] != 0) {
                end++;
            }
            texts.set(ValueLayout.JAVA_LONG, (long) TEXT_BYTES * index, copy + start);
            texts.set(ValueLayout.JAVA_LONG, (long) TEXT_BYTES * index + 8, end - start);
            start = end + 1;
        }
    }

    long roots() {
        return texts.address();
    }

    long rootsCount() {
        return rootsCount;
    }

    long options() {
        return options.address();
    }
}
