package fewer;

import static fewer.Boundary.LIBRARY;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What system calls were made through this library, by all threads of the process, since this was
 * made. Price: none.
 */
public final class Cost {
    private static final int ROW_BYTES = 32;
    private static final int NAME_BYTES = 24;
    private final Map<String, Long> before = now();

    /** Begins to count. */
    public Cost() {}

    /**
     * How often each call was made so far, since the process began.
     *
     * @return by the kernel's name of the call, the most frequent first
     */
    public static Map<String, Long> now() {
        byte[] rows = LIBRARY.calls();
        ByteBuffer numbers = ByteBuffer.wrap(rows).order(ByteOrder.nativeOrder());
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int at = 0; at < rows.length; at += ROW_BYTES) {
            int end = at;
            while (end < at + NAME_BYTES && rows[end] != 0) {
                end++;
            }
            String name = new String(rows, at, end - at, StandardCharsets.US_ASCII);
            counts.put(name, numbers.getLong(at + NAME_BYTES));
        }
        Descriptor.addTo(counts);
        return counts;
    }

    /**
     * How often each call was made since this was made.
     *
     * @return only those that were made
     */
    public Map<String, Long> calls() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<String, Long> each : now().entrySet()) {
            long more = each.getValue() - before.getOrDefault(each.getKey(), 0L);
            if (more > 0) {
                counts.put(each.getKey(), more);
            }
        }
        return counts;
    }

    /**
     * How often one call was made since this was made.
     *
     * @param name the kernel's, such as getdents64
     * @return 0 if it was not
     */
    public long of(String name) {
        return calls().getOrDefault(name, 0L);
    }

    /**
     * How many calls were made since this was made.
     *
     * @return the sum
     */
    public long total() {
        long total = 0;
        for (long count : calls().values()) {
            total += count;
        }
        return total;
    }

    @Override
    public String toString() {
        return calls().toString();
    }
}
