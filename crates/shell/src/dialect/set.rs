//! What the shells differ in: `set`, `shopt` and `$-`.

use super::{Around, OptionName};

/// `set`, `shopt` and `$-`.
pub(crate) struct SetOptions {
    /// The names of `set -o` in the order in which they are listed.
    pub(crate) names: &'static [OptionName],
    /// The letters of `set`.
    pub(crate) letters: &'static [u8],
    /// Whether `set -E` is `emacs`, and not `errtrace`: in dash.
    pub(crate) e_is_emacs: bool,
    /// Whether `set -o noname` turns `name` off: in ksh.
    pub(crate) no_negates: bool,
    /// Whether `$-` has the letters in the order of the list from its end: in dash;
    /// elsewhere in that of the alphabet.
    pub(crate) flags_in_list_order: bool,
    /// Whether `$-` has a `c` for a script that came with `-c`: not in dash.
    pub(crate) flag_of_argument: bool,
    /// Where `$-` has the letter of where the script comes from.
    pub(crate) flag_of_source: SourceFlag,
    /// Whether `set -A name` sets an array, and `set -s` sorts: in ksh.
    pub(crate) sets_arrays: bool,
    /// Of a name of `set -o` that there is not.
    pub(crate) bad_name: Around,
    /// Whether it is followed by how `set` is used: in ksh.
    pub(crate) bad_name_shows_usage: bool,
    /// How `set -o` lists the options.
    pub(crate) table: OptionTable,
    /// Whether `set +o` shows `set --default` and what is not so: in ksh; elsewhere a line
    /// for each option.
    pub(crate) default_and_exceptions: bool,
    /// Whether `set` and `declare` list functions behind the variables: in bash, but in
    /// POSIX mode.
    pub(crate) lists_functions: bool,
    /// Whether `set` lists variables that are computed: in ksh.
    pub(crate) lists_computed: bool,
    /// Whether SHELLOPTS and BASHOPTS tell which options are on: in bash.
    pub(crate) variables_tell_options: bool,
}

/// Where `$-` has the letter of where the script comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceFlag {
    /// dash: in the order of its list.
    BesideLast,
    /// bash: at the end.
    Last,
    /// ksh: among the others.
    Sorted,
}

/// How `set -o` lists the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionTable {
    /// dash and ksh: below a headline, with a column of this width for the names.
    Wide(usize),
    /// bash: with a tab between.
    Tabs,
}
