package fewer.conformance;

import fewer.Action;
import fewer.Field;
import fewer.FileSystemError;
import fewer.Kind;
import fewer.LineIterator;
import fewer.Lines;
import fewer.Names;
import fewer.Scope;
import fewer.Stat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** {@code lines}: what is in texts. */
final class LinesVerb {
    private static final String TABLE =
            "0:null n:number =from =to =last :crlf :count :longest :json";
    private final Printer printer;
    private final Scope scope;
    private final Flags flags;
    private final boolean sums;
    private long whole;

    LinesVerb(Printer printer, Scope scope, List<String> words) {
        this.printer = printer;
        this.scope = scope;
        flags = new Flags("lines", words, TABLE);
        sums = flags.has("count") || flags.has("longest");
        if (flags.operands.isEmpty() || flags.operands.contains("-")) {
            throw new NotExpressible("the standard input brings the requests");
        }
        if (flags.has("last") && (flags.has("number") || flags.has("json"))) {
            throw new NotExpressible("no numbers of the last lines in fewer for Java");
        }
    }

    int run() {
        int failed = 0;
        int withoutAny = 0;
        int several = flags.operands.size();
        int width = sums && several > 1 && !flags.has("json") ? width() : 1;
        for (String file : flags.operands) {
            int before = printer.out.size();
            try {
                print(file, width);
            } catch (UncheckedIOException | IOException thrown) {
                Throwable error = thrown instanceof UncheckedIOException
                        ? thrown.getCause() : thrown;
                FileSystemError story = (FileSystemError) error;
                if (sums && story.action() == Action.READ) {
                    printSum(file, new long[2], width);
                    withoutAny++;
                }
                printer.complain("fewer", error.getMessage());
                failed++;
                withoutAny += printer.out.size() == before ? 1 : 0;
            }
        }
        if (sums && several > 1) {
            printTotal(width);
        }
        return withoutAny == several ? 2 : failed > 0 ? 1 : 0;
    }

    private Lines lines(String file) {
        return Lines.of(file).in(scope).nul(flags.has("null")).crlf(flags.has("crlf"));
    }

    private void print(String file, int width) throws IOException {
        if (flags.has("count")) {
            long ends = lines(file).count().ends();
            whole += ends;
            printSum(file, new long[] {ends, 0}, width);
        } else if (flags.has("longest")) {
            long[] longest = longest(lines(file));
            whole = Math.max(whole, longest[0]);
            printSum(file, longest, width);
        } else {
            printLines(file);
        }
    }

    private static long[] longest(Lines lines) throws IOException {
        long[] longest = new long[2];
        long number = 0;
        try (LineIterator<byte[]> each = lines.byteIterator()) {
            while (each.hasNext()) {
                number++;
                int length = each.next().length;
                if (length > longest[0] || longest[1] == 0) {
                    longest[0] = length;
                    longest[1] = number;
                }
            }
        }
        return longest;
    }

    private void printLines(String file) throws IOException {
        Lines lines = lines(file).keepEnds(true);
        if (flags.has("last")) {
            for (byte[] line : lines.lastBytes(flags.number("last", 0))) {
                printer.print(withNewline(line));
            }
            return;
        }
        long from = flags.number("from", 1);
        long to = flags.number("to", Long.MAX_VALUE);
        try (LineIterator<byte[]> each = lines.byteIterator()) {
            long offset = 0;
            for (long number = 1; from <= to && number <= to && each.hasNext(); number++) {
                byte[] line = each.next();
                if (number >= from) {
                    printLine(file, line, number, offset);
                }
                offset += line.length;
            }
        }
    }

    private void printLine(String file, byte[] line, long number, long offset) {
        if (flags.has("json")) {
            byte[] text = withNewline(line);
            int length = text.length;
            if (length > 0 && text[length - 1] == (flags.has("null") ? 0 : '\n')) {
                length--;
            }
            printer.line("{\"v\":1,\"path\":" + Printer.json(Names.encode(file)) + ",\"number\":"
                    + number + ",\"offset\":" + offset + ",\"line\":"
                    + Printer.json(java.util.Arrays.copyOf(text, length)) + "}");
            return;
        }
        if (flags.has("number")) {
            printer.print(String.format("%6d\t", number));
        }
        printer.print(withNewline(line));
    }

    /** A line with a newline where it ends in a return and a newline. */
    private byte[] withNewline(byte[] line) {
        int length = line.length;
        boolean isCut = flags.has("crlf") && length > 1 && line[length - 1] == '\n'
                && line[length - 2] == '\r';
        if (!isCut) {
            return line;
        }
        byte[] cut = java.util.Arrays.copyOf(line, length - 1);
        cut[length - 2] = '\n';
        return cut;
    }

    private void printSum(String file, long[] sum, int width) {
        if (flags.has("json")) {
            String key = flags.has("longest") ? "longest" : "lines";
            String number = flags.has("longest") ? ",\"number\":" + sum[1] : "";
            printer.line("{\"v\":1,\"path\":" + Printer.json(Names.encode(file)) + ",\"" + key
                    + "\":" + sum[0] + number + "}");
            return;
        }
        if (file.indexOf('\n') >= 0) {
            throw new NotExpressible("names for a shell are a matter of the command line");
        }
        printer.line(String.format("%" + width + "d ", sum[0]) + file);
    }

    private void printTotal(int width) {
        String key = flags.has("longest") ? "longest" : "lines";
        printer.line(flags.has("json")
                ? "{\"v\":1,\"total\":true,\"" + key + "\":" + whole + "}"
                : String.format("%" + width + "d total", whole));
    }

    /** As wide as the sizes of all files together; 7 at least if one is no file. */
    private int width() {
        long total = 0;
        int width = 1;
        for (String file : flags.operands) {
            try {
                Stat stat = scope.statFollowing(file, Field.KIND, Field.SIZE);
                if (stat.kind() == Kind.FILE) {
                    total += stat.size();
                } else {
                    width = 7;
                }
            } catch (IOException error) {
                // It is complained of when it is read.
                continue;
            }
        }
        return Math.max(width, Long.toString(total).length());
    }
}
