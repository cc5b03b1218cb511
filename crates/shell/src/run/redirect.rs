//! Redirections: put a number's meaning aside, and back.

use std::rc::Rc;

use super::messages;
use super::state::Undo;
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::program::{Node, Redirect, RedirectKind, Redirected, Target};
use crate::streams::{How, Open};

/// What the numbers stood for before, innermost last.
pub(crate) type Restore = smallvec::SmallVec<[(u32, Option<Rc<Open>>); 2]>;

impl Shell {
    /// A compound command with redirections.
    pub(crate) fn redirected(&mut self, node: &Redirected) -> Flow {
        self.execution.line = node.line;
        let substitutions = self.processes.substitutions();
        let flow = self.redirected_with(node);
        self.end_process_substitutions(substitutions);
        flow
    }

    fn redirected_with(&mut self, node: &Redirected) -> Flow {
        let assigns =
            matches!(node.node, Node::Assign(..)) && self.profile.calls.assigns_before_redirecting;
        if assigns {
            self.run(&node.node)?;
        }
        let restore = match self.redirect_all(&node.redirects) {
            Ok(restore) => restore,
            Err(Unwind::Discard) if !self.profile.failures.checks_failed_redirects => return Ok(()),
            Err(Unwind::Discard) => return self.check(),
            Err(unwind) => return Err(unwind),
        };
        let flow = match assigns {
            true => Ok(()),
            false => self.keeping_errors(|shell| shell.run(&node.node)),
        };
        let failed = self.output.failed_writes;
        self.trap_before_restoring(&flow)?;
        self.restore(restore);
        match flow {
            Ok(()) if failed != self.output.failed_writes => self.check(),
            flow => flow,
        }
    }

