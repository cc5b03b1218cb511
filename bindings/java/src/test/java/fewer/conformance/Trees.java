package fewer.conformance;

import fewer.Action;
import fewer.FileSystemError;
import fewer.Kind;
import fewer.Scope;
import fewer.Walk;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Roots, the options that walks and sizes share, and what could not be looked at. */
final class Trees {
    private final Printer printer;
    private final List<String> roots;
    private final Set<String> missing = new HashSet<>();
    private int failures;

    Trees(Printer printer, List<String> operands) {
        this.printer = printer;
        this.roots = operands.isEmpty() ? List.of(".") : operands;
    }

    Walk walk(Scope scope, Flags flags) {
        String[] more = roots.subList(1, roots.size()).toArray(String[]::new);
        Walk walk = Walk.of(roots.get(0), more).in(scope).onError(this::complain)
                .exclude(flags.all("exclude").toArray(String[]::new))
                .gitignore(flags.has("gitignore"))
                .hidden(!flags.has("no-hidden"))
                .oneFileSystem(flags.has("one-file-system"))
                .threads(flags.integer("threads", 0));
        return walk;
    }

    static Kind[] kinds(List<String> lists) {
        try {
            return lists.stream().flatMap(list -> List.of(list.split(",")).stream())
                    .map(Kind::parse).toArray(Kind[]::new);
        } catch (IllegalArgumentException error) {
            throw new NotExpressible(error.getMessage());
        }
    }

    void complain(IOException error) {
        FileSystemError story = (FileSystemError) error;
        printer.complain("fewer", error.getMessage());
        failures++;
        if (story.action() == Action.ACCESS && roots.contains(story.path())) {
            missing.add(story.path());
        }
    }

    int status() {
        return failures == 0 ? 0 : missing.containsAll(roots) ? 2 : 1;
    }
}
