package fewer;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Where the native library is: where the property {@code fewer.library} says, else in the jar of
 * this machine's natives. From there it is copied once, into a folder that is the user's alone, and
 * checked by its SHA-256; at each later start by length and CRC-32, which takes 1 ms.
 */
final class NativeLibrary {
    private static final String NAME = "libfewer-java.so";
    private static final int BLOCK_BYTES = 64 << 10;

    private NativeLibrary() {}

    /** The library as a file. */
    static Path path() {
        String property = System.getProperty("fewer.library");
        if (property != null) {
            return Path.of(property).toAbsolutePath();
        }
        String folder = "fewer/natives/" + platform() + "/";
        try (InputStream stamp = resource(folder + "stamp")) {
            if (stamp == null) {
                throw new UnsatisfiedLinkError(
                        "no natives of fewer for " + platform() + " on the class path");
            }
            return new Extraction(folder, new DataInputStream(stamp)).path();
        } catch (IOException error) {
            throw (Error) new UnsatisfiedLinkError("cannot extract " + NAME).initCause(error);
        }
    }

    /** By the loader, not the class: a jar of natives is a module of its own. */
    private static InputStream resource(String name) {
        return NativeLibrary.class.getClassLoader().getResourceAsStream(name);
    }

    /** The name of the folder, and of the classifier of the jar: linux-x86_64, linux-aarch64. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return system.replace(" ", "") + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }

    /** What the build wrote beside the library: length, CRC-32, SHA-256 as 64 letters. */
    private static final class Extraction {
        private final String resource;
        private final long length;
        private final long crc;
        private final String sha256;

        Extraction(String folder, DataInputStream stamp) throws IOException {
            String[] words = new String(stamp.readAllBytes()).trim().split(" ");
            resource = folder + NAME;
            length = Long.parseLong(words[0]);
            crc = Long.parseLong(words[1]);
            sha256 = words[2];
        }

        Path path() throws IOException {
            Path folder = cache();
            Path file = folder.resolve(fileName());
            if (!isWhole(file)) {
                copy(folder, file);
            }
            return file;
        }

        private String fileName() {
            return sha256.substring(0, 16) + "-" + NAME;
        }

        /** A folder that no other user can write to. */
        private Path cache() throws IOException {
            String named = System.getenv("XDG_CACHE_HOME");
            String home = System.getProperty("user.home");
            Path base = named != null && named.startsWith("/") ? Path.of(named)
                    : Path.of(home).resolve(".cache");
            Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rwx------");
            try {
                Path folder = Files.createDirectories(base).resolve("fewer-java");
                if (!Files.isDirectory(folder)) {
                    Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mine));
                }
                if (Files.getPosixFilePermissions(folder).equals(mine)
                        && Files.isWritable(folder)) {
                    return folder;
                }
            } catch (IOException error) {
                // No home, or one that is not writable: a folder for this process will do.
                return temporary();
            }
            return temporary();
        }

        /** What is registered last is deleted first. */
        private Path temporary() throws IOException {
            Path folder = Files.createTempDirectory("fewer-java");
            folder.toFile().deleteOnExit();
            folder.resolve(fileName()).toFile().deleteOnExit();
            return folder;
        }

        private boolean isWhole(Path file) {
            try (InputStream stream = Files.newInputStream(file)) {
                if (Files.size(file) != length) {
                    return false;
                }
                CRC32 sum = new CRC32();
                byte[] block = new byte[BLOCK_BYTES];
                for (int got; (got = stream.read(block)) > 0; ) {
                    sum.update(block, 0, got);
                }
                return sum.getValue() == crc;
            } catch (IOException error) {
                return false;
            }
        }

        /** Another process that does the same at once does no harm: the last name wins. */
        private void copy(Path folder, Path file) throws IOException {
            Path part = Files.createTempFile(folder, "part", null);
            try (InputStream from = NativeLibrary.resource(resource);
                    OutputStream to = Files.newOutputStream(part)) {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                byte[] block = new byte[BLOCK_BYTES];
                for (int got; (got = from.read(block)) > 0; ) {
                    digest.update(block, 0, got);
                    to.write(block, 0, got);
                }
                StringBuilder hex = new StringBuilder();
                for (byte each : digest.digest()) {
                    hex.append(Character.forDigit(each >> 4 & 15, 16));
                    hex.append(Character.forDigit(each & 15, 16));
                }
                if (!hex.toString().equals(sha256)) {
                    throw new IOException(resource + " is damaged: its SHA-256 is " + hex);
                }
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchAlgorithmException error) {
                throw new IOException(error);
            } finally {
                Files.deleteIfExists(part);
            }
        }
    }
}
