//! What is refused only where two things of one text come together.

use super::Unsupported;

/// Where the first of each was met.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// ksh: the line with the first number that has a point.
    pub(super) point: Option<u32>,
    /// Whether the text calculates with anything but constants.
    pub(super) calculates: bool,
    /// ksh: the line with the first reference whose name is known only when it is made.
    pub(super) reference: Option<u32>,
    /// Whether there is a function with variables of its own.
    pub(super) keyword_function: bool,
    /// Whether the text asks for `set -x`.
    pub(super) traces: bool,
    /// ksh: the line with the first thing that only it shows then.
    pub(super) traced: Option<u32>,
    /// bash: the line of the first `alias` that defines one.
    pub(super) alias: Option<u32>,
    /// bash: whether the text asks for the posix mode, in which aliases count.
    pub(super) posix_mode: bool,
}

impl Together {
    /// What is left to its shell by two things of the text: calculating with numbers that have a
    /// point; in a function with variables of its own a reference that may be named like what it
    /// refers to outside; `set -x` that shows redirections; an alias where it counts in the POSIX
    /// mode alone, and that is asked for.
    pub(super) fn refused(&self) -> Option<Unsupported> {
        let floats = self.point.filter(|_| self.calculates).map(|line| (line, "floating point"));
        let reference = self.reference.filter(|_| self.keyword_function);
        let reference = reference.map(|line| (line, "a reference to the variable of a caller"));
        let traced = self.traced.filter(|_| self.traces);
        let traced = traced.map(|line| (line, "what `set -x' shows of redirections and arrays"));
        let alias = self.alias.filter(|_| self.posix_mode);
        let alias = alias.map(|line| (line, "an alias in posix mode"));
        let (line, what) = floats.or(reference).or(traced).or(alias)?;
        Some(Unsupported { line, what: what.into() })
    }
}
