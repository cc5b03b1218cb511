package fewer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What one {@code statx} says of a file. Numbers that were not requested, or that the file system
 * lacks, are 0, and times are empty. All is there already: no method costs a call.
 */
public final class Stat {
    static final int BYTES = 120;
    private static final PosixFilePermission[] FROM_LOWEST = {
        PosixFilePermission.OTHERS_EXECUTE, PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.OTHERS_READ, PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_READ,
        PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_READ,
    };

    private final ByteBuffer numbers;
    private final int at;

    Stat(ByteBuffer numbers, int at) {
        this.numbers = numbers;
        this.at = at;
    }

    static Stat of(byte[] bytes) {
        return new Stat(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0);
    }

    /**
     * What it is.
     *
     * @return its kind
     */
    public Kind kind() {
        return Kind.of(numbers.get(at + 118));
    }

    /**
     * Its number on its device.
     *
     * @return the inode
     */
    public long inode() {
        return numbers.getLong(at);
    }

    /**
     * What it states as its length.
     *
     * @return in bytes
     */
    public long size() {
        return numbers.getLong(at + 8);
    }

    /**
     * The space that it takes on the device.
     *
     * @return in bytes: a multiple of 512
     */
    public long allocated() {
        return numbers.getLong(at + 16);
    }

    /**
     * The device that it is on, together with {@link #deviceMinor}.
     *
     * @return the major number
     */
    public int deviceMajor() {
        return numbers.getInt(at + 24);
    }

    /**
     * See {@link #deviceMajor}.
     *
     * @return the minor number
     */
    public int deviceMinor() {
        return numbers.getInt(at + 28);
    }

    /**
     * When it was last read.
     *
     * @return empty if it was not requested, or the file system keeps none
     */
    public Optional<Instant> accessed() {
        return time(32);
    }

    /**
     * When its contents changed.
     *
     * @return empty if it was not requested
     */
    public Optional<Instant> modified() {
        return time(48);
    }

    /**
     * When its contents or its metadata changed.
     *
     * @return empty if it was not requested
     */
    public Optional<Instant> changed() {
        return time(64);
    }

    /**
     * When it was made.
     *
     * @return empty if it was not requested, or the file system keeps none
     */
    public Optional<Instant> created() {
        return time(80);
    }

    private Optional<Instant> time(int offset) {
        if (numbers.getInt(at + offset + 12) == 0) {
            return Optional.empty();
        }
        return Optional.of(
                instant(numbers.getLong(at + offset), numbers.getInt(at + offset + 8)));
    }

    /** A file may have a time that Java has not, a billion years away. */
    static Instant instant(long seconds, int nanoseconds) {
        if (seconds < Instant.MIN.getEpochSecond()) {
            return Instant.MIN;
        }
        return seconds > Instant.MAX.getEpochSecond()
                ? Instant.MAX
                : Instant.ofEpochSecond(seconds, nanoseconds);
    }

    /**
     * How many names it has.
     *
     * @return the number of hard links
     */
    public int links() {
        return numbers.getInt(at + 96);
    }

    /**
     * Whose it is.
     *
     * @return the number of the user, from 0 to 4,294,967,295
     */
    public long user() {
        return Integer.toUnsignedLong(numbers.getInt(at + 100));
    }

    /**
     * The group that it belongs to.
     *
     * @return the number of the group, from 0 to 4,294,967,295
     */
    public long group() {
        return Integer.toUnsignedLong(numbers.getInt(at + 104));
    }

    /**
     * The device that it is, if it is one, together with {@link #specialMinor}.
     *
     * @return the major number
     */
    public int specialMajor() {
        return numbers.getInt(at + 108);
    }

    /**
     * See {@link #specialMajor}.
     *
     * @return the minor number
     */
    public int specialMinor() {
        return numbers.getInt(at + 112);
    }

    /**
     * The lower twelve bits of st_mode.
     *
     * @return such as 0644
     */
    public int permissions() {
        return numbers.getShort(at + 116) & 0xffff;
    }

    /**
     * The lower nine bits, as {@code java.nio.file} has them.
     *
     * @return a new set
     */
    public Set<PosixFilePermission> posixPermissions() {
        Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < FROM_LOWEST.length; bit++) {
            if ((permissions() >> bit & 1) != 0) {
                all.add(FROM_LOWEST[bit]);
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return String.format("%s %04o %d bytes", kind(), permissions(), size());
    }
}
