import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** Mirrors a file. */
class Main {
    static long mirror(String from, String to) throws IOException {
        long copied = 0;
        try (var in = new FileInputStream(from); var out = new FileOutputStream(to)) {
            byte[] block = new byte[1024];
            for (int got; (got = in.read(block)) > 0; copied += got) {
                out.write(block, 0, got);
            }
        }
        return copied;
    }

    public static void main(String[] words) throws IOException {
        System.out.println(mirror(words[0], words[1]));
    }
}
