// Puts a motto below each letter.
import java.io.IOException;
import java.nio.file.*;

class Main {
    static String signed(String letter, String motto) {
        return letter + " " + motto;
    }

    public static void main(String[] words) throws IOException {
        StringBuilder letters = new StringBuilder();
        String motto = Files.readString(Path.of(words[0])).trim();
        for (int number = 0; number < 3000; number++) {
            letters.append(signed("letter " + number, motto)).append('\n');
        }
        System.out.print(letters);
    }
}
