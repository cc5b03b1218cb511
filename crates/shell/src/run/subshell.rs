//! Virtual subshells: what they change is taken back, and no process is made.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use fewer::Scope;

use super::computed::State;
use super::limits::Limit;
use super::options::Options;
use super::trap::Traps;
use super::{Flow, Positional, Shell, Unwind};
use crate::arithmetic::Slot;
use crate::formats::getopts::Getopts;
use crate::program::{Body, Needs, Substitution, Traits};
use crate::streams::Open;
use crate::{Dialect, Text};

/// What is put back after a subshell, beside what the undo log holds.
struct Kept {
    undo: usize,
    serial: u32,
    locals: usize,
    elements_saved: usize,
    positional: Positional,
    options: Options,
    scope: Scope,
    here: Rc<[u8]>,
    traps: Rc<Traps>,
    aliases: Rc<BTreeMap<Vec<u8>, Text>>,
    computed: State,
    directories: Vec<Text>,
    readonly_functions: Rc<HashSet<Slot>>,
    exported_functions: Rc<HashSet<Slot>>,
    getopts: Getopts,
    loops: u32,
    line: u32,
    unchecked: u32,
    last_argument: Option<Text>,
}

impl Shell {
    /// Runs something in a virtual subshell. Whatever ends the subshell, its status is left.
    pub(crate) fn in_subshell(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow {
        let kept = self.keep();
        let flow = self.begin_subshell().and_then(|()| run(self));
        let flow = self.end_of_subshell(flow);
        // ksh: it is seen that a signal ended its last program.
        if self.dialect != Dialect::Ksh || self.status != self.killed {
            self.status &= 0xff;
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
        let (undo, serial, computed) = (self.undo.len(), self.serial, self.computed);
        let elements_saved = std::mem::take(&mut self.elements_saved);
        let last = self.jobs.last();
        self.level += 1;
        self.last_serial += 1;
        self.serial = self.last_serial;
        let flow = run(self);
        self.jobs.put_back_last(last);
        self.take_back(undo);
        self.level -= 1;
        self.serial = serial;
        self.computed = computed;
        self.elements_saved = elements_saved;
        flow
    }

    fn keep(&mut self) -> Kept {
        let kept = Kept {
            undo: self.undo.len(),
            serial: self.serial,
            locals: self.locals.len(),
            elements_saved: std::mem::take(&mut self.elements_saved),
            positional: self.positional.clone(),
            options: self.options,
            scope: self.scope.clone(),
            here: self.here.clone(),
            traps: self.traps.clone(),
            aliases: self.aliases.clone(),
            computed: self.computed,
            directories: self.directories.clone(),
            readonly_functions: self.readonly_functions.clone(),
            exported_functions: self.exported_functions.clone(),
            getopts: self.getopts,
            loops: self.loops,
            line: self.line,
            unchecked: self.unchecked,
            last_argument: self.last_argument.clone(),
        };
        self.level += 1;
        if self.trapped != 0 {
            self.streams.defer(self.deferred());
        }
        self.last_serial += 1;
        self.serial = self.last_serial;
        kept
    }

    fn begin_subshell(&mut self) -> Flow {
        if self.level > self.limits.subshells {
            self.status = 1;
            return Err(self.reached(Limit::Depth, b"subshells are nested too deep"));
        }
        self.enter_subshell_traps();
        Ok(())
    }

    fn put_all_back(&mut self, kept: Kept) {
        self.take_back(kept.undo);
        self.locals.truncate(kept.locals);
        self.level -= 1;
        if self.trapped != 0 && self.level == 0 {
            self.streams.defer(0);
        }
        self.serial = kept.serial;
        self.elements_saved = kept.elements_saved;
        self.positional = kept.positional;
        self.options = kept.options;
        self.scope = kept.scope;
        self.here = kept.here;
        self.traps = kept.traps;
        self.aliases = kept.aliases;
        self.computed = kept.computed;
        self.directories = kept.directories;
        self.readonly_functions = kept.readonly_functions;
        if !Rc::ptr_eq(&self.exported_functions, &kept.exported_functions) {
            self.exported_functions = kept.exported_functions;
            self.environment = None;
        }
        self.getopts = kept.getopts;
        self.loops = kept.loops;
        self.line = kept.line;
        self.unchecked = kept.unchecked;
        self.last_argument = kept.last_argument;
    }

    /// The end of a subshell: its own trap on EXIT.
    pub(crate) fn end_of_subshell(&mut self, flow: Flow) -> Flow {
        match flow {
            Err(Unwind::Stop) => return flow,
            Err(Unwind::Discard) if self.status == 0 => self.status = 1,
            _ => {}
        }
        self.run_exit_trap()
    }

    /// What a body needs, with what the functions that it calls need.
    pub(crate) fn needs(&self, body: &Body) -> Needs {
        if let Some((generation, needs)) = body.known.get()
            && generation == self.generation
        {
            return needs;
        }
        let mut seen = Vec::new();
        let mut needs = Needs { process: false, bounded: true, bounded_by_input: true };
        self.add_needs(&body.traits, &mut needs, &mut seen);
        body.known.set(Some((self.generation, needs)));
        needs
    }

    fn add_needs(
        &self,
        traits: &Traits,
        needs: &mut Needs,
        seen: &mut Vec<crate::arithmetic::Slot>,
    ) {
        needs.process |= traits.process;
        needs.bounded &= traits.bounded && !traits.named_late;
        needs.bounded_by_input &= traits.bounded_by_input && !traits.named_late;
        for slot in &traits.calls {
            if seen.contains(slot) {
                continue;
            }
            seen.push(*slot);
            match self.traits.get(slot) {
                Some(traits) => self.add_needs(traits, needs, seen),
                // Not a function: a program.
                None => {
                    needs.bounded = false;
                    needs.bounded_by_input = false;
                }
            }
        }
    }

    /// `( … )`
    pub(crate) fn subshell(&mut self, body: &Body) -> Flow {
        let line = std::mem::replace(&mut self.line, body.line);
        let run = |shell: &mut Shell| {
            // bash: the loops around are not this shell's.
            if shell.dialect == Dialect::Bash {
                shell.loops = 0;
            }
            shell.run_block(&body.block)
        };
        if self.owns_process && self.needs(body).process {
            self.run_in_process(run)?;
        } else {
            self.in_subshell(|shell| crate::stack::with_room(|| run(shell)))?;
        }
        self.piped = false;
        if self.dialect == Dialect::Ksh {
            self.line = line;
        }
        self.check()
    }

    /// `$( … )`
    pub(crate) fn substitute(&mut self, substitution: &Substitution) -> Flow<Text> {
        if substitution.file.is_none() && substitution.body.block.nodes.is_empty() {
            // It has no status: a command of nothing else has succeeded.
            return Ok(Text::new());
        }
        self.tracing.nested += u32::from(self.dialect == Dialect::Bash);
        let before = self.status;
        let text = self.substitute_text(substitution);
        self.tracing.nested -= u32::from(self.dialect == Dialect::Bash);
        if self.dialect == Dialect::Posix && text.is_ok() {
            // In dash `$?` stays what it was until the command is done.
            self.substituted_status = std::mem::replace(&mut self.status, before);
        }
        // Not what the commands in it have said of themselves.
        self.substituted = true;
        text
    }

    fn substitute_text(&mut self, substitution: &Substitution) -> Flow<Text> {
        if let Some(file) = &substitution.file
            && self.dialect != Dialect::Posix
        {
            return self.read_whole_file(file, substitution.body.line);
        }
        if substitution.body.block.nodes.is_empty() {
            self.status = 0;
            return Ok(Text::new());
        }
        if substitution.here {
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
        if self.owns_process && self.needs(&substitution.body).process {
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

    /// `set -e` in a substitution: bash forgets it, dash looks at every failure again.
    pub(crate) fn begin_substitution(&mut self) {
        match self.dialect {
            Dialect::Bash if !self.options.inherit_error() && !self.options.posix() => {
                self.options.set(1, false);
            }
            Dialect::Bash | Dialect::Ksh => {}
            Dialect::Posix => self.unchecked = 0,
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
                    // ksh keeps what is before it.
                    if self.dialect == Dialect::Ksh
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
        self.status = 1;
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
