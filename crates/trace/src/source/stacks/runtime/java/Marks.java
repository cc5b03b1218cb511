// Writes down what its stack is, by its own account, wherever it makes a marked call: in methods,
// constructors, lambdas, nested classes, threads; interpreted, and compiled.
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Marks {
    static List<String> found = new ArrayList<>();

    static void mark(String name) {
        StringBuilder line = new StringBuilder(name);
        for (StackTraceElement it : Thread.currentThread().getStackTrace()) {
            line.append('\t').append(it.getClassName()).append('.').append(it.getMethodName());
            line.append('|').append(it.getFileName()).append('|').append(it.getLineNumber());
        }
        synchronized (found) {
            found.add(line.toString());
            new File("/trial/" + name).exists();
        }
    }

    static class Nested {
        Nested() {
            mark("constructor");
        }

        void down(int deep) {
            if (deep > 0) {
                down(deep - 1);
            } else mark("deep");
        }

        class Inner {
            void run() {
                mark("inner");
            }
        }
    }

    static class Late {
        static int value;

        static {
            mark("clinit");
            value = 3;
        }
    }

    static class Resource implements AutoCloseable {
        public void close() {
            mark("close");
        }
    }

    static int inlined(int number) {
        if (number % 15000 == 14999) mark("hot");
        return number + 1;
    }

    static int middle(int number) {
        return inlined(number) *
            2;
    }

    public static void reflected() {
        mark("reflected");
    }

    static void closures() {
        Runnable lambda = () -> mark("lambda");
        lambda.run();
        Stream.of("a", "b").map(it -> {
            mark("stream");
            return it;
        }).collect(Collectors.toList());
        Stream.of("reference").forEach(Marks::mark);
        Collections.sort(Arrays.asList(3, 1, 2), new Comparator<Integer>() {
            public int compare(Integer a, Integer b) {
                mark("compare");
                return a - b;
            }
        });
    }

    static void failures() {
        try (Resource resource = new Resource()) {
            throw new IllegalStateException();
        } catch (IllegalStateException failure) {
            mark("catch");
        } finally {
            mark("finally");
        }
    }

    static void walk(Path below) throws IOException {
        try (Stream<Path> paths = Files.walk(below)) {
            paths.forEach(path -> mark("walk"));
        }
    }

    static void threads() throws Exception {
        Thread thread = new Thread(() -> mark("thread"));
        thread.start();
        thread.join();
        List.of(1, 2, 3, 4).parallelStream().forEach(it -> mark("parallel"));
        Thread virtual;
        try {
            Runnable body = () -> {
                mark("virtual");
                try {
                    Thread.sleep(20);
                } catch (InterruptedException failure) {
                    return;
                }
                mark("virtual");
            };
            virtual = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, body);
        } catch (NoSuchMethodException failure) {
            return;
        }
        virtual.join();
    }

    public static void main(String[] words) throws Exception {
        mark("main");
        Nested nested = new Nested();
        nested.down(7);
        nested.new Inner().run();
        nested.down(300);
        int sum = Late.value;
        closures();
        failures();
        walk(Path.of(words[0]));
        for (int number = 0; number < 300000; number++) {
            sum += middle(number);
        }
        for (int round = 0; round < 50000; round++) {
            if (round % 5000 == 0) mark("replaced");
        }
        threads();
        Marks.class.getMethod("reflected").invoke(null);
        try (PrintWriter file = new PrintWriter(words[1])) {
            found.forEach(file::println);
        }
    }
}
