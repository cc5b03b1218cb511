// Counts what is below a directory, with the standard library's walk.
import java.io.IOException;
import java.nio.file.*;
import java.util.stream.Stream;

class Main {
    public static void main(String[] words) throws IOException {
        try (Stream<Path> paths = Files.walk(Path.of(words[0]))) {
            System.out.println(paths.count() + " entries");
        }
    }
}
