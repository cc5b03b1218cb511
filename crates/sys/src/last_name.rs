//! What the last name of a path is.

/// What the last name of a path is ([`last_name`](crate::last_name())).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastName {
    /// A name.
    Name,
    /// `.`, or what the system takes for it: on Windows nothing but dots and spaces.
    Dot,
    /// `..`
    Parent,
    /// There is none: the path is empty, or a root.
    None,
}
