//! What the shells differ in: `alias`, `command`, `hash`, `type`

/// `alias`, `command`, `hash`, `type`
pub(crate) struct Lookup {
    /// In which row of its hash table the shell has an alias: they are listed in that
    /// order. None: by name.
    pub(crate) aliases_in_buckets: Option<fn(name: &[u8]) -> u32>,
    /// Whether `alias -p name` lists all as well: in bash.
    pub(crate) alias_lists_beside_names: bool,
    /// Whether aliases are listed as commands: in bash, but in POSIX mode without `-p`.
    pub(crate) alias_prefix: bool,
    /// Whether an alias cannot have every name: in dash it can.
    pub(crate) checks_alias_names: bool,
    /// Whether the message about an alias that there is not has no place: in dash.
    pub(crate) alias_unknown_is_bare: bool,
    /// Whether `unalias` alone is an error: not in dash.
    pub(crate) unalias_needs_name: bool,
    /// Whether `hash` does nothing when `set +h` is on: in bash.
    pub(crate) hash_is_an_option: bool,
    /// Whether `hash name` of what there is not is an error: not in ksh.
    pub(crate) hash_finds_unknown: bool,
    /// In which row of its hash table the shell has a program: `hash` lists them in that
    /// order. None: by name.
    pub(crate) programs_in_buckets: Option<fn(name: &[u8]) -> u32>,
    /// How `hash` lists programs.
    pub(crate) hash_list: HashList,
    /// Whether `command -v` looks at its first operand only: in dash.
    pub(crate) describes_one: bool,
    /// Whether `type` and `command -v` alone fail: in ksh.
    pub(crate) needs_name: bool,
    /// Whether `type -p` of what is no program gives nothing: in bash; in ksh it looks for
    /// a program.
    pub(crate) p_is_only_if_file: bool,
    /// Whether `type` writes that something was not found to its output: in dash.
    pub(crate) unknown_is_output: bool,
    /// The status of `type` and `command -v` of what there is not.
    pub(crate) unknown_status: i32,
    /// Whether `command -v` succeeds if it finds one of its operands: in bash.
    pub(crate) one_known_is_enough: bool,
    /// Whether `type -a` lists each program of that name in PATH: in bash.
    pub(crate) lists_every_file: bool,
    /// Whether a path can be any file to `type`: in dash.
    pub(crate) any_file_is_program: bool,
    /// What `type` calls things.
    pub(crate) description: Description,
}

/// How `hash` lists programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HashList {
    /// dash: their paths.
    Paths,
    /// bash: how often each was used, below a headline.
    Hits,
    /// ksh: `name=path`.
    Assignments,
}

/// What `type` calls things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    /// A reserved word.
    pub(crate) keyword: &'static str,
    /// A function.
    pub(crate) function: &'static str,
    /// Whether its text follows: in bash.
    pub(crate) function_text: bool,
    /// Whether special builtins are called so: in bash only in POSIX mode.
    pub(crate) special: bool,
    /// A program.
    pub(crate) hashed: Hashed,
}

/// What `type` calls a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hashed {
    /// dash: a tracked alias, if its place is remembered.
    Remembered,
    /// bash: hashed, if its place is remembered and nothing else is asked for.
    RememberedAlone,
    /// ksh: a tracked alias, unless it is a path or a builtin has its name.
    Found,
}
