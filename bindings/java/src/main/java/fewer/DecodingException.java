package fewer;

import java.nio.charset.MalformedInputException;

/** A line that is not UTF-8. */
public final class DecodingException extends MalformedInputException implements Told {
    private static final long serialVersionUID = 1;

    /** From 1. */
    private final long line;

    /** Bytes of the input before it. */
    private final long offset;

    /** Bytes of the line before it. */
    private final long column;

    /** What the library told. */
    private final Story story;

    DecodingException(Story story, long line, long offset, long column) {
        super(1);
        this.story = story;
        this.line = line;
        this.offset = offset;
        this.column = column;
    }

    /**
     * The number of the line.
     *
     * @return from 1
     */
    public long line() {
        return line;
    }

    /**
     * Where it is in the input.
     *
     * @return bytes of the input before the first bad one
     */
    public long offset() {
        return offset;
    }

    /**
     * Where it is in the line.
     *
     * @return bytes of the line before the first bad one
     */
    public long column() {
        return column;
    }

    /**
     * For this package.
     *
     * @return what the library told
     * @hidden
     */
    @SuppressWarnings("exports")
    @Override
    public Story story() {
        return story;
    }

    @Override
    public String getMessage() {
        return story.message;
    }
}
