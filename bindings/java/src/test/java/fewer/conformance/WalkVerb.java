package fewer.conformance;

import fewer.Entry;
import fewer.EntryIterator;
import fewer.Kind;
import fewer.Scope;
import fewer.Summary;
import fewer.Walk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code walk}: what is below directories. */
final class WalkVerb {
    private static final String TABLE =
            "0:null g=glob E=exclude e=extension t=type j=threads =max-threads =min-depth"
                    + " d=max-depth i:ignore-case L:follow x:one-file-system :sort :gitignore"
                    + " :no-hidden :full-path :count :json :summary";
    private final Printer printer;
    private final Flags flags;
    private final Trees trees;
    private final Walk walk;

    WalkVerb(Printer printer, Scope scope, List<String> words) {
        this.printer = printer;
        flags = new Flags("walk", words, TABLE);
        trees = new Trees(printer, flags.operands);
        if (flags.has("extension") && (flags.has("glob") || flags.has("full-path"))) {
            throw new NotExpressible("no walk -e beside -g in fewer for Java");
        }
        Walk chosen = trees.walk(scope, flags).sorted(flags.has("sort"))
                .follow(flags.has("follow")).fullPath(flags.has("full-path"))
                .ignoreCase(flags.has("ignore-case")).kinds(Trees.kinds(flags.all("type")))
                .glob(globs()).minDepth(flags.integer("min-depth", 0))
                .maxThreads(flags.integer("max-threads", 0));
        walk = flags.has("max-depth") ? chosen.maxDepth(flags.integer("max-depth", 0)) : chosen;
    }

    private String[] globs() {
        List<String> globs = new ArrayList<>(flags.all("glob"));
        for (String extension : flags.all("extension")) {
            String name = extension.replaceFirst("^\\.", "");
            globs.add("?*." + name.replaceAll("([*?\\[\\]{}\\\\,!])", "\\\\$1"));
        }
        return globs.toArray(String[]::new);
    }

    int run() throws IOException {
        if (flags.has("summary")) {
            if (!flags.has("json") || flags.has("count")) {
                throw new NotExpressible("how summaries are laid out");
            }
            printSummary(walk.summary());
        } else {
            printEntries();
        }
        return trees.status();
    }

    private void printEntries() throws IOException {
        long[] kinds = new long[Kind.values().length];
        try (EntryIterator entries = walk.iterator()) {
            while (entries.hasNext()) {
                Entry entry = entries.next();
                kinds[entry.kind().ordinal()]++;
                if (flags.has("count")) {
                    continue;
                }
                if (flags.has("json")) {
                    printer.line("{\"v\":1,\"path\":" + Printer.json(entry.pathBytes())
                            + ",\"kind\":\"" + entry.kind() + "\",\"depth\":" + entry.depth()
                            + ",\"inode\":" + Long.toUnsignedString(entry.inode()) + "}");
                } else {
                    printer.print(entry.pathBytes());
                    printer.out.write(flags.has("null") ? 0 : '\n');
                }
            }
        }
        if (flags.has("count")) {
            printCount(kinds);
        }
    }

    private void printCount(long[] kinds) {
        long all = 0;
        for (long count : kinds) {
            all += count;
        }
        long directories = kinds[Kind.DIRECTORY.ordinal()];
        long files = kinds[Kind.FILE.ordinal()];
        long links = kinds[Kind.SYMLINK.ordinal()];
        long other = all - directories - files - links;
        String format = flags.has("json")
                ? "{\"v\":1,\"entries\":%d,\"directories\":%d,\"files\":%d,\"links\":%d,"
                        + "\"other\":%d}"
                : "%d entries, %d directories, %d files, %d links, %d other";
        printer.line(String.format(format, all, directories, files, links, other));
    }

    private void printSummary(Summary summary) {
        StringBuilder json = new StringBuilder("{\"v\":1");
        json.append(",\"directories\":{").append(Printer.json(summary.directories()));
        json.append(",\"files\":{").append(Printer.json(summary.files()));
        json.append(",\"links\":{").append(Printer.json(summary.links()));
        json.append(",\"other\":{").append(Printer.json(summary.other()));
        json.append(",\"all\":{").append(Printer.json(summary.all()));
        List<String> extensions = new ArrayList<>();
        for (Summary.Extension extension : summary.extensions()) {
            String name = extension.name().map(text -> Printer.json(fewer.Names.encode(text)))
                    .orElse("null");
            extensions.add("{\"extension\":" + name + "," + Printer.json(extension.space()));
        }
        json.append(",\"extensions\":[").append(String.join(",", extensions)).append(']');
        List<String> largest = new ArrayList<>();
        for (Summary.Extreme extreme : summary.largest()) {
            largest.add(number(extreme, "size"));
        }
        json.append(",\"largest\":[").append(String.join(",", largest)).append(']');
        summary.deepest().ifPresent(
                most -> json.append(",\"deepest\":").append(number(most, "depth")));
        summary.longest().ifPresent(
                most -> json.append(",\"longest\":").append(number(most, "bytes")));
        append(json, "newest", summary.newest());
        append(json, "oldest", summary.oldest());
        printer.line(json.append('}').toString());
    }

    private static String number(Summary.Extreme extreme, String unit) {
        return "{\"path\":" + Printer.json(extreme.pathBytes()) + ",\"" + unit + "\":"
                + extreme.value() + "}";
    }

    private static void append(
            StringBuilder json, String name, Optional<Summary.Extreme> extreme) {
        extreme.ifPresent(most -> json.append(",\"" + name + "\":{\"path\":")
                .append(Printer.json(most.pathBytes()))
                .append(",\"modified\":" + ListVerb.seconds(most.modified().get()) + "}"));
    }
}
