package fewer;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program for tests that need a process of its own: under strace, as another user. */
final class Child {
    static final Path CLASSES = source(Walk.class);
    static final Path TESTS = source(Child.class);

    private Child() {}

    private static Path source(Class<?> of) {
        try {
            return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException error) {
            throw new IllegalStateException(error);
        }
    }

    /** The library that this process uses, in its cache or elsewhere. */
    static Path library() {
        return NativeLibrary.path();
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Options for a child, as words: it calls the library as this process does, unwarned. */
    static String options() {
        String warnings = Runtime.version().feature() < 24
                ? "" : "--enable-native-access=ALL-UNNAMED ";
        return warnings + "-Dfewer.foreign=" + Boolean.getBoolean("fewer.foreign");
    }

    public static void main(String[] words) throws IOException {
        Path root = Path.of(words[1]);
        Walk.of("/dev/null").paths();
        // strace sees these; what is between them is what is judged.
        new java.io.File("/mark/begin").exists();
        switch (words[0]) {
            case "walk":
                walk(root);
                break;
            case "paths":
                Walk.of(root).paths();
                break;
            case "visit":
                Fewer.walkFileTree(root, new java.nio.file.SimpleFileVisitor<Path>() {});
                break;
            case "list":
                Fewer.list(root);
                break;
            default:
                throw new IllegalArgumentException(words[0]);
        }
        new java.io.File("/mark/end").exists();
    }

    private static void walk(Path root) throws IOException {
        List<IOException> errors = new ArrayList<>();
        long count = Walk.of(root).onError(errors::add).count();
        for (IOException error : errors) {
            FileSystemError story = (FileSystemError) error;
            System.out.println(story.code() + " " + story.action().name() + " "
                    + error.getMessage());
        }
        boolean isDenied = !errors.isEmpty() && errors.get(0) instanceof AccessDeniedException;
        System.out.println(count + " entries, "
                + (isDenied ? AccessDeniedException.class.getName() : errors));
    }
}
