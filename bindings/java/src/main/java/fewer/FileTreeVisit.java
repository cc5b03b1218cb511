package fewer;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Calls a visitor as {@link java.nio.file.Files#walkFileTree} does. A batch is all of a directory;
 * the batches of what is below follow, so the open directories are a stack. In a directory, what is
 * no directory is visited first.
 */
final class FileTreeVisit {
    private final WalkRun run;
    private final FileVisitor<? super Path> visitor;
    private final Deque<Visited> open = new ArrayDeque<>();

    /** A directory that has not been left yet; one stands for all roots. */
    private static final class Visited {
        final Path path;
        final String name;
        final int depth;
        /** Directories in it whose batches are still to come. */
        final Deque<Entry> below = new ArrayDeque<>();

        boolean skipsRest;
        IOException error;

        Visited(Path path, String name, int depth) {
            this.path = path;
            this.name = name;
            this.depth = depth;
        }

        boolean awaits(String path) {
            for (Entry entry : below) {
                if (entry.path().equals(path)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The visitor answered TERMINATE. */
    private static final class Terminated extends RuntimeException {
        private static final long serialVersionUID = 1;

        Terminated() {
            super(null, null, false, false);
        }
    }

    FileTreeVisit(WalkRun run, FileVisitor<? super Path> visitor) {
        this.run = run;
        this.visitor = visitor;
    }

    void all() throws IOException {
        open.push(new Visited(null, null, -1));
        try {
            for (Batch batch; (batch = run.nextBatch()) != null; ) {
                for (int index = 0; index < batch.secondCount; index++) {
                    fail(batch.failure(index));
                }
                if (batch.own(1) != 0) {
                    enter(batch);
                } else if (batch.count > 0) {
                    leaveTo(-1);
                    visitAll(batch, open.peek());
                }
            }
            leaveTo(-1);
            visitNotEntered(null);
        } catch (Terminated end) {
            open.clear();
        }
    }

    /** A directory has been read. */
    private void enter(Batch batch) throws IOException {
        String name = batch.textOwn();
        int depth = (int) batch.own(2);
        leaveTo(depth - 1);
        Visited parent = open.peek();
        visitNotEntered(name);
        Entry entry = parent.below.poll();
        if (entry == null || parent.skipsRest) {
            pruneAll(batch);
            return;
        }
        Path path = path(parent, entry);
        FileVisitResult answer =
                answer(visitor.preVisitDirectory(path, new EntryAttributes(entry)), parent);
        if (answer != FileVisitResult.CONTINUE) {
            pruneAll(batch);
            return;
        }
        Visited directory = new Visited(path, name, depth);
        open.push(directory);
        visitAll(batch, directory);
    }

    private static Path path(Visited parent, Entry entry) {
        return parent.path == null ? entry.toPath() : entry.toPathIn(parent.path);
    }

    /** Visits what is no directory, and keeps the directories. */
    private void visitAll(Batch batch, Visited directory) throws IOException {
        for (int index = 0; index < batch.count; index++) {
            Entry entry = new Entry(batch, index, run.scope);
            if (entry.isDirectory()) {
                directory.below.add(entry);
            } else if (!directory.skipsRest) {
                Path path = path(directory, entry);
                answer(visitor.visitFile(path, new EntryAttributes(entry)), directory);
            }
        }
        if (directory.skipsRest) {
            pruneAll(batch);
            directory.below.clear();
        }
    }

    private void pruneAll(Batch batch) throws IOException {
        for (int index = 0; index < batch.count; index++) {
            if (new Entry(batch, index, run.scope).isDirectory()) {
                run.prune(index);
            }
        }
    }

    /**
     * Directories in front of one that were not entered, because of maxDepth or oneFileSystem: to a
     * visitor these are files.
     */
    private void visitNotEntered(String before) throws IOException {
        Visited parent = open.peek();
        while (!parent.below.isEmpty() && !parent.below.peek().path().equals(before)) {
            Entry entry = parent.below.poll();
            if (!parent.skipsRest) {
                Path path = path(parent, entry);
                answer(visitor.visitFile(path, new EntryAttributes(entry)), parent);
            }
        }
    }

    private void fail(IOException error) throws IOException {
        FileSystemError story = (FileSystemError) error;
        String path = story.path();
        for (Visited directory : open) {
            if (directory.awaits(path)) {
                leaveTo(directory.depth);
                visitNotEntered(path);
                directory.below.poll();
                break;
            }
            if (path.equals(directory.name)) {
                leaveTo(directory.depth);
                directory.error = error;
                return;
            }
        }
        Visited parent = open.peek();
        if (!parent.skipsRest) {
            Path failed = Names.toPath(story.pathBytes());
            answer(visitor.visitFileFailed(failed, error), parent);
        }
    }

    /** Leaves directories that are deeper. */
    private void leaveTo(int depth) throws IOException {
        while (open.peek().depth > depth) {
            visitNotEntered(null);
            Visited directory = open.pop();
            answer(visitor.postVisitDirectory(directory.path, directory.error), open.peek());
        }
    }

    private static FileVisitResult answer(FileVisitResult answer, Visited directory) {
        switch (answer) {
            case TERMINATE:
                throw new Terminated();
            case SKIP_SIBLINGS:
                directory.skipsRest = true;
                return answer;
            default:
                return answer;
        }
    }
}
