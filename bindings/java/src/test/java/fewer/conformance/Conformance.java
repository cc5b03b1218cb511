package fewer.conformance;

import fewer.Cost;
import fewer.Scope;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Does with this library what {@code fewer} does, so that the cases of all languages can be run.
 *
 * <p>A request is a line: words in hexadecimal, {@code -} for an empty one. The first is the
 * directory to work in, the second a verb or {@code scope}, the others its arguments. The answer is
 * a line: exit status, standard output and standard error in hexadecimal, and what calls it took.
 * Status 125: cannot be expressed, and why.
 */
public final class Conformance {
    private static final int NOT_EXPRESSIBLE = 125;
    private static final String DIGITS = "0123456789abcdef";

    private Conformance() {}

    /**
     * Answers requests until the input ends.
     *
     * @param arguments none
     * @throws IOException if the input or the output breaks
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            List<String> words = new ArrayList<>();
            for (String word : line.split(" ")) {
                words.add(Printer.text(unhex(word)));
            }
            out.println(answer(words));
            out.flush();
        }
    }

    private static String answer(List<String> words) throws IOException {
        Printer printer = new Printer();
        StringBuilder answer = new StringBuilder();
        try (Scope scope = Scope.of(words.get(0))) {
            Cost cost = new Cost();
            int status = perform(printer, scope, words.get(1), words.subList(2, words.size()));
            Map<String, Long> calls = cost.calls();
            answer.append(status).append(' ').append(hex(printer.out)).append(' ');
            answer.append(hex(printer.err));
            calls.forEach((name, count) -> answer.append(' ').append(name + "=" + count));
        }
        return answer.toString();
    }

    private static int perform(Printer printer, Scope scope, String verb, List<String> words)
            throws IOException {
        try {
            switch (verb) {
                case "walk":
                    return new WalkVerb(printer, scope, words).run();
                case "size":
                    return new SizeVerb(printer, scope, words).run();
                case "lines":
                    return new LinesVerb(printer, scope, words).run();
                case "ls":
                    return new ListVerb(printer, scope, words).run();
                case "scope":
                    return new ScopeSteps(printer, scope, words).run();
                default:
                    throw new NotExpressible("no " + verb + " in fewer for Java");
            }
        } catch (NotExpressible reason) {
            printer.err.reset();
            printer.complain("not expressible", reason.getMessage());
            return NOT_EXPRESSIBLE;
        } catch (IOException error) {
            printer.complain("fewer", error.getMessage());
            return 2;
        }
    }

    private static byte[] unhex(String word) {
        byte[] bytes = new byte[word.equals("-") ? 0 : word.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) Integer.parseInt(word.substring(2 * at, 2 * at + 2), 16);
        }
        return bytes;
    }

    private static String hex(ByteArrayOutputStream stream) {
        if (stream.size() == 0) {
            return "-";
        }
        StringBuilder hex = new StringBuilder(2 * stream.size());
        for (byte each : stream.toByteArray()) {
            hex.append(DIGITS.charAt(each >> 4 & 15)).append(DIGITS.charAt(each & 15));
        }
        return hex.toString();
    }
}
