import java.nio.file.*;
import java.util.*;

public class Files {
    public static void main(String[] words) throws Exception {
        Path note = Path.of("note");
        java.nio.file.Files.writeString(note, "text\n");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 20; j++) {
                    note.toFile().length();
                }
            }));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        new ProcessBuilder("/bin/true").start().waitFor();
        java.nio.file.Files.delete(note);
    }
}
