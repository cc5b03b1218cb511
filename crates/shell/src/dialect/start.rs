//! How a shell begins, its options, and what `set -x` and `time` show.

use super::{Around, OptionName, option_names};

area! {
    /// What a shell begins with.
    pub(crate) struct Start {
        /// PATH if it is not set.
        path: &'static str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        /// Whether PS1 and PS2 are set (dash).
        prompts: bool = true,
        /// Variables that are set, whatever they were.
        variables: &'static [(&'static str, &'static str)] = &[],
        /// Variables that are set if they are not.
        usual_variables: &'static [(&'static str, &'static str)] = &[],
        /// The elements of BASH_VERSINFO; none if there is no such array.
        version_numbers: &'static [&'static str] = &[],
        /// Whether UID, EUID, HOSTNAME are set, and the shell's own variables readonly (bash).
        tells_user_and_host: bool = false,
        /// Whether ENV is `~/.kshrc` if it is not set (ksh).
        startup_file: bool = false,
        /// Whether SHLVL counts shells in shells.
        level: ShellLevel = ShellLevel::None,
        /// The options of `set` that are on.
        options: &'static [&'static str] = &[],
        /// The shells of scripts without `#!`, looked for in turn.
        scripts_run_by: &'static [&'static str] = &[],
        /// The shell of such scripts if none of them is there.
        scripts_else_run_by: &'static str = "/bin/sh",
        /// Whether the standard input as a script is read block by block, not by lines (dash).
        reads_input_in_blocks: bool = true,
        /// Whether lines of `eval` are counted from its own line (bash); elsewhere from 1.
        lines_of_evaluated_text: bool = false,
        /// Whether of a text that cannot be parsed the lines before are run (bash).
        runs_readable_lines: bool = false,
        /// Whether `exec ''` is not found (bash); elsewhere a directory is, which cannot be run.
        exec_misses_empty_name: bool = false,
        /// Whether a failing `exec` names the whole path, and a second time as `exec` (bash).
        exec_names_path: bool = false,
        /// Whether a failing `exec` says of a directory that it is one (not dash).
        exec_knows_directories: bool = false,
        /// Whether nothing is trapped any more when `exec` has failed (ksh).
        failed_exec_drops_traps: bool = false,
        /// Whether a long option may have one dash, and `--norc` and its like exist (bash).
        long_options: bool = false,
        /// The variable that names a file which runs before a script.
        startup_variable: Option<&'static str> = None,
    }

    /// `set`, `shopt` and `$-`.
    pub(crate) struct SetOptions {
        /// The names of `set -o` in the order in which they are listed.
        names: &'static [OptionName] = option_names::DASH,
        /// The letters of `set`.
        letters: &'static [u8] = b"efnxvCabupEVI",
        /// Whether `set -E` is `emacs`, and not `errtrace` (dash).
        e_is_emacs: bool = true,
        /// Whether `set -o noname` turns `name` off (ksh).
        no_negates: bool = false,
        /// Whether `$-` is in the order of the list from its end (dash), not in the alphabet's.
        flags_in_list_order: bool = true,
        /// Whether `$-` has a `c` for a script that came with `-c` (not dash).
        flag_of_argument: bool = false,
        /// Where `$-` has the letter of where the script comes from.
        flag_of_source: SourceFlag = SourceFlag::BesideLast,
        /// Whether `set -A name` sets an array, and `set -s` sorts (ksh).
        sets_arrays: bool = false,
        /// Of a name of `set -o` that there is not.
        bad_name: Around = Around("Illegal option -o ", ""),
        /// Whether it is followed by how `set` is used (ksh).
        bad_name_shows_usage: bool = false,
        /// How `set -o` lists the options.
        table: OptionTable = OptionTable::Wide(16),
        /// Whether `set +o` is `set --default` and what is not so (ksh), not a line each.
        default_and_exceptions: bool = false,
        /// Whether `set` and `declare` list functions as well (bash, but in POSIX mode).
        lists_functions: bool = false,
        /// Whether `set` lists variables that are computed (ksh).
        lists_computed: bool = false,
        /// Whether SHELLOPTS and BASHOPTS tell which options are on (bash).
        variables_tell_options: bool = false,
    }

    /// What `set -x` and `time` show.
    pub(crate) struct Trace {
        /// Whether the first character of PS4 is repeated in `eval`, `.` and substitutions (bash).
        nests: bool = false,
        /// Whether PS4 has the escapes of a prompt (bash).
        prompt_escapes: bool = false,
        /// Whether BASH_XTRACEFD says where the lines go (bash).
        own_descriptor: bool = false,
        /// Whether `set +x` alone is not shown (ksh).
        hides_its_end: bool = false,
        /// How a declaring command's assignments are shown.
        declarations: TracedDeclarations = TracedDeclarations::Words,
        /// Whether the name `[` is shown without quotes (ksh).
        bracket_is_plain: bool = false,
        /// Whether an empty value that is assigned is shown as `''` (ksh).
        quotes_empty_values: bool = false,
        /// Whether assignments are shown on their command's line (dash), not on their own.
        assignments_share_line: bool = true,
        /// Whether the heads of `for`, `case` and `select` are shown (bash).
        shows_heads: bool = false,
        /// Whether an empty part of `for ((;;))` is shown as `(( 1 ))` (bash).
        shows_empty_parts: bool = false,
        /// How `((…))` is shown.
        arithmetic: Around = Around("((", "))"),
        /// Whether the tests of `[[ … ]]` are shown: dash has none.
        shows_tests: bool = false,
        /// Whether the words of a test are shown in quotes where they need them (ksh).
        quotes_tested_words: bool = false,
        /// How `time` shows what it measured.
        time_format: TimeFormat = TimeFormat::Posix,
    }
}

/// Whether SHLVL counts shells in shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellLevel {
    /// dash: it does not.
    None,
    /// bash: from 0 to 999; more is taken for a mistake. `exec` counts down.
    Limited,
    /// ksh: whatever it was, and one.
    Any,
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

/// How a declaring command's assignments are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TracedDeclarations {
    /// dash: as the words they are.
    Words,
    /// bash: arrays on lines before; those of `export` and `readonly` again on lines behind.
    Twice,
    /// ksh: each on a line before, and its name in the command.
    Values,
}

/// How `time` shows what it measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeFormat {
    /// dash: as `time -p` does.
    Posix,
    /// bash: as TIMEFORMAT says.
    Variable,
    /// ksh: in its usual way.
    Usual,
}
