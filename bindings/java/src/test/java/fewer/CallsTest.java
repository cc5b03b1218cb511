package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it costs: by its own count, and by strace, which is believed. */
class CallsTest {
    private static final int DIRECTORIES = 500;
    /** For the mount table, and for starting threads. */
    private static final int AROUND = 12;
    /** What paths have that are not in the tree. */
    private static final List<String> OF_JAVA =
            List.of(".class\"", "/lib/", "/sys/fs/cgroup", "/proc/");

    @TempDir Path top;

    @BeforeEach
    void grow() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        Shell.output(
                top, "for ((i = 0; i < $1; i++)); do mkdir -p t/d$i; touch t/d$i/{1,2,3}; done",
                DIRECTORIES);
    }

    private Map<String, Integer> price(String work, Path root) throws Exception {
        String classes = Child.CLASSES + ":" + Child.TESTS;
        Shell.output(
                top,
                "strace -f -y -o trace \"$1\" $6 -Xint -cp \"$2\""
                        + " -Dfewer.library=\"$3\" fewer.Child \"$4\" \"$5\"",
                Child.java(), classes, Child.library(), work, root,
                Child.options());
        String trace = Files.readString(top.resolve("trace"));
        String between = trace.split("/mark/\\w+")[1];
        Map<String, Integer> counts = new HashMap<>();
        Matcher calls = Pattern.compile("^\\d+ +(\\w+)\\(.*", Pattern.MULTILINE).matcher(between);
        while (calls.find()) {
            // Java looks at class files between, and every few seconds at what memory there is.
            if (OF_JAVA.stream().noneMatch(calls.group()::contains)) {
                counts.merge(calls.group(1), 1, Integer::sum);
            }
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"paths", "walk", "visit"})
    void threeCallsADirectory(String work) throws Exception {
        Map<String, Integer> counts = price(work, top.resolve("t"));
        int getdents = counts.getOrDefault("getdents64", 0);
        assertTrue(getdents > DIRECTORIES && getdents <= DIRECTORIES + AROUND, counts.toString());
        int opens = counts.getOrDefault("openat", 0);
        // Classes are loaded on the way: the visitor's, and what they need.
        assertTrue(opens > DIRECTORIES && opens <= DIRECTORIES + 5 * AROUND, counts.toString());
        int stats = counts.getOrDefault("statx", 0) + counts.getOrDefault("newfstatat", 0)
                + counts.getOrDefault("lstat", 0) + counts.getOrDefault("stat", 0);
        assertTrue(stats <= 3 * AROUND, counts.toString());
    }

    @Test
    void oneStatxAnEntry() throws Exception {
        assertEquals(DIRECTORIES, price("list", top.resolve("t")).get("statx"));
    }

    @Test
    void itsOwnCountIsTheSame() throws Exception {
        Cost cost = new Cost();
        Walk.of(top.resolve("t")).paths();
        assertEquals(DIRECTORIES + 1, cost.of("getdents64"));
        assertTrue(cost.of("openat") <= DIRECTORIES + AROUND, cost.toString());
        cost = new Cost();
        Walk.of(top.resolve("t")).count();
        assertEquals(DIRECTORIES + 1, cost.calls().get("getdents64"));
    }
}
