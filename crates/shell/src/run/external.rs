//! Programs, and the standard tools that need none.

use std::ffi::CString;
use std::rc::Rc;

use coreutils::{Io, Output, Remaining, Tool, ToolError, Uses};
use fewer::{Errno, Fields, Kind, Stat};
use smallvec::SmallVec;

use super::jobs::exit_status;
use super::limits::Limit;
use super::messages;
use super::signals::{INTERRUPT, bit};
use super::state::Found;
use super::texts::as_path;
use super::{Flow, Shell};
use crate::Text;
use crate::processes::{self, Run};
use crate::streams::{FULL, Reader, Writer};

/// What a tool has done here.
enum Ran {
    Nothing,
    /// All, with this status.
    Whole(i32),
    Part(Box<Remaining>),
}

/// A tool's standard error: what it says begins with the name by which it was called.
struct Complaints<'a> {
    to: Writer,
    name: &'static str,
    /// What stands before the name, with the slash; empty if PATH was asked.
    folder: &'a [u8],
}

impl Output for Complaints<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        let rest = bytes.strip_prefix(self.name.as_bytes());
        if !self.folder.is_empty() && rest.is_some_and(|rest| rest.starts_with(b":")) {
            return self.to.write(&[self.folder, bytes].concat());
        }
        self.to.write(bytes)
    }

    fn stat(&self) -> Option<Stat> {
        self.to.stat()
    }
}

impl Shell {
    /// Runs a command that is neither a function nor a builtin, its own name first.
    pub(crate) fn call_program(&mut self, words: &mut [Text]) -> Flow {
        self.call_program_in(words, false)
    }

    /// The same; with `replaces` a program takes the place of this process.
    pub(crate) fn call_program_in(&mut self, words: &mut [Text], replaces: bool) -> Flow {
        let Some(found) = self.find_program(&words[0]) else { return self.not_found(&words[0]) };
        found.hits.set(found.hits.get().saturating_add(1));
        if let Some(tool) = found.tool
            && self.processes.detached_depth != Some(self.subshells.depth())
        {
            match self.run_tool(tool, words)? {
                Ran::Whole(status) => {
                    self.execution.status = status;
                    self.child_would_have_ended();
                    return Ok(());
                }
                Ran::Part(left) => return self.run_remaining(&found.path, &words[0], *left),
                Ran::Nothing => {}
            }
        }
        if replaces {
            return self.become_program(&found.path, words);
        }
        self.run_program(&found.path, words)
    }

    /// The real tool does what this one has left to it.
    fn run_remaining(&mut self, path: &[u8], name: &Text, left: Remaining) -> Flow {
        let mut words = vec![name.clone()];
        words.extend(left.arguments.into_iter().map(Text::from_vec));
        self.run_program(path, &words)?;
        if self.execution.status == 0 {
            self.execution.status = left.status.into();
        }
        Ok(())
    }

    /// Does a tool's work here, if its arguments allow.
    fn run_tool(&mut self, tool: &Tool, words: &[Text]) -> Flow<Ran> {
        let (Some(input), Some(output), Some(errors)) =
            (self.streams.get(0), self.streams.get(1), self.streams.get(2))
        else {
            return Ok(Ran::Nothing);
        };
        match tool.uses {
            Uses::Streams => {}
            Uses::Files => self.streams.flush_files(),
            Uses::Time => self.streams.settle(),
        }
        self.output.last_writer = tool.name;
        let deferred = self.streams.defer(self.traps.deferred());
        let done = self.run_tool_with(tool, words, [input, output, errors]);
        self.streams.defer(deferred);
        done
    }

    fn run_tool_with(
        &mut self,
        tool: &Tool,
        words: &[Text],
        [input, output, errors]: [Rc<crate::streams::Open>; 3],
    ) -> Flow<Ran> {
        let arguments: SmallVec<[&[u8]; 8]> = words[1..].iter().map(|word| &word[..]).collect();
        let input_is_terminal = input.is_terminal();
        let output_is_terminal = output.is_terminal();
        let (mut input, mut written) = (Reader::new(input), Writer::new(output));
        let folder = &words[0][..words[0].len() - tool.name.len()];
        let mut errors = Complaints { to: Writer::new(errors), name: tool.name, folder };
        let shell: &Shell = self;
        let environment = |name: &[u8]| shell.environment_value(name);
        let mut io = Io {
            scope: &shell.directory.scope,
            input: &mut input,
            output: &mut written,
            errors: &mut errors,
            environment: &environment,
            utf8: shell.expansion.utf8,
            input_is_terminal,
            output_is_terminal,
            variables: &|each| shell.each_exported(each),
            interrupted: &|| shell.streams.is_interrupted(),
            sleep: &|time| shell.streams.sleep(time),
        };
        let Some(job) = tool.prepare(&arguments, &io) else { return Ok(Ran::Nothing) };
        match job.run(&mut io) {
            Ok(status) => Ok(Ran::Whole(status.into())),
            Err(ToolError::Unsupported) => Ok(Ran::Nothing),
            Err(ToolError::Remaining(left)) => Ok(Ran::Part(left)),
            Err(ToolError::Pipe) if !self.traps.table.ignores(13) => Ok(Ran::Whole(141)),
            Err(error @ (ToolError::Pipe | ToolError::Output(_))) => {
                let errno = match error {
                    ToolError::Output(errno) => errno,
                    _ => Errno::PIPE,
                };
                let text = format!("{}: write error: {errno}\n", tool.name);
                let _ = errors.write(text.as_bytes());
                Ok(Ran::Whole(1))
            }
            Err(ToolError::Stopped) => self.output_stopped().map(Ran::Whole),
        }
    }

