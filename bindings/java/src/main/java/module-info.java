/**
 * File-system work in the fewest system calls: trees, directories, lines, working directories.
 *
 * <p>From Java 24 on the Java run-time wants {@code --enable-native-access=fewer} (or {@code
 * ALL-UNNAMED} on the class path) and warns without it.
 */
module fewer {
    exports fewer;
}
