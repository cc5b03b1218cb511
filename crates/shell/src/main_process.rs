//! A script that is this process: `fewer sh`.

use std::os::fd::AsFd;
use std::rc::Rc;

use fewer::compact;
use fewer::{Fields, Kind, Scope};

use crate::arithmetic::Slot;
use crate::builtins;
use crate::lower::{Lowered, Lowerer, Unsupported};
use crate::options::Setting;
use crate::run::{Flow, Positional, Shell};
use crate::runner::Refused;
use crate::streams::{Looked, Table};
use crate::{Dialect, Text, syntax};

/// How `fewer sh` runs a script.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// The language.
    pub dialect: Dialect,
    /// The script's text.
    pub text: Vec<u8>,
    /// `$0`
    pub name: Vec<u8>,
    /// `$1`, …
    pub arguments: Vec<Vec<u8>>,
    /// Options in turn, and whether they are on.
    pub settings: Vec<(Setting, bool)>,
    /// Whether the text came with `-c`.
    pub from_argument: bool,
    /// Whether the text came from the standard input.
    pub from_input: bool,
    /// Whether standard tools are done without a process where that can be done exactly.
    pub tools: bool,
}

/// The kernel's number for the limit of a stack (`RLIMIT_STACK`).
const STACK_LIMIT: u32 = 3;

/// Runs a script as this process: its descriptors, its environment, its signals. Gives the status
/// that the process is to end with, unless the script replaces the process.
///
/// # Errors
/// What makes it impossible; nothing was run then.
pub fn run_process(invocation: &Invocation) -> Result<u8, Refused> {
    measure_stack();
    let list = syntax::parse_first(&invocation.text, invocation.dialect)
        .map_err(|error| Refused { line: error.line, what: error.message })?;
    let mut shell = start_shell(invocation, Table::start())?;
    let lowered = lower_first(&mut shell, &list)?;
    drop(list);
    shell.make_room();
    shell.functions.learn(&lowered.functions);
    if shell.options.no_exec() {
        return Ok(0);
    }
    start_process(&mut shell);
    let flow = shell.run_lowered(&lowered);
    Ok(end(&mut shell, flow))
}

/// Runs the script on the standard input as this process, as [`run_process`] does; its commands
/// find there what comes behind them. Unless `anyway`, it is run only if all of it has come, and
/// all of it can be read.
///
/// # Errors
/// What makes it impossible; nothing was run then, and nothing taken from the input.
pub fn run_input(invocation: &Invocation, input: Input, anyway: bool) -> Result<u8, Refused> {
    measure_stack();
    let Input { table, looked } = input;
    let text = match &looked {
        Looked::Part(text) if anyway => text,
        Looked::Whole(text) => text,
        Looked::Part(_) | Looked::Terminal => {
            let what = "the standard input is not at its end".to_string();
            return Err(Refused { line: 1, what });
        }
    };
    let list = match syntax::parse_first(text, invocation.dialect) {
        Err(error) if anyway && error.kind == syntax::ErrorKind::Syntax => {
            readable_part(text, invocation.dialect)
        }
        list => list.map_err(|error| Refused { line: error.line, what: error.message })?,
    };
    let mut shell = start_shell(invocation, table)?;
    lower_first(&mut shell, &list)?;
    drop((list, looked));
    shell.make_room();
    if !shell.options.no_exec() {
        start_process(&mut shell);
    }
    let flow = shell.run_input();
    Ok(end(&mut shell, flow))
}

/// What makes it impossible to run a script here: all that is known of it without running anything,
/// by line. Nothing if it can be run. Where a line is not supported, the rest is looked at as if
/// `:` stood there; behind a syntax error nothing is known.
///
/// Price: what [`run_process`] does before it runs anything.
#[must_use]
pub fn explain(invocation: &Invocation, input: Option<&Input>) -> Vec<Refused> {
    measure_stack();
    let mut found = Vec::new();
    if let Some(Input { looked: Looked::Part(_) | Looked::Terminal, .. }) = input {
        let what = "the standard input is not at its end".to_owned();
        found.push(Refused { line: 1, what });
    }
    found.extend(start_shell(invocation, Table::start()).err());
    let list = read_in_parts(invocation, &mut found);
    let mut names = crate::names::Names::default();
    let (lowered, unsupported) =
        Lowerer::lower_all(&list, &mut names, invocation.dialect, &|_: Slot| false);
    let refused = unsupported.into_iter();
    found.extend(refused.map(|Unsupported { line, what }| Refused { line, what }));
    for file in lowered.files {
        found.extend(look_into_files(&[file], invocation.dialect, FILES_DEEP).err());
    }
    compact::sort_by_key(&mut found, |refused| refused.line);
    found.dedup();
    found
}

