//! Scripts that a program runs in itself, within limits.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fewer::{Descriptor, Errno, Scope};

use crate::builtins;
use crate::lower::{Lowered, Lowerer};
use crate::run::limits::{Limit, Limits};
use crate::run::{Flow, Positional, Shell, Unwind};
use crate::streams::{Canceller, Files, Interrupt, Open, Sink, Table};
use crate::{Dialect, Text, syntax};

/// What a script is, if it cannot be run here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The line, from 1.
    pub line: u32,
    /// What it is.
    pub what: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Refused {}

/// What became of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// `$?` at its end.
    pub status: u8,
    /// What was written to standard output, unless that [went elsewhere](Runner::set_output_to).
    pub stdout: Vec<u8>,
    /// The same for standard error.
    pub stderr: Vec<u8>,
    /// The limit that stopped it; the last line of `stderr` says where.
    pub exceeded: Option<Limit>,
}

/// How many texts are kept as they are run.
const KEPT_TEXTS: usize = 256;

/// What a script may come to unless more is allowed.
const USUAL_BYTES: usize = 64 << 20;

/// How much stack is taken to be there where a script begins; more is made when it is used up.
const STACK_BYTES: usize = 128 << 10;

/// Runs scripts inside of a program: what they write comes back as bytes, variables can be set
/// before and read after a run, and functions and variables stay for the next one.
///
/// Nothing of the process is changed: no working directory (it is a [`Scope`]), no signals, no
/// limits, no umask: that of the thread is changed for the length of a run. (A thread that has had
/// one of its own no longer sees the `chdir` and `umask` of others.) Traps on signals are kept and
/// shown, and never run. `exit` ends the run. `exec` runs a child and ends the run. `ulimit` fails;
/// `kill` of what is not the script's own child stops it ([`Limit::Processes`]). The process is
/// never copied, as other threads may be in the middle of anything: subshells, substitutions and
/// the commands of pipelines run one after the other, each to its end, in memory; programs alone
/// run beside the script (`program &`). What would need a copy stops it ([`Limit::Copy`]).
///
/// A script that is not trusted needs [`steps`](Runner::steps), a [`time`](Runner::time), no
/// [processes](Runner::processes), and [files](Runner::files) to match. A run that takes too long
/// is ended by its time, or from another thread by a [`canceller`](Runner::canceller).
///
/// What is to be the same for all runs is an option, by value: `Runner::new(dialect).steps(1000)`.
/// What may be another for each run is set: `runner.set_input("text")`.
///
/// Where the embedder ignores SIGCHLD, the kernel keeps no status of a program: it is 127 then.
///
/// A runner stays in its thread. There can be any number of them, in any number of threads.
///
/// Price: [`new`](Runner::new) none. The first run a `getpid`, a `getppid`, two `geteuid` and a
/// `uname`, and two `statx` for the working directory's path; after that none but those of what the
/// script does, and where it goes deep those for more stack: `mmap`, `mprotect`, `munmap`, and what
/// the C library asks once about the stack that is there.
///
/// ```
/// use fewer_shell::{Dialect, Limit, Runner};
///
/// let mut runner = Runner::new(Dialect::Bash).steps(10_000);
/// runner.set("name", "world")?;
/// let script = "greet() { echo \"hello, $1\"; }; text=$(greet $name); echo ${text^}";
/// let outcome = runner.run(script)?;
/// assert_eq!(outcome.stdout, b"Hello, world\n");
/// assert_eq!(runner.get("text").as_deref(), Some(b"hello, world".as_slice()));
///
/// // Functions and variables are still there.
/// assert_eq!(runner.run("greet again; exit 3")?.status, 3);
///
/// // A limit is told, and what is refused names its line.
/// let outcome = runner.run("while :; do :; done")?;
/// assert_eq!(outcome.exceeded, Some(Limit::Steps));
/// assert_eq!(runner.run("echo 1\necho 'x").unwrap_err().line, 2);
/// # Ok::<(), fewer_shell::Refused>(())
/// ```
pub struct Runner {
    settings: Settings,
    shell: Option<Shell>,
    /// Texts as they are run.
    texts: HashMap<Box<[u8]>, Rc<Lowered>>,
    input: Stream,
    outputs: [Option<To>; 2],
    canceller: Option<Canceller>,
    /// The umask that the script has set, between runs.
    umask: Option<u32>,
}

