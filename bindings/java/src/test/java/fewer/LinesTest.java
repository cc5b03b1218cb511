package fewer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesTest {
    @TempDir Path top;

    private Path text(String text) throws IOException {
        Path file = top.resolve("text");
        Files.write(file, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return file;
    }

    @Test
    void aLineEndsWithANewlineAndNothingElse() throws Exception {
        Path file = text("one\n\ntw\ro\r\n\u00e4\u20ac\ud83d\ude00\u2028\nlast");
        List<String> lines =
                List.of("one", "", "tw\ro\r", "\u00e4\u20ac\ud83d\ude00\u2028", "last");
        assertEquals(lines, Fewer.readLines(file));
        assertEquals("tw\ro", Lines.of(file).crlf(true).read().get(2));
        try (Stream<String> stream = Fewer.lines(file)) {
            assertEquals(lines, stream.toList());
        }
        assertEquals(List.of("one\n", "\n"), Lines.of(file).keepEnds(true).read().subList(0, 2));
        assertEquals(lines.subList(3, 5), Fewer.lastLines(file, 2));
        assertEquals(lines, Fewer.lastLines(file, 100));
        assertEquals(List.of(), Fewer.lastLines(file, 0));
    }

    @Test
    void nothingHasNoLines() throws Exception {
        assertEquals(List.of(), Fewer.readLines(text("")));
        assertEquals(0, Fewer.countLines(text("")));
        assertEquals(List.of(""), Fewer.readLines(text("\n")));
    }

    @Test
    void linesMayEndWithNul() throws Exception {
        assertEquals(List.of("a\nb", "c"), Lines.of(text("a\nb\0c\0")).nul(true).read());
    }

    @Test
    void aLongTextIsThatOfJava() throws Exception {
        StringBuilder words = new StringBuilder();
        for (int line = 0; line < 30_000; line++) {
            words.append(line % 3 == 0 ? "gr\u00fc\u00df " : "plain ").append(line).append('\n');
        }
        words.append("x".repeat(700_000)).append('\n');
        words.append("short\n".repeat(100_000)).append("end");
        Path file = text(words.toString());
        assertEquals(Files.readAllLines(file), Fewer.readLines(file));
        List<String> one = new ArrayList<>();
        try (LineIterator<String> lines = Lines.of(file).iterator()) {
            lines.forEachRemaining(one::add);
        }
        assertEquals(Files.readAllLines(file), one);
        long ends = Long.parseLong(Shell.lines(top, "wc -l <text").get(0).trim());
        LineCount count = Lines.of(file).count();
        assertEquals(ends, count.ends());
        assertEquals(ends + 1, count.lines());
        assertEquals(Files.size(file), count.bytes());
        String[] tail = Shell.lines(top, "tail -n 3 text").toArray(String[]::new);
        assertArrayEquals(tail, Fewer.lastLines(file, 3).toArray());
    }

    @Test
    void aLineThatIsNotUtf8IsAnErrorThatSaysWhere() throws Exception {
        Path file = top.resolve("bad");
        Files.write(file, new byte[] {'o', 'k', '\n', 'a', 'b', (byte) 0xff, '\n'});
        IOException error = assertThrows(IOException.class, () -> Fewer.readLines(file));
        assertInstanceOf(MalformedInputException.class, error);
        DecodingException where = (DecodingException) error;
        assertEquals(2, where.line());
        assertEquals(5, where.offset());
        assertEquals(2, where.column());
        assertEquals("EILSEQ", where.code());
        assertEquals(file.toString(), where.path());
        assertEquals(
                List.of("ok", "ab\ufffd"),
                Lines.of(file).onInvalid(CodingErrorAction.REPLACE).read());
        assertArrayEquals(
                new byte[] {'a', 'b', (byte) 0xff}, Lines.of(file).readBytes().get(1));
        assertArrayEquals(new byte[] {'a', 'b', (byte) 0xff}, Lines.of(file).lastBytes(1).get(0));
        try (Stream<byte[]> bytes = Lines.of(file).byteStream()) {
            assertEquals(2, bytes.count());
        }
        assertEquals(2, Fewer.countLines(file));
        assertThrows(
                IllegalArgumentException.class,
                () -> Lines.of(file).onInvalid(CodingErrorAction.IGNORE));
        try (Stream<String> stream = Fewer.lines(file)) {
            assertThrows(UncheckedIOException.class, stream::count);
        }
    }

    @Test
    void whatCannotBeReadIsAnError() throws Exception {
        assertThrows(
                java.nio.file.NoSuchFileException.class,
                () -> Fewer.readLines(top.resolve("none")));
        IOException error = assertThrows(IOException.class, () -> Fewer.readLines(top));
        assertEquals("EISDIR", ((FileSystemError) error).code());
        assertThrows(IllegalArgumentException.class, () -> Fewer.lastLines(text("a"), -1));
    }

    @Test
    void aScopeIsWhereItBegins() throws Exception {
        text("a\n");
        try (Scope scope = Scope.of(top)) {
            assertEquals(List.of("a"), Lines.of("text").in(scope).read());
        }
    }

    @Test
    void aTextCostsTwoReadsOpenAndClose() throws Exception {
        Path file = text("a\nb\n");
        Cost cost = new Cost();
        Fewer.readLines(file);
        assertEquals(1, cost.of("openat"));
        assertEquals(2, cost.of("read"));
        assertEquals(1, cost.of("close"));
        assertEquals(4, cost.total());
    }

    @Test
    void aClosedIteratorHasNoMoreLines() throws Exception {
        LineIterator<String> lines = Lines.of(text("a\nb\n")).iterator();
        assertEquals("a", lines.next());
        lines.close();
        lines.close();
        assertFalse(lines.hasNext());
        assertThrows(java.util.NoSuchElementException.class, lines::next);
    }
}
