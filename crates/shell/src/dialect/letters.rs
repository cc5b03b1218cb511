//! What the shells differ in: the options that builtins have.

/// The options that builtins have: letters, with a colon behind those that take a value. None:
/// dash takes everything for an operand.
pub(crate) struct OptionLetters {
    /// `alias`
    pub(crate) alias: Option<&'static str>,
    /// `type`
    pub(crate) type_of: Option<&'static str>,
    /// `exec`
    pub(crate) exec: Option<&'static str>,
    /// `wait`
    pub(crate) wait: &'static str,
    /// `hash`
    pub(crate) hash: &'static str,
    /// `cd`
    pub(crate) cd: &'static str,
    /// `umask`
    pub(crate) umask: &'static str,
    /// `trap`
    pub(crate) trap: &'static str,
    /// `command`
    pub(crate) command: &'static str,
    /// `unset`
    pub(crate) unset: &'static str,
    /// `printf`
    pub(crate) printf: &'static str,
    /// `export`
    pub(crate) export: &'static str,
    /// `readonly`
    pub(crate) readonly: &'static str,
    /// `local`
    pub(crate) local: &'static str,
    /// `declare` and `typeset`
    pub(crate) declare: &'static str,
    /// `read`
    pub(crate) read: &'static str,
    /// Whether `declare -t` is the attribute that traces functions: in bash; in ksh it is a
    /// tag.
    pub(crate) t_is_trace: bool,
}
