// Asks for the size of each file.
import java.io.*;

class Main {
    static long size(String path) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%s", path).start();
        try (BufferedReader told = stat.inputReader()) {
            return Long.parseLong(told.readLine());
        }
    }

    public static void main(String[] words) throws IOException {
        long bytes = 0;
        for (int number = 0; number < 150; number++) {
            bytes += size(words[0] + "/f" + number);
        }
        System.out.println(bytes + " bytes");
    }
}
