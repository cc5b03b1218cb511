import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Mirrors a file. */
class Main {
    static long mirror(String from, String to) throws IOException {
        Files.copy(Path.of(from), Path.of(to), StandardCopyOption.REPLACE_EXISTING);
        return Files.size(Path.of(to));
    }

    public static void main(String[] words) throws IOException {
        System.out.println(mirror(words[0], words[1]));
    }
}
