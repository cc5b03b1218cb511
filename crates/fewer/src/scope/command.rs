//! The description of a child to start in a scope.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::Scope;
use super::streams::Stdio;
use crate::compact;

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
/// - A child that is dropped is not waited for: it goes on, and stays a zombie when it has ended.
///
/// It is started by `posix_spawn`, never by `fork`: nothing of this process is copied, whatever its
/// size.
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
    /// `None`: removed.
    changes: BTreeMap<OsString, Option<OsString>>,
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
        let value = Some(value.as_ref().to_owned());
        self.environment.changes.insert(name.as_ref().to_owned(), value);
        self
    }

    /// Removes a variable from the child's environment.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Command {
        if self.environment.cleared {
            self.environment.changes.remove(name.as_ref());
        } else {
            self.environment.changes.insert(name.as_ref().to_owned(), None);
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
    /// Whether the command changes `PATH`.
    pub(super) fn has_own_path(&self) -> bool {
        self.cleared || self.changes.contains_key(OsStr::new("PATH"))
    }

    /// The child's `PATH`, if the command changes it.
    pub(super) fn own_path(&self) -> Option<&OsStr> {
        self.changes.get(OsStr::new("PATH"))?.as_deref()
    }

    /// All variables of the child: those of this process unchanged, or sorted by name if anything
    /// was changed.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let inherited = (!self.cleared).then(std::env::vars_os).into_iter().flatten();
        if self.changes.is_empty() {
            return inherited.collect();
        }
        let mut variables = compact::map(inherited);
        for (name, value) in &self.changes {
            match value {
                Some(value) => variables.insert(name.clone(), value.clone()),
                None => variables.remove(name),
            };
        }
        variables.into_iter().collect()
    }
}
