import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * An HDFS of one machine, which does what lines on its standard input say. At their end it removes
 * its files, and ends.
 *
 * <pre>
 * dir PATH             makes a directory
 * file PATH SIZE       writes a file of so many bytes
 * put PATH FILE        writes what is in a file of this machine, whose path is as it is
 * mode PATH OCTAL      sets permissions
 * delete PATH          removes what is there
 * many PATH DIRS FILES makes so many directories with so many empty files each
 * list PATH            prints what is below, by FileSystem.listStatus: kind size modified path
 * calls                prints how often getListing and getFileInfo were called
 * shell PATH           runs "hdfs dfs -ls -R", and prints the seconds it took
 * </pre>
 *
 * Paths are in hexadecimal, as they may have line breaks. Each answer ends with a line "done".
 */
public final class Cluster {
    private static final int THREADS = 16;
    private static final int CHUNK = 100;
    private static final String CLIENT = "cluster";

    private final MiniDFSCluster cluster;
    private final FileSystem files;
    private final PrintStream out;

    private Cluster(File folder, PrintStream out) throws IOException {
        Configuration settings = new Configuration();
        settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.getPath());
        settings.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        cluster = new MiniDFSCluster.Builder(settings).numDataNodes(1).build();
        cluster.waitActive();
        files = cluster.getFileSystem();
        this.out = out;
    }

    public static void main(String[] words) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        // What Hadoop prints must not be taken for an answer.
        System.setOut(System.err);
        Cluster cluster = new Cluster(new File(words[0]), out);
        out.println("ready " + cluster.cluster.getNameNodePort());
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                cluster.obey(line.split(" "));
                out.println("done");
            } catch (Exception error) {
                error.printStackTrace();
                out.println("failed " + error.toString().split("\n")[0]);
            }
        }
        // An orderly end takes seconds, and nothing is worth it.
        FileUtil.fullyDelete(new File(words[0]));
        Runtime.getRuntime().halt(0);
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "dir": files.mkdirs(path(words[1])); break;
            case "file": write(path(words[1]), Integer.parseInt(words[2])); break;
            case "put": put(path(words[1]), words[2]); break;
            case "mode":
                files.setPermission(
                        path(words[1]), new FsPermission(Short.parseShort(words[2], 8)));
                break;
            case "delete": files.delete(path(words[1]), true); break;
            case "many":
                many(path(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                break;
            case "list": list(path(words[1])); break;
            case "calls":
                calls();
                break;
            case "shell": shell(path(words[1])); break;
            default: throw new IllegalArgumentException(words[0]);
        }
    }

    private void write(Path path, int size) throws IOException {
        try (var stream = files.create(path)) {
            stream.write(new byte[size]);
        }
    }

    /** A file of this machine, in blocks of 1 MiB. */
    private void put(Path path, String file) throws IOException {
        try (var stream = files.create(path, true, 4096, (short) 1, 1 << 20)) {
            stream.write(Files.readAllBytes(Paths.get(file)));
        }
    }

    /** Without a client in between, which takes longer for a file than the NameNode. */
    private void many(Path top, int directories, int each) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> made = new ArrayList<>();
        for (int number = 0; number < directories; number++) {
            Path directory = new Path(top, String.format("dir%05d", number));
            files.mkdirs(directory);
            for (int first = 0; first < each; first += CHUNK) {
                int begin = first;
                int end = Math.min(each, first + CHUNK);
                made.add(pool.submit(() -> {
                    for (int file = begin; file < end; file++) {
                        touch(directory + String.format("/file%05d", file));
                    }
                    return null;
                }));
            }
        }
        for (Future<?> one : made) {
            one.get();
        }
        pool.shutdown();
    }

    private void touch(String path) throws IOException {
        NamenodeProtocols server = cluster.getNameNodeRpc();
        var create = new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE));
        HdfsFileStatus status = server.create(path, FsPermission.getFileDefault(), CLIENT, create,
                true, (short) 1, 1 << 20, CryptoProtocolVersion.supported(), null, null);
        server.complete(path, CLIENT, null, status.getFileId());
    }

    private void list(Path path) throws IOException {
        print(files.getFileStatus(path));
        if (files.getFileStatus(path).isDirectory()) {
            listBelow(path);
        }
    }

    private void listBelow(Path path) throws IOException {
        for (FileStatus status : files.listStatus(path)) {
            print(status);
            if (status.isDirectory()) {
                listBelow(status.getPath());
            }
        }
    }

    private void print(FileStatus status) {
        out.println((status.isDirectory() ? "directory " : "file ") + status.getLen() + " "
                + status.getModificationTime() + " "
                + hexadecimal(status.getPath().toUri().getPath()));
    }

    /** A call is counted after it was answered, so it waits until nothing is added any more. */
    private void calls() throws InterruptedException {
        String before;
        String now = "";
        do {
            before = now;
            Thread.sleep(100);
            now = calls("GetListingNumOps") + " " + calls("GetFileInfoNumOps");
        } while (!now.equals(before));
        out.println(now);
    }

    /** What the server has counted itself. */
    private long calls(String name) {
        String source = "RpcDetailedActivityForPort" + cluster.getNameNodePort();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
        long sum = 0;
        for (var record : collector.getRecords()) {
            for (var metric : record.metrics()) {
                if (metric.name().equals(name)) {
                    sum += metric.value().longValue();
                }
            }
        }
        return sum;
    }

    private void shell(Path path) throws Exception {
        PrintStream before = System.out;
        long start = System.nanoTime();
        try (PrintStream nowhere = new PrintStream("/dev/null")) {
            System.setOut(nowhere);
            Configuration settings = new Configuration(cluster.getConfiguration(0));
            ToolRunner.run(settings, new FsShell(), new String[] {"-ls", "-R", path.toString()});
        } finally {
            System.setOut(before);
        }
        out.println((System.nanoTime() - start) / 1e9);
    }

    private static Path path(String hexadecimal) {
        byte[] bytes = new byte[hexadecimal.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) Integer.parseInt(hexadecimal.substring(2 * at, 2 * at + 2), 16);
        }
        return new Path(new String(bytes, StandardCharsets.UTF_8));
    }

    private static String hexadecimal(String text) {
        StringBuilder digits = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            digits.append(String.format("%02x", one));
        }
        return digits.toString();
    }
}
