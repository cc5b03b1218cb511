//! What the shells say: where it happened, in whose words, and what that ends. Words that more than
//! one place needs are here; others stand where they are said.

use fewer::Errno;

use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::{ErrorReach, MessagePlace};

/// Of a file, in the kernel's words.
pub(crate) fn of_file(path: &[u8], errno: Errno) -> Vec<u8> {
    [path, b": ", errno.to_string().as_bytes()].concat()
}

impl Shell {
    /// A message on standard error, with what this shell puts before it.
    #[cold]
    pub(crate) fn complain(&mut self, text: &[u8]) {
        let message = self.placed(text);
        self.say(2, &message);
    }

    /// A message with what this shell puts before it.
    pub(crate) fn placed(&self, text: &[u8]) -> Vec<u8> {
        let line = self.execution.line.to_string();
        let script = self.origin.name.clone();
        let mut message = match self.profile.messages.place {
            MessagePlace::Line => {
                let without_file =
                    self.origin.without_file().filter(|_| self.calls.is_in_function());
                [without_file.unwrap_or(&script), b": line ", line.as_bytes(), b": "].concat()
            }
            MessagePlace::Number => [&*script, b": ", line.as_bytes(), b": "].concat(),
            MessagePlace::Calls => self.place_of_calls(),
        };
        message.extend_from_slice(text);
        message.push(b'\n');
        message
    }

    /// The script and all functions, each with the line it has come to.
    fn place_of_calls(&self) -> Vec<u8> {
        let mut place = self.origin.name.to_vec();
        // Endless recursion is reported once, not ten thousand times.
        let from = self.calls.frames.len().saturating_sub(16);
        let functions = self.calls.frames[from..]
            .iter()
            .filter_map(|frame| Some((frame.called_on, frame.function.as_ref()?)));
        let mut name: Option<Vec<u8>> = None;
        let mut add = |name: &Option<Vec<u8>>, line: u32| {
            if let Some(name) = name {
                place.extend_from_slice(name);
            }
            if line != 1 || !self.origin.from_argument || name.is_some() {
                place.extend_from_slice(format!("[{line}]").as_bytes());
            }
            place.extend_from_slice(b": ");
        };
        for (called_on, function) in functions {
            add(&name, called_on);
            name = Some(self.names.name(function.name).to_vec());
        }
        add(&name, self.execution.line);
        place
    }

    /// An error of this command: it fails, and in dash and ksh the shell ends.
    #[cold]
    pub(crate) fn fail_command<T>(&mut self, text: &[u8]) -> Flow<T> {
        self.complain(text);
        self.execution.status = self.profile.failures.status;
        Err(self.after_error())
    }

    /// How far an error of a command reaches: see [`run_text`](Shell::run_text).
    pub(crate) fn after_error(&self) -> Unwind {
        let is_kept = self.execution.evaluation_depth + self.execution.error_boundaries > 0;
        match self.profile.failures.reach {
            ErrorReach::Line => Unwind::Discard,
            ErrorReach::Text if is_kept => Unwind::Discard,
            ErrorReach::Text | ErrorReach::Shell => Unwind::Exit,
        }
    }

    /// How far an error reaches after which neither a text nor a command is gone on with.
    pub(crate) fn after_fatal_error(&self) -> Unwind {
        match self.profile.failures.reach {
            ErrorReach::Line => Unwind::Discard,
            ErrorReach::Text | ErrorReach::Shell => Unwind::Exit,
        }
    }

    /// Whether errors end the text or the command that they are in, and the script goes on.
    pub(crate) fn errors_end_text(&self) -> bool {
        self.profile.failures.reach == ErrorReach::Text
    }

    /// `set -u` met a parameter that is not set.
    #[cold]
    pub(crate) fn unset_parameter<T>(&mut self, name: &[u8], line: u32) -> Flow<T> {
        self.fail_unset(&self.profile.messages.unset.of(name), line)
    }

    /// A parameter that has to be set is not: the shell ends.
    #[cold]
    pub(crate) fn fail_unset<T>(&mut self, text: &[u8], line: u32) -> Flow<T> {
        self.execution.line = line.max(self.execution.line);
        self.complain(text);
        self.execution.status = self.status_of_unset();
        let ends_shell = self.profile.failures.unset_ends_shell;
        Err(if ends_shell { Unwind::Exit } else { self.after_error() })
    }

    /// The status of an unset parameter: another one in bash if the script came with `-c`, and this
    /// is the shell itself.
    pub(crate) fn status_of_unset(&self) -> i32 {
        let failures = &self.profile.failures;
        let outermost = self.origin.from_argument && self.subshells.is_outermost();
        let is_127 = failures.unset_in_argument_is_127 && outermost;
        if is_127 && !self.options.exit_on_error() { 127 } else { failures.status }
    }

    #[cold]
    pub(crate) fn refuse_readonly(&mut self, slot: Slot) -> Flow {
        let text = self.profile.messages.read_only.of(self.names.name(slot));
        let flow = self.fail_command(&text);
        let exits = self.profile.failures.readonly_exits_in_posix_mode && self.options.posix();
        if exits { Err(Unwind::Exit) } else { flow }
    }

    /// Whether what was set could be: in bash a readonly variable makes some commands fail, and the
    /// script goes on.
    pub(crate) fn was_writable(&mut self, set: Flow) -> Flow<bool> {
        match set {
            Err(Unwind::Discard) if self.profile.failures.readonly_fails_command => {
                self.execution.status = 1;
                Ok(false)
            }
            other => other.map(|()| true),
        }
    }

    /// `${x:1:-9}`
    #[cold]
    pub(crate) fn refuse_length<T>(&mut self, length: i64) -> Flow<T> {
        self.fail_command(format!("{length}: substring expression < 0").as_bytes())
    }

    /// A redirection that cannot be made: its command fails, and is not run.
    #[cold]
    pub(crate) fn fail_redirect<T>(&mut self, line: u32, text: &[u8]) -> Flow<T> {
        self.execution.line = line;
        self.complain(text);
        self.execution.status = self.profile.failures.status;
        Err(Unwind::Discard)
    }

    /// Something that is not done here, and was found only now: the script ends there.
    #[cold]
    pub(crate) fn not_run_here(&mut self, what: &[u8]) -> Unwind {
        self.complain(&[b"'", what, b"' is not run here"].concat());
        self.execution.status = 2;
        Unwind::Exit
    }

    /// A message of a builtin; its status is 2 for a wrong use in dash and bash.
    pub(crate) fn builtin_error(&mut self, words: &[Text], text: &[u8], status: i32) -> i32 {
        let message = [&*words[0], b": ", text].concat();
        self.complain(&message);
        status
    }
}
