//! Which shell's language a script is in.

/// Which shell's language a script is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// POSIX sh as dash has it.
    #[default]
    Posix,
    /// bash 5.2
    Bash,
    /// ksh93u+m
    Ksh,
}
