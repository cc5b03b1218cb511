package fewer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamesTest {
    @TempDir Path top;

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int at = 0; at < values.length; at++) {
            bytes[at] = (byte) values[at];
        }
        return bytes;
    }

    @Test
    void bytesThatAreNotUtf8AreCharactersOfTheirOwn() {
        assertEquals("a\udcffb", Names.decode(bytes('a', 0xff, 'b')));
        assertEquals("\u00e9\udcc3", Names.decode(bytes(0xc3, 0xa9, 0xc3)));
        // Half of a surrogate pair in UTF-8 is no UTF-8.
        assertEquals("\udced\udcb2\udc80", Names.decode(bytes(0xed, 0xb2, 0x80)));
        assertEquals("\ufffd", Names.decode(bytes(0xef, 0xbf, 0xbd)));
        assertEquals("\ud83d\ude00", Names.decode(bytes(0xf0, 0x9f, 0x98, 0x80)));
        assertEquals("", Names.decode(bytes()));
    }

    @Test
    void eachNameComesBack() {
        Random random = new Random(16);
        for (int round = 0; round < 20_000; round++) {
            byte[] name = new byte[random.nextInt(12) + 1];
            for (int at = 0; at < name.length; at++) {
                int choice = random.nextInt(4);
                name[at] = (byte) (choice == 0 ? 'a' : 0x80 + random.nextInt(0x80));
            }
            assertArrayEquals(name, Names.encode(Names.decode(name)));
        }
    }

    @Test
    void whatIsNoNameIsRefused() {
        assertThrows(InvalidPathException.class, () -> Names.encode("a\0b"));
        assertThrows(InvalidPathException.class, () -> Names.encode("\ud800"));
        assertThrows(InvalidPathException.class, () -> Names.encode("\udc41"));
        assertThrows(InvalidPathException.class, () -> Walk.of("a\0b"));
        assertThrows(InvalidPathException.class, () -> Lines.of("a\0b"));
        assertThrows(InvalidPathException.class, () -> Scope.of("a\0b"));
    }

    @Test
    void aPathOfJavaLeadsToTheSameFile() throws Exception {
        Shell.output(top, "mkdir $'\\xffd' && echo in >$'\\xffd'/$'\\xfe\\nf' && touch \u00e9");
        try (Scope scope = Scope.of(top)) {
            byte[] name = bytes(0xff, 'd', '/', 0xfe, '\n', 'f');
            assertEquals(List.of("in"), Lines.of(Names.decode(name)).in(scope).read());
            Path path = top.resolve(Names.toPath(name));
            assertEquals(List.of("in"), Files.readAllLines(path));
            assertEquals(List.of("in"), Fewer.readLines(path));
            byte[] absolute = Names.encode(path);
            assertEquals(path, Names.toPath(absolute));
        }
        try (Stream<Entry> entries = Walk.of(top).stream()) {
            assertTrue(entries.allMatch(entry -> Files.exists(entry.toPath())));
        }
    }

    @Test
    void relativePathsStayRelative() {
        byte[] name = bytes('.', '.', '/', 0xff, '/', '.', '/', 'x');
        Path path = Names.toPath(name);
        assertEquals(4, path.getNameCount());
        assertEquals("..", path.getName(0).toString());
        assertEquals(Path.of(""), Names.toPath(bytes()));
        assertEquals(".", new String(Names.encode(Path.of("")), StandardCharsets.UTF_8));
    }

    @Test
    void messagesEscapeWhatControlsATerminal() {
        assertEquals("gr\u00fcn \ud83d\udc31", Names.escaped("gr\u00fcn \ud83d\udc31"));
        assertEquals("\\x1b[31m\\n\\t\\r\\x7f", Names.escaped("\u001b[31m\n\t\r\u007f"));
        assertEquals("a\\u{202e}b\\u{9b}", Names.escaped("a\u202eb\u009b"));
        assertEquals("caf\\xe9!", Names.escaped("caf\udce9!"));
        IOException error = Errors.of(13, Action.STAT.ordinal(), new byte[] {'a', '\n'}, null);
        assertEquals("cannot stat 'a\\n': Permission denied", error.getMessage());
    }
}
