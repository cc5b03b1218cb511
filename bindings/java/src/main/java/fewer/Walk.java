package fewer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A walk over trees, described: nothing is read before one of {@link #iterator}, {@link #stream},
 * {@link #paths} and the others runs it, and each run does the work anew. A walk cannot be changed:
 * each option gives a new one.
 *
 * <p>Price of a run: 3 calls a directory, none an entry; one more for each further 256 KiB of a
 * directory, and for its end where the file system does not mark it. A tree of more than 400
 * directories is walked by several threads.
 *
 * <p>An entry that cannot be looked at never ends a walk. Without {@link #onError} its exception is
 * thrown in its place, and an {@link EntryIterator} can go on behind it.
 */
public final class Walk implements Cloneable {
    private WalkOptions options;
    private Consumer<? super IOException> onError;
    private Predicate<? super Entry> pruned;

    private Walk(WalkOptions options) {
        this.options = options;
    }

    /**
     * A walk over the tree at a path, which is an entry itself. A link is not followed unless it
     * ends in a slash.
     *
     * @param root where it begins; relative to the process's directory, or to {@link #in}
     * @param more further roots, walked one after the other
     * @return a walk with the usual options
     */
    public static Walk of(String root, String... more) {
        List<byte[]> roots = new ArrayList<>();
        roots.add(Names.encode(root));
        for (String each : more) {
            roots.add(Names.encode(each));
        }
        return new Walk(new WalkOptions(roots));
    }

    /**
     * Likewise.
     *
     * @param root where it begins
     * @param more further roots
     * @return a walk with the usual options
     */
    public static Walk of(Path root, Path... more) {
        List<byte[]> roots = new ArrayList<>();
        roots.add(Names.encode(root));
        for (Path each : more) {
            roots.add(Names.encode(each));
        }
        return new Walk(new WalkOptions(roots));
    }

    /** A copy of which the options may still be changed. */
    private Walk changed() {
        try {
            Walk copy = (Walk) super.clone();
            copy.options = options.copy();
            return copy;
        } catch (CloneNotSupportedException error) {
            throw new AssertionError(error);
        }
    }

    private Walk flag(int flag, boolean yes) {
        Walk walk = changed();
        walk.options.flag(flag, yes);
        return walk;
    }

    /**
     * Depth-first, the names of each directory in byte order: the same sequence at every run.
     *
     * @param yes false, the default: as they come
     * @return a walk with the option
     */
    public Walk sorted(boolean yes) {
        return flag(WalkOptions.SORTED, yes);
    }

    /**
     * Treats a link as its target; one that leads to a directory it lies in is an error (ELOOP).
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk follow(boolean yes) {
        return flag(WalkOptions.FOLLOW, yes);
    }

    /**
     * Does not enter mount points, which are entries all the same.
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk oneFileSystem(boolean yes) {
        return flag(WalkOptions.ONE_FILE_SYSTEM, yes);
    }

    /**
     * Leaves out what git would ignore, {@code .git} included.
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk gitignore(boolean yes) {
        return flag(WalkOptions.GITIGNORE, yes);
    }

    /**
     * Whether names that begin with a dot are entries as any other.
     *
     * @param yes true is the default; false leaves them out, and everything below
     * @return a walk with the option
     */
    public Walk hidden(boolean yes) {
        return flag(WalkOptions.SKIP_HIDDEN, !yes);
    }

    /**
     * Ignores the case of letters in globs.
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk ignoreCase(boolean yes) {
        return flag(WalkOptions.IGNORE_CASE, yes);
    }

    /**
     * Matches globs with the whole path rather than the name.
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk fullPath(boolean yes) {
        return flag(WalkOptions.FULL_PATH, yes);
    }

    /**
     * Finds out what links point to, for {@link Entry#target}. Price: one {@code statx} a link.
     *
     * @param yes false is the default
     * @return a walk with the option
     */
    public Walk targets(boolean yes) {
        return flag(WalkOptions.TARGETS, yes);
    }

    /**
     * Only entries whose name matches one of these globs; {@code *} and {@code ?}, {@code [a-z]},
     * {@code {a,b}}, {@code **} in a whole path.
     *
     * @param globs further ones may follow in another call
     * @return a walk with them as well
     */
    public Walk glob(String... globs) {
        Walk walk = changed();
        for (String glob : globs) {
            walk.options.globs.add(Names.encode(glob));
        }
        return walk;
    }

    /**
     * Leaves out entries whose name matches one of these globs, and everything below, which is not
     * read.
     *
     * @param globs further ones may follow in another call
     * @return a walk with them as well
     */
    public Walk exclude(String... globs) {
        Walk walk = changed();
        for (String glob : globs) {
            walk.options.excludes.add(Names.encode(glob));
        }
        return walk;
    }

    /**
     * Only entries of these kinds; directories are entered all the same.
     *
     * @param kinds none: of any kind
     * @return a walk with the option
     */
    public Walk kinds(Kind... kinds) {
        Walk walk = changed();
        for (Kind kind : kinds) {
            walk.options.kinds |= kind.bit();
        }
        return walk;
    }

    /**
     * Leaves out entries above a depth.
     *
     * @param depth steps below the root; 0, the default: none
     * @return a walk with the option
     */
    public Walk minDepth(int depth) {
        Walk walk = changed();
        walk.options.minDepth = notNegative(depth);
        return walk;
    }

    /**
     * Does not enter directories that are so deep.
     *
     * @param depth steps below the root; 0: the roots alone are entries
     * @return a walk with the option
     */
    public Walk maxDepth(int depth) {
        Walk walk = flag(WalkOptions.MAX_DEPTH, true);
        walk.options.maxDepth = notNegative(depth);
        return walk;
    }

    /**
     * How many threads walk.
     *
     * @param count 0, the default: as many as there are processors, and more while storage has to
     *     be waited for
     * @return a walk with the option
     */
    public Walk threads(int count) {
        Walk walk = changed();
        walk.options.threads = notNegative(count);
        return walk;
    }

    /**
     * How many threads there may be at most.
     *
     * @param count 0, the default: 64
     * @return a walk with the option
     */
    public Walk maxThreads(int count) {
        Walk walk = changed();
        walk.options.maxThreads = notNegative(count);
        return walk;
    }

    private static int notNegative(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative: " + number);
        }
        return number;
    }

    /**
     * Begins relative roots in a scope.
     *
     * @param scope must be open when a run begins; the run keeps it then
     * @return a walk with the option
     */
    public Walk in(Scope scope) {
        Walk walk = changed();
        walk.options.scope = Objects.requireNonNull(scope);
        return walk;
    }

    /**
     * Does not open directories that did not change since a snapshot: their entries come from it.
     * Price of such a directory: one {@code statx}.
     *
     * @param snapshot must be open when a run begins
     * @return a walk with the option
     */
    public Walk since(Snapshot snapshot) {
        Walk walk = changed();
        walk.options.since = Objects.requireNonNull(snapshot);
        return walk;
    }

    /**
     * What to do with an entry that cannot be looked at: the walk goes on behind it.
     *
     * @param handler is called with a {@link FileSystemError}, in the thread that takes entries;
     *     what it throws ends the walk
     * @return a walk with the option
     */
    public Walk onError(Consumer<? super IOException> handler) {
        Walk walk = changed();
        walk.onError = Objects.requireNonNull(handler);
        return walk;
    }

    /**
     * Entries that cannot be looked at are left out, silently.
     *
     * @return a walk with the option
     */
    public Walk ignoreErrors() {
        return onError(new Consumer<IOException>() {
            @Override
            public void accept(IOException ignored) {}
        });
    }

    /**
     * Does not enter some directories, which are entries all the same. Each directory is asked for
     * before it is opened, so what is left out costs no call; for this nothing is read ahead, and
     * all is done by the calling thread. A directory that another option leaves out is not asked
     * for.
     *
     * @param directories true of directories not to enter
     * @return a walk with the option
     */
    public Walk prune(Predicate<? super Entry> directories) {
        Walk walk = flag(WalkOptions.BY_DIRECTORY, true);
        walk.pruned = Objects.requireNonNull(directories);
        return walk;
    }

    WalkRun run() throws IOException {
        return new WalkRun(options, onError, pruned);
    }

    /**
     * Runs it: one entry after the other.
     *
     * @return an iterator, to be closed if it is left before the end
     * @throws IOException with EINVAL for a glob or an option that is wrong
     */
    public EntryIterator iterator() throws IOException {
        return new EntryIterator(run());
    }

    /**
     * Runs it: a stream, which {@code parallel()} splits by batches.
     *
     * @return a stream, to be closed if it is left before the end; an error without {@link
     *     #onError} is an {@link UncheckedIOException} and ends the stream
     * @throws IOException with EINVAL for a glob or an option that is wrong
     */
    public Stream<Entry> stream() throws IOException {
        WalkRun run = run();
        Spliterator<Entry> entries = new EntrySpliterator(run, options.isSorted());
        return StreamSupport.stream(entries, false).onClose(run::close);
    }

    /**
     * Runs it: all paths, as fast as they can be made.
     *
     * @return a list that may be changed
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public List<String> paths() throws IOException {
        List<String> all = new ArrayList<>();
        try (WalkRun run = run()) {
            for (Batch batch; (batch = run.nextBatch()) != null; ) {
                run.report(batch);
                int end = batch.table + Entry.BYTES * batch.count;
                for (int at = batch.table + 8; at < end; at += Entry.BYTES) {
                    all.add(batch.textAt(at));
                }
                run.giveBack(batch);
            }
        }
        return all;
    }

    /**
     * Runs it: how many entries there are, of which none becomes an object.
     *
     * @return the number
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public long count() throws IOException {
        long count = 0;
        try (WalkRun run = run()) {
            for (Batch batch; (batch = run.nextBatch()) != null; ) {
                run.report(batch);
                count += batch.count;
            }
        }
        return count;
    }

    /**
     * Runs it as {@link java.nio.file.Files#walkFileTree} does: in its order, with its answers. The
     * attributes that the visitor gets know what an entry is; anything else that they are asked for
     * costs one {@code statx}. Entries that an option leaves out are not visited.
     *
     * <p>Price: 3 calls a directory, those of a subtree that is skipped included; none of what is
     * below it. All is done by the calling thread.
     *
     * @param visitor is called as there
     * @throws IOException what the visitor throws
     */
    public void walkFileTree(FileVisitor<? super Path> visitor) throws IOException {
        Objects.requireNonNull(visitor);
        Walk walk = flag(WalkOptions.BY_DIRECTORY | WalkOptions.SORTED, true);
        try (WalkRun run = new WalkRun(walk.options, null, null)) {
            new FileTreeVisit(run, visitor).all();
        }
    }

    /**
     * Runs it: how much space the trees take, as {@code du} counts. Price: one {@code statx} an
     * entry besides the walk.
     *
     * @param depth so many levels below a root have rows; 0: the roots
     * @param what {@link SizeOption}s
     * @return root by root, below each in byte order of the paths
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public List<SizeRow> size(int depth, SizeOption... what) throws IOException {
        return SizeRow.measure(options, onError, notNegative(depth), Arrays.asList(what));
    }

    /**
     * Runs it: what there is in the trees, in numbers. Price: one {@code statx} an entry besides
     * the walk.
     *
     * @return the numbers
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public Summary summary() throws IOException {
        return Summary.of(options, onError);
    }

    /**
     * Runs it: a snapshot of what it finds. Price: one {@code statx} a directory besides the walk.
     *
     * @return a snapshot with name, kind and inode of each entry
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public Snapshot snapshot() throws IOException {
        return recorded(Snapshot.NAMES);
    }

    /**
     * Likewise, with size, times and permissions. Price: one {@code statx} an entry besides the
     * walk.
     *
     * @return a snapshot that has metadata
     * @throws IOException the first error, if there is one and no {@link #onError}
     */
    public Snapshot snapshotWithStat() throws IOException {
        return recorded(Snapshot.STAT);
    }

    private Snapshot recorded(int what) throws IOException {
        Walk walk = changed();
        walk.options.record = what;
        try (WalkRun run = walk.run()) {
            return run.snapshot();
        }
    }
}
