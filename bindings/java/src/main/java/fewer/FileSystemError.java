package fewer;

import static fewer.Boundary.LIBRARY;

/**
 * What all exceptions of this library have besides being the {@link
 * java.nio.file.FileSystemException} that Java has for the number: {@code NoSuchFileException} for
 * ENOENT, {@code AccessDeniedException} for EACCES, {@code NotDirectoryException},
 * {@code FileAlreadyExistsException}, {@code DirectoryNotEmptyException}, {@code
 * FileSystemLoopException}; {@code FileSystemException} for any other.
 */
public interface FileSystemError {
    /**
     * The kernel's number.
     *
     * @return such as 13
     */
    int errno();

    /**
     * The name of the number.
     *
     * @return such as EACCES; the number in digits if the C library knows no name
     */
    default String code() {
        byte[] name = LIBRARY.errorCode(errno());
        return name == null ? Integer.toString(errno()) : Names.decode(name);
    }

    /**
     * What was being done.
     *
     * @return such as {@link Action#OPEN_DIRECTORY}
     */
    Action action();

    /**
     * The path in question.
     *
     * @return as {@link Names#decode} makes it; empty if there was none
     */
    default String path() {
        return Names.decode(pathBytes());
    }

    /**
     * The path in question, in its own bytes.
     *
     * @return a new array; empty if there was no path
     */
    byte[] pathBytes();

    /**
     * The message for people.
     *
     * @return such as {@code cannot open directory 'x': Permission denied}, control characters
     *     escaped
     */
    String getMessage();
}
