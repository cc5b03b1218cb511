"""What goes wrong with a whole scan."""


class ScanError(Exception):
    """A scan that cannot begin or go on: the message says why."""
