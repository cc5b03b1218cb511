import fewer.Entry;
import fewer.Fewer;
import fewer.Field;
import fewer.Lines;
import fewer.Listing;
import fewer.Names;
import fewer.Row;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Walks a tree, or lists a directory with size and time of each entry, or reads a text, into a list
 * of strings, with fewer and as people do without.
 *
 * <p>{@code Tree MODE ROUNDS TREE}: three times, and then ROUNDS times more: prints the number of
 * strings and the median of the latter's times; with 0 rounds, once: each string.
 */
public final class Tree {
    private static final int WARM_UP = 3;

    private Tree() {}

    private static List<String> strings(String mode, String name) throws IOException {
        Path path = Path.of(name);
        switch (mode) {
            case "paths":
                return Fewer.paths(path);
            case "stream":
                try (Stream<Entry> entries = Fewer.walk(path)) {
                    return entries.map(Entry::path).collect(Collectors.toList());
                }
            case "parallel":
                try (Stream<Entry> entries = Fewer.walk(path)) {
                    return entries.parallel().map(Entry::path).collect(Collectors.toList());
                }
            case "visit":
                Visitor ours = new Visitor();
                Fewer.walkFileTree(path, ours);
                return ours.paths;
            case "walk-file-tree":
                Visitor visitor = new Visitor();
                Files.walkFileTree(path, visitor);
                return visitor.paths;
            case "files-walk":
                try (Stream<Path> paths = Files.walk(path)) {
                    return paths.map(Path::toString).collect(Collectors.toList());
                }
            case "list-files":
                List<String> all = new ArrayList<>();
                listFiles(new File(name), all);
                return all;
            case "list":
                List<String> rows = new ArrayList<>();
                for (Row row : Listing.of(path).fields(Field.SIZE, Field.MODIFIED).read()) {
                    look(row.stat().size(), row.stat().modified().orElseThrow());
                    rows.add(row.name());
                }
                return rows;
            case "read-attributes":
                return readAttributes(path);
            case "lines":
                return Lines.of(path).read();
            case "read-all-lines":
                return Files.readAllLines(path);
            default:
                throw new IllegalArgumentException(mode);
        }
    }

    private static void listFiles(File file, List<String> all) {
        all.add(file.getPath());
        File[] below = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
        if (below != null) {
            for (File each : below) {
                listFiles(each, all);
            }
        }
    }

    private static List<String> readAttributes(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path each : paths) {
                BasicFileAttributes attributes = Files.readAttributes(
                        each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                look(attributes.size(), attributes.lastModifiedTime().toInstant());
                names.add(each.getFileName().toString());
            }
        }
        return names;
    }

    /** Uses what was asked for. */
    private static void look(long size, Instant modified) {
        if (size < 0 || modified.equals(Instant.MAX)) {
            throw new IllegalArgumentException();
        }
    }

    private static final class Visitor extends SimpleFileVisitor<Path> {
        final List<String> paths = new ArrayList<>();

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            paths.add(path.toString());
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            paths.add(path.toString());
            return FileVisitResult.CONTINUE;
        }
    }

    public static void main(String[] arguments) throws IOException {
        String mode = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        if (rounds == 0) {
            try (OutputStream out = new BufferedOutputStream(System.out)) {
                for (String each : strings(mode, arguments[2])) {
                    out.write(Names.encode(each));
                    out.write('\n');
                }
            }
            return;
        }
        double[] times = new double[rounds];
        int count = 0;
        for (int round = -WARM_UP; round < rounds; round++) {
            long start = System.nanoTime();
            List<String> found = strings(mode, arguments[2]);
            if (round >= 0) {
                times[round] = (System.nanoTime() - start) / 1e6;
            }
            count = found.size();
        }
        Arrays.sort(times);
        System.out.printf(Locale.ROOT, "%d strings, %.3f ms%n", count, times[rounds / 2]);
    }
}
