//! What the shells differ in: variables, their values and their attributes.

/// Variables, their values and their attributes.
pub(crate) struct Variables {
    /// The variables whose value is computed when it is asked for.
    pub(crate) computed: &'static [&'static str],
    /// The variables that are integers from the start.
    pub(crate) integers: &'static [&'static str],
    /// The variables that are arrays from the start, though nothing is in them.
    pub(crate) arrays: &'static [&'static str],
    /// How RANDOM goes on from a seed.
    pub(crate) random_generator: RandomGenerator,
    /// Whether OPTIND can only be a number: dash refuses others, and `unset OPTIND`.
    pub(crate) optind_must_be_number: bool,
    /// Whether other positional parameters make `getopts` begin anew: in dash.
    pub(crate) set_resets_getopts: bool,
    /// Whether `${a:=b}` in an assignment before a command stays, whatever that assignment
    /// is itself: in bash.
    pub(crate) default_outlives_prefix: bool,
    /// Whether `unset` of a variable of a calling function, or of one assigned for this
    /// function, shows what it hides: in bash.
    pub(crate) unset_shows_outer: bool,
    /// Whether a local variable begins with the value that it hides: in dash.
    pub(crate) local_keeps_value: bool,
    /// Whether a local variable is exported if what it hides is: in bash.
    pub(crate) local_keeps_export: bool,
    /// Whether a text assigned before a command takes an array's place for its time: in
    /// bash.
    pub(crate) prefix_hides_arrays: bool,
    /// Whether programs get the first element of an exported array: bash gives them
    /// nothing.
    pub(crate) exports_arrays: bool,
    /// In which row of its hash table the shell has a name: the environment is in that
    /// order. None: in the order in which the names came.
    pub(crate) exports_in_buckets: Option<fn(name: &[u8]) -> u32>,
    /// Whether functions are taken from the environment (`BASH_FUNC_f%%`): in bash.
    pub(crate) imports_functions: bool,
    /// Whether programs get the pairs of the environment that cannot be variables: dash
    /// drops them.
    pub(crate) keeps_strange_environment: bool,
    /// Whether `~1` is a directory of the stack that `pushd` makes: in bash.
    pub(crate) directory_stack: bool,
    /// Whether `~+` and `~-` are PWD and OLDPWD: not in dash.
    pub(crate) tilde_signs: bool,
    /// Whether a `declare -n` that leads to itself is told and kept: ksh refuses it when it
    /// is made.
    pub(crate) circular_references: bool,
}

/// How RANDOM goes on from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RandomGenerator {
    /// In some way.
    Any,
    /// As bash does: the same numbers from the same seed.
    Bash,
}
