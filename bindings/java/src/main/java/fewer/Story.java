package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/** What the library told of an error. */
final class Story implements Serializable {
    private static final long serialVersionUID = 1;
    private static final byte[] NOTHING = {};

    final int errno;
    final Action action;
    final byte[] path;
    final String message;

    /** Null stands for what it did not tell. */
    Story(int errno, int action, byte[] path, byte[] message) {
        this.errno = errno;
        this.action = Action.of(action);
        this.path = path == null ? NOTHING : path;
        this.message =
                message == null ? composed() : new String(message, StandardCharsets.UTF_8);
    }

    /** As the library words it, where it has told no more than a number. */
    private String composed() {
        byte[] words = LIBRARY.errorWords(errno);
        String reason = words == null ? "error " + errno : Names.decode(words);
        return path.length == 0
                ? reason
                : "cannot " + action + " '" + Names.escaped(file()) + "': " + reason;
    }

    String file() {
        return Names.decode(path);
    }
}
