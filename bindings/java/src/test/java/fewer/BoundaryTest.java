package fewer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is written down on this side, against include/fewer.h. */
class BoundaryTest {
    private static String header() throws IOException {
        return Files.readString(Path.of(System.getProperty("fewer.header")));
    }

    /** The values of the header whose names begin with the prefix, as {@code NAME=VALUE}. */
    private static List<String> ofHeader(String prefix, String value) throws IOException {
        List<String> found = new ArrayList<>();
        String pattern = "^    " + prefix + "([A-Z_0-9]+) = " + value + ",?";
        Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(header());
        while (matcher.find()) {
            found.add(matcher.group(1) + "=" + matcher.group(2));
        }
        return found;
    }

    private static <E extends Enum<E>> List<String> ofEnum(E[] values, Function<E, Object> value) {
        List<String> all = new ArrayList<>();
        for (E each : values) {
            all.add(each.name() + "=" + value.apply(each));
        }
        return all;
    }

    @Test
    void numbersAreThoseOfTheHeader() throws Exception {
        assertEquals(
                ofHeader("FEWER_ACTION_", "(\\d+)"), ofEnum(Action.values(), Enum::ordinal));
        assertEquals(ofHeader("FEWER_BY_", "(\\d+)"), ofEnum(Order.values(), Enum::ordinal));
        assertEquals(ofHeader("FEWER_CHANGE_", "(\\d+)"),
                ofEnum(Change.What.values(), Enum::ordinal));
        assertEquals(ofHeader("FEWER_SIZE_", "1 << (\\d+)"),
                ofEnum(SizeOption.values(), Enum::ordinal));
        List<String> fields = ofHeader("FEWER_FIELD_", "1 << (\\d+)");
        assertEquals(fields, ofEnum(Field.values(), Enum::ordinal));
        assertEquals(1, Boundary.LIBRARY.abiVersion());
    }

    @Test
    void kindsAreThoseOfTheHeader() {
        for (Kind kind : Kind.values()) {
            assertEquals(kind, Kind.parse(kind.name().toLowerCase(Locale.ROOT)));
            assertEquals(kind, Kind.of(kind.ordinal()));
        }
        assertEquals(Kind.DIRECTORY, Kind.parse("d"));
        assertEquals(Kind.FIFO, Kind.parse("pipe"));
        assertThrows(IllegalArgumentException.class, () -> Kind.parse("x"));
    }

    @Test
    void numbersOfTheKernelHaveTheClassesOfJava() {
        assertClass(2, java.nio.file.NoSuchFileException.class, "ENOENT");
        assertClass(13, java.nio.file.AccessDeniedException.class, "EACCES");
        assertClass(17, java.nio.file.FileAlreadyExistsException.class, "EEXIST");
        assertClass(20, java.nio.file.NotDirectoryException.class, "ENOTDIR");
        assertClass(39, java.nio.file.DirectoryNotEmptyException.class, "ENOTEMPTY");
        assertClass(40, java.nio.file.FileSystemLoopException.class, "ELOOP");
        assertClass(5, java.nio.file.FileSystemException.class, "EIO");
        assertClass(99_999, java.nio.file.FileSystemException.class, "99999");
    }

    private static void assertClass(int number, Class<?> expected, String code) {
        IOException error = Errors.of(number, 15, new byte[] {'x'}, null);
        assertInstanceOf(expected, error);
        FileSystemError story = (FileSystemError) error;
        assertEquals(code, story.code());
        assertEquals(Action.OPEN, story.action());
        assertEquals("x", story.path());
    }

    @Test
    void anActionOfALaterLibraryIsOther() {
        assertEquals(Action.OTHER, Action.of(1000));
        assertEquals("open directory", Action.OPEN_DIRECTORY.toString());
    }

    @Test
    void anExceptionCanBeSent() throws Exception {
        IOException error = assertThrows(IOException.class, () -> Walk.of("none").paths());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(error);
        }
        byte[] bytes = out.toByteArray();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            Exception read = (Exception) in.readObject();
            assertEquals(error.getMessage(), read.getMessage());
            assertArrayEquals(
                    ((FileSystemError) error).pathBytes(), ((FileSystemError) read).pathBytes());
        }
    }
}
