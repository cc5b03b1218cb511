// Adds up the sizes of files.
import java.io.IOException;
import java.nio.file.*;

class Main {
    public static void main(String[] words) throws IOException {
        long bytes = 0;
        for (int number = 0; number < 5000; number++) {
            Path path = Path.of(words[0], "f" + number);
            if (Files.isRegularFile(path)) {
                bytes += Files.size(path);
            }
        }
        System.out.println(bytes + " bytes");
    }
}
