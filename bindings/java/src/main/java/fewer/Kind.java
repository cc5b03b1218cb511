package fewer;

import static fewer.Boundary.LIBRARY;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What an entry is. {@link #toString} gives the name that all languages and JSON have. */
public enum Kind {
    /** The file system did not say, and asking failed or was not worth a call. */
    UNKNOWN,
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link. */
    SYMLINK,
    /** A named pipe. */
    FIFO,
    /** A socket. */
    SOCKET,
    /** A block device. */
    BLOCK,
    /** A character device. */
    CHAR;

    private static final Kind[] ALL = values();

    static Kind of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    /**
     * The kind of a name. Taken are also the letters of find ({@code f d l p s b c}), and {@code
     * dir}, {@code link} and {@code pipe}. Price: none.
     *
     * @param name such as {@code file}
     * @return the kind
     * @throws IllegalArgumentException if there is none
     */
    public static Kind parse(String name) {
        int number = LIBRARY.kindNumber(name.getBytes(StandardCharsets.UTF_8));
        if (number < 0) {
            throw new IllegalArgumentException("no kind of that name: " + name);
        }
        return of(number);
    }

    /** As a set: the bit of FEWER_KIND. */
    int bit() {
        return 1 << ordinal();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