/// What the first run begins with, and what each is limited to.
struct Settings {
    dialect: Dialect,
    limits: Limits,
    steps: u64,
    time: Option<Duration>,
    output_bytes: usize,
    tools: bool,
    files: Files,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
    directory: Scope,
    name: Vec<u8>,
    arguments: Vec<Text>,
}

/// What is read.
enum Stream {
    Bytes(Rc<[u8]>),
    File(Descriptor),
}

/// Where output goes that is not collected.
enum To {
    File(Descriptor),
    Sink(Sink),
}

impl Runner {
    /// A runner for scripts of one language: with an empty environment, in the process's working
    /// directory, without input, processes not allowed; with 64 MiB for what is written, and for
    /// each text in between. Makes no calls.
    #[must_use]
    pub fn new(dialect: Dialect) -> Runner {
        let limits = Limits {
            captured_bytes: USUAL_BYTES,
            text_bytes: USUAL_BYTES,
            processes: false,
            ..Limits::default()
        };
        let settings = Settings {
            dialect,
            limits,
            steps: u64::MAX - 1,
            time: None,
            output_bytes: USUAL_BYTES,
            tools: true,
            files: Files::All,
            environment: Vec::new(),
            directory: Scope::start(),
            name: b"sh".to_vec(),
            arguments: Vec::new(),
        };
        Runner {
            settings,
            shell: None,
            texts: HashMap::new(),
            input: Stream::Bytes(Rc::from([])),
            outputs: [None, None],
            canceller: None,
            umask: None,
        }
    }

