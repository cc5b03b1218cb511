package fewer;

/** An exception that has a {@link Story}. */
interface Told extends FileSystemError {
    /** What the library told. */
    Story story();

    @Override
    default int errno() {
        return story().errno;
    }

    @Override
    default Action action() {
        return story().action;
    }

    @Override
    default byte[] pathBytes() {
        return story().path.clone();
    }
}
