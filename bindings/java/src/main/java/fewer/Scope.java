package fewer;

import static fewer.Boundary.LIBRARY;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A working directory as a value: relative paths start from it. It is held open, so it stays the
 * same directory when that is renamed or removed. The process's own directory is never changed.
 *
 * <p>Any number of threads may use a scope at once. A walk that was begun with it keeps it, so it
 * may be closed first. One that is not closed is closed when it is collected as garbage.
 *
 * <p>All paths are strings as {@link Names} makes them, relative to the scope.
 */
public final class Scope extends Handle {
    private static final int FILE = 0;
    private static final int DIRECTORY = 1;
    private static final int TREE = 2;

    private Scope(long scope) {
        super(Boundary.SCOPE, scope, true);
    }

    /** Null stands for the process's directory. */
    static long begin(Scope scope) {
        return scope == null ? 0 : scope.begin();
    }

    static void end(Scope scope) {
        if (scope != null) {
            scope.end();
        }
    }

    /**
     * Enters a directory, as chdir would, without changing the process. Price: one openat now, one
     * close at the end.
     *
     * @param path relative to the process's directory
     * @return the scope, to be closed
     * @throws IOException if it cannot be entered
     */
    public static Scope of(String path) throws IOException {
        return new Scope(LIBRARY.scopeEnter(0, Names.encode(path), false));
    }

    /**
     * Likewise.
     *
     * @param path relative to the process's directory
     * @return the scope, to be closed
     * @throws IOException if it cannot be entered
     */
    public static Scope of(Path path) throws IOException {
        return new Scope(LIBRARY.scopeEnter(0, Names.encode(path), false));
    }

    /**
     * Enters a directory from here; this scope stays what it is. Price: one openat, one close.
     *
     * @param path relative to this scope
     * @return another scope, to be closed
     * @throws IOException if it cannot be entered
     */
    public Scope enter(String path) throws IOException {
        return enter(path, false);
    }

    /**
     * As a shell's cd: {@code ..} takes the last name off the logical path, also if that is a link.
     * Price: that of {@link #enter}; with a {@code ..} that of {@link #logical}, too, and a statx
     * for each name that is taken off again.
     *
     * @param path relative to this scope
     * @return another scope, to be closed
     * @throws IOException if it cannot be entered
     */
    public Scope enterLogical(String path) throws IOException {
        return enter(path, true);
    }

    private Scope enter(String path, boolean logical) throws IOException {
        long scope = begin();
        try {
            return new Scope(LIBRARY.scopeEnter(scope, Names.encode(path), logical));
        } finally {
            end();
        }
    }

    /**
     * The path by which it was entered, links included. Price: none for the scope of an absolute
     * path; otherwise that of the path of the process's directory, 1 to 3 calls.
     *
     * @return an absolute path
     * @throws IOException if it is not known
     */
    public String logical() throws IOException {
        return path(false);
    }

    /**
     * The kernel's path, without links. Price: one readlinkat.
     *
     * @return an absolute path
     * @throws IOException if it is not known
     */
    public String physical() throws IOException {
        return path(true);
    }

    private String path(boolean physical) throws IOException {
        long scope = begin();
        try {
            return Names.decode(LIBRARY.scopePath(scope, physical));
        } finally {
            end();
        }
    }

    /**
     * What there is to know of a file; a link is asked itself. Price: one statx.
     *
     * @param path of the file
     * @param fields what is wanted; none: all
     * @return the answer
     * @throws IOException if it is not there, or cannot be reached
     */
    public Stat stat(String path, Field... fields) throws IOException {
        return stat(this, Names.encode(path), false, fields);
    }

    /**
     * Likewise; of a link, what it points to. Price: one statx.
     *
     * @param path of the file
     * @param fields what is wanted; none: all
     * @return the answer
     * @throws IOException if it is not there, or cannot be reached
     */
    public Stat statFollowing(String path, Field... fields) throws IOException {
        return stat(this, Names.encode(path), true, fields);
    }

    static Stat stat(Scope scope, byte[] path, boolean follow, Field... fields)
            throws IOException {
        int bits = fields.length == 0 ? Field.ALL : Field.bits(fields);
        long directory = begin(scope);
        try {
            return Stat.of(LIBRARY.scopeStat(directory, path, bits, follow));
        } finally {
            end(scope);
        }
    }

    /**
     * The target of a link. Price: one readlinkat; two for a target of more than 127 bytes.
     *
     * @param path of the link
     * @return what it says
     * @throws IOException with EINVAL if it is no link
     */
    public String readLink(String path) throws IOException {
        long scope = begin();
        try {
            return Names.decode(LIBRARY.scopeReadLink(scope, Names.encode(path)));
        } finally {
            end();
        }
    }