/// All commands that can be read. Where one is not supported, its line is left out.
fn read_in_parts(invocation: &Invocation, found: &mut Vec<Refused>) -> syntax::tree::List {
    let (mut text, dialect) = (invocation.text.clone(), invocation.dialect);
    let mut last = 0;
    loop {
        let error = match syntax::parse_first(&text, dialect) {
            Ok(list) => return list,
            Err(error) => error,
        };
        let is_unsupported = error.kind == syntax::ErrorKind::Unsupported;
        // Behind a line that was left out a syntax error may come from that.
        if is_unsupported || last == 0 {
            found.push(Refused { line: error.line, what: error.message });
        }
        if !is_unsupported || error.line <= last || !leave_out(&mut text, error.line) {
            return readable_part(&text, dialect);
        }
        last = error.line;
    }
}

/// Puts `:` in the place of a line, unless it begins or ends a quotation: then what is behind it
/// would be read as something else.
fn leave_out(text: &mut Vec<u8>, line: u32) -> bool {
    let before = memchr::memchr_iter(b'\n', text);
    let starts = std::iter::once(0).chain(before.map(|end| end + 1));
    let Some(start) = starts.take(line as usize).last() else { return false };
    let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
    let is_whole =
        |quote: u8| memchr::memchr_iter(quote, &text[start..end]).count().is_multiple_of(2);
    let may = b"'\"`".iter().all(|quote| is_whole(*quote));
    if may {
        text.splice(start..end, *b":");
    }
    may
}

/// The commands before the first line that is not of the language: whether they are ever reached
/// is for those before them to say.
fn readable_part(mut text: &[u8], dialect: Dialect) -> syntax::tree::List {
    let mut items = Vec::new();
    let mut line = 1;
    while let Ok(syntax::Start::Commands(mut list, length)) =
        syntax::parse_start(text, dialect, line, true)
    {
        items.append(&mut list.items);
        line += u32::try_from(memchr::memchr_iter(b'\n', &text[..length]).count()).unwrap_or(0);
        text = &text[length..];
    }
    syntax::tree::List { items }
}

/// The standard input of this process, of which all that is there was looked at and nothing was
/// taken: a process that reads there after this was dropped finds all of it.
#[derive(Debug)]
pub struct Input {
    table: Table,
    looked: Looked,
}

impl Input {
    /// Looks at the standard input.
    ///
    /// Price: that of [`Open::look`](crate::streams::Open::look).
    ///
    /// # Errors
    /// The kernel's number.
    pub fn look() -> Result<Input, fewer::Errno> {
        let table = Table::start();
        // One that is closed is empty, as for every shell.
        let looked = match table.get(0).map(|open| open.look()) {
            None | Some(Err(fewer::Errno::BADF)) => Looked::Whole(Vec::new()),
            Some(looked) => looked?,
        };
        Ok(Input { table, looked })
    }

    /// What has come so far; none at a terminal.
    #[must_use]
    pub fn text(&self) -> Option<&[u8]> {
        match &self.looked {
            Looked::Terminal => None,
            Looked::Whole(text) | Looked::Part(text) => Some(text),
        }
    }
}

fn measure_stack() {
    // The most that a deep script needs without a further call; a user with a smaller limit for
    // stacks gets less.
    let stack = sys::limit(STACK_LIMIT).ok().and_then(|limit| limit.soft).unwrap_or(u64::MAX);
    crate::stack::has_left(usize::try_from(stack.min(8 << 20) / 4 * 3).unwrap_or(0));
}

/// A shell with the options that it is called with.
fn start_shell(invocation: &Invocation, table: Table) -> Result<Shell, Refused> {
    let mut environment: Vec<_> = Vec::new();
    for (name, value) in std::env::vars_os() {
        use std::os::unix::ffi::OsStringExt;
        environment.push((name.into_vec(), value.into_vec()));
    }
    let mut shell = Shell::new(invocation.dialect, table, builtins::run, environment.into_iter());
    shell.processes.owns_process = true;
    shell.streams.write_when_memory_is_out();
    shell.caches.programs.do_tools(invocation.tools);
    shell.origin.from_argument = invocation.from_argument;
    shell.origin.from_input = invocation.from_input;
    shell.origin.zero = Text::from_slice(&invocation.name);
    shell.origin.name = Rc::from(&*invocation.name);
    shell.calls.positional =
        Positional::new(invocation.arguments.iter().map(|word| Text::from_slice(word)).collect());
    for (setting, on) in &invocation.settings {
        if let Err(what) = shell.start_with(setting, *on) {
            return Err(Refused { line: 1, what });
        }
    }
    shell.options_changed();
    if let Some(name) = crate::options::not_done(shell.options, shell.profile) {
        return Err(Refused { line: 1, what: format!("'set -o {name}' is not run here") });
    }
    let posix = shell.profile.commands.aliases_in_posix_mode && shell.options.posix();
    if posix && memchr::memmem::find(&invocation.text, b"alias").is_some() {
        return Err(Refused { line: 1, what: "an alias in posix mode".into() });
    }
    Ok(shell)
}