    /// How many commands one run may execute, those in loops and functions each time. Unlimited
    /// unless said.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Runner {
        self.settings.steps = steps.min(u64::MAX - 1);
        self
    }

    /// How long one run may take, by the clock. It ends before its next command, or in the middle
    /// of what it waits for: a program (which is killed, and those in the background), `sleep`, or
    /// something to read. Not in the middle of a computation, or of a file that a standard tool
    /// opens and must wait for. Unlimited unless said.
    ///
    /// Price: no call for a command; for each program one `pidfd_open`, one `ppoll` and one
    /// `close`, for each block of input one `ppoll`.
    #[must_use]
    pub fn time(mut self, at_most: Duration) -> Runner {
        self.settings.time = Some(at_most);
        self
    }

    /// How many bytes one run may write: to standard output and standard error each where they are
    /// collected, and to files and descriptors together.
    #[must_use]
    pub fn output_bytes(mut self, bytes: usize) -> Runner {
        self.settings.output_bytes = bytes;
        self
    }

    /// How many bytes one `$( … )` may come to, and one value, the words of one command, and what
    /// waits between two commands of a pipeline.
    #[must_use]
    pub fn captured_bytes(mut self, bytes: usize) -> Runner {
        self.settings.limits.captured_bytes = bytes;
        self.settings.limits.text_bytes = bytes;
        self
    }

    /// How many calls of functions, and subshells, may be inside each other: 10,000 each unless
    /// said.
    #[must_use]
    pub fn depth(mut self, calls: usize) -> Runner {
        self.settings.limits.depth = calls;
        self.settings.limits.subshells = u32::try_from(calls).unwrap_or(u32::MAX);
        self
    }

    /// Whether programs may be run. Not, unless said.
    #[must_use]
    pub fn processes(mut self, allowed: bool) -> Runner {
        self.settings.limits.processes = allowed;
        self
    }

    /// Whether standard tools are done without a process (`cat`, `mkdir`, `rm`, …; see
    /// the crate [`coreutils`]). They are, unless said otherwise; without them and without
    /// processes the shell's own commands are all there is.
    #[must_use]
    pub fn tools(mut self, allowed: bool) -> Runner {
        self.settings.tools = allowed;
        self
    }

    /// Which files redirections, `.` and `$(<file)` may open: all, unless said. What names lead to
    /// can still be asked (`*`, `test -f`), and [tools](Runner::tools) and programs are not held by
    /// it.
    #[must_use]
    pub fn files(mut self, files: Files) -> Runner {
        self.settings.files = files;
        self
    }

    /// Adds to the environment that the first run finds. Nothing is taken from the process's own;
    /// PATH has a usual value without it.
    #[must_use]
    pub fn environment<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Runner {
        let pairs = variables.into_iter();
        let pairs = pairs.map(|(name, value)| (name.as_ref().to_vec(), value.as_ref().to_vec()));
        self.settings.environment.extend(pairs);
        self
    }

    /// The working directory that the first run begins in.
    #[must_use]
    pub fn directory(mut self, directory: Scope) -> Runner {
        self.settings.directory = directory;
        self
    }

    /// `$0`, which messages begin with: `sh` unless said.
    #[must_use]
    pub fn name(mut self, name: impl AsRef<[u8]>) -> Runner {
        self.settings.name = name.as_ref().to_vec();
        self
    }

    /// `$1` and so on, for the next run and those after it.
    pub fn set_arguments<W: AsRef<[u8]>>(
        &mut self,
        words: impl IntoIterator<Item = W>,
    ) -> &mut Runner {
        let words: Vec<Text> =
            words.into_iter().map(|word| Text::from_slice(word.as_ref())).collect();
        match &mut self.shell {
            Some(shell) => shell.calls.positional = Positional::new(words),
            None => self.settings.arguments = words,
        }
        self
    }

    /// What standard input has, from its beginning for each run.
    pub fn set_input(&mut self, bytes: impl AsRef<[u8]>) -> &mut Runner {
        self.input = Stream::Bytes(Rc::from(bytes.as_ref()));
        self
    }

    /// Lets standard input be a descriptor; what one run leaves is there for the next.
    pub fn set_input_from(&mut self, file: impl Into<Descriptor>) -> &mut Runner {
        self.input = Stream::File(file.into());
        self
    }

    /// Lets standard output go to a descriptor instead of being collected.
    pub fn set_output_to(&mut self, file: impl Into<Descriptor>) -> &mut Runner {
        self.outputs[0] = Some(To::File(file.into()));
        self
    }

    /// Passes standard output to `take` as it comes, while the script runs, instead of collecting
    /// it: what one command has written, or one read from a program.
    pub fn stream_output(&mut self, take: impl FnMut(&[u8]) + 'static) -> &mut Runner {
        self.outputs[0] = Some(To::Sink(Sink::new(take)));
        self
    }

    /// Lets standard error go to a descriptor instead of being collected.
    pub fn set_errors_to(&mut self, file: impl Into<Descriptor>) -> &mut Runner {
        self.outputs[1] = Some(To::File(file.into()));
        self
    }

    /// Hands standard error to `take` as it comes, as [`stream_output`](Runner::stream_output).
    pub fn stream_errors(&mut self, take: impl FnMut(&[u8]) + 'static) -> &mut Runner {
        self.outputs[1] = Some(To::Sink(Sink::new(take)));
        self
    }

    /// What cancels a run from another thread.
    ///
    /// Price: one `pipe2`, the first time; two `close` later; and what a [`time`](Runner::time)
    /// costs.
    ///
    /// # Errors
    /// The kernel's number: `EMFILE`, `ENFILE`.
    pub fn canceller(&mut self) -> Result<Canceller, Errno> {
        if let Some(canceller) = &self.canceller {
            return Ok(canceller.clone());
        }
        let canceller = Canceller::new()?;
        self.canceller = Some(canceller.clone());
        Ok(canceller)
    }

    /// Gives a variable a value; an array's first element is meant.
    ///
    /// # Errors
    /// If it is no name, the variable is readonly, or the value has a NUL byte or is none for a
    /// variable of its kind.
    pub fn set(
        &mut self,
        name: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Runner, Refused> {
        let name = name.as_ref();
        let refused = |what: &str| Refused {
            line: 0,
            what: format!("{}: {what}", fewer::present::escaped(name)),
        };
        if !syntax::is_name(name) {
            return Err(refused("not a name"));
        }
        let shell = self.shell();
        let slot = shell.slot(name);
        let meant = shell.meant(slot);
        if value.as_ref().contains(&0) {
            return Err(refused("a value has no NUL byte"));
        }
        let readonly = crate::run::value::Flags::READONLY;
        if shell.variables[meant].flags.has(readonly) {
            return Err(refused("is read only"));
        }
        shell
            .set(slot, Text::from_slice(value.as_ref()))
            .map_err(|_| refused("cannot have this value"))?;
        Ok(self)
    }

    /// The value of a variable: of an array, its first element.
    pub fn get(&mut self, name: impl AsRef<[u8]>) -> Option<Vec<u8>> {
        self.shell().get_named(name.as_ref()).map(<[u8]>::to_vec)
    }

    /// Where the script is now: the directory that it has gone to.
    #[must_use]
    pub fn scope(&self) -> Scope {
        let shell = self.shell.as_ref().map(|shell| &shell.directory.scope);
        shell.unwrap_or(&self.settings.directory).clone()
    }

    /// Finds out whether a script can be run, and keeps it as it is run.
    ///
    /// # Errors
    /// What is not understood or not supported, and on which line.
    pub fn check(&mut self, script: impl AsRef<[u8]>) -> Result<(), Refused> {
        self.lowered(script.as_ref()).map(drop)
    }

    /// Runs a script: a text that was run before is not read again. A trap on EXIT runs at its end.
    /// Standard output and standard error are waited for as long as a child has them.
    ///
    /// # Errors
    /// What is not understood or not supported, and on which line; nothing was run then.
    pub fn run(&mut self, script: impl AsRef<[u8]>) -> Result<Outcome, Refused> {
        crate::stack::with_left(STACK_BYTES, || {
            let lowered = self.lowered(script.as_ref())?;
            self.connect();
            let shell = self.shell();
            let flow = shell.run_lowered(&lowered);
            Ok(self.finish(flow))
        })
    }

    fn lowered(&mut self, script: &[u8]) -> Result<Rc<Lowered>, Refused> {
        if let Some(lowered) = self.texts.get(script) {
            return Ok(lowered.clone());
        }
        let dialect = self.settings.dialect;
        let list = syntax::parse(script, dialect)
            .map_err(|error| Refused { line: error.line, what: error.message })?;
        let shell = self.shell();
        let functions = &shell.functions;
        let is_function = |slot: crate::arithmetic::Slot| functions.has(slot);
        let lowered = Lowerer::lower(&list, &mut shell.names, dialect, &is_function);
        shell.make_room();
        let lowered = lowered
            .map_err(|unsupported| Refused { line: unsupported.line, what: unsupported.what })?;
        shell.functions.learn(&lowered.functions);
        let lowered = Rc::new(lowered);
        if self.texts.len() >= KEPT_TEXTS {
            self.texts.clear();
        }
        self.texts.insert(script.into(), lowered.clone());
        Ok(lowered)
    }

    /// The shell, made when it is first needed.
    fn shell(&mut self) -> &mut Shell {
        let settings = &mut self.settings;
        self.shell.get_or_insert_with(|| {
            let environment = std::mem::take(&mut settings.environment);
            let mut shell = Shell::new(
                settings.dialect,
                Table::empty(),
                builtins::run,
                environment.into_iter(),
            );
            shell.limits = settings.limits;
            shell.caches.programs.do_tools(settings.tools);
            shell.streams.allow_files(settings.files);
            shell.directory.scope = settings.directory.clone();
            shell.origin.zero = Text::from_slice(&settings.name);
            shell.origin.name = Rc::from(&*settings.name);
            shell.calls.positional = Positional::new(std::mem::take(&mut settings.arguments));
            shell.import_functions();
            shell.find_own_directory();
            shell
        })
    }

    /// Gives the next run its streams and its limits.
    fn connect(&mut self) {
        let (steps, bytes) = (self.settings.steps, self.settings.output_bytes);
        let shell = self.shell.as_mut().map(|shell| &mut *shell);
        let Some(shell) = shell else { return };
        shell.limits.steps = steps;
        let deadline = self.settings.time.and_then(|time| Instant::now().checked_add(time));
        let canceller = self.canceller.clone();
        let any = deadline.is_some() || canceller.is_some();
        shell.streams.interrupt_by(any.then_some(Interrupt { canceller, deadline }));
        shell.limits.exceeded = None;
        shell.output.limit_message.clear();
        shell.execution.line = 0;
        let streams = &shell.streams;
        streams.allow_output(bytes as u64);
        let input = match &self.input {
            Stream::Bytes(bytes) => Some(streams.from_bytes(bytes.clone(), true)),
            Stream::File(file) => copy_of(streams, file),
        };
        streams.put(0, input);
        for (number, output) in (1..).zip(&self.outputs) {
            let (open, collected) = match output {
                Some(To::File(file)) => (copy_of(streams, file), false),
                Some(To::Sink(sink)) => {
                    (Some(streams.capture_for(Some(sink.clone()), bytes)), true)
                }
                None => (Some(streams.capture(bytes)), true),
            };
            shell.output.collected[number as usize - 1] = open.clone().filter(|_| collected);
            streams.put(number, open);
        }
        if let Some(mask) = self.umask {
            shell.builtins.umask.set(mask);
        }
    }

    /// The end of a run.
    fn finish(&mut self, flow: Flow) -> Outcome {
        let Some(shell) = self.shell.as_mut() else { return Outcome::default() };
        if flow != Err(Unwind::Stop) {
            let _ = shell.run_exit_trap();
        }
        shell.streams.settle();
        let mut outcome = Outcome::default();
        for number in [1, 2] {
            let outer = shell.output.collected[number - 1].take();
            let Some(open) = outer else {
                flush_outer(shell, number as u32);
                continue;
            };
            let bytes = match open.collected() {
                Ok(bytes) => bytes,
                Err(_) => {
                    shell.output.collected[number - 1] = Some(open.clone());
                    let _ = shell.full(Some(&open));
                    open.kept()
                }
            };
            if number == 1 {
                outcome.stdout = bytes;
            } else {
                outcome.stderr = bytes;
            }
        }
        let limit_message = std::mem::take(&mut shell.output.limit_message);
        match &self.outputs[1] {
            Some(_) => shell.say(2, &limit_message),
            None => outcome.stderr.extend(limit_message),
        }
        if shell.streams.stopped().is_some() {
            shell.processes.jobs.kill_all();
        }
        shell.streams.interrupt_by(None);
        if let Some(canceller) = &self.canceller {
            canceller.reset();
        }
        for number in 0..3 {
            shell.streams.put(number, None);
        }
        shell.output.collected = [None, None];
        outcome.exceeded = shell.limits.exceeded;
        outcome.status = u8::try_from(shell.execution.status & 0xff).unwrap_or(1);
        forget_run(shell);
        self.umask = shell.builtins.umask.changed();
        shell.builtins.umask = Default::default();
        outcome
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.shell {
            shell.processes.jobs.reap();
        }
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dialect = self.settings.dialect;
        f.debug_struct("Runner").field("dialect", &dialect).finish_non_exhaustive()
    }
}

/// Writes what is kept for a descriptor of the embedder's; an error is told.
fn flush_outer(shell: &mut Shell, number: u32) {
    let Some(open) = shell.streams.get(number) else { return };
    if let Err(errno) = open.flush() {
        shell.output.limit_message =
            shell.placed(format!("write error on {number}: {errno}").as_bytes());
        shell.execution.status = shell.execution.status.max(1);
    }
}

/// What concerns one run only.
fn forget_run(shell: &mut Shell) {
    shell.output.broken_pipe = false;
    shell.traps.forget_run();
    shell.builtins.under_command = false;
    shell.execution.loop_depth = 0;
    shell.execution.unchecked_depth = 0;
}

/// A stream to or from a descriptor that the embedder keeps.
fn copy_of(streams: &Table, file: &Descriptor) -> Option<Rc<Open>> {
    use std::os::fd::AsFd;
    sys::duplicate(file.as_fd()).ok().map(|file| streams.of(file))
}
