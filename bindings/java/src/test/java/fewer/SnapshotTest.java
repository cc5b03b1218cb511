package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    @TempDir Path top;
    private Path root;

    @BeforeEach
    void grow() throws Exception {
        Shell.output(top, "mkdir -p t/d && touch t/a t/b t/d/e");
        root = top.resolve("t");
    }

    private List<String> told(Changes changes) {
        return changes.stream().map(change -> change.what() + " "
                + root.relativize(Path.of(change.path()))).toList();
    }

    @Test
    void changesAreWhatIsDifferent() throws Exception {
        try (Snapshot before = Walk.of(root).snapshot()) {
            assertEquals(4, before.entries());
            assertEquals(2, before.directories());
            assertFalse(before.hasStat());
            Shell.output(root, "touch d/new && rm b && mv a c");
            try (Changes changes = before.changes()) {
                assertEquals(List.of("removed b", "renamed c", "added d/new"), told(changes));
                assertEquals(Optional.of(root + "/a"), changes.get(1).from());
                assertEquals(Optional.empty(), changes.get(0).from());
                assertEquals(Kind.FILE, changes.get(1).kind());
                try (Changes none = changes.snapshot().changes()) {
                    assertEquals(List.of(), none);
                }
                assertEquals(3, before.changes(changes.snapshot()).size());
            }
            assertEquals(5, Walk.of(root).since(before).count());
        }
    }

    @Test
    void metadataCountsWhereItIsKept() throws Exception {
        try (Snapshot before = Walk.of(root).snapshotWithStat()) {
            assertTrue(before.hasStat());
            Shell.output(root, "printf more >a");
            try (Changes changes = before.changes()) {
                assertEquals(List.of("changed a"), told(changes));
            }
        }
    }

    @Test
    void aFileKeepsIt() throws Exception {
        Path file = top.resolve("snapshot");
        try (Snapshot before = Walk.of(root).snapshot()) {
            before.write(file);
            assertEquals(Files.size(file), before.bytes());
        }
        try (Snapshot read = Snapshot.read(file.toString())) {
            assertEquals(4, read.entries());
            try (Changes changes = read.changes()) {
                assertTrue(changes.isEmpty());
            }
        }
        Files.write(file, new byte[] {1, 2, 3});
        IOException error = assertThrows(IOException.class, () -> Snapshot.read(file));
        assertEquals("EBADMSG", ((FileSystemError) error).code());
    }

    @Test
    void whatDidNotChangeIsNotOpened() throws Exception {
        // A directory that changed just now may change again in the same tick of its clock.
        Shell.output(root, "touch -d '1 hour ago' . d");
        Thread.sleep(100);
        try (Snapshot before = Walk.of(root).snapshot()) {
            Cost cost = new Cost();
            List<String> paths = Walk.of(root).since(before).sorted(true).paths();
            assertEquals(5, paths.size());
            assertEquals(0, cost.of("getdents64"));
        }
    }

    @Test
    void aClosedOneIsRefused() throws Exception {
        Snapshot snapshot = Walk.of(root).snapshot();
        snapshot.close();
        snapshot.close();
        assertThrows(IllegalStateException.class, snapshot::entries);
        assertThrows(IllegalStateException.class, snapshot::changes);
        assertThrows(IllegalStateException.class, () -> Walk.of(root).since(snapshot).paths());
    }

    @Test
    void aMissingRootIsAnError() {
        assertThrows(
                java.nio.file.NoSuchFileException.class,
                () -> Walk.of(top.resolve("none")).snapshot());
    }
}
