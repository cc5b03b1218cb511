package fewer.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Flags as getopt_long takes them. A table has a word for each: {@code g=glob} takes a value,
 * {@code L:follow} does not, {@code :sort} has no letter.
 */
final class Flags {
    final List<String> operands = new ArrayList<>();
    private final Map<String, List<String>> found = new HashMap<>();
    private final List<String> order = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final String verb;

    Flags(String verb, List<String> words, String table) {
        this.verb = verb;
        for (String row : table.split(" ")) {
            int at = Math.max(row.indexOf('='), row.indexOf(':'));
            String name = row.substring(at);
            if (at > 0) {
                names.put("-" + row.charAt(0), name);
            }
            names.put("-" + name.replaceFirst("[=:]", "-"), name);
        }
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (word.equals("--")) {
                operands.addAll(words.subList(at + 1, words.size()));
                return;
            } else if (word.startsWith("--")) {
                at += takeLong(word, words, at);
            } else if (word.startsWith("-") && word.length() > 1) {
                at += takeLetters(word, words, at);
            } else {
                operands.add(word);
            }
        }
    }

    private String named(String flag) {
        String name = names.get(flag);
        if (name == null) {
            throw new NotExpressible("no " + verb + " " + flag + " in fewer for Java");
        }
        return name;
    }

    /** Returns how many further words it took. */
    private int takeLong(String word, List<String> words, int at) {
        int equals = word.indexOf('=');
        String name = named(equals < 0 ? word : word.substring(0, equals));
        if (!name.startsWith("=")) {
            put(name, "");
            return 0;
        }
        put(name, equals < 0 ? words.get(at + 1) : word.substring(equals + 1));
        return equals < 0 ? 1 : 0;
    }

    private int takeLetters(String word, List<String> words, int at) {
        for (int letter = 1; letter < word.length(); letter++) {
            String name = named("-" + word.charAt(letter));
            if (!name.startsWith("=")) {
                put(name, "");
            } else if (letter + 1 < word.length()) {
                put(name, word.substring(letter + 1));
                return 0;
            } else {
                put(name, words.get(at + 1));
                return 1;
            }
        }
        return 0;
    }

    private void put(String name, String value) {
        found.computeIfAbsent(name.substring(1), key -> new ArrayList<>()).add(value);
        order.add(name.substring(1));
    }

    boolean has(String name) {
        return found.containsKey(name);
    }

    List<String> all(String name) {
        return found.getOrDefault(name, List.of());
    }

    /** The names of all flags, in their order. */
    List<String> order() {
        return order;
    }

    long number(String name, long otherwise) {
        List<String> values = all(name);
        return values.isEmpty() ? otherwise : Long.parseLong(values.get(values.size() - 1));
    }

    int integer(String name, int otherwise) {
        return (int) Math.min(Integer.MAX_VALUE, number(name, otherwise));
    }
}
