package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalkTest {
    @TempDir Path top;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(
                top,
                "mkdir -p t/a/b t/c t/.git && touch t/a/f.java t/a/b/g.java t/c/h.txt t/.git/i"
                        + " t/A.JAVA && ln -s a t/link && mkfifo t/pipe"
                        + " && echo '*.txt' >t/.gitignore");
    }

    private Walk tree() {
        return Walk.of("t").sorted(true).in(scope());
    }

    private Scope scope() {
        try {
            return Scope.of(top);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    @Test
    void findPrintsTheSamePaths() throws Exception {
        Path usr = Path.of("/usr/share");
        List<String> found = Shell.lines(usr, "find /usr/share");
        List<String> walked = Walk.of(usr).paths();
        Collections.sort(found = new ArrayList<>(found));
        Collections.sort(walked);
        assertEquals(found, walked);
    }

    @Test
    void sortedIsDepthFirstInByteOrder() throws Exception {
        assertEquals(
                List.of(
                        "t", "t/.git", "t/.git/i", "t/.gitignore", "t/A.JAVA", "t/a", "t/a/b",
                        "t/a/b/g.java", "t/a/f.java", "t/c", "t/c/h.txt", "t/link", "t/pipe"),
                tree().paths());
    }

    @Test
    void anEntryKnowsWhatTheDirectoryKnows() throws Exception {
        try (EntryIterator entries = tree().kinds(Kind.FILE).glob("g.*").iterator()) {
            Entry entry = entries.next();
            assertEquals("t/a/b/g.java", entry.path());
            assertEquals("g.java", entry.name());
            assertEquals(Kind.FILE, entry.kind());
            assertEquals(3, entry.depth());
            Object inode = Files.getAttribute(top.resolve("t/a/b/g.java"), "unix:ino");
            assertEquals(inode, entry.inode());
            assertTrue(entry.isFile() && !entry.isDirectory() && !entry.isSymlink());
            assertEquals(Path.of("t/a/b/g.java"), entry.toPath());
            assertEquals(0, entry.stat().size());
            assertFalse(entries.hasNext());
        }
    }

    @Test
    void aCopyIsEqualAndHasNoBatch() throws Exception {
        try (Stream<Entry> entries = tree().stream()) {
            for (Entry entry : entries.toList()) {
                Entry copy = entry.copy();
                assertEquals(entry, copy);
                assertEquals(entry.hashCode(), copy.hashCode());
                assertEquals(entry.path(), copy.path());
                assertEquals(entry.name(), copy.name());
            }
        }
    }

    @Test
    void optionsChoose() throws Exception {
        assertEquals(List.of("t/A.JAVA"), tree().glob("*.JAVA").paths());
        assertEquals(3, tree().glob("*.java").ignoreCase(true).count());
        assertEquals(List.of("t/a/b/g.java"), tree().glob("**/b/*").fullPath(true).paths());
        assertEquals(List.of("t/pipe"), tree().kinds(Kind.FIFO).paths());
        assertEquals(List.of("t", "t/c", "t/link", "t/pipe"),
                tree().hidden(false).exclude("a", "*.JAVA").maxDepth(1).paths());
        assertEquals(List.of("t/a/b/g.java"), tree().minDepth(3).paths());
        assertEquals(List.of("t"), tree().maxDepth(0).paths());
        assertFalse(tree().gitignore(true).paths().contains("t/c/h.txt"));
        assertTrue(tree().follow(true).paths().contains("t/link/b/g.java"));
        assertEquals(List.of("t/a", "t/a/b", "t/c"),
                tree().kinds(Kind.DIRECTORY).hidden(false).minDepth(1).paths());
        assertEquals(tree().paths(), tree().oneFileSystem(true).threads(2).maxThreads(2).paths());
    }

    @Test
    void aLinkSaysWhatItPointsTo() throws Exception {
        try (EntryIterator entries = tree().glob("link").targets(true).iterator()) {
            Entry link = entries.next();
            assertEquals(Kind.SYMLINK, link.kind());
            assertEquals(Kind.DIRECTORY, link.target());
        }
    }

    @Test
    void severalRootsAreWalkedOneAfterTheOther() throws Exception {
        Walk walk = Walk.of("t/c", "t/a/b").sorted(true).in(scope());
        assertEquals(List.of("t/c", "t/c/h.txt", "t/a/b", "t/a/b/g.java"), walk.paths());
        assertEquals(walk.paths(), walk.paths(), "each run begins anew");
    }

    @Test
    void whatIsPrunedIsAnEntryThatIsNotEntered() throws Exception {
        Cost whole = new Cost();
        tree().prune(entry -> false).paths();
        long all = whole.of("getdents64");
        Cost cost = new Cost();
        List<String> paths = tree().prune(entry -> entry.name().equals("a")).paths();
        assertTrue(paths.contains("t/a"));
        assertTrue(paths.stream().noneMatch(path -> path.startsWith("t/a/")));
        assertEquals(all - 2, cost.of("getdents64"), "t/a and t/a/b are not read");
    }

    @Test
    void whatAPredicateKeepsStaysWhatItWas() throws Exception {
        Path usr = Path.of("/usr/share");
        List<Entry> kept = new ArrayList<>();
        Walk.of(usr).prune(entry -> !kept.add(entry)).paths();
        List<String> paths = new ArrayList<>(kept.stream().map(Entry::path).toList());
        List<String> found = new ArrayList<>(Shell.lines(usr, "find /usr/share -type d"));
        Collections.sort(paths);
        Collections.sort(found);
        assertEquals(found, paths);
    }

    @Test
    void anErrorComesInTheWalkAndTheWalkGoesOn() throws Exception {
        Files.createSymbolicLink(top.resolve("t/a/loop"), Path.of(".."));
        Set<String> paths = new HashSet<>();
        List<IOException> errors = new ArrayList<>();
        try (EntryIterator entries = tree().follow(true).iterator()) {
            while (entries.hasNext()) {
                try {
                    paths.add(entries.next().path());
                } catch (UncheckedIOException error) {
                    errors.add(error.getCause());
                }
            }
        }
        assertTrue(paths.contains("t/pipe"), "it went on to the last name");
        assertEquals(2, errors.size(), "once by t/a, once by t/link");
        assertInstanceOf(FileSystemLoopException.class, errors.get(0));
        assertEquals("ELOOP", ((FileSystemError) errors.get(0)).code());
    }

    @Test
    void aMissingRootIsAnErrorWithNumberActionAndPath() throws Exception {
        IOException error = assertThrows(IOException.class, () -> Walk.of("no\nplace").paths());
        assertInstanceOf(NoSuchFileException.class, error);
        FileSystemError story = (FileSystemError) error;
        assertEquals(2, story.errno());
        assertEquals("ENOENT", story.code());
        assertEquals(Action.ACCESS, story.action());
        assertEquals("no\nplace", story.path());
        assertEquals(
                "cannot access 'no\\nplace': No such file or directory", error.getMessage());
        List<IOException> errors = new ArrayList<>();
        assertEquals(List.of(), Walk.of("none").onError(errors::add).paths());
        assertEquals(1, errors.size());
        assertEquals(0, Walk.of("none").ignoreErrors().count());
        assertThrows(UncheckedIOException.class, () -> Walk.of("none").stream().count());
        try (Stream<Entry> entries = Walk.of("none").onError(errors::add).stream()) {
            assertEquals(0, entries.parallel().count());
        }
        assertEquals(2, errors.size());
    }

    @Test
    void aStreamMayBeSplit() throws Exception {
        Path usr = Path.of("/usr/share");
        Walk walk = Walk.of(usr).sorted(true);
        List<String> paths = walk.paths();
        try (Stream<Entry> entries = walk.stream()) {
            assertEquals(paths, entries.parallel().map(Entry::path).collect(Collectors.toList()));
        }
        try (Stream<Entry> entries = walk.stream()) {
            assertEquals(paths, entries.map(Entry::path).collect(Collectors.toList()));
        }
    }

    @Test
    void aStreamMayBeLeft() throws Exception {
        try (Stream<Entry> entries = Walk.of("/usr/share").stream()) {
            assertTrue(entries.anyMatch(Entry::isFile));
        }
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Walk.of(".").threads(-1));
        assertThrows(IllegalArgumentException.class, () -> Walk.of(".").maxDepth(-1));
        assertThrows(NullPointerException.class, () -> Walk.of((String) null));
        IOException error =
                assertThrows(IOException.class, () -> Walk.of(".").glob("[").iterator());
        assertEquals("EINVAL", ((FileSystemError) error).code());
    }
}
