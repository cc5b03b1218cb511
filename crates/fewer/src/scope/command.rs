//! The description of a child to start in a scope.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use sys::{OsStrExt, variable_key};

use super::Scope;
use super::streams::Stdio;
use crate::compact;
use crate::path::{DEFAULT_PATH, search_path};

/// A child to be started in a scope, made by [`Scope::command`]. It behaves like the standard
/// library's `Command` with `current_dir`:
///
/// - A program without a slash is looked for in `PATH`: the child's own, if the command has
///   changed it. A relative path with a slash, and a relative name in `PATH`, is relative to the
///   scope.
/// - The environment is this process's, with the changes made here. `PWD` is not set to the scope
///   unless by such a change; a shell finds out by itself.
/// - Only the three standard streams are inherited: all other files that this library opens are
///   closed when the program is run. SIGPIPE has its default action in the child; ignored signals
///   and the signal mask are inherited.
/// - On Windows a program is looked for with the extensions of `PATHEXT` that can be run, and never
///   in the working directory; names of variables are the same in upper and lower case. A batch
///   file gets no argument with a quote, a `%` or the end of a line, which its shell would take for
///   more than an argument (`EINVAL`).
/// - A child that is dropped is not waited for: it goes on, and stays a zombie when it has ended.
///
/// It is started by `posix_spawn` (`CreateProcessW`), never by `fork`: nothing of this process is
/// copied, whatever its size.
#[derive(Debug)]
pub struct Command {
    pub(super) scope: Scope,
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Environment,
    pub(super) streams: [Option<Stdio>; 3],
    /// The signals that the child blocks, where a thread of the library starts it.
    pub(crate) mask: Option<sys::SignalMask>,
}

/// How a child's environment differs from this process's.
#[derive(Debug, Default)]
pub(super) struct Environment {
    cleared: bool,
    /// By the name as it is compared: the name, and the value, or `None` if it is removed.
    changes: BTreeMap<OsString, (OsString, Option<OsString>)>,
}

impl Scope {
    /// A child to be started here: `program`, without arguments, with the standard streams of this
    /// process.
    ///
    /// Price: none before it is started.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        Command {
            scope: self.clone(),
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            environment: Environment::default(),
            streams: [const { None }; 3],
            mask: None,
        }
    }
}

impl Command {
    /// One more argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Command {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|it| it.as_ref().to_owned()));
        self
    }

    /// Sets a variable in the child's environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Command {
        self.environment.change(name.as_ref(), Some(value.as_ref()));
        self
    }

    /// Removes a variable from the child's environment.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Command {
        if self.environment.cleared {
            self.environment.changes.remove(&variable_key(name.as_ref()));
        } else {
            self.environment.change(name.as_ref(), None);
        }
        self
    }

    /// Empties the environment, but for variables that are set after this.
    #[must_use]
    pub fn env_clear(mut self) -> Command {
        self.environment = Environment { cleared: true, changes: BTreeMap::new() };
        self
    }

    /// Standard input; inherited by default, empty for [`output`](Command::output).
    #[must_use]
    pub fn stdin(self, stream: impl Into<Stdio>) -> Command {
        self.connect(0, stream.into())
    }

    /// Standard output; inherited by default, collected for [`output`](Command::output).
    #[must_use]
    pub fn stdout(self, stream: impl Into<Stdio>) -> Command {
        self.connect(1, stream.into())
    }

    /// Standard error; inherited by default, collected for [`output`](Command::output).
    #[must_use]
    pub fn stderr(self, stream: impl Into<Stdio>) -> Command {
        self.connect(2, stream.into())
    }

    fn connect(mut self, number: usize, stream: Stdio) -> Command {
        self.streams[number] = Some(stream);
        self
    }
}

impl Environment {
    fn change(&mut self, name: &OsStr, value: Option<&OsStr>) {
        let change = (name.to_owned(), value.map(OsStr::to_owned));
        self.changes.insert(variable_key(name), change);
    }

    /// Whether the command changes `PATH`.
    pub(super) fn has_own_path(&self) -> bool {
        self.cleared || self.changes.contains_key(OsStr::new("PATH"))
    }

    /// The `PATH` of the child.
    pub(super) fn path(&self) -> Vec<u8> {
        match self.changes.get(OsStr::new("PATH")) {
            Some((_, Some(path))) => path.as_bytes().to_vec(),
            None if !self.cleared => search_path(),
            _ => DEFAULT_PATH.to_vec(),
        }
    }

    /// All variables of the child: those of this process unchanged, or sorted by name if anything
    /// was changed.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let inherited = (!self.cleared).then(std::env::vars_os).into_iter().flatten();
        if self.changes.is_empty() {
            return inherited.collect();
        }
        let by_key = |(name, value): (OsString, OsString)| (variable_key(&name), (name, value));
        let mut variables = compact::map(inherited.map(by_key));
        for (key, (name, value)) in &self.changes {
            match value {
                Some(value) => variables.insert(key.clone(), (name.clone(), value.clone())),
                None => variables.remove(key),
            };
        }
        variables.into_values().collect()
    }
}
