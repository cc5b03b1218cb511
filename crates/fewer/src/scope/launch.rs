//! Starts a child: makes its pipes, and finds its program.

use std::ffi::{CString, OsStr};

use sys::{AsFile, Descriptor, Fields, OsStrExt, Process, SCRIPT_SHELL, Start, Stream};

use super::Scope;
use super::child::{Child, ExitStatus, Output};
use super::command::Command;
use super::streams::{Connection, PipeReader, PipeWriter};
use crate::error::{Action, Errno, Error};
use crate::path::{c_string, has_separator, program_paths};

impl Command {
    /// Starts the child.
    ///
    /// Price: one `clone3`, and what the C library does around it (two `rt_sigprocmask`, an `mmap`
    /// and a `munmap`); per piped stream a `pipe2` and a `close`, and another `close` later. If
    /// the program cannot be run, a `wait4`. If the command has changed `PATH`, one `statx` for
    /// each directory in which the program is looked for.
    ///
    /// # Errors
    /// The kernel's number with the program: `ENOENT` if there is none, `EACCES` if it may not be
    /// run, `ENOEXEC`, `E2BIG`, …; `EINVAL` for a NUL in an argument or in the environment. With
    /// the scope, `EACCES` if it may not be searched any more.
    pub fn spawn(&self) -> Result<Child, Error> {
        let defaults = [Connection::Inherit, Connection::Inherit, Connection::Inherit];
        launch(self, &defaults)
    }

    /// Starts the child and waits until it has ended.
    ///
    /// Price: that of [`spawn`](Command::spawn), and one `wait4`.
    ///
    /// # Errors
    /// As [`spawn`](Command::spawn).
    pub fn status(&self) -> Result<ExitStatus, Error> {
        self.spawn()?.wait()
    }

    /// Starts the child, waits until it has ended, and collects what it wrote on standard output
    /// and standard error, however much.
    ///
    /// Price: that of [`spawn`](Command::spawn), one `wait4`, and one `read` per block that
    /// arrives, with a `ppoll` before it as long as both streams are open.
    ///
    /// # Errors
    /// As [`spawn`](Command::spawn).
    pub fn output(&self) -> Result<Output, Error> {
        let defaults = [Connection::Null, Connection::Piped, Connection::Piped];
        launch(self, &defaults)?.wait_with_output()
    }
}

/// Starts the child; `defaults` are the streams that the command does not set.
fn launch(command: &Command, defaults: &[Connection; 3]) -> Result<Child, Error> {
    let program = command.program.as_bytes();
    let start = PipeEnds::connect(command, defaults).and_then(|mut ends| {
        let process = try_start(command, &ends.streams(command, defaults))?;
        let [stdin, stdout, stderr] = &mut ends.ours;
        let reader = |end: &mut Option<Descriptor>| end.take().map(PipeReader);
        let (stdout, stderr) = (reader(stdout), reader(stderr));
        Ok(Child::new(process, program, stdin.take().map(PipeWriter), stdout, stderr))
    });
    start.map_err(|errno| {
        if errno == Errno::ACCESS && !may_be_searched(&command.scope) {
            return Error::new(errno, Action::ENTER, command.scope.path_for_messages());
        }
        Error::new(errno, Action::RUN, program)
    })
}

/// The two ends of each pipe; the child's ends are closed when this is dropped.
struct PipeEnds {
    ours: [Option<Descriptor>; 3],
    childs: [Option<Descriptor>; 3],
}

impl PipeEnds {
    fn connect(command: &Command, defaults: &[Connection; 3]) -> Result<PipeEnds, Errno> {
        let mut ends = PipeEnds { ours: [const { None }; 3], childs: [const { None }; 3] };
        for number in 0..3 {
            if let Connection::Piped = connection(command, defaults, number) {
                let (reader, writer) = sys::pipe()?;
                let (ours, childs) = if number == 0 { (writer, reader) } else { (reader, writer) };
                ends.ours[number] = Some(ours);
                ends.childs[number] = Some(childs);
            }
        }
        Ok(ends)
    }

    fn streams<'a>(
        &'a self,
        command: &'a Command,
        defaults: &'a [Connection; 3],
    ) -> [Stream<'a>; 3] {
        [0, 1, 2].map(|number| match connection(command, defaults, number) {
            Connection::Null => Stream::Null,
            Connection::File(file) => Stream::File(file.as_file()),
            Connection::Inherit | Connection::Piped => match &self.childs[number] {
                Some(end) => Stream::File(end.as_file()),
                None => Stream::Inherit,
            },
        })
    }
}

fn connection<'a>(
    command: &'a Command,
    defaults: &'a [Connection; 3],
    number: usize,
) -> &'a Connection {
    command.streams[number].as_ref().map_or(&defaults[number], |stream| &stream.0)
}

fn try_start(command: &Command, streams: &[Stream<'_>; 3]) -> Result<Process, Errno> {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    let arguments: Vec<CString> =
        words.map(|word| c_string(word.as_bytes())).collect::<Result<_, _>>()?;
    let variables = command.environment.variables();
    let environment: Vec<CString> =
        variables.iter().map(|(name, value)| line(name, value)).collect::<Result<_, _>>()?;
    let is_looked_for = !sys::START_SEARCHES || command.environment.has_own_path();
    let start = |program: &CString, arguments: &[CString]| {
        sys::start(&Start {
            program,
            search: !is_looked_for,
            arguments,
            environment: &environment,
            directory: command.scope.0.is_some().then(|| command.scope.at()),
            streams: *streams,
            mask: command.mask,
        })
    };
    let program = command.program.as_bytes();
    if program.is_empty() {
        return Err(Errno::NOENT);
    }
    if sys::START_SEARCHES && (!is_looked_for || has_separator(program)) {
        return start(&arguments[0], &arguments);
    }
    let path = command.environment.path();
    search(&command.scope, program, &path, |file| match (start(file, &arguments), SCRIPT_SHELL) {
        // Without a `#!` it is a script for the shell: execvp(3) runs it so, but not
        // posix_spawn(3).
        (Err(Errno::NOEXEC), Some(shell)) => {
            let shell = [shell.to_owned(), file.clone()];
            start(&shell[0], &[&shell[..], &arguments[1..]].concat())
        }
        (other, _) => other,
    })
}

fn line(name: &OsStr, value: &OsStr) -> Result<CString, Errno> {
    c_string(&[name.as_bytes(), b"=", value.as_bytes()].concat())
}

/// Tries the program in each directory of `path`, as `execvp` does: if it is missing or may not be
/// run, the next directory is tried.
fn search(
    scope: &Scope,
    program: &[u8],
    path: &[u8],
    start: impl Fn(&CString) -> Result<Process, Errno>,
) -> Result<Process, Errno> {
    let mut found = Errno::NOENT;
    for candidate in program_paths(program, path) {
        let file = c_string(&candidate)?;
        // A `statx` is cheaper than a child that does not find its program.
        let looked = sys::stat(scope.at(), &file, true, Fields::KIND);
        match looked.and_then(|_| start(&file)) {
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(Errno::ACCESS) => found = Errno::ACCESS,
            // Where nothing runs it, a program of that name may come later.
            Err(Errno::NOEXEC) if SCRIPT_SHELL.is_none() => found = Errno::NOEXEC,
            other => return other,
        }
    }
    Err(found)
}

/// Whether a child can be started in it.
///
/// Price: one `statx`; none for the starting directory, where a child starts anyway.
fn may_be_searched(scope: &Scope) -> bool {
    scope.0.is_none()
        || !matches!(sys::stat(scope.at(), c".", true, Fields::NONE), Err(Errno::ACCESS))
}
