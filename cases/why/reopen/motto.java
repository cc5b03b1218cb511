// Puts a motto below each letter.
import java.io.IOException;
import java.nio.file.*;

class Main {
    static String signed(String letter, Path motto) throws IOException {
        return letter + " " + Files.readString(motto).trim();
    }

    public static void main(String[] words) throws IOException {
        StringBuilder letters = new StringBuilder();
        for (int number = 0; number < 3000; number++) {
            letters.append(signed("letter " + number, Path.of(words[0]))).append('\n');
        }
        System.out.print(letters);
    }
}
