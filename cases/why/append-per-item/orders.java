// Keeps a record of 2,000 orders.
import java.io.FileWriter;
import java.io.IOException;

class Main {
    static void record(String file, int order) throws IOException {
        try (var out = new FileWriter(file, true)) {
            out.write("order " + order + "\n");
        }
    }

    public static void main(String[] arguments) throws IOException {
        for (int order = 0; order < 2000; order++) record(arguments[0], order);
    }
}