    /**
     * Opens a file for reading. Price: one openat, one read for each call of read or 64 KiB, one
     * close.
     *
     * @param path of the file
     * @return a stream without a buffer, to be closed
     * @throws IOException if it cannot be opened
     */
    public InputStream open(String path) throws IOException {
        long scope = begin();
        try {
            return new Descriptor(LIBRARY.scopeOpen(scope, Names.encode(path))).input();
        } finally {
            end();
        }
    }

    /**
     * Makes a file that must not be there yet. Price: one openat, one write for each call of write
     * or 64 KiB, one close.
     *
     * @param path of the file
     * @param permissions the twelve bits, of which the umask takes some off
     * @return a stream without a buffer, to be closed
     * @throws IOException if it cannot be made
     */
    public OutputStream create(String path, int permissions) throws IOException {
        long scope = begin();
        try {
            byte[] bytes = Names.encode(path);
            return new Descriptor(LIBRARY.scopeCreate(scope, bytes, permissions)).output();
        } finally {
            end();
        }
    }

    /**
     * Sets the permissions of a file, links followed. Price: one fchmodat.
     *
     * @param path of the file
     * @param permissions the twelve bits
     * @throws IOException if they cannot be set
     */
    public void setPermissions(String path, int permissions) throws IOException {
        permissions(path, permissions, false);
    }

    /**
     * Makes a directory. Price: one mkdirat.
     *
     * @param path of the directory
     * @param permissions the twelve bits, of which the umask takes some off
     * @throws IOException if it cannot be made
     */
    public void makeDirectory(String path, int permissions) throws IOException {
        permissions(path, permissions, true);
    }

    private void permissions(String path, int permissions, boolean directory) throws IOException {
        long scope = begin();
        try {
            LIBRARY.scopePermissions(scope, Names.encode(path), permissions, directory);
        } finally {
            end();
        }
    }

    /**
     * Makes a symbolic link. Price: one symlinkat.
     *
     * @param path of the link
     * @param target what it says
     * @throws IOException if it cannot be made
     */
    public void makeSymlink(String path, String target) throws IOException {
        link(path, target, true);
    }

    /**
     * Makes another name of a file, which is not followed if it is a link. Price: one linkat.
     *
     * @param path the new name
     * @param target the file, relative to the scope as well
     * @throws IOException if it cannot be made
     */
    public void makeHardLink(String path, String target) throws IOException {
        link(path, target, false);
    }

    private void link(String path, String target, boolean symbolic) throws IOException {
        long scope = begin();
        try {
            LIBRARY.scopeLink(scope, Names.encode(path), Names.encode(target), symbolic);
        } finally {
            end();
        }
    }

    /**
     * Removes a name that is not a directory, links not followed. Price: one unlinkat.
     *
     * @param path of the file
     * @throws IOException if it cannot be removed
     */
    public void removeFile(String path) throws IOException {
        remove(path, FILE);
    }

    /**
     * Removes an empty directory. Price: one unlinkat.
     *
     * @param path of the directory
     * @throws IOException if it cannot be removed
     */
    public void removeDirectory(String path) throws IOException {
        remove(path, DIRECTORY);
    }

    /**
     * Removes a directory and everything below it. Links are removed, never followed. If something
     * cannot be removed, the rest is removed all the same. Price: two statx; for each directory
     * openat, getdents64, close, unlinkat; for everything else one unlinkat.
     *
     * @param path of the directory
     * @throws IOException the first failure
     */
    public void removeTree(String path) throws IOException {
        remove(path, TREE);
    }

    private void remove(String path, int what) throws IOException {
        long scope = begin();
        try {
            LIBRARY.scopeRemove(scope, Names.encode(path), what);
        } finally {
            end();
        }
    }

    /**
     * Has a child start in this scope, whatever has become of its name: the directory of the
     * builder is set to this process's descriptor in {@code /proc}. The scope must stay open until
     * the child has started. Price: none by itself.
     *
     * @param builder a child to be
     * @return the builder
     */
    public ProcessBuilder process(ProcessBuilder builder) {
        long scope = begin();
        try {
            long process = ProcessHandle.current().pid();
            int descriptor = LIBRARY.scopeDescriptor(scope);
            return builder.directory(new java.io.File("/proc/" + process + "/fd/" + descriptor));
        } finally {
            end();
        }
    }
}
