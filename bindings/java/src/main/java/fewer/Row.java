package fewer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * One entry of a listing. It is a view of its batch of 1,024 rows, and keeps that. All is there
 * already: no method costs a call.
 */
public final class Row {
    private static final int BYTES = 160;
    private static final int NAME = 120;
    private static final int TARGET = 128;
    private static final int USER = 136;
    private static final int GROUP = 144;
    private static final int NUMBER = 152;
    private static final int TARGET_NUMBER = 156;

    private final Batch batch;
    private final int at;
    private final byte[] directory;

    Row(Batch batch, int index, byte[] directory) {
        this.batch = batch;
        this.at = batch.table + BYTES * index;
        this.directory = directory;
    }

    /**
     * Its name in the directory.
     *
     * @return as {@link Names#decode} makes it
     */
    public String name() {
        return batch.textAt(at + NAME);
    }

    /**
     * Likewise, in the kernel's bytes.
     *
     * @return a new array
     */
    public byte[] nameBytes() {
        return batch.bytesAt(at + NAME);
    }

    /**
     * What it is.
     *
     * @return its kind
     */
    public Kind kind() {
        return stat().kind();
    }

    /**
     * What there is to know; inode and kind also if no field was wanted.
     *
     * @return the numbers, 0 if {@link #error} says why
     */
    public Stat stat() {
        return new Stat(batch.numbers, at);
    }

    /**
     * What a link says, with {@link Listing#targets}.
     *
     * @return empty for what is no link, and where it could not be read
     */
    public Optional<String> target() {
        return text(TARGET);
    }

    /**
     * The name of its user, with {@link Listing#owners}.
     *
     * @return empty if there is none
     */
    public Optional<String> userName() {
        return text(USER);
    }

    /**
     * The name of its group, with {@link Listing#owners}.
     *
     * @return empty if there is none
     */
    public Optional<String> groupName() {
        return text(GROUP);
    }

    private Optional<String> text(int offset) {
        return batch.intAt(at + offset + 4) == 0
                ? Optional.empty()
                : Optional.of(batch.textAt(at + offset));
    }

    /**
     * Why the fields could not be read.
     *
     * @return a {@link FileSystemError}; empty if they could
     */
    public Optional<IOException> error() {
        return error(NUMBER, Action.STAT);
    }

    /**
     * Why the target could not be read.
     *
     * @return a {@link FileSystemError}; empty if it could, or was not asked for
     */
    public Optional<IOException> targetError() {
        return error(TARGET_NUMBER, Action.READ_LINK);
    }

    private Optional<IOException> error(int offset, Action action) {
        int number = batch.intAt(at + offset);
        if (number == 0) {
            return Optional.empty();
        }
        return Optional.of(Errors.of(number, action.ordinal(), path(), null));
    }

    private byte[] path() {
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        path.writeBytes(directory);
        if (directory.length > 0 && directory[directory.length - 1] != '/') {
            path.write('/');
        }
        path.writeBytes(nameBytes());
        return path.toByteArray();
    }

    @Override
    public String toString() {
        return kind() + " " + name();
    }
}
