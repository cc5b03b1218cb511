// Waits a while for the results of another program, beside what it does itself.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.util.concurrent.TimeUnit;

class Main {
    static boolean arrived(Path path) throws IOException, InterruptedException {
        try (var watch = path.getFileSystem().newWatchService()) {
            path.toAbsolutePath().getParent().register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            if (!Files.exists(path)) watch.poll(400, TimeUnit.MILLISECONDS);
            return Files.exists(path);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path path = Path.of(arguments[0]);
        System.out.println(arrived(path) ? "there they are" : "no results");
    }
}
