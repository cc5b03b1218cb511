//! Redirections and the working directory.

use super::Around;

area! {
    /// Redirections and the working directory.
    pub(crate) struct Files {
        redirects: Redirects = Redirects::POSIX,
        directories: Directories = Directories::POSIX,
    }

    /// Redirections.
    pub(crate) struct Redirects {
        /// Whether programs do not get what `exec 3>file` has opened (ksh).
        exec_opens_privately: bool = false,
        /// Whether a here-document is a file that can be read twice (ksh).
        here_document_is_file: bool = false,
        /// Whether the word of a redirection is split and matched (bash, but in POSIX mode).
        expands_file_names: bool = false,
        /// The first number that `{name}>file` takes.
        first_named_descriptor: u32 = 10,
        /// Whether the word of `>&` can only be a digit (dash).
        copies_digits_only: bool = true,
        /// Whether `<&p` is the process of `|&`: in ksh, where there is none here.
        p_is_process: bool = false,
        /// Whether `>&file` is `>file 2>&1` (bash).
        copy_of_word_is_file: bool = false,
        /// Whether `>&word` is called ambiguous (bash).
        bad_copy_is_ambiguous: bool = false,
    }

    /// The working directory: `cd`, `pwd`, and what is known of it.
    pub(crate) struct Directories {
        /// Whether `cd` says that the directory it leaves has no path (bash).
        tells_lost_directory: bool = false,
        /// What OLDPWD becomes.
        old_directory: OldDirectory = OldDirectory::Known,
        /// Whether `cd` exports OLDPWD (not ksh).
        exports_old: bool = true,
        /// Whether `cd` exports PWD (dash).
        exports_new: bool = true,
        /// Whether PWD is `.` where the path is not known: in dash it is empty.
        lost_is_dot: bool = false,
        /// Whether `cd -P` takes `..` off the names first (ksh).
        physical_takes_names_off: bool = false,
        /// Where a path leads that goes up.
        parent: ParentPath = ParentPath::Names,
        /// Whether `cd` then enters the path as the kernel reads it (bash, but in POSIX mode).
        tries_physical: bool = false,
        /// What `cd` does where the new path cannot be found out.
        from_lost: LostDirectory = LostDirectory::Told,
        /// What the shell does when it begins in a directory that has no path.
        at_start: LostStart = LostStart::ToldUnnamed,
        /// Whether PWD from the environment is freed of `.` and `..` (bash).
        starts_with_tidy_path: bool = false,
        /// Whether `cd old new` goes to PWD with `old` made `new` (ksh).
        replaces_part: bool = false,
        /// The status of a `cd` with too many operands. None: they do not matter.
        extra_operand_status: Option<i32> = None,
        /// Whether `cd` without HOME, and `cd -` without OLDPWD, stay here (dash), or fail.
        unset_home_is_here: bool = true,
        /// Whether `cd ''` is an error (ksh).
        refuses_empty: bool = false,
        /// Whether `cd ''` looks for the path again if it is not known (dash).
        checks_empty: bool = true,
        /// What `cd` says.
        cannot_change: fn(path: &[u8], why: &str) -> Vec<u8> =
            |path, _| Around("can't cd to ", "").of(path),
        /// Whether `/` in CDPATH makes `/name` (ksh); elsewhere `//name`.
        root_joins_plainly: bool = false,
        /// What `pwd` shows.
        print: PrintDirectory = PrintDirectory::Known,
    }
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
    Checked,
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
