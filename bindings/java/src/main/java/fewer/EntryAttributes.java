package fewer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;

/**
 * The attributes of an entry for a {@link java.nio.file.FileVisitor}: what it is comes from the
 * directory, for no call; the first question for anything else costs one {@code statx}, whose
 * failure is an {@link UncheckedIOException}.
 */
final class EntryAttributes implements BasicFileAttributes {
    private final Entry entry;
    private Stat stat;

    EntryAttributes(Entry entry) {
        this.entry = entry;
    }

    private Stat stat() {
        if (stat == null) {
            try {
                stat = entry.stat();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
        return stat;
    }

    private Kind kind() {
        return entry.kind() == Kind.UNKNOWN ? stat().kind() : entry.kind();
    }

    private static FileTime time(Optional<Instant> time) {
        return FileTime.from(time.orElse(Instant.EPOCH));
    }

    @Override
    public FileTime lastModifiedTime() {
        return time(stat().modified());
    }

    @Override
    public FileTime lastAccessTime() {
        return time(stat().accessed());
    }

    /** When it was made; where the file system does not know, when it was modified. */
    @Override
    public FileTime creationTime() {
        return time(stat().created().or(stat()::modified));
    }

    @Override
    public boolean isRegularFile() {
        return kind() == Kind.FILE;
    }

    @Override
    public boolean isDirectory() {
        return kind() == Kind.DIRECTORY;
    }

    @Override
    public boolean isSymbolicLink() {
        return kind() == Kind.SYMLINK;
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    @Override
    public long size() {
        return stat().size();
    }

    /** Device and inode. */
    @Override
    public Object fileKey() {
        return stat().deviceMajor() + ":" + stat().deviceMinor() + ":" + stat().inode();
    }
}
