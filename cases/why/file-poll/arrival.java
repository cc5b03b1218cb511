// Waits a while for the results of another program, beside what it does itself.
import java.nio.file.Files;
import java.nio.file.Path;

class Main {
    static boolean arrived(Path path) throws InterruptedException {
        for (int tries = 0; tries < 400; tries++) {
            if (Files.exists(path)) return true;
            Thread.sleep(1);
        }
        return false;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Path path = Path.of(arguments[0]);
        System.out.println(arrived(path) ? "there they are" : "no results");
    }
}
