// Asks for the size of each file.
import java.io.IOException;
import java.nio.file.*;

class Main {
    public static void main(String[] words) throws IOException {
        long bytes = 0;
        for (int number = 0; number < 150; number++) {
            bytes += Files.size(Path.of(words[0], "f" + number));
        }
        System.out.println(bytes + " bytes");
    }
}
