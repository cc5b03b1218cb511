package fewer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What becomes of the bytes of a line. */
abstract class LineDecoder<T> {
    private static final int ASCII = 1;
    private static final int ENDED = 4;
    private static final int CRLF = 8;

    static final LineDecoder<String> TEXT = new Text(false);
    static final LineDecoder<String> TEXT_WITH_END = new Text(true);
    static final LineDecoder<byte[]> BYTES = new Bytes(false);
    static final LineDecoder<byte[]> BYTES_WITH_END = new Bytes(true);

    private final boolean keepEnds;

    private LineDecoder(boolean keepEnds) {
        this.keepEnds = keepEnds;
    }

    abstract T decode(byte[] bytes, int start, int end, byte flags);

    /** How long a line is that ends at {@code end}: both flags stand for one byte of its end. */
    final int length(int start, int end, byte flags) {
        int length = end - start;
        if (!keepEnds) {
            length -= (flags & ENDED) != 0 ? 1 : 0;
            length -= (flags & CRLF) != 0 ? 1 : 0;
        }
        return length;
    }

    private static final class Text extends LineDecoder<String> {
        Text(boolean keepEnds) {
            super(keepEnds);
        }

        @Override
        String decode(byte[] bytes, int start, int end, byte flags) {
            // ASCII is a copy of the bytes; a line that is not UTF-8 gets here only to be repaired.
            Charset charset =
                    (flags & ASCII) != 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
            return new String(bytes, start, length(start, end, flags), charset);
        }
    }

    private static final class Bytes extends LineDecoder<byte[]> {
        Bytes(boolean keepEnds) {
            super(keepEnds);
        }

        @Override
        byte[] decode(byte[] bytes, int start, int end, byte flags) {
            return Arrays.copyOfRange(bytes, start, start + length(start, end, flags));
        }
    }
}
