package fewer.conformance;

import fewer.Scope;
import fewer.SizeOption;
import fewer.SizeRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code size}: how much space directories take. */
final class SizeVerb {
    private static final String TABLE =
            "0:null A:apparent a:all b:bytes d=depth s:summarize l:count-links x:one-file-system"
                    + " E=exclude j=threads :gitignore :no-hidden :json";
    private final Printer printer;
    private final Scope scope;
    private final Flags flags;
    private final Trees trees;

    SizeVerb(Printer printer, Scope scope, List<String> words) {
        this.printer = printer;
        this.scope = scope;
        flags = new Flags("size", words, TABLE);
        trees = new Trees(printer, flags.operands);
    }

    private long amount(SizeRow row) {
        boolean apparent = flags.has("apparent") || flags.has("bytes");
        return apparent ? row.space().size() : row.space().allocated();
    }

    int run() throws IOException {
        List<SizeOption> what = new ArrayList<>();
        if (flags.has("all")) {
            what.add(SizeOption.FILES);
        }
        if (flags.has("count-links")) {
            what.add(SizeOption.COUNT_LINKS);
        }
        int depth = flags.has("summarize") ? 0 : flags.integer("depth", 1);
        List<SizeRow> rows =
                trees.walk(scope, flags).size(depth, what.toArray(SizeOption[]::new));
        rows.sort(Comparator.comparingLong(this::amount).thenComparing(row -> -row.depth()));
        for (SizeRow row : rows) {
            print(row);
        }
        return trees.status();
    }

    private void print(SizeRow row) {
        if (flags.has("json")) {
            printer.line("{\"v\":1,\"path\":" + Printer.json(row.pathBytes()) + ",\"kind\":\""
                    + row.kind() + "\",\"depth\":" + row.depth() + ","
                    + Printer.json(row.space()));
            return;
        }
        long unit = flags.has("bytes") ? 1 : 1024;
        printer.print((amount(row) + unit - 1) / unit + "\t");
        printer.print(row.pathBytes());
        printer.out.write(flags.has("null") ? 0 : '\n');
    }
}
