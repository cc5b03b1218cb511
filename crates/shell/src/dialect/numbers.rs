//! What the shells differ in: variables in arithmetic.

/// Variables in arithmetic.
pub(crate) struct Numbers {
    /// Whether `set -u` holds for variables in arithmetic: not in dash.
    pub(crate) unset_is_error: bool,
    /// Whether a name in a variable's value must be set, even without `set -u`: in ksh.
    pub(crate) unset_in_value_is_error: bool,
    /// Whether a variable's value may be an expression: in dash it must be a number.
    pub(crate) values_are_expressions: bool,
}
