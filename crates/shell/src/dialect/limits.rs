//! What the shells differ in: `ulimit` and `umask`

use super::{Around, LimitRow};

/// `ulimit` and `umask`
pub(crate) struct ProcessLimits {
    /// The letters of `ulimit`, in the order of `ulimit -a`.
    pub(crate) rows: &'static [LimitRow],
    /// A line of `ulimit -a`.
    pub(crate) line: LimitLine,
    /// Whether `ulimit -f hard` means the limit that there is: in bash.
    pub(crate) hard_and_soft: bool,
    /// Whether a number that is too large is an error: in bash; elsewhere it is no limit.
    pub(crate) large_is_error: bool,
    /// The largest mask in octal digits.
    pub(crate) largest_mask: u32,
    /// Whether `umask ''` changes nothing: in dash; elsewhere it is wrong.
    pub(crate) empty_mask: bool,
    /// Whether a symbolic mask may end in a comma: in dash.
    pub(crate) mask_may_end_in_comma: bool,
    /// What stands between the commas of a symbolic mask.
    pub(crate) mask_clause: MaskClause,
    /// Whether `umask -S mask` shows the mask that it sets: in bash.
    pub(crate) shows_new_mask: bool,
    /// Of a mask with wrong digits.
    pub(crate) bad_mask_number: Around,
    /// Of a mask with something else for an operator.
    pub(crate) bad_mask_operator: fn(word: &[u8], byte: u8) -> Vec<u8>,
    /// Of a mask with something else for a permission.
    pub(crate) bad_mask_permission: fn(word: &[u8], byte: u8) -> Vec<u8>,
}

/// A line of `ulimit -a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitLine {
    /// dash: the name and the value.
    Name,
    /// bash: the name, the unit and the letter, and the value.
    NameUnitLetter,
    /// ksh: the name, the letter and the value.
    NameLetter,
}

/// What stands between the commas of a symbolic mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaskClause {
    /// bash: one change.
    One,
    /// dash and ksh: any number of changes.
    Changes {
        /// dash: `g=u` copies what was allowed; in ksh `t` is a permission instead.
        copies: bool,
        /// ksh: letters without an operator are set.
        sets: bool,
    },
}
