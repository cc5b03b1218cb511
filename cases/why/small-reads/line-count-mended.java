// Counts the lines of a file.
import java.io.*;

class Main {
    static long lines(InputStream text) throws IOException {
        long lines = 0;
        for (int letter; (letter = text.read()) >= 0; ) {
            if (letter == '\n') {
                lines++;
            }
        }
        return lines;
    }

    public static void main(String[] words) throws IOException {
        try (InputStream text = new BufferedInputStream(new FileInputStream(words[0]), 1 << 17)) {
            System.out.println(lines(text) + " lines");
        }
    }
}
