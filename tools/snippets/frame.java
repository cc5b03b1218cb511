// What the snippets in Java use; each becomes a method in this class.
import static java.nio.file.StandardOpenOption.*;
import static java.nio.file.StandardWatchEventKinds.*;

import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.security.*;
import java.time.*;
import java.util.*;
import java.util.stream.*;

class Frame {
    static Path path, root, directory, from, to, target;
    static Path folder;
    static String name;
    static List<String> items, names, lines;
    static String line;
    static List<ByteBuffer> records;
    static Set<Path> made;
    static Map<String, Path> places;
    static SocketChannel socket, socketChannel;
    static FileChannel channel, in, out;
    static RandomAccessFile file;
    static Selector selector;
    static boolean showAttributes;
    static ByteBuffer record;
    static byte[] block;
    static int uid;
    static long number, size, SIZE;
    static Map<String, Object> state;

    // What programs have of their own.
    static void enter(Object... what) {}
    static void found(Object... what) {}
    static void handle(Object... what) {}
    static void missing(Object... what) {}
    static void update(Object... what) {}
    static void work(Object... what) {}
    static Path search(String name) { return path; }
    static String lookUp(int uid) { return ""; }

EACH
static void NAME() throws Exception {
SNIPPET
}
END
}
