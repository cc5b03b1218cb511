//! What builtins do.

use super::{Around, BuiltinSet, bucket};

area! {
    /// What builtins do.
    pub(crate) struct Builtins {
        arguments: Arguments = Arguments::POSIX,
        letters: OptionLetters = OptionLetters::POSIX,
        flow: ControlFlow = ControlFlow::POSIX,
        declare: Declarations = Declarations::POSIX,
        read: Reading = Reading::POSIX,
        lookup: Lookup = Lookup::POSIX,
    }

    /// Which builtins there are, and what many of them do alike.
    pub(crate) struct Arguments {
        /// Those that are done here.
        done: BuiltinSet = BuiltinSet::of(&[
            ".", ":", "[", "alias", "break", "cd", "command", "continue", "echo", "eval", "exec",
            "exit", "export", "false", "getopts", "hash", "kill", "local", "printf", "pwd", "read",
            "readonly", "return", "set", "shift", "test", "times", "trap", "true", "type", "ulimit",
            "umask", "unalias", "unset", "wait",
        ]),
        /// Those that are not: a script that calls one ends, or is for its own shell.
        left_out: BuiltinSet = BuiltinSet::of(&["bg", "chdir", "fg", "jobs"]),
        /// Of an option that a builtin does not have.
        no_such_option: fn(sign: u8, letter: u8) -> Vec<u8> =
            |_, letter| Around("Illegal option -", "").of([letter]),
        /// Of an option without its value.
        no_value: Around = Around("No arg for -", " option"),
        /// How it is told how a builtin is used.
        usage: Usage = Usage::None,
        /// Of an operand that should be a number.
        not_a_number: Around = Around("Illegal number: ", ""),
        /// Whether too many operands of `break`, `return`, `exit`, `shift` end the line (bash).
        extra_operand_ends_line: bool = false,
        /// Whether `--` is an operand of `eval` and `shift` (dash).
        dashes_end_no_options: bool = true,
        /// What `shift` does that is to shift more than there is.
        shift_many: ManyShifts = ManyShifts::Error,
        /// What the operand of `shift` can be.
        shift_operand: ShiftOperand = ShiftOperand::Number,
        /// Whether `let` alone is an error: in bash; in ksh it shows how it is used.
        let_needs_expression: bool = false,
        /// Whether a failing `unset` ends the shell (dash).
        unset_failure_exits: bool = true,
        /// Whether `unset` alone shows how it is used (ksh).
        unset_needs_name: bool = false,
        /// Whether `unset name` takes a function away if there is no such variable (bash).
        unset_takes_functions: bool = false,
        /// Whether `unset .name` does nothing (ksh).
        unset_ignores_dotted: bool = false,
        /// The status of `printf -v` with what is no name.
        printf_bad_name_status: i32 = 2,
        /// How many digits of a second `times` shows.
        times_digits: usize = 6,
        /// Of an operand of `ulimit` that is no number.
        bad_limit: fn(word: &[u8]) -> Vec<u8> = |_| b"bad number".to_vec(),
    }

    /// The letters of options, a colon behind those with a value. None: all are operands (dash).
    pub(crate) struct OptionLetters {
        /// `alias`
        alias: Option<&'static str> = None,
        /// `type`
        type_of: Option<&'static str> = None,
        /// `exec`
        exec: Option<&'static str> = None,
        /// `wait`
        wait: &'static str = "",
        /// `hash`
        hash: &'static str = "r",
        /// `cd`
        cd: &'static str = "LP",
        /// `umask`
        umask: &'static str = "S",
        /// `trap`
        trap: &'static str = "",
        /// `command`
        command: &'static str = "vVp",
        /// `unset`
        unset: &'static str = "fv",
        /// `printf`
        printf: &'static str = "",
        /// `export`
        export: &'static str = "p",
        /// `readonly`
        readonly: &'static str = "p",
        /// `local`
        local: &'static str = "",
        /// `declare` and `typeset`
        declare: &'static str = "",
        /// `read`
        read: &'static str = "rp:",
        /// Whether `declare -t` is the attribute that traces functions (bash), not a tag (ksh).
        t_is_trace: bool = false,
    }

    /// `break`, `return`, `exit`, `eval`, `.`
    pub(crate) struct ControlFlow {
        /// What `break 0` and `break x` do.
        bad_loop_count: BadLoopCount = BadLoopCount::NoNumber,
        /// Whether `break` outside of loops says that it means nothing there (bash).
        break_outside_is_told: bool = false,
        /// What the operand of `exit` and `return` can be.
        status_operand: StatusOperand = StatusOperand::FromZero,
        /// Whether `return` outside of functions and files is an error (bash), not an exit.
        return_needs_function: bool = false,
        /// Whether `return` in a function of a trap gives the status from before it (bash).
        return_sees_outer_trap: bool = false,
        /// Whether `return 256` is `return 0` (bash).
        return_is_byte: bool = false,
        /// Whether `return x` returns (bash); elsewhere it ends the shell.
        bad_return_returns: bool = false,
        /// Whether `exit` in any trap, not just on EXIT, gives the status from before (not bash).
        exit_sees_any_trap: bool = true,
        /// Whether `$?` in the trap on EXIT is the process's status (not dash: the given number).
        exit_is_byte: bool = false,
        /// Whether `eval -x` is refused (bash).
        eval_has_options: bool = false,
        /// Whether `.` alone is an error (bash).
        dot_needs_file: bool = false,
        /// Whether `. ./directory` reads nothing, and is content (dash).
        directory_is_empty_file: bool = true,
        /// Whether NUL bytes in files that are read are dropped (not ksh).
        drops_nul: bool = true,
        /// Whether `. file words` sets positional parameters (not dash).
        dot_takes_arguments: bool = false,
        /// Whether `set` in `. file words` outside of functions changes the caller's (bash).
        set_in_file_stays: bool = false,
        /// Whether the trap on RETURN runs behind a file or a function (bash).
        has_return_trap: bool = false,
        /// Whether the status of `.` is a byte (ksh).
        dot_status_is_byte: bool = false,
        /// What `.` says of a file that cannot be read.
        missing_file: MissingFile = MissingFile::NotFound,
        /// Whether `.` takes `./name` if PATH has no such file: in bash in POSIX mode only.
        dot_prefers_path_here: bool = true,
    }

    /// `export`, `readonly`, `local`, `declare`, `typeset`
    pub(crate) struct Declarations {
        /// Of `local` outside of functions.
        local_outside: &'static str = "not in a function",
        /// The status of that.
        local_outside_status: i32 = 2,
        /// Whether `export -p a=1` assigns: dash lists all.
        print_assigns: bool = false,
        /// Whether a readonly variable can have no local of its name (bash).
        readonly_has_no_local: bool = false,
        /// Whether `-g` means the variable behind all locals (bash).
        reaches_global: bool = false,
        /// Whether `-a` makes a text the first element of an array (not ksh).
        text_becomes_element: bool = true,
        /// Whether a variable that is given elements is marked as an array (bash).
        elements_mark_array: bool = false,
        /// Whether a variable without a value is listed once it was declared (bash).
        valueless_is_declared: bool = false,
        /// Whether `-i` evaluates what the variable holds (ksh).
        integer_recalculates: bool = false,
        /// Of `-n` with what is no name.
        bad_reference: Around = Around("", ": invalid variable name"),
        /// Whether arrays of one kind cannot be made those of the other, nor references (bash).
        checks_conversion: bool = false,
        /// Whether the message about a readonly variable names the builtin.
        readonly_names_builtin: NamedBuiltin = NamedBuiltin::Always,
        /// Whether the message about what is no name has the whole operand, `=value` too.
        bad_name_is_operand: bool = false,
        /// Whether `typeset +x` lists names without values (ksh).
        plus_lists_names: bool = false,
        /// Whether `-i` takes a base (ksh).
        integer_has_base: bool = false,
        /// Whether `-l` and `-u` together are neither (bash).
        cases_cancel: bool = false,
        /// How variables are listed.
        style: DeclarationStyle = DeclarationStyle::Export,
        /// Whether `-p` of what there is not is an error (bash).
        print_finds_unknown: bool = false,
        /// Whether a newline is put behind a function's text: in ksh the text has it.
        function_ends_line: bool = true,
        /// Whether `declare a='(b c)'` gives an array elements (bash).
        reads_text_as_elements: bool = false,
    }

    /// `read`, `select` and `getopts`
    pub(crate) struct Reading {
        /// Whether `-p` reads from the process of `|&`: in ksh, where there is none here.
        p_is_process: bool = false,
        /// Whether a backslash in IFS only separates (ksh).
        ifs_takes_backslash: bool = false,
        /// Whether `read` alone is an error (dash); elsewhere it sets REPLY.
        needs_name: bool = true,
        /// Whether `name?text` has a prompt (ksh).
        prompt_behind_name: bool = false,
        /// Whether `-t 0` only asks whether there is input (bash).
        zero_timeout_asks: bool = false,
        /// Whether a readonly variable is found before anything is read (ksh).
        checks_readonly_first: bool = false,
        /// Whether an escaped character counts once for `-n` and `-N` (bash).
        counts_escaped: bool = false,
        /// Whether some of what `-n` asked for is as good as all of it (ksh).
        part_succeeds: bool = false,
        /// Whether a timeout drops what came before it, with status 1 (ksh) instead of 142.
        late_line_is_lost: bool = false,
        /// What a trapped signal does to `read`.
        interrupted: InterruptedRead = InterruptedRead::Fails,
        /// Whether REPLY keeps the blanks around a line (bash).
        reply_is_whole_line: bool = false,
        /// Whether `select` writes a newline at the end of the input (bash).
        select_ends_line: bool = false,
        /// Whether `select` shows PS3 without a terminal, and fills the width with columns (bash).
        select_has_prompt: bool = false,
        /// Whether `getopts` names itself in the message about a readonly variable (dash).
        getopts_names_itself: bool = true,
        /// Whether OPTERR=0 turns the messages of `getopts` off (bash).
        getopts_can_be_quiet: bool = false,
        /// Whether messages about options begin with `$0` (not dash).
        getopts_names_script: bool = false,
        /// Whether the message about what is no name does not name `getopts` (ksh).
        getopts_bad_name_is_plain: bool = false,
    }

    /// `alias`, `command`, `hash`, `type`
    pub(crate) struct Lookup {
        /// The row of its hash table that has an alias: the order of lists. None: by name.
        aliases_in_buckets: Option<fn(name: &[u8]) -> u32> = Some(|name| bucket(name, 39)),
        /// Whether `alias -p name` lists all as well (bash).
        alias_lists_beside_names: bool = false,
        /// Whether aliases are listed as commands: in bash, but in POSIX mode without `-p`.
        alias_prefix: bool = false,
        /// Whether an alias cannot have every name: in dash it can.
        checks_alias_names: bool = false,
        /// Whether the message about an alias that there is not has no place (dash).
        alias_unknown_is_bare: bool = true,
        /// Whether `unalias` alone is an error (not dash).
        unalias_needs_name: bool = false,
        /// Whether `hash` does nothing when `set +h` is on (bash).
        hash_is_an_option: bool = false,
        /// Whether `hash name` of what there is not is an error (not ksh).
        hash_finds_unknown: bool = true,
        /// The row of its hash table that has a program: the order of `hash`. None: by name.
        programs_in_buckets: Option<fn(name: &[u8]) -> u32> = Some(|name| bucket(name, 31)),
        /// How `hash` lists programs.
        hash_list: HashList = HashList::Paths,
        /// Whether `command -v` looks at its first operand only (dash).
        describes_one: bool = true,
        /// Whether `type` and `command -v` alone fail (ksh).
        needs_name: bool = false,
        /// Whether `type -p` of what is no program gives nothing (bash); ksh looks for one.
        p_is_only_if_file: bool = false,
        /// Whether `type` writes that something was not found to its output (dash).
        unknown_is_output: bool = true,
        /// The status of `type` and `command -v` of what there is not.
        unknown_status: i32 = 127,
        /// Whether `command -v` succeeds if it finds one of its operands (bash).
        one_known_is_enough: bool = false,
        /// Whether `type -a` lists each program of that name in PATH (bash).
        lists_every_file: bool = false,
        /// Whether a path can be any file to `type` (dash).
        any_file_is_program: bool = true,
        /// What `type` calls things.
        description: Description = Description::POSIX,
    }

    /// What `type` calls things.
    pub(crate) struct Description {
        /// A reserved word.
        keyword: &'static str = "a shell keyword",
        /// A function.
        function: &'static str = "a shell function",
        /// Whether its text follows (bash).
        function_text: bool = false,
        /// Whether special builtins are called so: in bash only in POSIX mode.
        special: bool = true,
        /// A program.
        hashed: Hashed = Hashed::Remembered,
    }
}

