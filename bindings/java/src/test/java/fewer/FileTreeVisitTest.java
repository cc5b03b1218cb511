package fewer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against {@link Files#walkFileTree}: the same calls, in an order that may differ in siblings. */
class FileTreeVisitTest {
    @TempDir Path top;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(top, "mkdir -p t/a/b t/c/d t/e && touch t/a/f t/a/b/g t/c/d/h t/x t/y"
                + " && printf 1234567 >t/size && ln -s nowhere t/link");
    }

    /** Writes down what it is called with, and answers. */
    private static final class Log implements FileVisitor<Path> {
        final List<String> calls = new ArrayList<>();
        private final Function<String, FileVisitResult> answers;

        Log(Function<String, FileVisitResult> answers) {
            this.answers = answers;
        }

        private FileVisitResult log(String call, Path path) {
            calls.add(call + " " + path.getFileName());
            FileVisitResult answer = answers.apply(calls.get(calls.size() - 1));
            return answer == null ? FileVisitResult.CONTINUE : answer;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            assertTrue(attributes.isDirectory());
            return log("pre", path);
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
                throws IOException {
            if (!attributes.isDirectory()) {
                assertEquals(Files.isSymbolicLink(path), attributes.isSymbolicLink());
            }
            return log("file", path);
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException error) {
            return log("failed", path);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, IOException error) {
            assertEquals(null, error);
            return log("post", path);
        }
    }

    private Log visited(Function<String, FileVisitResult> answers) throws IOException {
        Log log = new Log(answers);
        Path root = top.resolve("t");
        assertEquals(root, Fewer.walkFileTree(root, log));
        return log;
    }

    @Test
    void directoriesSurroundWhatIsInThem() throws Exception {
        assertEquals(
                List.of(
                        "pre t", "file link", "file size", "file x", "file y", "pre a", "file f",
                        "pre b", "file g", "post b", "post a", "pre c", "pre d", "file h",
                        "post d", "post c", "pre e", "post e", "post t"),
                visited(call -> null).calls);
    }

    @Test
    void theSameCallsAsOfJava() throws Exception {
        for (Path root : List.of(top, Path.of("/usr/share/doc"))) {
            Log ours = new Log(call -> null);
            Log javas = new Log(call -> null);
            Fewer.walkFileTree(root, ours);
            Files.walkFileTree(root, javas);
            String[] all = ours.calls.stream().sorted().toArray(String[]::new);
            assertArrayEquals(javas.calls.stream().sorted().toArray(String[]::new), all);
        }
    }

    @Test
    void aSubtreeIsSkipped() throws Exception {
        Log log = visited(call -> call.equals("pre a") ? FileVisitResult.SKIP_SUBTREE : null);
        assertTrue(log.calls.contains("pre a") && !log.calls.contains("post a"));
        assertTrue(!log.calls.contains("file f") && !log.calls.contains("pre b"));
        assertTrue(log.calls.contains("post c") && log.calls.contains("post t"));
    }

    @Test
    void siblingsAreSkipped() throws Exception {
        List<String> calls =
                visited(call -> call.equals("pre c") ? FileVisitResult.SKIP_SIBLINGS : null).calls;
        assertTrue(calls.contains("post a"));
        assertTrue(!calls.contains("pre d") && !calls.contains("pre e"));
        assertEquals("post t", calls.get(calls.size() - 1));
        calls = visited(call -> call.equals("file x") ? FileVisitResult.SKIP_SIBLINGS : null).calls;
        assertEquals(List.of("pre t", "file link", "file size", "file x", "post t"), calls);
    }

    @Test
    void aVisitorEndsIt() throws Exception {
        Log log = visited(call -> call.equals("pre b") ? FileVisitResult.TERMINATE : null);
        assertEquals("pre b", log.calls.get(log.calls.size() - 1));
    }

    @Test
    void whatIsTooDeepIsAFile() throws Exception {
        Log ours = new Log(call -> null);
        Walk.of(top.resolve("t")).maxDepth(1).walkFileTree(ours);
        Log javas = new Log(call -> null);
        Files.walkFileTree(top.resolve("t"), java.util.Set.of(), 1, javas);
        assertEquals(
                javas.calls.stream().sorted().toList(), ours.calls.stream().sorted().toList());
    }

    @Test
    void aMissingRootFails() throws Exception {
        Log log = new Log(call -> null);
        Fewer.walkFileTree(top.resolve("missing"), log);
        assertEquals(List.of("failed missing"), log.calls);
        assertThrows(
                NoSuchFileException.class,
                () -> Fewer.walkFileTree(
                        top.resolve("missing"), new java.nio.file.SimpleFileVisitor<Path>() {}));
    }

    @Test
    void attributesAreAskedForWhenTheyAreWanted() throws Exception {
        Path file = top.resolve("t/size");
        BasicFileAttributes javas = Files.readAttributes(file, BasicFileAttributes.class);
        Cost cost = new Cost();
        Fewer.walkFileTree(top.resolve("t"), new java.nio.file.SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes ours) {
                if (path.equals(file)) {
                    assertEquals(7, ours.size());
                    assertEquals(javas.lastModifiedTime(), ours.lastModifiedTime());
                    assertEquals(javas.lastAccessTime(), ours.lastAccessTime());
                    assertTrue(ours.isRegularFile() && !ours.isOther());
                }
                return FileVisitResult.CONTINUE;
            }
        });
        // One for the root, one for the file that was asked for more.
        assertEquals(2, cost.of("statx"));
    }

    @Test
    void namesThatAreNotTextHavePaths() throws Exception {
        Shell.output(top, "touch t/e/$'\\xff' && mkdir t/e/$'\\xfe' && touch t/e/$'\\xfe'/in");
        List<Path> paths = new ArrayList<>();
        Fewer.walkFileTree(top.resolve("t/e"), new java.nio.file.SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                paths.add(path);
                return FileVisitResult.CONTINUE;
            }
        });
        assertEquals(2, paths.size());
        for (Path path : paths) {
            assertTrue(Files.exists(path), path.toString());
        }
    }
}
