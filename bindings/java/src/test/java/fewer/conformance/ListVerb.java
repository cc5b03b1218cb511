package fewer.conformance;

import fewer.Field;
import fewer.FileSystemError;
import fewer.Kind;
import fewer.Listing;
import fewer.Names;
import fewer.Order;
import fewer.Row;
import fewer.Scope;
import fewer.Stat;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code ls}: the names in a directory, one a line, or all there is to know as JSON. Long listings,
 * columns and colours are a matter of the command line.
 */
final class ListVerb {
    private static final String TABLE =
            "1:one a:all A:almost-all L:dereference R:recursive :group-directories-first"
                    + " :json r:reverse =sort :zero f:raw U:unsorted S:by-size v:by-version"
                    + " X:by-extension t:by-time c:changed u:accessed d:directory l:long"
                    + " n:numeric s:space i:inode";
    private static final Map<String, Order> ORDERS =
            Map.of("none", Order.NOTHING, "size", Order.SIZE, "time", Order.MODIFIED, "version",
                    Order.VERSION, "extension", Order.EXTENSION, "name", Order.NAME);
    private static final Map<String, String> SORTS =
            Map.of("unsorted", "none", "by-size", "size", "by-version", "version",
                    "by-extension", "extension", "by-time", "time", "raw", "none");

    private final Printer printer;
    private final Flags flags;
    private final Scope scope;
    private final boolean isLong;
    private int failures;

    ListVerb(Printer printer, Scope scope, List<String> words) {
        this.printer = printer;
        this.scope = scope;
        flags = new Flags("ls", words, TABLE);
        isLong = flags.has("long") || flags.has("numeric");
        if (!flags.has("json") && (isLong || flags.has("space") || flags.has("inode"))) {
            throw new NotExpressible("long listings are a matter of the command line");
        }
        if (flags.has("recursive") || flags.has("directory") || flags.operands.size() > 1) {
            throw new NotExpressible("fewer for Java lists one directory at a time");
        }
    }

    int run() throws IOException {
        String path = flags.operands.isEmpty() ? "." : flags.operands.get(0);
        if (!flags.operands.isEmpty() && !isDirectory(path)) {
            throw new NotExpressible("fewer for Java lists directories only");
        }
        try {
            for (Row row : listing(path).read()) {
                print(path, row);
                complain(path, row);
            }
        } catch (IOException error) {
            printer.complain("fewer", error.getMessage());
            return 2;
        }
        return failures > 0 ? 1 : 0;
    }

    /** As ls does: a word is looked at before it is opened. */
    private boolean isDirectory(String path) {
        try {
            Field[] fields = {Field.KIND, Field.INODE};
            Stat stat = flags.has("dereference")
                    ? scope.statFollowing(path, fields) : scope.stat(path, fields);
            if (stat.kind() == Kind.SYMLINK && !isLong) {
                stat = scope.statFollowing(path, fields);
            }
            return stat.kind() == Kind.DIRECTORY;
        } catch (IOException error) {
            throw new NotExpressible("fewer for Java lists directories only");
        }
    }

    private Order order() {
        Order order = Order.NAME;
        for (String flag : flags.order()) {
            String word = SORTS.get(flag);
            if (flag.equals("sort")) {
                word = flags.all("sort").get(flags.all("sort").size() - 1);
            }
            if (word != null) {
                order = ORDERS.get(word);
            }
            if (order == null) {
                throw new NotExpressible("no ls --sort=" + word + " in fewer for Java");
            }
        }
        boolean byTime = order == Order.MODIFIED || !isLong;
        for (String flag : flags.order()) {
            if (byTime && (flag.equals("changed") || flag.equals("accessed"))) {
                order = flag.equals("changed") ? Order.CHANGED : Order.ACCESSED;
            }
        }
        return order;
    }

