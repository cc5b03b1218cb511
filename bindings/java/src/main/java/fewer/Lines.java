package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The lines of a text, described: nothing is opened before one of {@link #read}, {@link #stream},
 * {@link #count} and the others runs it, and each run opens the file anew. It cannot be changed:
 * each option gives a new one.
 *
 * <p>A line ends with a newline and nothing else, and is handed over without it. A {@code \r} in
 * front of the newline belongs to the line ({@link java.nio.file.Files#lines} cuts it off) unless
 * {@link #crlf} says otherwise. A line that is not UTF-8 is a {@link DecodingException} unless
 * {@link #onInvalid} says otherwise.
 *
 * <p>Price of a run: openat, one read for each 256 KiB and one that finds the end, close.
 */
public final class Lines implements Cloneable {
    private static final int NUL = 1 << 0;
    private static final int CRLF = 1 << 1;
    private static final int CHECK_NOTHING = 1;
    private static final int CHECK_UTF8 = 2;
    private static final int CHECK_STRICT = 3;
    private static final int STANDARD_INPUT = 0;

    /** Null for the standard input. */
    private final byte[] path;

    private int flags;
    private int threads;
    private boolean keepEnds;
    private boolean isStrict = true;
    private Scope scope;

    private Lines(byte[] path) {
        this.path = path;
    }

    /**
     * The lines of a file.
     *
     * @param path relative to the process's directory, or to {@link #in}
     * @return lines with the usual options
     */
    public static Lines of(String path) {
        return new Lines(Names.encode(path));
    }

    /**
     * Likewise.
     *
     * @param path of the file
     * @return lines with the usual options
     */
    public static Lines of(Path path) {
        return new Lines(Names.encode(path));
    }

    /**
     * The lines of the standard input, which is read where it stands, past {@link System#in}.
     *
     * @return lines that can be read once
     */
    public static Lines ofStandardInput() {
        return new Lines(null);
    }

    private Lines changed() {
        try {
            return (Lines) super.clone();
        } catch (CloneNotSupportedException error) {
            throw new AssertionError(error);
        }
    }

    private Lines flag(int flag, boolean yes) {
        Lines lines = changed();
        lines.flags = yes ? flags | flag : flags & ~flag;
        return lines;
    }

    /**
     * A NUL ends a line rather than a newline.
     *
     * @param yes false is the default
     * @return lines with the option
     */
    public Lines nul(boolean yes) {
        return flag(NUL, yes);
    }

    /**
     * A {@code \r} in front of the newline belongs to the end.
     *
     * @param yes false is the default
     * @return lines with the option
     */
    public Lines crlf(boolean yes) {
        return flag(CRLF, yes);
    }

    /**
     * Leaves the ends where they are.
     *
     * @param yes false is the default
     * @return lines with the option
     */
    public Lines keepEnds(boolean yes) {
        Lines lines = changed();
        lines.keepEnds = yes;
        return lines;
    }

    /**
     * What to do with a line that is not UTF-8.
     *
     * @param action REPORT, the default: an exception that names line and byte; REPLACE: U+FFFD, as
     *     Java's decoder puts it
     * @return lines with the option
     * @throws IllegalArgumentException for IGNORE, which loses bytes silently
     */
    public Lines onInvalid(CodingErrorAction action) {
        if (Objects.requireNonNull(action) == CodingErrorAction.IGNORE) {
            throw new IllegalArgumentException("IGNORE would lose bytes silently");
        }
        Lines lines = changed();
        lines.isStrict = action == CodingErrorAction.REPORT;
        return lines;
    }

    /**
     * How many threads work at most.
     *
     * @param count 0, the default: as many as there are processors
     * @return lines with the option
     */
    public Lines threads(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative: " + count);
        }
        Lines lines = changed();
        lines.threads = count;
        return lines;
    }

    /**
     * Begins a relative path in a scope.
     *
     * @param directory must be open when a run begins
     * @return lines with the option
     */
    public Lines in(Scope directory) {
        Lines lines = changed();
        lines.scope = Objects.requireNonNull(directory);
        return lines;
    }

    private LinesRun open(int check) throws IOException {
        if (path == null) {
            byte[] name = Names.encode("standard input");
            return new LinesRun(
                    LIBRARY.linesBorrow(STANDARD_INPUT, name, flags, check, threads, 0));
        }
        long directory = Scope.begin(scope);
        try {
            return new LinesRun(LIBRARY.linesOpen(directory, path, flags, check, threads, 0));
        } finally {
            Scope.end(scope);
        }
    }

    private LinesRun openText() throws IOException {
        return open(isStrict ? CHECK_STRICT : CHECK_UTF8);
    }

    private LineDecoder<String> text() {
        return keepEnds ? LineDecoder.TEXT_WITH_END : LineDecoder.TEXT;
    }

    private LineDecoder<byte[]> bytes() {
        return keepEnds ? LineDecoder.BYTES_WITH_END : LineDecoder.BYTES;
    }

    /**
     * Runs it: one line after the other.
     *
     * @return an iterator, to be closed if it is left before the end
     * @throws IOException if the file cannot be opened
     */
    public LineIterator<String> iterator() throws IOException {
        return new LineIterator<>(openText(), text());
    }

    /**
     * Likewise, in bytes, which need not be UTF-8.
     *
     * @return an iterator, to be closed if it is left before the end
     * @throws IOException if the file cannot be opened
     */
    public LineIterator<byte[]> byteIterator() throws IOException {
        return new LineIterator<>(open(CHECK_NOTHING), bytes());
    }

    /**
     * Runs it: a stream, whose errors are {@link UncheckedIOException}s.
     *
     * @return a stream, to be closed if it is left before the end
     * @throws IOException if the file cannot be opened
     */
    public Stream<String> stream() throws IOException {
        return stream(iterator());
    }

    /**
     * Likewise, in bytes.
     *
     * @return a stream, to be closed if it is left before the end
     * @throws IOException if the file cannot be opened
     */
    public Stream<byte[]> byteStream() throws IOException {
        return stream(byteIterator());
    }

    private static <T> Stream<T> stream(LineIterator<T> lines) {
        Spliterator<T> split =
                Spliterators.spliteratorUnknownSize(
                        lines, Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(split, false).onClose(lines::close);
    }

    /**
     * Runs it: all lines.
     *
     * @return a list that may be changed
     * @throws IOException if the file cannot be read to its end
     */
    public List<String> read() throws IOException {
        try (LinesRun run = openText()) {
            return run.all(text());
        }
    }

    /**
     * Likewise, in bytes.
     *
     * @return a list that may be changed
     * @throws IOException if the file cannot be read to its end
     */
    public List<byte[]> readBytes() throws IOException {
        try (LinesRun run = open(CHECK_NOTHING)) {
            return run.all(bytes());
        }
    }

    /**
     * Runs it: the last lines. Price: a file is read from its end, one pread64 for each 256 KiB;
     * anything else to its end.
     *
     * @param count how many, if there are so many
     * @return a list that may be changed
     * @throws IOException if the file cannot be read
     */
    public List<String> last(long count) throws IOException {
        try (LinesRun run = openText()) {
            run.skipToLast(count);
            return run.all(text());
        }
    }

    /**
     * Likewise, in bytes.
     *
     * @param count how many, if there are so many
     * @return a list that may be changed
     * @throws IOException if the file cannot be read
     */
    public List<byte[]> lastBytes(long count) throws IOException {
        try (LinesRun run = open(CHECK_NOTHING)) {
            run.skipToLast(count);
            return run.all(bytes());
        }
    }

    /**
     * Runs it: how many lines there are. Price: one read for each 256 KiB, one statx if there is
     * more than that; a file of 64 MiB or more is counted by several threads, one pread64 for each
     * 512 KiB.
     *
     * @return the numbers
     * @throws IOException if the file cannot be read to its end
     */
    public LineCount count() throws IOException {
        try (LinesRun run = open(CHECK_NOTHING)) {
            return run.count();
        }
    }
}
