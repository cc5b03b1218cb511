// Books entries into a ledger.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;

class Main {
    public static void main(String[] words) throws IOException {
        try (FileChannel ledger = FileChannel.open(Path.of(words[0]),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int entry = 1; entry <= 500; entry++) {
                ledger.write(ByteBuffer.wrap(("entry " + entry + "\n").getBytes()));
                ledger.force(false);
            }
        }
        System.out.println("500 entries");
    }
}
