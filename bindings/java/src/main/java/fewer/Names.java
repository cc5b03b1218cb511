package fewer;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.util.Arrays;

/**
 * Names of files: bytes in the kernel, strings and paths in Java.
 *
 * <p>As a string a name is UTF-8. A byte that is not becomes the character U+DC00 + byte, which is
 * no character of any text (as Python's {@code surrogateescape}), and becomes that byte again: each
 * name has one string, and each method of this library that takes a path takes that string.
 *
 * <p>Price of everything here: none.
 */
public final class Names {
    private static final char ESCAPE = '\uDC00';
    private static final char REPLACEMENT = '\uFFFD';
    private static final int DELETE = 0x7f;
    /** Turn the direction of text around, or end a line. */
    private static final String CONTROLS =
            "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    /** The encoding that {@link Path} has names in: that of the locale. */
    private static final Charset OF_PATHS = ofPaths();

    private Names() {}

    private static Charset ofPaths() {
        String name = System.getProperty("sun.jnu.encoding", "UTF-8");
        return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }

    /**
     * The string for a name.
     *
     * @param name a name or a path as the kernel has it
     * @return UTF-8 decoded, other bytes as U+DC80 to U+DCFF
     */
    public static String decode(byte[] name) {
        return decode(name, 0, name.length);
    }

    static String decode(byte[] bytes, int at, int length) {
        String plain = new String(bytes, at, length, StandardCharsets.UTF_8);
        return plain.indexOf(REPLACEMENT) < 0 ? plain : decodeEscaped(bytes, at, length);
    }

    private static String decodeEscaped(byte[] bytes, int at, int length) {
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, at, length);
        CharBuffer out = CharBuffer.allocate(length);
        for (CoderResult found; (found = decoder.decode(in, out, true)).isError(); ) {
            for (int bad = found.length(); bad > 0; bad--) {
                out.put((char) (ESCAPE + (in.get() & 0xff)));
            }
        }
        return out.flip().toString();
    }

    /**
     * The bytes of a name.
     *
     * @param name a string, such as {@link #decode} makes it
     * @return as the kernel has it
     * @throws InvalidPathException if it has half of a surrogate pair that stands for no byte, or a
     *     NUL, which no name can have
     */
    public static byte[] encode(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new InvalidPathException(printable(name), "Nul character not allowed");
        }
        byte[] plain = name.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < name.length(); at++) {
            if (Character.isSurrogate(name.charAt(at))) {
                return encodeEscaped(name);
            }
        }
        return plain;
    }

    private static byte[] encodeEscaped(String name) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < name.length(); ) {
            int point = name.codePointAt(at);
            if (point > ESCAPE + 0x7f && point <= ESCAPE + 0xff) {
                out.write(point - ESCAPE);
            } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw new InvalidPathException(printable(name), "half of a surrogate pair", at);
            } else {
                out.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
            at += Character.charCount(point);
        }
        return out.toByteArray();
    }

    /** For messages: what cannot be printed as U+FFFD or a question mark. */
    private static String printable(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                .replace('\0', REPLACEMENT);
    }

    /**
     * A decoded name for a message, as the library writes it: what could control a terminal or hide
     * in it is escaped.
     */
    static String escaped(String name) {
        StringBuilder out = new StringBuilder(name.length());
        for (int at = 0; at < name.length(); ) {
            int point = name.codePointAt(at);
            int special = "\n\t\r".indexOf(point);
            if (special >= 0) {
                out.append('\\').append("ntr".charAt(special));
            } else if (point < ' ' || point == DELETE) {
                out.append(String.format("\\x%02x", point));
            } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                out.append(String.format("\\x%02x", point & 0xff));
            } else if (Character.isISOControl(point) || CONTROLS.indexOf(point) >= 0) {
                out.append(String.format("\\u{%x}", point));
            } else {
                out.appendCodePoint(point);
            }
            at += Character.charCount(point);
        }
        return out.toString();
    }

    /**
     * The path of Java for a name.
     *
     * @param name as the kernel has it
     * @return a path of the default file system that has these bytes, also if they are not in the
     *     encoding of the locale
     */
    public static Path toPath(byte[] name) {
        String text = new String(name, OF_PATHS);
        if (text.indexOf(REPLACEMENT) < 0 && isLossless(text, name)) {
            return Path.of(text);
        }
        Path path = Path.of(name[0] == '/' ? "/" : "");
        for (int start = 0; start < name.length; ) {
            int end = start;
            while (end < name.length && name[end] != '/') {
                end++;
            }
            path = path.resolve(component(Arrays.copyOfRange(name, start, end)));
            start = end + 1;
        }
        return path;
    }

    /** UTF-8 always is, where nothing had to be replaced. */
    private static boolean isLossless(String text, byte[] name) {
        return OF_PATHS.equals(StandardCharsets.UTF_8)
                || Arrays.equals(text.getBytes(OF_PATHS), name);
    }

    /** Only by a URI can Java be told bytes, and it has none of relative paths. */
    private static Path component(byte[] name) {
        StringBuilder uri = new StringBuilder("file:///");
        for (byte each : name) {
            uri.append('%').append(Character.forDigit(each >> 4 & 15, 16));
            uri.append(Character.forDigit(each & 15, 16));
        }
        Path absolute = Path.of(URI.create(uri.toString()));
        return absolute.getNameCount() == 0 ? Path.of("") : absolute.getFileName();
    }

    /**
     * The bytes of a path of Java.
     *
     * @param path a path of the default file system; one that came from a directory with a name
     *     that is not in the encoding of the locale becomes absolute
     * @return as the kernel has it; {@code .} for the empty path
     */
    public static byte[] encode(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new ProviderMismatchException(path.toString());
        }
        String text = path.toString();
        if (text.isEmpty()) {
            return new byte[] {'.'};
        }
        if (text.indexOf(REPLACEMENT) >= 0) {
            return percentDecoded(path.toUri());
        }
        return text.getBytes(OF_PATHS);
    }

    /** Only the URI of a path has all of its bytes. */
    private static byte[] percentDecoded(URI uri) {
        String raw = uri.getRawPath();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < raw.length(); at++) {
            if (raw.charAt(at) == '%') {
                out.write(Integer.parseInt(raw.substring(at + 1, at + 3), 16));
                at += 2;
            } else {
                out.write(raw.charAt(at));
            }
        }
        return out.toByteArray();
    }
}
