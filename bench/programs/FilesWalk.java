import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;

/** Prints a directory tree with Files.walk. */
public final class FilesWalk {
    private FilesWalk() {}

    public static void main(String[] arguments) throws IOException {
        try (BufferedWriter out = new BufferedWriter(new OutputStreamWriter(System.out), 65536);
                Stream<Path> paths = Files.walk(Path.of(arguments[0]))) {
            for (Iterator<Path> each = paths.iterator(); each.hasNext(); ) {
                out.write(each.next().toString());
                out.write('\n');
            }
        }
    }
}
