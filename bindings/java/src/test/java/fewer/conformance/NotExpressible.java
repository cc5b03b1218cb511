package fewer.conformance;

/** A case that this binding, or a program that runs all cases, cannot express. */
final class NotExpressible extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotExpressible(String reason) {
        super(reason);
    }
}