    /// What a write to a full capture, or an interrupted one, comes to.
    fn output_stopped(&mut self) -> Flow<i32> {
        let open = self.streams.get(1);
        if self.processes.owns_process
            && self.subshells.depth() == 0
            && self.traps.table.is_run_at(INTERRUPT)
        {
            // It would have ended the program; what is trapped is run behind it.
            return Ok(exit_status(INTERRUPT, self.profile.dialect));
        }
        self.between_commands()?;
        self.execution.status = 1;
        Err(self.full(open.as_ref()))
    }

    /// Starts a program, and waits for it.
    pub(crate) fn run_program(&mut self, path: &[u8], words: &[Text]) -> Flow {
        match self.start_program(path, words)? {
            Ok(process) if self.processes.detached_depth == Some(self.subshells.depth()) => {
                self.processes.detached_depth = None;
                // It belongs to the script around the subshell that has expanded its words.
                self.processes.jobs.add(process, self.subshells.depth().saturating_sub(1));
                self.execution.status = 0;
                Ok(())
            }
            Ok(process) => self.wait_in_front(process),
            Err(errno) => self.cannot_run(path, words, errno),
        }
    }

    /// Waits for the child that has the stage.
    pub(crate) fn wait_in_front(&mut self, process: processes::Process) -> Flow {
        match self.wait_deferring(process)? {
            Ok(status) => {
                self.processes.jobs.ended_children += 1;
                self.execution.status = exit_status(status, self.profile.dialect);
                let signal = sys::ExitStatus::from_wait(status).signal();
                if signal.is_some() {
                    self.processes.was_killed(self.execution.status);
                }
                self.tell_of_signal(status);
                // An interrupt ends the shell if it has ended the child.
                if self.profile.processes.traps.defers_interrupt
                    && self.processes.owns_process
                    && signal != Some(INTERRUPT)
                    && sys::any_pending()
                {
                    let came = sys::take_pending();
                    sys::put_back_pending(came & (self.traps.trapped | !bit(INTERRUPT)));
                }
                Ok(())
            }
            Err(FULL) => {
                let _ = sys::kill(&process);
                let _ = sys::wait(&process, true);
                self.execution.status = 1;
                if self.processes.owns_process { Ok(()) } else { Err(self.full(None)) }
            }
            Err(_) => {
                self.execution.status = sys::NOT_FOUND.into();
                Ok(())
            }
        }
    }

    /// Waits; what is trapped is done afterwards, any other signal ends the shell at once.
    fn wait_deferring(&mut self, process: processes::Process) -> Flow<Result<i32, Errno>> {
        if let Some(status) = self.processes.jobs.take_other(process) {
            return Ok(Ok(status));
        }
        let interrupt =
            if self.profile.processes.traps.defers_interrupt { bit(INTERRUPT) } else { 0 };
        let deferred = self.streams.defer(self.traps.trapped | interrupt);
        let done = loop {
            match processes::wait_unless_caught(process, &self.streams) {
                Err(Errno::INTR) => {
                    if let Err(unwind) = self.between_commands() {
                        break Err(unwind);
                    }
                }
                done => break Ok(done),
            }
        };
        self.streams.defer(deferred);
        done
    }

    /// What is said about a child that a signal ended.
    fn tell_of_signal(&mut self, status: i32) {
        let ended = sys::ExitStatus::from_wait(status);
        // The ends by INT and PIPE are not reported.
        let Some(signal) = ended.signal().filter(|signal| !matches!(signal, 2 | 13)) else {
            return;
        };
        let text = super::signals::description(signal);
        let core = if ended.dumped_core() { " (core dumped)" } else { "" };
        if self.profile.messages.tells_of_signals {
            self.say(2, format!("{text}{core}\n").as_bytes());
        }
    }

