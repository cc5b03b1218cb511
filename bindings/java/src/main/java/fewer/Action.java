package fewer;

import java.util.Locale;

/**
 * What was being done when something went wrong. {@link #toString} gives the words of messages:
 * {@code open directory}.
 */
public enum Action {
    /** Something without a number of its own, or that only a later library has one for. */
    OTHER,
    /** To access. */
    ACCESS,
    /** To collect. */
    COLLECT,
    /** To create. */
    CREATE,
    /** To decode. */
    DECODE,
    /** To end. */
    END,
    /** To enter. */
    ENTER,
    /** To enter mount loop. */
    ENTER_MOUNT_LOOP,
    /** To find path. */
    FIND_PATH,
    /** To list. */
    LIST,
    /** To list mount loop. */
    LIST_MOUNT_LOOP,
    /** To list whole directory. */
    LIST_WHOLE_DIRECTORY,
    /** To make directory. */
    MAKE_DIRECTORY,
    /** To make hard link. */
    MAKE_HARD_LINK,
    /** To make symlink. */
    MAKE_SYMLINK,
    /** To open. */
    OPEN,
    /** To open directory. */
    OPEN_DIRECTORY,
    /** To read. */
    READ,
    /** To read directory. */
    READ_DIRECTORY,
    /** To read ignore file. */
    READ_IGNORE_FILE,
    /** To read line. */
    READ_LINE,
    /** To read link. */
    READ_LINK,
    /** To read output. */
    READ_OUTPUT,
    /** To remove. */
    REMOVE,
    /** To remove directory. */
    REMOVE_DIRECTORY,
    /** To rename. */
    RENAME,
    /** To return to directory. */
    RETURN_TO_DIRECTORY,
    /** To run. */
    RUN,
    /** To set permissions. */
    SET_PERMISSIONS,
    /** To set times. */
    SET_TIMES,
    /** To stat. */
    STAT,
    /** To wait. */
    WAIT,
    /** To write. */
    WRITE,
    /** To read snapshot. */
    READ_SNAPSHOT,
    /** To write snapshot. */
    WRITE_SNAPSHOT;

    private static final Action[] ALL = values();

    static Action of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : OTHER;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
