// Counts files by owner.
import java.io.IOException;
import java.nio.file.*;
import java.util.*;

class Main {
    public static void main(String[] words) throws IOException {
        Map<Integer, Integer> counts = new HashMap<>();
        Map<Integer, Path> one = new HashMap<>();
        for (int number = 0; number < 2000; number++) {
            Path entry = Path.of(words[0], "f" + number);
            int user = (Integer) Files.getAttribute(entry, "unix:uid");
            counts.merge(user, 1, Integer::sum);
            one.putIfAbsent(user, entry);
        }
        Map<String, Integer> files = new TreeMap<>();
        for (Map.Entry<Integer, Integer> user : counts.entrySet()) {
            files.put(Files.getOwner(one.get(user.getKey())).getName(), user.getValue());
        }
        System.out.println(files);
    }
}
