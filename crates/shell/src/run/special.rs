//! Special parameters, files that are read whole, texts that are run.

use std::rc::Rc;

use fewer::compact;

use super::{Flow, Shell, Unwind};
use crate::dialect::SourceFlag;
use crate::lower::{Lowered, Lowerer};
use crate::program::Word;
use crate::streams::{FULL, How, Open};
use crate::{Text, syntax};

/// A wrong text that is longer than this is not tried line by line.
const MUCH_TEXT: usize = 64 << 10;

impl Shell {
    /// `$?`, `$#`, `$$`, `$!`, `$-`
    pub(crate) fn special(&mut self, byte: u8, line: u32) -> Flow<Text> {
        Ok(match byte {
            b'?' => super::texts::number(i64::from(self.execution.status)),
            b'#' => {
                let count = self.calls.positional.all().len();
                super::texts::number(i64::try_from(count).unwrap_or(i64::MAX))
            }
            b'$' => super::texts::number(i64::from(self.processes.id)),
            b'!' => match self.processes.jobs.last() {
                Some(number) => super::texts::number(i64::from(number)),
                None if self.options.no_unset() => return self.unset_parameter(b"!", line),
                None => Text::new(),
            },
            b'-' => Text::from_vec(self.letters()),
            _ => Text::new(),
        })
    }

    fn letters(&self) -> Vec<u8> {
        let mut letters = self.options.letters(self.profile);
        let from = match (self.origin.from_argument, self.origin.from_input) {
            (true, _) if self.profile.set.flag_of_argument => b'c',
            (_, true) => b's',
            _ => return letters,
        };
        match self.profile.set.flag_of_source {
            SourceFlag::BesideLast => {
                let place = letters.iter().position(|letter| b"nmiIfe".contains(letter));
                letters.insert(place.unwrap_or(letters.len()), from);
            }
            SourceFlag::Last => letters.push(from),
            SourceFlag::Sorted => {
                letters.insert(0, from);
                compact::sort_by_key(&mut letters, |letter| (letter.is_ascii_uppercase(), *letter));
            }
        }
        letters
    }

    /// `$(<file)`
    pub(crate) fn read_whole_file(&mut self, file: &Word, line: u32) -> Flow<Text> {
        self.execution.line = line;
        let path = self.expand_whole(file)?;
        match self.file_bytes(&path)? {
            Ok(bytes) => {
                self.execution.status = 0;
                Ok(super::subshell::trimmed(bytes))
            }
            Err(FULL) if !self.processes.owns_process => Err(self.captured_too_much()),
            Err(errno) => {
                self.complain(&super::messages::of_file(&path, errno));
                self.execution.status = 1;
                if self.profile.failures.unreadable_file_exits && self.options.exit_on_error() {
                    // There, wherever it stands.
                    return Err(Unwind::Exit);
                }
                Ok(Text::new())
            }
        }
    }