    /// Runs what has redirections, or is the last in a pipeline: in ksh the error of a command in
    /// it ends that, not the shell.
    pub(crate) fn keeping_errors(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow {
        self.execution.error_boundaries += 1;
        let flow = run(self);
        self.execution.error_boundaries -= 1;
        match flow {
            Err(Unwind::Discard) if self.errors_end_text() => Ok(()),
            flow => flow,
        }
    }

    /// At `exit`, what is trapped may run where the shell is, redirections and all, but not in a
    /// substitution.
    pub(crate) fn trap_before_restoring(&mut self, flow: &Flow) -> Flow {
        let in_substitution = self.tracing.nested > 0;
        if self.profile.calls.exit_trap_runs_inside
            && !in_substitution
            && *flow == Err(Unwind::Exit)
        {
            self.run_exit_trap()?;
        }
        Ok(())
    }

    /// Does all redirections. On an error (which was told, `$?` is set) none is left;
    /// `Unwind::Discard` says that only this command is not run.
    pub(crate) fn redirect_all(&mut self, redirects: &[Redirect]) -> Flow<Restore> {
        let mut restore = Restore::new();
        for redirect in redirects {
            if let Err(unwind) = self.redirect(redirect, &mut restore) {
                self.restore(restore);
                let skips = self.profile.failures.redirect_word_is_redirect;
                let only_this = skips && unwind == Unwind::Exit;
                return Err(if only_this { Unwind::Discard } else { unwind });
            }
        }
        Ok(restore)
    }

    /// Puts the numbers back. What can now not be written is told, and makes the command fail.
    pub(crate) fn restore(&mut self, mut restore: Restore) {
        let mut failed: Option<(u32, fewer::Errno)> = None;
        while let Some((number, old)) = restore.pop() {
            let new = self.streams.put(number, old);
            if let Some(new) = new
                && Rc::strong_count(&new) == 1
                && let Err(errno) = new.flush()
            {
                failed = Some((number, errno));
            }
        }
        if let Some((number, errno)) = failed {
            self.output.failed_writes += 1;
            self.execution.status = self
                .cannot_write(self.output.last_writer, number, errno)
                .unwrap_or(self.execution.status);
        }
    }

    /// The redirections of `exec`: they stay, but not longer than the subshell.
    pub(crate) fn keep_redirects(&mut self, restore: Restore) {
        for (number, old) in restore {
            if self.profile.files.redirects.exec_opens_privately
                && number > 2
                && let Some(open) = self.streams.get(number)
            {
                self.streams.put_private(number, open);
            }
            self.subshells.note(Undo::Descriptor(number, old));
        }
    }

    fn redirect(&mut self, redirect: &Redirect, restore: &mut Restore) -> Flow {
        let both = matches!(redirect.kind, RedirectKind::WriteBoth | RedirectKind::AppendBoth);
        match redirect.kind {
            RedirectKind::Here => {
                self.require_descriptor(redirect)?;
                let text = self.expand_to(&redirect.word, super::fields::Into::Here)?;
                let open = self.text_stream(text);
                return self.connect(redirect, open, restore);
            }
            RedirectKind::HereString => {
                self.require_descriptor(redirect)?;
                let mut text = self.expand_whole(&redirect.word)?;
                text.push(b'\n');
                let open = self.text_stream(text);
                return self.connect(redirect, open, restore);
            }
            RedirectKind::CopyInput | RedirectKind::CopyOutput => {
                return self.copy(redirect, restore);
            }
            _ => {}
        }
        let path = self.redirect_path(redirect)?;
        let open = self.open_for(redirect, &path)?;
        if both {
            restore.push((2, self.streams.put(2, Some(open.clone()))));
        }
        self.connect(redirect, open, restore)
    }

    /// A here-document needs a file, or a pipe, in the other shells.
    fn require_descriptor(&mut self, redirect: &Redirect) -> Flow {
        if self.streams.has_room() {
            return Ok(());
        }
        let why = fewer::Errno::MFILE.to_string();
        let text = (self.profile.messages.no_here_document)(&why);
        self.fail_redirect(redirect.line, text.as_bytes())
    }

    fn text_stream(&mut self, text: Text) -> Rc<Open> {
        self.streams
            .from_bytes(Rc::from(&*text), self.profile.files.redirects.here_document_is_file)
    }

    /// The file's name: not split, or split and then one field (or it is ambiguous).
    fn redirect_path(&mut self, redirect: &Redirect) -> Flow<Text> {
        if !self.profile.files.redirects.expands_file_names || self.options.posix() {
            return self.expand_whole(&redirect.word);
        }
        let mut words = Vec::new();
        self.expand_fields(&redirect.word, &mut words)?;
        match words.pop() {
            Some(word) if words.is_empty() => Ok(word),
            _ => {
                let behind = |byte: &u8| !b"<>&| \t".contains(byte);
                let word = redirect.written.iter().position(behind).unwrap_or(0);
                let text = [&redirect.written[word..], b": ambiguous redirect"].concat();
                self.fail_redirect(redirect.line, &text)
            }
        }
    }

    fn open_for(&mut self, redirect: &Redirect, path: &[u8]) -> Flow<Rc<Open>> {
        let how = match redirect.kind {
            RedirectKind::Read => How::Read,
            RedirectKind::Append | RedirectKind::AppendBoth => How::Append,
            RedirectKind::ReadWrite => How::ReadWrite,
            RedirectKind::Write | RedirectKind::WriteBoth if self.options.no_clobber() => {
                How::NoClobber
            }
            _ => How::Write,
        };
        if path.is_empty() {
            return self.cannot_open(redirect, path, how, fewer::Errno::NOENT);
        }
        if !self.streams.has_room() {
            return self.cannot_open(redirect, path, how, fewer::Errno::MFILE);
        }
        match self.open_waiting(path, how)? {
            Ok(open) => Ok(open),
            Err(errno) => self.cannot_open(redirect, path, how, errno),
        }
    }

    fn cannot_open<T>(
        &mut self,
        redirect: &Redirect,
        path: &[u8],
        how: How,
        errno: fewer::Errno,
    ) -> Flow<T> {
        let create = how != How::Read;
        let why = errno.to_string();
        let text = (self.profile.messages.cannot_open)(path, create, errno, &why);
        self.fail_redirect(redirect.line, &text)
    }

    /// Lets the redirection's number stand for that.
    fn connect(&mut self, redirect: &Redirect, open: Rc<Open>, restore: &mut Restore) -> Flow {
        match redirect.target {
            Target::Number(number) if !self.streams.allows(number) => {
                return self.bad_number(redirect, number.to_string().as_bytes());
            }
            Target::Number(number) => {
                restore.push((number, self.streams.put(number, Some(open))));
            }
            Target::Variable(slot) => {
                // `{name}>file` outlives its command.
                let from = self.profile.files.redirects.first_named_descriptor;
                let number = self.streams.lowest_free(from);
                if !self.streams.allows(number) {
                    let why = messages::of_file(b"file descriptor", fewer::Errno::MFILE);
                    return self.fail_redirect(redirect.line, &why);
                }
                let old = self.streams.put(number, Some(open));
                self.subshells.note(Undo::Descriptor(number, old));
                self.set(slot, super::texts::number(i64::from(number)))?;
            }
        }
        Ok(())
    }

    /// `n<&m`, `n>&m-`, `n>&-`
    fn copy(&mut self, redirect: &Redirect, restore: &mut Restore) -> Flow {
        let word = self.expand_whole(&redirect.word)?;
        let (digits, moves) = match word.strip_suffix(b"-") {
            Some(digits) => (digits, true),
            None => (&*word, false),
        };
        if word.as_slice() == b"-" {
            let number = match redirect.target {
                Target::Number(number) => number,
                // `{name}>&-` closes the one whose number is there.
                Target::Variable(slot) => {
                    let text = self.get(slot).map(Text::from_slice).unwrap_or_default();
                    let Some(number) = parse(&text) else {
                        return self.bad_number(redirect, &text);
                    };
                    let old = self.streams.put(number, None);
                    self.subshells.note(Undo::Descriptor(number, old));
                    return Ok(());
                }
            };
            restore.push((number, self.streams.put(number, None)));
            return Ok(());
        }
        let rules = &self.profile.files.redirects;
        if rules.copies_digits_only && !matches!(&*word, [b'0'..=b'9']) {
            self.execution.line = redirect.line;
            self.complain(b"Syntax error: Bad fd number");
            self.execution.status = 2;
            return Err(Unwind::Exit);
        }
        if digits == b"p" && rules.p_is_process {
            return self.bad_number(redirect, &word);
        }
        let Some(from) = parse(digits) else {
            // `>&file` is `>file 2>&1`.
            if redirect.kind == RedirectKind::CopyOutput
                && redirect.implied
                && rules.copy_of_word_is_file
            {
                let open = self.open_for(redirect, &word)?;
                restore.push((2, self.streams.put(2, Some(open.clone()))));
                return self.connect(redirect, open, restore);
            }
            if rules.bad_copy_is_ambiguous {
                let text = [&*word, b": ambiguous redirect"].concat();
                return self.fail_redirect(redirect.line, &text);
            }
            return self.bad_number(redirect, &word);
        };
        let Some(open) = self.streams.get(from) else { return self.bad_number(redirect, digits) };
        self.connect(redirect, open, restore)?;
        if moves && !matches!(redirect.target, Target::Number(number) if number == from) {
            restore.push((from, self.streams.put(from, None)));
        }
        Ok(())
    }

    fn bad_number(&mut self, redirect: &Redirect, word: &[u8]) -> Flow {
        self.fail_redirect(redirect.line, &self.profile.messages.bad_descriptor.of(word))
    }
}

fn parse(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    super::texts::parsed(digits)
}
