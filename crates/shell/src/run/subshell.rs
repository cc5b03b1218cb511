//! Virtual subshells: what they change is taken back, and no process is made.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::limits::Limit;
use super::state::{Directory, Entered, FunctionMarks, Generators, Positional, Traps, Undo};
use super::value::{Indexed, Value};
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::dialect::SubstitutionErrors;
use crate::formats::getopts::Getopts;
use crate::options::Options;
use crate::program::{Body, Substitution};
use crate::streams::Open;

/// What is put back after a subshell, beside what the undo log holds.
struct Kept {
    entered: Entered,
    locals: usize,
    positional: Positional,
    options: Options,
    directory: Directory,
    traps: Rc<Traps>,
    aliases: Rc<BTreeMap<Vec<u8>, Text>>,
    generators: Generators,
    function_marks: FunctionMarks,
    getopts: Getopts,
    loop_depth: u32,
    line: u32,
    unchecked_depth: u32,
    last_argument: Option<Text>,
}

impl Shell {
    /// Runs something in a virtual subshell. Whatever ends the subshell, its status is left.
    pub(crate) fn in_subshell(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow {
        let kept = self.keep();
        let flow = self.begin_subshell().and_then(|()| run(self));
        let flow = self.end_of_subshell(flow);
        // It may be seen that a signal ended its last program.
        let status = self.execution.status;
        if !self.profile.subshells.keeps_signal_status || !self.processes.is_of_killed(status) {
            self.execution.status &= 0xff;
        }
        self.put_all_back(kept);
        self.child_would_have_ended();
        match flow {
            Err(Unwind::Stop) => Err(Unwind::Stop),
            _ => Ok(()),
        }
    }

    /// Runs something whose changes of variables are forgotten at once: what bash does in the child
    /// only.
    pub(crate) fn forgetting<T>(&mut self, run: impl FnOnce(&mut Shell) -> Flow<T>) -> Flow<T> {
        let generators = self.variables.generators;
        let last = self.processes.jobs.last();
        let entered = self.subshells.enter();
        let flow = run(self);
        self.processes.jobs.put_back_last(last);
        self.take_back(&entered);
        self.subshells.leave(entered);
        self.variables.generators = generators;
        flow
    }

    fn keep(&mut self) -> Kept {
        let kept = Kept {
            entered: self.subshells.enter(),
            locals: self.variables.locals.len(),
            positional: self.calls.positional.clone(),
            options: self.options,
            directory: self.directory.clone(),
            traps: self.traps.table.clone(),
            aliases: self.builtins.aliases.clone(),
            generators: self.variables.generators,
            function_marks: self.functions.marks().clone(),
            getopts: self.builtins.getopts,
            loop_depth: self.execution.loop_depth,
            line: self.execution.line,
            unchecked_depth: self.execution.unchecked_depth,
            last_argument: self.execution.last_argument.clone(),
        };
        if self.traps.trapped != 0 {
            self.streams.defer(self.traps.deferred());
        }
        kept
    }

    fn begin_subshell(&mut self) -> Flow {
        if self.subshells.depth() > self.limits.subshells {
            self.execution.status = 1;
            return Err(self.reached(Limit::Depth, b"subshells are nested too deep"));
        }
        self.enter_subshell_traps();
        Ok(())
    }

    fn put_all_back(&mut self, kept: Kept) {
        self.take_back(&kept.entered);
        self.variables.locals.truncate(kept.locals);
        self.subshells.leave(kept.entered);
        if self.traps.trapped != 0 && self.subshells.depth() == 0 {
            self.streams.defer(0);
        }
        self.calls.positional = kept.positional;
        self.options = kept.options;
        self.directory = kept.directory;
        self.traps.table = kept.traps;
        self.builtins.aliases = kept.aliases;
        self.variables.generators = kept.generators;
        if self.functions.put_back_marks(kept.function_marks) {
            self.variables.environment.forget();
        }
        self.builtins.getopts = kept.getopts;
        self.execution.loop_depth = kept.loop_depth;
        self.execution.line = kept.line;
        self.execution.unchecked_depth = kept.unchecked_depth;
        self.execution.last_argument = kept.last_argument;
    }

    /// Takes back all changes since a virtual subshell began.
    fn take_back(&mut self, entered: &Entered) {
        while let Some(change) = self.subshells.take_last(entered) {
            match change {
                Undo::Variable(slot, old) => self.put_back(slot, old),
                Undo::Element(slot, index, old) => {
                    if let Value::Indexed(array) = &mut self.variables[slot].value {
                        Indexed::put(array, index, old);
                    }
                }
                Undo::Function(slot, old) => drop(self.put_function(slot, old)),
                Undo::Descriptor(number, old) => drop(self.streams.put(number, old)),
                Undo::Umask(old) => self.builtins.umask.set(old),
            }
        }
    }

    /// The end of a subshell: its own trap on EXIT.
    pub(crate) fn end_of_subshell(&mut self, flow: Flow) -> Flow {
        match flow {
            Err(Unwind::Stop) => return flow,
            Err(Unwind::Discard) if self.execution.status == 0 => self.execution.status = 1,
            _ => {}
        }
        self.run_exit_trap()
    }

    /// `( … )`
    pub(crate) fn subshell(&mut self, body: &Body) -> Flow {
        let line = std::mem::replace(&mut self.execution.line, body.line);
        let run = |shell: &mut Shell| {
            if shell.profile.subshells.loops_end_at_subshell {
                shell.execution.loop_depth = 0;
            }
            shell.run_block(&body.block)
        };
        if self.processes.owns_process && self.functions.needs(body).process {
            self.run_in_process(run)?;
        } else {
            self.in_subshell(|shell| crate::stack::with_room(|| run(shell)))?;
        }
        self.execution.was_pipeline = false;
        if self.profile.calls.function_line_ends {
            self.execution.line = line;
        }
        self.check()
    }

    /// `$( … )`
    pub(crate) fn substitute(&mut self, substitution: &Substitution) -> Flow<Text> {
        if substitution.file.is_none() && substitution.body.block.nodes.is_empty() {
            // It has no status: a command of nothing else has succeeded.
            return Ok(Text::new());
        }
        self.tracing.nested += u32::from(self.profile.trace.nests);
        let before = self.execution.status;
        let text = self.substitute_text(substitution);
        self.tracing.nested -= u32::from(self.profile.trace.nests);
        if self.profile.subshells.substitution_status_is_late && text.is_ok() {
            // `$?` stays what it was until the command is done.
            self.expansion.substitution_status =
                std::mem::replace(&mut self.execution.status, before);
        }
        // Not what the commands in it have said of themselves.
        self.expansion.had_substitution = true;
        text
    }

    fn substitute_text(&mut self, substitution: &Substitution) -> Flow<Text> {
        if let Some(file) = &substitution.file
            && self.profile.subshells.reads_files
        {
            return self.read_whole_file(file, substitution.body.line);
        }
        if substitution.body.block.nodes.is_empty() {
            self.execution.status = 0;
            return Ok(Text::new());
        }
        if substitution.in_this_shell {
            let capture = self.capture();
            let old = self.streams.put(1, Some(capture.clone()));
            let flow = self.run_block(&substitution.body.block);
            self.streams.put(1, old);
            match flow {
                Ok(()) | Err(Unwind::Return) => {}
                Err(unwind) => return Err(unwind),
            }
            return self.captured(&capture);
        }
        if self.processes.owns_process && self.functions.needs(&substitution.body).process {
            return self.substitute_in_process(substitution);
        }
        let capture = self.capture();
        let old = self.streams.put(1, Some(capture.clone()));
        let flow = self.in_subshell(|shell| {
            shell.begin_substitution();
            crate::stack::with_room(|| shell.run_block(&substitution.body.block))
        });
        self.streams.put(1, old);
        flow?;
        self.captured(&capture)
    }

    /// What `set -e` is in a substitution.
    pub(crate) fn begin_substitution(&mut self) {
        let inherits = self.options.inherit_error() || self.options.posix();
        match self.profile.subshells.errors_in_substitution {
            SubstitutionErrors::Ignored if !inherits => self.options.set(1, false),
            SubstitutionErrors::Ignored | SubstitutionErrors::Kept => {}
            SubstitutionErrors::Anew => self.execution.unchecked_depth = 0,
        }
    }

    fn capture(&self) -> Rc<Open> {
        self.streams.capture(self.limits.captured_bytes)
    }

    /// What was written, without the newlines at its end.
    pub(crate) fn captured(&mut self, capture: &Rc<Open>) -> Flow<Text> {
        loop {
            match capture.collected() {
                Ok(mut bytes) => {
                    if self.profile.subshells.nul_ends_output
                        && let Some(nul) = memchr::memchr(0, &bytes)
                    {
                        bytes.truncate(nul);
                    }
                    return Ok(trimmed(bytes));
                }
                Err(fewer::Errno::INTR) => self.between_commands()?,
                Err(_) => break,
            }
        }
        self.execution.status = 1;
        Err(self.captured_too_much())
    }
}

/// Without newlines at the end, and without NUL bytes, which no shell keeps.
pub(crate) fn trimmed(mut bytes: Vec<u8>) -> Text {
    if memchr::memchr(0, &bytes).is_some() {
        bytes.retain(|byte| *byte != 0);
    }
    let end = bytes.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    bytes.truncate(end);
    if bytes.len() <= 16 { Text::from_slice(&bytes) } else { Text::from_vec(bytes) }
}
