package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.nio.file.FileVisitor;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A method for each job, with the usual options: {@link Walk}, {@link Listing} and {@link Lines}
 * have the others.
 */
public final class Fewer {
    private Fewer() {}

    /**
     * Walks a tree: in place of {@link java.nio.file.Files#walk}. Price: 3 calls a directory, none
     * an entry.
     *
     * @param root where it begins
     * @return a stream, to be closed if it is left before the end; an entry that cannot be looked
     *     at is an {@link java.io.UncheckedIOException} and ends it
     * @throws IOException if the walk cannot begin
     */
    public static Stream<Entry> walk(Path root) throws IOException {
        return Walk.of(root).stream();
    }

    /**
     * All paths of a tree, the root included, as they come. Price: 3 calls a directory, none an
     * entry.
     *
     * @param root where it begins
     * @return a list that may be changed
     * @throws IOException the first entry that cannot be looked at
     */
    public static List<String> paths(Path root) throws IOException {
        return Walk.of(root).paths();
    }

    /**
     * Visits a tree: in place of {@link java.nio.file.Files#walkFileTree}. Price: 3 calls a
     * directory; none an entry, or one {@code statx} where the visitor asks for size or times.
     *
     * @param root where it begins
     * @param visitor is called as there
     * @return the root
     * @throws IOException what the visitor throws
     */
    public static Path walkFileTree(Path root, FileVisitor<? super Path> visitor)
            throws IOException {
        Walk.of(root).walkFileTree(visitor);
        return root;
    }

    /**
     * Lists a directory, with all there is to know. Price: 4 calls, and one {@code statx} an entry.
     *
     * @param directory what to list
     * @return by name
     * @throws IOException if it cannot be read to its end
     */
    public static List<Row> list(Path directory) throws IOException {
        return Listing.of(directory).read();
    }

    /**
     * All lines of a file, without their ends. Price: openat, one read for each 256 KiB and one
     * that finds the end, close.
     *
     * @param file UTF-8
     * @return a list that may be changed
     * @throws IOException if it cannot be read to its end, or is not UTF-8
     */
    public static List<String> readLines(Path file) throws IOException {
        return Lines.of(file).read();
    }

    /**
     * The lines of a file, one after the other: in place of {@link java.nio.file.Files#lines}.
     * Price: that of {@link #readLines}.
     *
     * @param file UTF-8
     * @return a stream, to be closed if it is left before the end
     * @throws IOException if it cannot be opened
     */
    public static Stream<String> lines(Path file) throws IOException {
        return Lines.of(file).stream();
    }

    /**
     * How many lines a file has. Price: one read for each 256 KiB.
     *
     * @param file in any encoding
     * @return those that end, and one more if something follows the last end
     * @throws IOException if it cannot be read to its end
     */
    public static long countLines(Path file) throws IOException {
        return Lines.of(file).count().lines();
    }

    /**
     * The last lines of a file. Price: one pread64 for each 256 KiB from the end.
     *
     * @param file UTF-8
     * @param count how many, if there are so many
     * @return a list that may be changed
     * @throws IOException if it cannot be read, or is not UTF-8
     */
    public static List<String> lastLines(Path file, long count) throws IOException {
        return Lines.of(file).last(count);
    }

    /**
     * The version of the library.
     *
     * @return such as 0.1.0
     */
    public static String version() {
        return Names.decode(LIBRARY.version());
    }
}
