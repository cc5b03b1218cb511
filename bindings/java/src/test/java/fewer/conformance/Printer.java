package fewer.conformance;

import fewer.Names;
import fewer.Space;
import java.io.ByteArrayOutputStream;
import java.util.Base64;

/** What a request prints, collected. */
final class Printer {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static String text(byte[] bytes) {
        return Names.decode(bytes);
    }

    void print(byte[] bytes) {
        out.writeBytes(bytes);
    }

    void print(String words) {
        for (String part : words.split("(?<=\0)", -1)) {
            boolean hasNul = part.endsWith("\0");
            out.writeBytes(Names.encode(hasNul ? part.substring(0, part.length() - 1) : part));
            if (hasNul) {
                out.write(0);
            }
        }
    }

    void line(String words) {
        print(words + "\n");
    }

    void complain(String program, String message) {
        err.writeBytes(Names.encode(program + ": " + message + "\n"));
    }

    static String json(Space space) {
        return "\"allocated\":" + space.allocated() + ",\"size\":" + space.size()
                + ",\"entries\":" + space.entries() + "}";
    }

    /** Lossless: text, or bytes in base64. */
    static String json(byte[] name) {
        String text = Names.decode(name);
        if (text.codePoints().anyMatch(point -> point >= 0xdc80 && point <= 0xdcff)) {
            return "{\"bytes\":\"" + Base64.getEncoder().encodeToString(name) + "\"}";
        }
        StringBuilder json = new StringBuilder("{\"text\":\"");
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') {
                json.append('\\').append(each);
            } else if (each < ' ' || each == 0x7f) {
                json.append(String.format("\\u%04x", (int) each));
            } else {
                json.append(each);
            }
        }
        return json.append("\"}").toString();
    }
}