    /// All that is in a file, up to the limit of a substitution.
    pub(crate) fn file_bytes(&mut self, path: &[u8]) -> Flow<Result<Vec<u8>, fewer::Errno>> {
        let open = match self.open_waiting(path, How::Read)? {
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        let mut bytes = Vec::new();
        let limit = self.limits.captured_bytes;
        loop {
            let took = open.with_block(false, usize::MAX, None, |block| {
                bytes.extend_from_slice(block);
                block.len()
            });
            if bytes.len() > limit {
                return Ok(Err(FULL));
            }
            match took {
                Ok(None | Some(0)) => return Ok(Ok(bytes)),
                Ok(Some(_)) => {}
                Err(fewer::Errno::INTR) => self.between_commands()?,
                Err(errno) => return Ok(Err(errno)),
            }
        }
    }

    /// Opens a file; what is trapped is done while a FIFO is waited for.
    pub(crate) fn open_waiting(
        &mut self,
        path: &[u8],
        how: How,
    ) -> Flow<Result<Rc<Open>, fewer::Errno>> {
        loop {
            match self.streams.open(&self.directory.scope, path, how) {
                Err(fewer::Errno::INTR) => self.between_commands()?,
                done => return Ok(done),
            }
        }
    }

    /// Runs a text: `eval`, a trap, `-c`.
    pub(crate) fn evaluate_script(&mut self, text: &[u8]) -> Flow {
        self.evaluate_script_at(text, 1)
    }

    /// The same for a text that begins on that line, where lines are counted on.
    pub(crate) fn evaluate_script_at(&mut self, text: &[u8], line: u32) -> Flow {
        let line = if self.profile.start.lines_of_evaluated_text { line.max(1) } else { 1 };
        let mut key = std::borrow::Cow::Borrowed(text);
        if line != 1 {
            // The lines are part of what is kept.
            key.to_mut().push(0);
            key.to_mut().extend_from_slice(&line.to_ne_bytes());
        }
        let lowered = match self.caches.text(&key) {
            Some(lowered) => lowered,
            None => {
                let lowered = Rc::new(self.lower_at(text, line)?);
                self.caches.keep_text(&key, &lowered);
                lowered
            }
        };
        if lowered.block.nodes.is_empty() {
            self.execution.status = 0;
        }
        if self.execution.evaluation_depth >= self.limits.depth {
            return Err(self.evaluated_too_deep());
        }
        crate::stack::with_room(|| self.run_text(&lowered))
    }

    #[cold]
    fn evaluated_too_deep(&mut self) -> Unwind {
        let limit = self.limits.depth;
        let text = format!("eval: maximum eval nesting level exceeded ({limit})");
        self.execution.status = 1;
        self.reached(super::limits::Limit::Depth, text.as_bytes())
    }

    /// Reads and lowers a text; an error is told.
    pub(crate) fn lower(&mut self, text: &[u8]) -> Flow<Lowered> {
        self.lower_at(text, 1)
    }

    fn lower_at(&mut self, text: &[u8], line: u32) -> Flow<Lowered> {
        match syntax::parse_at(text, self.profile.dialect, line) {
            Ok(list) => self.lower_list(&list),
            Err(error) => {
                if let Some(length) = self.readable_before(text, line, &error) {
                    self.evaluate_script_at(&text[..length], line)?;
                }
                Err(self.cannot_read(&error))
            }
        }
    }

    /// A text cannot be read, which is told.
    pub(super) fn cannot_read(&mut self, error: &syntax::Error) -> Unwind {
        self.execution.line = error.line;
        if error.kind == syntax::ErrorKind::Unsupported {
            self.complain(error.message.as_bytes());
            self.execution.status = 2;
            return Unwind::Exit;
        }
        self.complain_of_text(&error.message);
        self.execution.status = self.profile.failures.unreadable_text_status;
        self.execution.text_was_unreadable = true;
        self.after_fatal_error()
    }

    /// Lowers what was read while other commands have run already; an error is told.
    pub(super) fn lower_list(&mut self, list: &syntax::tree::List) -> Flow<Lowered> {
        let functions = &self.functions;
        let is_function = |slot: crate::arithmetic::Slot| functions.has(slot);
        let lowered = Lowerer::lower(list, &mut self.names, self.profile.dialect, &is_function);
        self.make_room();
        match lowered {
            Ok(lowered) => {
                if let Some(name) = self.alias_in(&lowered) {
                    self.complain(&[b"'", &*name, b"' is an alias: not run here"].concat());
                    self.execution.status = 2;
                    return Err(Unwind::Exit);
                }
                self.functions.learn(&lowered.functions);
                Ok(lowered)
            }
            Err(unsupported) => {
                self.execution.line = unsupported.line;
                self.complain(unsupported.what.as_bytes());
                self.execution.status = 2;
                Err(Unwind::Exit)
            }
        }
    }

    /// How much of a text that cannot be read whole is run before that is found out, where
    /// texts are read line by line.
    fn readable_before(&self, text: &[u8], line: u32, error: &syntax::Error) -> Option<usize> {
        if !self.profile.start.runs_readable_lines
            || error.kind != syntax::ErrorKind::Syntax
            || text.len() > MUCH_TEXT
        {
            return None;
        }
        let ends = memchr::memchr_iter(b'\n', text).map(|newline| newline + 1);
        let mut ends: Vec<usize> = ends.filter(|end| *end < text.len()).collect();
        let lines = error.line.saturating_sub(line) as usize;
        ends.truncate(lines);
        ends.into_iter()
            .rev()
            .find(|end| syntax::parse_at(&text[..*end], self.profile.dialect, line).is_ok())
    }

    /// What is wrong with a text, maybe with what reads it.
    fn complain_of_text(&mut self, message: &str) {
        match &self.execution.text_reader {
            Some(reader) if self.profile.messages.unreadable_text_names_reader => {
                let text = [&**reader, b": ", message.as_bytes()].concat();
                self.complain(&text);
            }
            _ => self.complain(message.as_bytes()),
        }
    }

    /// A command of a text that is an alias.
    fn alias_in(&self, lowered: &Lowered) -> Option<Vec<u8>> {
        if self.builtins.aliases.is_empty() || self.profile.commands.aliases_in_posix_mode {
            return None;
        }
        let mut names = lowered.called.iter().map(|slot| self.names.name(*slot).to_vec());
        names.find(|name| self.builtins.aliases.contains_key(name))
    }
}

impl Shell {
    /// The file that `.` means: looked for in PATH if it has no slash.
    pub(crate) fn source_path(&mut self, name: &[u8]) -> Text {
        if name.contains(&b'/') {
            return Text::from_slice(name);
        }
        let path = self.get(self.variables.known.path).map(Text::from_slice).unwrap_or_default();
        for directory in path.split(|byte| *byte == b':').filter(|directory| !directory.is_empty())
        {
            let candidate: Text = [directory, b"/", name].concat().into();
            let stat = self
                .directory
                .scope
                .stat_target(super::texts::as_path(&candidate), fewer::Fields::KIND);
            if stat.is_ok_and(|stat| stat.kind() != fewer::Kind::Directory) {
                return candidate;
            }
        }
        if self.profile.builtins.flow.dot_prefers_path_here {
            return [b"./", name].concat().into();
        }
        // Not in the working directory if that is POSIX mode.
        if self.options.posix() { Text::new() } else { Text::from_slice(name) }
    }
}
