package fewer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Programs that tests compare with, or have make what Java cannot. */
final class Shell {
    private Shell() {}

    /** The standard output of a script, in whose words $1 and so on are the arguments. */
    static byte[] output(Path directory, String script, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("bash", "-c", script, "bash"));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        byte[] output = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException(script + ": status " + process.exitValue());
        }
        return output;
    }

    /** Likewise, as lines of UTF-8. */
    static List<String> lines(Path directory, String script, Object... arguments)
            throws IOException, InterruptedException {
        byte[] output = output(directory, script, arguments);
        return new String(output, StandardCharsets.UTF_8).lines().toList();
    }
}
