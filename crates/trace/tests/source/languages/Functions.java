// Wherever it looks at a marked path, that says by its own account in which functions and lines it
// is, innermost first.
import java.nio.file.*;
import java.util.*;
import java.util.function.*;
public class Functions {
    static String here() {
        StringBuilder names = new StringBuilder("/marked/");
        StackTraceElement[] all = new Throwable().getStackTrace();
        for (int i = 1; i < all.length; i++) {
            if (!"Functions.java".equals(all[i].getFileName())) continue;
            names.append(i == 1 ? "" : ",");
            names.append(all[i].getClassName() + "." + all[i].getMethodName());
            names.append(" " + all[i].getLineNumber());
        }
        return names.toString();
    }
    static boolean look() { return Files.exists(Path.of(here())); }
    static void two() {
        look();
        Files.exists(Path.of(here()));
        for (int n = 0; n < 2; n++) look();
    }
    static void deep(int n) { if (n > 0) deep(n - 1); look(); }
    interface Shape { void draw(); }
    static class Round implements Shape { public void draw() { look(); } }
    static class Square implements Shape { public void draw() { int x = 1;
        look(); } }
    static void draw(Shape shape) { shape.draw(); }
    static void other(int from) {
        for (int i = from; i < 1500; i++) { deep(i % 3); }
    }
    public static void main(String[] arguments) throws Exception {
        Shape[] shapes = { new Round(), new Square() };
        Thread thread = new Thread(() -> other(0));
        thread.start();
        for (int i = 0; i < 1500; i++) {
            look(); two(); deep(i % 9);
            draw(shapes[i > 900 ? i % 2 : 0]);
            if (i % 500 == 0) System.gc();
        }
        thread.join();
    }
}