/// Lowers what a shell is to run, nothing having run before.
fn lower_first(shell: &mut Shell, list: &syntax::tree::List) -> Result<Lowered, Refused> {
    let nothing = |_: Slot| false;
    let lowered = Lowerer::lower(list, &mut shell.names, shell.profile.dialect, &nothing)
        .map_err(|refused| Refused { line: refused.line, what: refused.what })?;
    look_into_files(&lowered.files, shell.profile.dialect, FILES_DEEP)?;
    Ok(lowered)
}

/// How deep files that read files are looked into.
const FILES_DEEP: u32 = 4;
/// Larger files are not looked into; no script is as large.
const LARGEST_FILE_BYTES: usize = 512 << 20;

/// Whether what is read with `.` can be run here, as far as that is known before: what cannot is
/// for another shell, and it with the script. What is no file, or is none of the language, is left
/// for the script to find.
fn look_into_files(files: &[(u32, Vec<u8>)], dialect: Dialect, deep: u32) -> Result<(), Refused> {
    use std::os::unix::ffi::OsStrExt;
    for (line, path) in files {
        let file = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
        let kind = Scope::start().stat_target(file, Fields::KIND).map(|stat| stat.kind());
        if deep == 0 || kind != Ok(Kind::File) {
            continue;
        }
        let Ok(name) = std::ffi::CString::new(path.as_slice()) else { continue };
        let Ok(text) = sys::read_all(sys::CWD, &name, LARGEST_FILE_BYTES) else { continue };
        let refused = |inner: u32, what: &str| {
            let what = format!("{}: line {inner}: {what}", file.display());
            Err(Refused { line: *line, what })
        };
        let list = match syntax::parse(&text, dialect) {
            Ok(list) => list,
            Err(error) if error.kind == syntax::ErrorKind::Unsupported => {
                return refused(error.line, &error.message);
            }
            Err(_) => continue,
        };
        match Lowerer::lower(&list, &mut crate::names::Names::default(), dialect, &|_| false) {
            Ok(lowered) => look_into_files(&lowered.files, dialect, deep - 1)?,
            Err(unsupported) => return refused(unsupported.line, &unsupported.what),
        }
    }
    Ok(())
}

/// What a process that is the shell's own starts with.
fn start_process(shell: &mut Shell) {
    shell.import_functions();
    shell.find_own_directory();
    shell.traps.start(shell.profile.dialect);
}

/// The end of the script: the trap on EXIT, what is kept is written, the status.
fn end(shell: &mut Shell, flow: Flow) -> u8 {
    let last = shell.last_signals();
    shell.end_by_signal(flow.and(last));
    let finished = shell.streams.finish();
    if shell.output.broken_pipe || finished == Err((1, fewer::Errno::PIPE)) {
        sys::die_of_sigpipe();
    }
    if let Some(signal) = shell.traps.fatal_signal {
        sys::die_of(signal);
    }
    if let Err((number, errno)) = finished
        && shell.execution.status == 0
    {
        shell.complain(format!("write error on {number}: {errno}").as_bytes());
        let _ = shell.streams.finish();
        shell.execution.status = 1;
    }
    u8::try_from(shell.execution.status & 0xff).unwrap_or(1)
}

/// Keeps a text open for a program that is run in the place of this process, and gives its name:
/// for a script that came from a pipe.
///
/// Price: a file in memory (`memfd_create`, `write`, `lseek`, `fcntl`).
///
/// # Errors
/// The kernel's number.
pub fn keep_open(text: &[u8]) -> Result<Vec<u8>, fewer::Errno> {
    use std::os::fd::AsRawFd;
    let file = sys::memory_file()?;
    sys::write_all(file.as_fd(), text)?;
    sys::set_position(&file, 0)?;
    sys::close_on_run(&file, false)?;
    let name = format!("/dev/fd/{}", file.as_fd().as_raw_fd()).into_bytes();
    std::mem::forget(file);
    Ok(name)
}

/// Runs a program in the place of this process, looked for in PATH if it has no slash. Comes back
/// only if that cannot be done.
pub fn replace_process(words: &[Vec<u8>]) -> fewer::Error {
    let program = words.first().cloned().unwrap_or_default();
    let mut errno = fewer::Errno::NOENT;
    for candidate in fewer::path::program_paths(&program, &fewer::path::search_path()) {
        let texts: Vec<Text> = words.iter().map(|word| Text::from_slice(word)).collect();
        let Some((path, arguments)) = crate::run::external::c_strings(&candidate, &texts) else {
            continue;
        };
        let mut environment = Vec::new();
        for (name, value) in std::env::vars_os() {
            use std::os::unix::ffi::OsStringExt;
            let pair = [name.into_vec(), b"=".to_vec(), value.into_vec()].concat();
            environment.extend(std::ffi::CString::new(pair));
        }
        let run = crate::processes::Run {
            path: &path,
            arguments: &arguments,
            environment: &environment,
            default_signals: &[13],
        };
        match crate::processes::exec(&run, &Table::start(), &Scope::start()) {
            fewer::Errno::NOENT => {}
            other => errno = other,
        }
    }
    fewer::Error::new(errno, "run", &program)
}
