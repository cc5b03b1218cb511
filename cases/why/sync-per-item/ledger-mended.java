// Books entries into a ledger.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;

class Main {
    public static void main(String[] words) throws IOException {
        StringBuilder entries = new StringBuilder();
        for (int entry = 1; entry <= 500; entry++) {
            entries.append("entry ").append(entry).append('\n');
        }
        try (FileChannel ledger = FileChannel.open(Path.of(words[0]),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ledger.write(ByteBuffer.wrap(entries.toString().getBytes()));
            ledger.force(false);
        }
        System.out.println("500 entries");
    }
}
