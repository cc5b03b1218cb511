package fewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the natives go: extracted once, checked, made anew if they are damaged. */
class NativeLibraryTest {
    private static final String FOLDER = "fewer/natives/" + NativeLibrary.platform();
    @TempDir Path top;

    @BeforeEach
    void copyNatives() throws Exception {
        Path from = Path.of(getClass().getClassLoader().getResource(FOLDER + "/stamp").toURI());
        Shell.output(top, "mkdir -p tmp \"$2\" && cp \"$1\"/* \"$2\"", from.getParent(), FOLDER);
    }

    /** What a process says that finds natives in this folder only. */
    private List<String> run(String home) throws Exception {
        return Shell.lines(
                top,
                "HOME=$1 XDG_CACHE_HOME=$1 \"$2\" $6 -Duser.home=\"$1\" -cp \"$3:$4:$5\""
                        + " -Djava.io.tmpdir=\"$5/tmp\" fewer.Child walk /dev/null 2>&1 || true",
                home, Child.java(), Child.CLASSES, Child.TESTS, top, Child.options());
    }

    private static final List<String> WELL = List.of("1 entries, []");

    @Test
    void theyAreExtractedOnceAndMadeAnewIfDamaged() throws Exception {
        String home = top.resolve("home").toString();
        assertEquals(WELL, run(home));
        List<String> files = Shell.lines(top, "ls home/fewer-java");
        assertEquals(1, files.size());
        assertEquals("drwx------", Shell.lines(top, "stat -c %A home/fewer-java").get(0));
        Path file = top.resolve("home/fewer-java").resolve(files.get(0));
        Object inode = Files.getAttribute(file, "unix:ino");
        assertEquals(WELL, run(home));
        assertEquals(inode, Files.getAttribute(file, "unix:ino"), "the second start extracts none");
        Shell.output(top, "printf damaged | dd of=\"$1\" bs=1 seek=5000 conv=notrunc 2>/dev/null",
                file);
        assertEquals(WELL, run(home));
        assertEquals(files, Shell.lines(top, "ls home/fewer-java"));
    }

    @Test
    void aHomeThatCannotBeWrittenIsNoHindrance() throws Exception {
        assertEquals(WELL, run("/proc/nonexistent"));
        assertEquals(List.of(), Shell.lines(top, "ls tmp"), "nothing is left behind");
    }

    @Test
    void aFolderThatOthersCanWriteToIsNotTrusted() throws Exception {
        Shell.output(top, "mkdir -p open/fewer-java && chmod 777 open/fewer-java");
        assertEquals(WELL, run(top.resolve("open").toString()));
        assertEquals(List.of(), Shell.lines(top, "ls open/fewer-java"));
    }

    @Test
    void damagedNativesAreRefused() throws Exception {
        Shell.output(top, "printf x >>\"$1\"/libfewer-java.so", FOLDER);
        List<String> said = run(top.resolve("home").toString());
        assertTrue(String.join("\n", said).contains("is damaged: its SHA-256 is"), said.toString());
        Shell.output(top, "rm -r fewer");
        said = run(top.resolve("home").toString());
        assertTrue(String.join("\n", said).contains("no natives of fewer for"), said.toString());
    }
}
