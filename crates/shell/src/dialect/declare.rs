//! What the shells differ in: `export`, `readonly`, `local`, `declare`, `typeset`

use super::Around;

/// `export`, `readonly`, `local`, `declare`, `typeset`
pub(crate) struct Declarations {
    /// Of `local` outside of functions.
    pub(crate) local_outside: &'static str,
    /// The status of that.
    pub(crate) local_outside_status: i32,
    /// Whether `export -p a=1` assigns: dash lists all.
    pub(crate) print_assigns: bool,
    /// Whether a readonly variable can have no local of its name: in bash.
    pub(crate) readonly_has_no_local: bool,
    /// Whether `-g` means the variable behind all locals: in bash.
    pub(crate) reaches_global: bool,
    /// Whether `-a` makes a text the first element of an array: not in ksh.
    pub(crate) text_becomes_element: bool,
    /// Whether a variable that is given elements is marked as an array: in bash.
    pub(crate) elements_mark_array: bool,
    /// Whether a variable without a value is listed once it was declared: in bash.
    pub(crate) valueless_is_declared: bool,
    /// Whether `-i` evaluates what the variable holds: in ksh.
    pub(crate) integer_recalculates: bool,
    /// Of `-n` with what is no name.
    pub(crate) bad_reference: Around,
    /// Whether arrays of one kind cannot be made those of the other, nor references: in
    /// bash.
    pub(crate) checks_conversion: bool,
    /// Whether the message about a readonly variable names the builtin.
    pub(crate) readonly_names_builtin: NamedBuiltin,
    /// Whether the message about what is no name has the whole operand: in dash without
    /// `=value`.
    pub(crate) bad_name_is_operand: bool,
    /// Whether `typeset +x` lists names without values: in ksh.
    pub(crate) plus_lists_names: bool,
    /// Whether `-i` takes a base: in ksh.
    pub(crate) integer_has_base: bool,
    /// Whether `-l` and `-u` together are neither: in bash.
    pub(crate) cases_cancel: bool,
    /// How variables are listed.
    pub(crate) style: DeclarationStyle,
    /// Whether `-p` of what there is not is an error: in bash.
    pub(crate) print_finds_unknown: bool,
    /// Whether a newline is put behind a function's text: in ksh the text has it.
    pub(crate) function_ends_line: bool,
    /// Whether `declare a='(b c)'` gives an array elements: in bash.
    pub(crate) reads_text_as_elements: bool,
}

/// Whether the message about a readonly variable names the builtin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBuiltin {
    /// dash: it does.
    Always,
    /// bash: if it is neither `export` nor `readonly`.
    Declares,
    /// ksh: for `typeset +r`.
    TakesOff,
}

/// How variables are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclarationStyle {
    /// dash: `export a='b'`.
    Export,
    /// bash: `declare -x a="b"`.
    Declare,
    /// ksh: `typeset -x a=b`.
    Typeset,
}
