//! Which shell's language a script is in, and everything that the languages differ in.
//!
//! [`Dialect`] names a shell. Its profile says how that shell behaves: each difference is one
//! documented field, named after the behaviour, and the code asks for that field instead of
//! comparing dialects. The areas state what POSIX sh does; `bash` and `ksh` list what differs. A
//! further shell is one more file beside them, and one more line in `Dialect::profile`.
//!
//! | module | what is in it |
//! |---|---|
//! | `bash`, `ksh` | the profiles: what differs from POSIX sh |
//! | `syntax`, `words` | how a script is read, what is said if it cannot be, what is left |
//! | `arithmetic`, `conditions` | `$(( … ))`; `test` and `[` |
//! | `formats` | `echo`, `printf`, escapes, quotes, `getopts`, IFS |
//! | `running` | commands, functions, subshells, how far errors reach, what is said of them |
//! | `values` | variables, arrays, expansions, patterns |
//! | `processes`, `limit_rows` | traps, signals, jobs, limits |
//! | `files` | redirections and the working directory |
//! | `start`, `option_names` | how a shell begins, its options, `set -x` |
//! | `builtins`, `builtin_table` | what builtins do; which there are |
//! | `messages` | the shape of a message with a subject in it |
//!
//! This folder uses nothing else of the crate, so that every other module can use it. A field is a
//! `bool`, a small `enum`, a text, or a function of texts where a shell does something of its own.

/// Structs of fields in which shells differ, each with what POSIX sh does, as dash 0.5.12 has it.
macro_rules! area {
    ($($(#[$doc:meta])* pub(crate) struct $area:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty = $posix:expr,)*
    })*) => {$(
        $(#[$doc])*
        pub(crate) struct $area {
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }

        impl $area {
            /// POSIX sh.
            pub(crate) const POSIX: Self = Self { $($field: $posix,)* };
        }
    )*};
}

/// An area of a shell by what differs from POSIX sh: behind `+` what is true, behind `-` what is
/// false, then fields with other values.
macro_rules! differs {
    ($area:ident
        $(+ $($yes:ident),+;)?
        $(- $($no:ident),+;)?
        $($field:ident: $value:expr,)*
    ) => {{
        #[allow(clippy::needless_update, reason = "all its fields may differ")]
        let area =
            $area { $($($yes: true,)+)? $($($no: false,)+)? $($field: $value,)* ..$area::POSIX };
        area
    }};
}

mod arithmetic;
mod bash;
pub(crate) mod builtin_table;
mod builtins;
mod conditions;
mod files;
mod formats;
mod ksh;
mod limit_rows;
mod messages;
pub(crate) mod option_names;
mod processes;
mod running;
mod start;
mod syntax;
mod values;
mod words;

pub(crate) use {
    arithmetic::*, builtin_table::BuiltinSet, builtins::*, conditions::*, files::*, formats::*,
    limit_rows::LimitOf, limit_rows::LimitRow, messages::Around, option_names::OptionName,
    processes::*, running::*, start::*, syntax::*, values::*, words::*,
};

/// Which shell's language a script is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// POSIX sh as dash has it.
    #[default]
    Posix,
    /// bash 5.2
    Bash,
    /// ksh93u+m
    Ksh,
}

impl Dialect {
    /// Each of them.
    pub(crate) const ALL: [Self; 3] = [Self::Posix, Self::Bash, Self::Ksh];

    /// The one that an option of `fewer sh` asks for: `--bash`. No calls.
    #[must_use]
    pub fn by_option(option: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.profile().option == option)
    }

    /// The one that a program speaks, by its name without a path: `ksh93`. No calls.
    #[must_use]
    pub fn by_program(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.profile().programs.contains(&name))
    }

    /// The shell itself, which runs the scripts that are not run here. No calls.
    #[must_use]
    pub fn program(self) -> &'static [u8] {
        self.profile().programs[0]
    }

    /// Whether its long options may have one dash, as bash's. No calls.
    #[must_use]
    pub fn has_long_options(self) -> bool {
        self.profile().start.long_options
    }

    /// The variable that names a file which runs before a script, if there is one. No calls.
    #[must_use]
    pub fn startup_variable(self) -> Option<&'static str> {
        self.profile().start.startup_variable
    }

    /// Whether the status is 2 whatever the reason why a script cannot be read. No calls.
    #[must_use]
    pub fn has_one_status(self) -> bool {
        self.profile().failures.one_status
    }

    /// How this shell behaves. Costs one look into a table, and no calls.
    #[inline]
    pub(crate) fn profile(self) -> &'static Profile {
        match self {
            Self::Posix => &Profile::POSIX,
            Self::Bash => &bash::PROFILE,
            Self::Ksh => &ksh::PROFILE,
        }
    }
}

area! {
    /// How a shell behaves, by area.
    pub(crate) struct Profile {
        /// Which shell it is.
        dialect: Dialect = Dialect::Posix,
        /// The option of `fewer sh` that asks for it.
        option: &'static [u8] = b"--posix",
        /// The names of programs that speak it, first that of the shell itself.
        programs: &'static [&'static [u8]] = &[b"sh", b"dash", b"ash"],
        /// Whether a character may have several bytes, if the locale says so: dash knows bytes.
        multibyte: bool = false,
        /// How a script is read.
        syntax: Syntax = Syntax::POSIX,
        /// What has to be known of commands before they run.
        commands: Commands = Commands::POSIX,
        /// `$(( … ))`
        arithmetic: Arithmetic = Arithmetic::POSIX,
        /// `test` and `[`
        conditions: Conditions = Conditions::POSIX,
        /// How text is written, split and quoted.
        formats: Formats = Formats::POSIX,
        failures: Failures = Failures::POSIX,
        messages: Messages = Messages::POSIX,
        calls: Calls = Calls::POSIX,
        subshells: Subshells = Subshells::POSIX,
        start: Start = Start::POSIX,
        set: SetOptions = SetOptions::POSIX,
        trace: Trace = Trace::POSIX,
        values: Values = Values::POSIX,
        processes: Processes = Processes::POSIX,
        files: Files = Files::POSIX,
        builtins: Builtins = Builtins::POSIX,
    }
}

/// Where dash keeps a name, in a table of so many rows: what it lists comes row by row.
fn bucket(name: &[u8], rows: u32) -> u32 {
    let first = u32::from(name.first().copied().unwrap_or_default()) << 4;
    name.iter().fold(first, |sum, byte| sum.wrapping_add(u32::from(*byte))) % rows
}
