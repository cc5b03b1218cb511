// Counts the notes in each folder.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

class Main {
    private final Map<Path, Integer> notes = new TreeMap<>();

    private void collect(Path root) throws IOException {
        try (Stream<Path> paths = Files.find(root, 99, (path, about) -> about.isRegularFile())) {
            paths.filter(path -> path.toString().endsWith(".md"))
                    .forEach(path -> notes.merge(path.getParent(), 1, Integer::sum));
        }
    }

    public static void main(String[] words) throws IOException {
        Main main = new Main();
        main.collect(Path.of(words[0]));
        main.notes.forEach((folder, count) -> System.out.println(folder + " " + count));
    }
}
