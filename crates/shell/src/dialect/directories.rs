//! What the shells differ in: the working directory: `cd`, `pwd`, and what is known of it.

/// The working directory: `cd`, `pwd`, and what is known of it.
pub(crate) struct Directories {
    /// Whether `cd` says that the directory it leaves has no path: in bash.
    pub(crate) tells_lost_directory: bool,
    /// What OLDPWD becomes.
    pub(crate) old_directory: OldDirectory,
    /// Whether `cd` exports OLDPWD: not in ksh.
    pub(crate) exports_old: bool,
    /// Whether `cd` exports PWD: in dash.
    pub(crate) exports_new: bool,
    /// Whether PWD is `.` where the path is not known: in dash it is empty.
    pub(crate) lost_is_dot: bool,
    /// Whether `cd -P` takes `..` off the names first: in ksh.
    pub(crate) physical_takes_names_off: bool,
    /// Where a path leads that goes up.
    pub(crate) parent: ParentPath,
    /// Whether `cd` enters the path from here if it does not lead anywhere by its names: in
    /// bash, but in POSIX mode.
    pub(crate) tries_physical: bool,
    /// What `cd` does where the new path cannot be found out.
    pub(crate) from_lost: LostDirectory,
    /// What the shell does when it begins in a directory that has no path.
    pub(crate) at_start: LostStart,
    /// Whether PWD from the environment is freed of `.` and `..`: in bash.
    pub(crate) starts_with_tidy_path: bool,
    /// Whether `cd old new` goes to PWD with `old` made `new`: in ksh.
    pub(crate) replaces_part: bool,
    /// The status of a `cd` with too many operands. None: they do not matter.
    pub(crate) extra_operand_status: Option<i32>,
    /// Whether `cd` without HOME, and `cd -` without OLDPWD, stay here: in dash; elsewhere
    /// they are errors.
    pub(crate) unset_home_is_here: bool,
    /// Whether `cd ''` is an error: in ksh.
    pub(crate) refuses_empty: bool,
    /// Whether `cd ''` looks for the path again if it is not known: in dash.
    pub(crate) checks_empty: bool,
    /// What `cd` says.
    pub(crate) cannot_change: fn(path: &[u8], why: &str) -> Vec<u8>,
    /// Whether `/` in CDPATH makes `/name`: in ksh; elsewhere `//name`.
    pub(crate) root_joins_plainly: bool,
    /// What `pwd` shows.
    pub(crate) print: PrintDirectory,
}

/// What OLDPWD becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldDirectory {
    /// dash: the path that the shell knows.
    Known,
    /// bash: what PWD was, whatever the script has made of it.
    Variable,
    /// ksh: the path that the shell knows, `.` if it knows none.
    KnownOrDot,
}

/// Where a path leads that goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParentPath {
    /// dash: `..` at its beginning takes names off the logical path.
    Names,
    /// bash: each directory on the way is looked at.
    Asked,
    /// ksh: as in dash; a path that does not go up is entered from here.
    NamesFromRoot,
}

/// What is done where a directory's path cannot be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostDirectory {
    /// dash: it is said, and the path is unknown.
    Told,
    /// bash: the path is unknown.
    Silent,
    /// ksh: it is an error.
    Error,
}

/// What the shell does when it begins in a directory that has no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostStart {
    /// dash: says so as `sh: 0:`, and PWD is empty.
    ToldUnnamed,
    /// bash: says so, and PWD is what it was.
    Told,
    /// ksh: believes PWD.
    Believed,
}

/// What `pwd` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrintDirectory {
    /// dash: the path that the shell knows; an empty line, with a message, if there is none.
    Known,
    /// bash: the path that the shell knows, else what the kernel says.
    KnownOrAsked,
    /// ksh: the path that the shell knows if it still leads here, else what the kernel says.
    Checked,
}