/// How it is told how a builtin is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// dash: not at all; `getopts` and `printf` without operands say it as an error.
    None,
    /// bash: on one line.
    Line,
    /// ksh: on lines, with a hint.
    Paragraph,
}

/// What `shift` does that is to shift more than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ManyShifts {
    /// dash: `can't shift that many`.
    Error,
    /// bash: it fails, and says so if `shift_verbose` is on.
    Silent,
    /// ksh: `bad number`.
    BadNumber,
}

/// What the operand of `shift` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShiftOperand {
    /// dash: a number from 0 on.
    Number,
    /// bash: a number; below 0 it is out of range.
    AnyNumber,
    /// ksh: an arithmetic expression; what begins with `-` is an option.
    Expression,
}

/// What `break 0` and `break x` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLoopCount {
    /// dash: neither is a number; the shell ends.
    NoNumber,
    /// bash: 0 is out of range, and ends all loops; `x` ends the shell with the status 128.
    OutOfRange,
    /// ksh: both are labels, which there are not; the shell ends.
    NoLabel,
}

/// What the operand of `exit` and `return` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusOperand {
    /// dash: a number from 0 on.
    FromZero,
    /// bash: any number.
    Number,
    /// ksh: anything: the number that it begins with, else 0.
    Leading,
}

/// What `.` says of a file that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// dash: `not found`, or `cannot open …: No such file` of a path.
    NotFound,
    /// bash: the reason, not as a message of `.`; it ends the shell only in POSIX mode.
    Plain,
    /// ksh: `cannot open`, and the reason.
    CannotOpen,
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

/// What a trapped signal does to `read`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterruptedRead {
    /// dash: it fails, before the trap runs.
    Fails,
    /// bash: it goes on behind the trap.
    GoesOn,
    /// ksh: its status is 256 and the signal's number.
    EndsWithSignal,
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
