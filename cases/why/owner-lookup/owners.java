// Counts files by owner.
import java.io.IOException;
import java.nio.file.*;
import java.util.*;

class Main {
    public static void main(String[] words) throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        for (int number = 0; number < 2000; number++) {
            Path entry = Path.of(words[0], "f" + number);
            files.merge(Files.getOwner(entry).getName(), 1, Integer::sum);
        }
        System.out.println(files);
    }
}
