package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScopeTest {
    @TempDir Path top;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(top, "mkdir -p a/b && ln -s a/b link && printf text >a/f");
    }

    @Test
    void itIsADirectoryThatStaysTheSame() throws Exception {
        try (Scope a = Scope.of(top.resolve("a"))) {
            assertEquals(top + "/a", a.logical());
            Files.move(top.resolve("a"), top.resolve("moved"));
            assertEquals(4, a.stat("f").size());
            assertEquals(top.toRealPath() + "/moved", a.physical());
            assertEquals(List.of("f"), Walk.of("f").in(a).paths());
        }
    }

    @Test
    void dotsAreOfThePathOrOfTheDirectory() throws Exception {
        try (Scope scope = Scope.of(top.toString());
                Scope link = scope.enter("link");
                Scope up = link.enter("..");
                Scope logicallyUp = link.enterLogical("..")) {
            assertTrue(up.physical().endsWith("/a"));
            assertEquals(scope.physical(), logicallyUp.physical());
            assertEquals("a/b", scope.readLink("link"));
            assertEquals(Kind.SYMLINK, scope.stat("link", Field.KIND).kind());
            assertEquals(Kind.DIRECTORY, scope.statFollowing("link", Field.KIND).kind());
        }
    }

    @Test
    void filesAreMadeAndRemoved() throws Exception {
        try (Scope scope = Scope.of(top)) {
            try (OutputStream out = scope.create("new", 0640)) {
                out.write('x');
                out.write(new byte[200_000]);
            }
            assertEquals(200_001, Files.size(top.resolve("new")));
            try (InputStream in = scope.open("new")) {
                assertEquals('x', in.read());
                assertEquals(200_000, in.readAllBytes().length);
                assertEquals(-1, in.read());
            }
            assertThrows(FileAlreadyExistsException.class, () -> scope.create("new", 0600));
            scope.setPermissions("new", 04711);
            assertEquals(04711, scope.stat("new").permissions());
            scope.makeSymlink("soft", "any where");
            assertEquals("any where", scope.readLink("soft"));
            scope.makeHardLink("hard", "new");
            assertEquals(2, scope.stat("hard").links());
            scope.makeDirectory("d", 0700);
            scope.removeDirectory("d");
            scope.removeFile("hard");
            assertThrows(DirectoryNotEmptyException.class, () -> scope.removeDirectory("a"));
            scope.removeTree("a");
            assertFalse(Files.exists(top.resolve("a")));
        }
    }

    @Test
    void aStreamIsClosedOnce() throws Exception {
        try (Scope scope = Scope.of(top)) {
            InputStream in = scope.open("a/f");
            in.close();
            in.close();
            assertThrows(java.io.IOException.class, in::read);
        }
    }

    @Test
    void aChildStartsThere() throws Exception {
        try (Scope scope = Scope.of(top.resolve("a"))) {
            Files.move(top.resolve("a"), top.resolve("elsewhere"));
            Process child = scope.process(new ProcessBuilder("cat", "f")).start();
            assertEquals("text", new String(child.getInputStream().readAllBytes()));
            assertEquals(0, child.waitFor());
        }
    }

    @Test
    void whatIsBegunMayOutliveIt() throws Exception {
        Scope scope = Scope.of(top);
        EntryIterator entries = Walk.of("a").sorted(true).in(scope).iterator();
        scope.close();
        scope.close();
        assertEquals("a", entries.next().path());
        Entry inner = entries.next();
        assertEquals("a/b", inner.path());
        assertThrows(IllegalStateException.class, inner::stat);
        assertThrows(IllegalStateException.class, () -> scope.stat("a"));
        assertThrows(IllegalStateException.class, scope::physical);
        assertThrows(IllegalStateException.class, () -> Walk.of("a").in(scope).paths());
        entries.close();
    }

    @Test
    void itsDirectoryMustBeThere() {
        assertThrows(
                java.nio.file.NoSuchFileException.class, () -> Scope.of(top.resolve("none")));
        assertThrows(java.nio.file.NotDirectoryException.class, () -> Scope.of(top + "/a/f"));
    }
}
