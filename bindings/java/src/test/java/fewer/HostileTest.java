package fewer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Odd names, handles that are left, closed, shared: clean errors, and nothing left behind. */
class HostileTest {
    @TempDir Path top;

    private static int count(String folder) throws Exception {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            return (int) all.count();
        }
    }

    private void grow(int directories) throws Exception {
        Shell.output(
                top, "for ((i = 0; i < $1; i++)); do mkdir -p t/d$i; touch t/d$i/{1,2,3}; done",
                directories);
    }

    @Test
    void namesThatAreNotText() throws Exception {
        String longest = "n".repeat(255);
        Shell.output(top, "mkdir t && cd t && touch $'\\xff\\n' $'new\\nline' \"$1\" '  ' -- -x",
                longest);
        List<byte[]> names = new ArrayList<>();
        try (EntryIterator entries = Walk.of(top.resolve("t")).sorted(true).iterator()) {
            entries.next();
            entries.forEachRemaining(entry -> names.add(entry.nameBytes()));
        }
        assertEquals(5, names.size());
        assertArrayEquals("  ".getBytes(), names.get(0));
        assertArrayEquals("-x".getBytes(), names.get(1));
        assertArrayEquals("new\nline".getBytes(), names.get(2));
        assertArrayEquals(longest.getBytes(), names.get(3));
        assertArrayEquals(new byte[] {(byte) 0xff, '\n'}, names.get(4));
    }

    @Test
    void pathsLongerThanTheKernelTakes() throws Exception {
        try (Scope scope = Scope.of(top)) {
            StringBuilder path = new StringBuilder("n".repeat(200));
            Scope inner = scope;
            for (int depth = 0; depth < 40; depth++) {
                inner.makeDirectory("n".repeat(200), 0700);
                inner = inner.enter("n".repeat(200));
                path.append(depth == 0 ? "" : "/" + "n".repeat(200));
            }
            assertEquals(40 * 201 - 1, path.length());
            assertEquals(Kind.DIRECTORY, scope.stat(path.toString()).kind());
            List<String> paths = Walk.of("n".repeat(200)).in(scope).sorted(true).paths();
            assertEquals(path.toString(), paths.get(39));
            scope.removeTree("n".repeat(200));
        }
    }

    @Test
    void aClosedIteratorHasNoMoreEntries() throws Exception {
        grow(3);
        EntryIterator entries = Walk.of(top).iterator();
        entries.next();
        entries.close();
        entries.close();
        assertFalse(entries.hasNext());
        assertThrows(NoSuchElementException.class, entries::next);
        Stream<Entry> stream = Walk.of(top).stream();
        stream.close();
        assertThrows(IllegalStateException.class, stream::count);
    }

    /** How many threads have a name. */
    private static long named(String name) throws Exception {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(task -> {
                try {
                    return Files.readString(task.resolve("comm")).equals(name + "\n");
                } catch (IOException gone) {
                    return false;
                }
            }).count();
        }
    }

    /** Waits until no more descriptors are open; what the JVM opens for itself does not count. */
    private static void comeToDescriptors(int before) throws Exception {
        for (int patience = 0; patience < 300 && count("/proc/self/fd") > before + 5; patience++) {
            System.gc();
            Thread.sleep(100);
        }
        assertTrue(count("/proc/self/fd") <= before + 5);
    }

    /** Half of them are closed. */
    private Void leaveWalks(int times) throws IOException {
        for (int round = 0; round < times; round++) {
            EntryIterator entries = Walk.of(top).iterator();
            entries.next();
            if (round % 2 == 0) {
                entries.close();
            }
            if (round % 100 == 99) {
                System.gc();
            }
        }
        return null;
    }

    /** A thousand walks, half of them left: no descriptors, threads or memory stay. */
    @Test
    void walksThatAreLeftLeaveNothing() throws Exception {
        grow(450);
        Walk.of(top).count();
        int descriptors = count("/proc/self/fd");
        // Threads that the library starts have the name of the one that calls it. The JVM starts
        // its own when it likes.
        String name = "leaves-walks";
        ExecutorService caller = Executors.newSingleThreadExecutor(work -> new Thread(work, name));
        caller.submit(() -> leaveWalks(300)).get();
        // A batch has 60 KiB, and what a walk has read ahead 100 KiB: 350 of these are 55 MiB each
        // time. The heap grows as well, but not each time.
        long most = 40 << 10;
        long more = most;
        for (int tries = 0; tries < 5 && more >= most; tries++) {
            long before = residentKilobytes();
            caller.submit(() -> leaveWalks(700)).get();
            comeToDescriptors(descriptors);
            for (int patience = 0; patience < 300 && named(name) > 1; patience++) {
                System.gc();
                Thread.sleep(100);
            }
            assertEquals(1, named(name));
            more = residentKilobytes() - before;
        }
        assertTrue(more < most, "grew by KiB: " + more);
        caller.shutdown();
    }

    @Test
    void scopesAndSnapshotsThatAreLeftLeaveNothing() throws Exception {
        grow(3);
        int descriptors = count("/proc/self/fd");
        for (int round = 0; round < 300; round++) {
            Scope.of(top).stat("t");
            Lines.of("/etc/passwd").iterator().next();
        }
        comeToDescriptors(descriptors);
    }

    @Test
    void anInterruptedThreadStops() throws Exception {
        grow(3);
        EntryIterator entries = Walk.of(top).iterator();
        Thread.currentThread().interrupt();
        try {
            UncheckedIOException error =
                    assertThrows(UncheckedIOException.class, entries::hasNext);
            assertInstanceOf(ClosedByInterruptException.class, error.getCause());
            assertTrue(Thread.currentThread().isInterrupted());
            assertThrows(ClosedByInterruptException.class, () -> Walk.of(top).paths());
            assertThrows(ClosedByInterruptException.class, () -> Walk.of(top).snapshot());
            Lines lines = Lines.of("/etc/passwd");
            assertThrows(ClosedByInterruptException.class, lines::read);
        } finally {
            Thread.interrupted();
        }
        assertFalse(entries.hasNext());
    }

    @Test
    void closingFromAnotherThreadIsNoCrash() throws Exception {
        grow(450);
        for (int round = 0; round < 50; round++) {
            EntryIterator entries = Walk.of(top).iterator();
            WalkRun run = Walk.of(top).run();
            Thread closer = new Thread(run::close);
            closer.start();
            try {
                while (run.nextBatch() != null) {
                    entries.next();
                }
            } catch (IllegalStateException closed) {
                assertTrue(closed.getMessage().contains("closed"));
            }
            closer.join();
            entries.close();
        }
    }

    @Test
    void anyNumberOfThreadsMayUseAScope() throws Exception {
        grow(20);
        AtomicLong sum = new AtomicLong();
        try (Scope scope = Scope.of(top)) {
            List<Thread> threads = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                threads.add(new Thread(() -> {
                    try {
                        sum.addAndGet(Walk.of("t").in(scope).count());
                    } catch (IOException error) {
                        throw new UncheckedIOException(error);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertEquals(8 * 81, sum.get());
    }

    @Test
    void virtualThreadsWalkAndAreInterrupted() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "this Java has no virtual threads");
        grow(20);
        ExecutorService virtual =
                (ExecutorService)
                        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        List<Future<Long>> counts = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            counts.add(virtual.submit(() -> Walk.of(top.resolve("t")).count()));
        }
        for (Future<Long> count : counts) {
            assertEquals(81, count.get());
        }
        Future<Long> interrupted =
                virtual.submit(
                        () -> {
                            Thread.currentThread().interrupt();
                            return Walk.of(top.resolve("t")).count();
                        });
        ExecutionException error = assertThrows(ExecutionException.class, interrupted::get);
        assertInstanceOf(ClosedByInterruptException.class, error.getCause());
        virtual.shutdown();
    }

    private static long residentKilobytes() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IllegalStateException("no VmRSS");
    }

    @Test
    void whatThrowsInAHandlerEndsTheWalk() throws Exception {
        Walk walk = Walk.of(top.resolve("none")).onError(error -> {
            throw new IllegalStateException("on purpose");
        });
        assertThrows(IllegalStateException.class, walk::paths);
        assertThrows(IllegalStateException.class, () -> walk.iterator().hasNext());
    }

    @Test
    void aDirectoryThatMayNotBeReadIsNamed() throws Exception {
        grow(3);
        Shell.output(top, "chmod 755 . && chmod 0 t/d1");
        boolean isRoot = Shell.lines(top, "id -u").get(0).equals("0");
        List<String> classes = new ArrayList<>();
        for (Path folder : List.of(Child.CLASSES, Child.TESTS)) {
            assumeTrue(Shell.lines(top, "find \"$1\" -type f ! -perm -o=r", folder).isEmpty());
            classes.add(folder.toString());
        }
        String prefix = isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : "";
        List<String> said = Shell.lines(
                top,
                "cp \"$4\" lib.so && chmod 755 lib.so && " + prefix
                        + " \"$1\" \"$5\" -cp \"$2\" -Dfewer.library=$PWD/lib.so"
                        + " fewer.Child walk \"$3\"",
                Child.java(), String.join(":", classes), top.resolve("t"), Child.library(),
                Child.options());
        String message = "cannot open directory '" + top + "/t/d1': Permission denied";
        assertTrue(said.contains("EACCES OPEN_DIRECTORY " + message), said.toString());
        assertTrue(said.contains("10 entries, java.nio.file.AccessDeniedException"));
    }
}
