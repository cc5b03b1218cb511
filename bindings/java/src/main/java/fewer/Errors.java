package fewer;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * The exceptions for numbers of the kernel. Java has a class for some; each class here is one of
 * those, so that a catch block that is there already catches it, and a {@link FileSystemError}.
 * Each has a getMessage of its own, because a superclass's hides that of an interface.
 */
final class Errors {
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int EEXIST = 17;
    private static final int ENOTDIR = 20;
    private static final int ENOTEMPTY = 39;
    private static final int ELOOP = 40;
    private static final int EILSEQ = 84;

    private Errors() {}

    /** The exception for a number, with null for what is not known. */
    static IOException of(int errno, int action, byte[] path, byte[] message) {
        return of(errno, action, path, message, 0, 0, 0);
    }

    /**
     * The exception for a number. Called by the boundary, too.
     *
     * @param line from 1, for a line that is not UTF-8, as the next two
     * @param offset bytes of the input before the first bad one
     * @param column bytes of the line before it
     */
    static IOException of(
            int errno, int action, byte[] path, byte[] message, long line, long offset,
            long column) {
        Story story = new Story(errno, action, path, message);
        switch (errno) {
            case ENOENT:
                return new NoSuchFile(story);
            case EACCES:
                return new AccessDenied(story);
            case EEXIST:
                return new AlreadyExists(story);
            case ENOTDIR:
                return new NotDirectory(story);
            case ENOTEMPTY:
                return new NotEmpty(story);
            case ELOOP:
                return new Loop(story);
            case EILSEQ:
                return line > 0
                        ? new DecodingException(story, line, offset, column)
                        : new Other(story);
            default:
                return new Other(story);
        }
    }

    private static final class NoSuchFile extends NoSuchFileException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        NoSuchFile(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class AccessDenied extends AccessDeniedException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        AccessDenied(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class AlreadyExists extends FileAlreadyExistsException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        AlreadyExists(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class NotDirectory extends NotDirectoryException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        NotDirectory(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class NotEmpty extends DirectoryNotEmptyException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        NotEmpty(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class Loop extends FileSystemLoopException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        Loop(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }

    private static final class Other extends FileSystemException implements Told {
        private static final long serialVersionUID = 1;
        private final Story story;

        Other(Story story) {
            super(story.file());
            this.story = story;
        }

        @Override
        public Story story() {
            return story;
        }

        @Override
        public String getMessage() {
            return story.message;
        }
    }
}