    pub(crate) fn start_program(
        &mut self,
        path: &[u8],
        words: &[Text],
    ) -> Flow<Result<processes::Process, Errno>> {
        if !self.limits.processes {
            let text = [&*words[0], b": processes are not allowed"].concat();
            self.execution.status = sys::NOT_RUN.into();
            return Err(self.reached(Limit::Processes, &text));
        }
        let Some((path, arguments)) = c_strings(path, words) else { return Ok(Err(Errno::NOENT)) };
        let environment = self.child_environment();
        let default_signals = self.traps.table.default_in_children();
        let run = Run {
            path: &path,
            arguments: &arguments,
            environment: &environment,
            default_signals: &default_signals,
        };
        Ok(processes::spawn(&run, &self.streams, &self.directory.scope))
    }

    /// A program that could not be run: a script without `#!` is one for the shell.
    pub(crate) fn cannot_run(&mut self, path: &[u8], words: &[Text], errno: Errno) -> Flow {
        if errno == Errno::NOEXEC {
            return self.run_script_file(path, words);
        }
        let missing = errno == Errno::NOENT || errno == Errno::NOTDIR;
        self.execution.status = (if missing { sys::NOT_FOUND } else { sys::NOT_RUN }).into();
        let text = match self.profile.messages.program_names_reason {
            true => {
                let reason = self.why_not_run(path, errno);
                [&*words[0], b": ", reason.as_bytes()].concat()
            }
            false if missing => self.profile.messages.not_found.of(&*words[0]),
            false => messages::of_file(&words[0], errno),
        };
        self.complain(&text);
        Ok(())
    }

    /// The reason, of a directory that it is one.
    pub(crate) fn why_not_run(&self, path: &[u8], errno: Errno) -> String {
        let is_directory = errno == Errno::ACCESS
            && self
                .directory
                .scope
                .stat_target(as_path(path), Fields::KIND)
                .is_ok_and(|stat| stat.kind() == Kind::Directory);
        if is_directory { "Is a directory".into() } else { errno.to_string() }
    }

    /// The shell of scripts without `#!`.
    pub(crate) fn shell_for_scripts(&self) -> Text {
        let start = &self.profile.start;
        let (programs, scope) = (&self.caches.programs, &self.directory.scope);
        let mut names = start.scripts_run_by.iter();
        let found = names.find_map(|name| programs.find_standard(scope, name.as_bytes()));
        let usual = || Text::from_slice(start.scripts_else_run_by.as_bytes());
        found.map_or_else(usual, |found| found.path.clone())
    }

    fn run_script_file(&mut self, path: &[u8], words: &[Text]) -> Flow {
        let shell = self.shell_for_scripts();
        let mut arguments = vec![shell.clone(), Text::from_slice(path)];
        arguments.extend(words[1..].iter().cloned());
        match self.start_program(&shell, &arguments)? {
            Ok(process) => self.wait_in_front(process),
            Err(_) => {
                self.execution.status = sys::NOT_RUN.into();
                Ok(())
            }
        }
    }

    fn not_found(&mut self, name: &[u8]) -> Flow {
        let messages = &self.profile.messages;
        if name.is_empty() {
            let (text, status) = messages.empty_command;
            self.complain(text.as_bytes());
            self.execution.status = status;
            return Ok(());
        }
        self.complain(&messages.not_found.of(name));
        self.execution.status = sys::NOT_FOUND.into();
        Ok(())
    }

    /// The program of that name, looked for in PATH once.
    pub(crate) fn find_program(&mut self, name: &[u8]) -> Option<Rc<Found>> {
        let programs = &self.caches.programs;
        if let Some(slash) = memchr::memrchr(b'/', name) {
            let known =
                programs.standard_at(&self.directory.scope, &name[..slash], &name[slash + 1..]);
            return Some(Rc::new(known.unwrap_or_else(|| Found {
                path: Text::from_slice(name),
                tool: None,
                hits: Default::default(),
            })));
        }
        if name.is_empty() {
            return None;
        }
        if let Some(found) = programs.known(name) {
            return Some(found.clone());
        }
        let path = self.get(self.variables.known.path).map(Text::from_slice).unwrap_or_default();
        let programs = &mut self.caches.programs;
        let found = Rc::new(programs.find_in(&self.directory.scope, &path, name)?);
        programs.keep(name, found.clone());
        Some(found)
    }
}

/// The path and the arguments as the kernel takes them; none if there is a NUL in them.
pub(crate) fn c_strings(path: &[u8], words: &[Text]) -> Option<(CString, Vec<CString>)> {
    let path = CString::new(path).ok()?;
    let words = words.iter().map(|word| CString::new(&**word).ok()).collect::<Option<_>>()?;
    Some((path, words))
}