    private Listing listing(String path) {
        boolean isHidden = false;
        boolean dots = false;
        for (String flag : flags.order()) {
            isHidden |= flag.equals("all") || flag.equals("almost-all") || flag.equals("raw");
            dots = flag.equals("almost-all") ? false
                    : dots || flag.equals("all") || flag.equals("raw");
        }
        List<Field> fields = new ArrayList<>();
        if (isLong) {
            fields.addAll(List.of(Field.values()));
        } else if (flags.has("space")) {
            fields.add(Field.ALLOCATED);
        }
        if (flags.has("inode")) {
            fields.add(Field.INODE);
        }
        return Listing.of(path).in(scope).hidden(isHidden).dots(dots).order(order())
                .reverse(flags.has("reverse")).follow(flags.has("dereference"))
                .directoriesFirst(flags.has("group-directories-first")).targets(isLong)
                .owners(flags.has("long") && !flags.has("numeric"))
                .fields(fields.toArray(Field[]::new));
    }

    private void print(String path, Row row) {
        if (!flags.has("json")) {
            printer.print(row.nameBytes());
            printer.out.write(flags.has("zero") ? 0 : '\n');
            return;
        }
        StringBuilder json = new StringBuilder("{\"v\":1,\"directory\":");
        json.append(Printer.json(Names.encode(path)));
        json.append(",\"name\":").append(Printer.json(row.nameBytes()));
        json.append(",\"kind\":\"").append(row.kind()).append("\",\"inode\":");
        json.append(Long.toUnsignedString(row.stat().inode()));
        Optional<IOException> error = row.error();
        if (error.isPresent()) {
            json.append(",\"errno\":").append(((FileSystemError) error.get()).errno());
        } else if (isLong) {
            append(json, row);
        } else if (flags.has("space")) {
            json.append(",\"allocated\":").append(row.stat().allocated());
        }
        row.target().ifPresent(target ->
                json.append(",\"target\":").append(Printer.json(Names.encode(target))));
        printer.line(json.append('}').toString());
    }

    private static void append(StringBuilder json, Row row) {
        Stat stat = row.stat();
        json.append(String.format(
                ",\"mode\":\"%04o\",\"links\":%d,\"size\":%d,\"allocated\":%d",
                stat.permissions(), stat.links(), stat.size(), stat.allocated()));
        append(json, "user", stat.user(), row.userName());
        append(json, "group", stat.group(), row.groupName());
        if (stat.kind() == Kind.CHAR || stat.kind() == Kind.BLOCK) {
            json.append(",\"device\":{\"major\":").append(stat.specialMajor());
            json.append(",\"minor\":").append(stat.specialMinor()).append('}');
        }
        append(json, "modified", stat.modified());
        append(json, "accessed", stat.accessed());
        append(json, "changed", stat.changed());
        append(json, "created", stat.created());
    }

    private static void append(
            StringBuilder json, String what, long number, Optional<String> name) {
        json.append(",\"").append(what).append("\":{\"id\":").append(number);
        name.ifPresent(text ->
                json.append(",\"name\":").append(Printer.json(Names.encode(text))));
        json.append('}');
    }

    private static void append(StringBuilder json, String name, Optional<Instant> time) {
        time.ifPresent(instant ->
                json.append(",\"").append(name).append("\":").append(seconds(instant)));
    }

    /** With nine digits behind the point; before 1970 the fraction counts backwards as well. */
    static String seconds(Instant time) {
        return java.math.BigDecimal.valueOf(time.getEpochSecond())
                .add(java.math.BigDecimal.valueOf(time.getNano(), 9)).toPlainString();
    }

    /** A row that did not answer is printed, and complained of. */
    private void complain(String path, Row row) {
        Optional<IOException> error = row.error().or(row::targetError);
        if (error.isEmpty()) {
            return;
        }
        String message = error.get().getMessage();
        // The library says what it did; of a row ls says "access", and "read symbolic link".
        printer.complain("fewer", message.replaceFirst("^cannot stat", "cannot access")
                .replaceFirst("^cannot read link", "cannot read symbolic link"));
        failures++;
    }
}
