package fewer.conformance;

import fewer.Field;
import fewer.Kind;
import fewer.Scope;
import fewer.Stat;
import fewer.Walk;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Steps with a working directory as a value; tools/src/scope_steps.rs says which there are. */
final class ScopeSteps {
    private static final int CONTENTS_BYTES = 64 << 10;
    private final Printer printer;
    private final Deque<Scope> inside = new ArrayDeque<>();
    private final Deque<String> words;

    ScopeSteps(Printer printer, Scope scope, List<String> words) {
        this.printer = printer;
        this.words = new ArrayDeque<>(words);
        inside.push(scope);
        for (String word : words) {
            if (List.of("run", "output", "env").contains(word)) {
                throw new NotExpressible("children have the streams that bring the requests");
            }
            if (word.equals("clone")) {
                throw new NotExpressible("no clones of a scope in fewer for Java");
            }
        }
    }

    int run() {
        int status = 0;
        while (!words.isEmpty()) {
            String step = words.pop();
            try {
                if (!take(step, inside.peek())) {
                    printer.complain("scope", "'" + step + "' is no step");
                    status = 2;
                    break;
                }
            } catch (IOException error) {
                printer.complain("scope", error.getMessage());
                status = 1;
            }
        }
        while (inside.size() > 1) {
            inside.pop().close();
        }
        return status;
    }

    private boolean take(String step, Scope here) throws IOException {
        switch (step) {
            case "enter":
                inside.push(here.enter(words.pop()));
                return true;
            case "enter-logical":
                inside.push(here.enterLogical(words.pop()));
                return true;
            case "leave":
                if (inside.size() > 1) {
                    inside.pop().close();
                    return true;
                }
                return false;
            case "stat":
                printer.line(stat(here, words.pop()));
                return true;
            case "link":
                printer.line(here.readLink(words.pop()));
                return true;
            case "read":
                try (InputStream file = here.open(words.pop())) {
                    byte[] contents = new byte[CONTENTS_BYTES];
                    int got = Math.max(0, file.read(contents));
                    printer.out.write(contents, 0, got);
                }
                return true;
            case "walk":
                for (String path : Walk.of(words.pop()).in(here).sorted(true).paths()) {
                    printer.line(path);
                }
                return true;
            case "logical":
                printer.line(here.logical());
                return true;
            case "physical":
                printer.line(here.physical());
                return true;
            case "threads":
                threads(here, Integer.parseInt(words.pop()), words.pop());
                return true;
            default:
                return change(step, here);
        }
    }

    private boolean change(String step, Scope here) throws IOException {
        switch (step) {
            case "chmod":
                int bits = Integer.parseInt(words.pop(), 8);
                here.setPermissions(words.pop(), bits);
                return true;
            case "mkdir":
                bits = Integer.parseInt(words.pop(), 8);
                here.makeDirectory(words.pop(), bits);
                return true;
            case "create":
                bits = Integer.parseInt(words.pop(), 8);
                here.create(words.pop(), bits).close();
                return true;
            case "symlink":
                here.makeSymlink(words.pop(), words.pop());
                return true;
            case "hard-link":
                here.makeHardLink(words.pop(), words.pop());
                return true;
            case "remove":
                here.removeFile(words.pop());
                return true;
            case "remove-directory":
                here.removeDirectory(words.pop());
                return true;
            case "remove-tree":
                here.removeTree(words.pop());
                return true;
            default:
                return false;
        }
    }

    private static String stat(Scope scope, String name) throws IOException {
        Stat stat = scope.stat(name, Field.KIND, Field.SIZE);
        return stat.kind() == Kind.FILE ? "file " + stat.size() : stat.kind().toString();
    }

    private void threads(Scope scope, int count, String name) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        List<Callable<String>> all = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            all.add(() -> stat(scope, name));
        }
        try {
            List<String> lines = new ArrayList<>();
            for (Future<String> line : threads.invokeAll(all)) {
                lines.add(line.get());
            }
            lines.forEach(printer::line);
        } catch (ExecutionException error) {
            throw (IOException) error.getCause();
        } catch (InterruptedException error) {
            throw new IOException(error);
        } finally {
            threads.shutdown();
        }
    }
}
