// Writes running totals into a file.
import java.io.*;

class Main {
    public static void main(String[] words) throws IOException {
        try (PrintStream out = new PrintStream(new FileOutputStream(words[0]), true)) {
            long total = 0;
            for (int day = 1; day <= 10000; day++) {
                total += day;
                out.println(total);
            }
        }
    }
}
