// Keeps a record of 2,000 orders.
import java.io.FileWriter;
import java.io.IOException;

class Main {
    static void record(FileWriter out, int order) throws IOException {
        out.write("order " + order + "\n");
    }

    public static void main(String[] arguments) throws IOException {
        try (var out = new FileWriter(arguments[0], true)) {
            for (int order = 0; order < 2000; order++) record(out, order);
        }
    }
}
