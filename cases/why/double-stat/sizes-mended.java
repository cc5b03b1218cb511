// Adds up the sizes of files.
import java.io.IOException;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;

class Main {
    public static void main(String[] words) throws IOException {
        long bytes = 0;
        for (int number = 0; number < 5000; number++) {
            Path path = Path.of(words[0], "f" + number);
            var about = Files.readAttributes(path, BasicFileAttributes.class);
            if (about.isRegularFile()) {
                bytes += about.size();
            }
        }
        System.out.println(bytes + " bytes");
    }
}
