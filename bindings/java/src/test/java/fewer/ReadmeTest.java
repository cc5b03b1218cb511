package fewer;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of README.md are compiled, and do what they say. */
class ReadmeTest {
    private static final String HEAD =
            "import fewer.*; import java.io.*; import java.nio.file.*;"
                    + " import java.nio.file.attribute.*; import java.util.*;"
                    + " import java.util.stream.*;\n";
    @TempDir Path temporary;

    /** A class with a method for each example. */
    private static String program(String readme) {
        Matcher blocks =
                Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                        .matcher(readme);
        StringBuilder methods = new StringBuilder();
        StringBuilder calls = new StringBuilder();
        int count = 0;
        while (blocks.find()) {
            methods.append("static void example" + count + "(Path temporary) throws Exception {\n")
                    .append(blocks.group(1)).append("}\n");
            calls.append("example" + count++ + "(temporary);\n");
        }
        assertTrue(count >= 8, "examples: " + count);
        return HEAD + "public class Examples {\n" + methods
                + "static void check(boolean is) { if (!is) throw new AssertionError(); }\n"
                + "public static void run(Path temporary) throws Exception {\n" + calls + "}}\n";
    }

    @Test
    void examplesDoWhatTheySay() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "this Java has no compiler");
        String text = program(Files.readString(Path.of(System.getProperty("fewer.readme"))));
        JavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignored) {
                        return text;
                    }
                };
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-d", temporary.toString(), "-cp", Child.CLASSES.toString());
        boolean compiled =
                compiler.getTask(said, null, null, options, null, List.of(source)).call();
        assertTrue(compiled, said.toString());
        URL[] folders = {temporary.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(folders, getClass().getClassLoader())) {
            loader.loadClass("Examples").getMethod("run", Path.class).invoke(null, temporary);
        }
    }
}
