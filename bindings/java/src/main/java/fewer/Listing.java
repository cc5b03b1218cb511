package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A list of one directory, described: nothing is read before {@link #read}, and each run does the
 * work anew. A listing cannot be changed: each option gives a new one.
 *
 * <p>Price of a run: openat, getdents64 for 32 KiB of entries, for each further 256 KiB and for the
 * end, close; for each entry one {@code statx} if fields are wanted. Several threads share a
 * directory of more than 1,024 entries.
 */
public final class Listing implements Cloneable {
    private static final int SKIP_HIDDEN = 1 << 0;
    private static final int DOTS = 1 << 1;
    private static final int FOLLOW = 1 << 2;
    private static final int LINKS = 1 << 3;
    private static final int KINDS = 1 << 4;
    private static final int REVERSE = 1 << 5;
    private static final int DIRECTORIES_FIRST = 1 << 6;

    private final byte[] path;
    private int flags;
    private int fields = Field.ALL;
    private Order order = Order.NAME;
    private int threads;
    private boolean owners;
    private Scope scope;

    private Listing(byte[] path) {
        this.path = path;
    }

    /**
     * A list of a directory, with all fields, by name.
     *
     * @param path relative to the process's directory, or to {@link #in}
     * @return a listing with the usual options
     */
    public static Listing of(String path) {
        return new Listing(Names.encode(path));
    }

    /**
     * Likewise.
     *
     * @param path of the directory
     * @return a listing with the usual options
     */
    public static Listing of(Path path) {
        return new Listing(Names.encode(path));
    }

    private Listing changed() {
        try {
            return (Listing) super.clone();
        } catch (CloneNotSupportedException error) {
            throw new AssertionError(error);
        }
    }

    private Listing flag(int flag, boolean yes) {
        Listing listing = changed();
        listing.flags = yes ? flags | flag : flags & ~flag;
        return listing;
    }

    /**
     * What there is to know of each entry. Price: one {@code statx} an entry; none without fields.
     *
     * @param wanted none: name, inode and kind only, as the directory has them
     * @return a listing with the option
     */
    public Listing fields(Field... wanted) {
        Listing listing = changed();
        listing.fields = Field.bits(wanted);
        return listing;
    }

    /**
     * How it is sorted.
     *
     * @param by {@link Order#NAME} is the default
     * @return a listing with the option
     */
    public Listing order(Order by) {
        Listing listing = changed();
        listing.order = Objects.requireNonNull(by);
        return listing;
    }

    /**
     * The other way round.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing reverse(boolean yes) {
        return flag(REVERSE, yes);
    }

    /**
     * Directories before all others.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing directoriesFirst(boolean yes) {
        return flag(DIRECTORIES_FIRST, yes);
    }

    /**
     * Whether names that begin with a dot are entries as any other.
     *
     * @param yes true is the default
     * @return a listing with the option
     */
    public Listing hidden(boolean yes) {
        return flag(SKIP_HIDDEN, !yes);
    }

    /**
     * Lists {@code .} and {@code ..}, too.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing dots(boolean yes) {
        return flag(DOTS, yes);
    }

    /**
     * Answers a link for what it points to.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing follow(boolean yes) {
        return flag(FOLLOW, yes);
    }

    /**
     * Asks links where they point, for {@link Row#target}. Price: one readlinkat a link.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing targets(boolean yes) {
        return flag(LINKS, yes);
    }

    /**
     * Asks what an entry is where the directory does not say. Price: one {@code statx} for each of
     * these.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing kinds(boolean yes) {
        return flag(KINDS, yes);
    }

    /**
     * Looks up the names of users and groups. Price: passwd and group are read once, and the name
     * services of the machine asked for what is not in them.
     *
     * @param yes false is the default
     * @return a listing with the option
     */
    public Listing owners(boolean yes) {
        Listing listing = changed();
        listing.owners = yes;
        return listing;
    }

    /**
     * How many threads work at most.
     *
     * @param count 0, the default: as many as there are processors
     * @return a listing with the option
     */
    public Listing threads(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative: " + count);
        }
        Listing listing = changed();
        listing.threads = count;
        return listing;
    }

    /**
     * Begins a relative path in a scope.
     *
     * @param directory must be open when a run begins
     * @return a listing with the option
     */
    public Listing in(Scope directory) {
        Listing listing = changed();
        listing.scope = Objects.requireNonNull(directory);
        return listing;
    }

    /**
     * Runs it.
     *
     * @return the entries, in order; one of which something could not be read says so itself
     * @throws IOException if the directory cannot be read to its end
     */
    public List<Row> read() throws IOException {
        long names = owners ? LIBRARY.ownersOpen() : 0;
        try (Handle.Batches reader = new Handle.Batches(Boundary.LIST, open(names))) {
            List<Row> rows = new ArrayList<>();
            for (Batch batch; (batch = reader.next()) != null; ) {
                for (int index = 0; index < batch.count; index++) {
                    rows.add(new Row(batch, index, path));
                }
            }
            return rows;
        } finally {
            if (names != 0) {
                LIBRARY.close(Boundary.OWNERS, names);
            }
        }
    }

    private long open(long names) throws IOException {
        long directory = Scope.begin(scope);
        try {
            return LIBRARY.listOpen(
                    directory, path, flags, fields, order.ordinal(), threads, names);
        } finally {
            Scope.end(scope);
        }
    }
}
