import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Reads the lines of a file with Files.lines.
 *
 * <p>{@code count FILE}: the number of lines. {@code collect ROUNDS FILE}: all lines as a list of
 * strings, three times and then ROUNDS times more; the number of lines and the median of the
 * latter's times.
 */
public final class FilesLines {
    private static final int WARM_UP = 3;

    private FilesLines() {}

    public static void main(String[] arguments) throws IOException {
        Path path = Path.of(arguments[arguments.length - 1]);
        if (arguments[0].equals("collect")) {
            collect(path, Integer.parseInt(arguments[1]));
        } else {
            try (Stream<String> lines = Files.lines(path)) {
                System.out.println(lines.count());
            }
        }
    }

    private static void collect(Path path, int rounds) throws IOException {
        double[] times = new double[rounds];
        int count = 0;
        for (int round = -WARM_UP; round < rounds; round++) {
            long start = System.nanoTime();
            List<String> all;
            try (Stream<String> lines = Files.lines(path)) {
                all = lines.toList();
            }
            if (round >= 0) {
                times[round] = (System.nanoTime() - start) / 1e6;
            }
            count = all.size();
        }
        Arrays.sort(times);
        System.out.printf(Locale.ROOT, "%d lines, %.3f ms%n", count, times[rounds / 2]);
    }
}
