//! Simple commands.

use std::rc::Rc;

use super::value::Flags;
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::builtin_table::{self, Builtin};
use crate::dialect::{ReadonlyPrefix, TraceTime};
use crate::program::{Argument, Call, Callee, Function, Redirect, Target};

/// What a command's name means.
pub(crate) enum Meaning {
    Function(Rc<Function>),
    Builtin(&'static Builtin),
    /// A tool that is done here, or a program.
    Other,
}

impl Shell {
    pub(crate) fn call(&mut self, call: &Call) -> Flow {
        self.execution.line = call.line;
        self.expansion.had_substitution = false;
        let mut words = self.expansion.argument_list();
        let substitutions = self.processes.substitutions();
        let flow = match self.expand_arguments(&call.words, &mut words) {
            Ok(()) if self.names.asks_for_last_argument => {
                let last = words.last().cloned().unwrap_or_default();
                let flow = self.call_with(call, &mut words);
                self.execution.last_argument = Some(last);
                flow
            }
            Ok(()) => self.call_with(call, &mut words),
            Err(unwind) => Err(unwind),
        };
        if self.processes.substitutions() > substitutions {
            self.end_process_substitutions(substitutions);
        }
        self.expansion.reuse_list(words);
        flow?;
        self.check()
    }

    fn call_with(&mut self, call: &Call, words: &mut Vec<Text>) -> Flow {
        if words.is_empty() {
            return self.nothing_called(call);
        }
        let meaning = self.meaning(call.callee, words);
        let flow = if self.options.trace() {
            let before = self.tracing.begin_command(self.streams.get(2));
            let flow = self.call_redirected(&meaning, call, words);
            self.tracing.end_command(before);
            flow
        } else {
            self.call_redirected(&meaning, call, words)
        };
        // A function sees what was before it; behind it there is one status, its own.
        self.execution.was_pipeline = false;
        flow
    }

    fn call_redirected(&mut self, meaning: &Meaning, call: &Call, words: &mut Vec<Text>) -> Flow {
        let early = self.is_traced_early(call);
        if early && self.options.trace() {
            self.trace_call(call, words);
        }
        if call.redirects.is_empty() && call.assignments.is_empty() {
            if !early && self.options.trace() {
                self.trace_call(call, words);
            }
            return self.call_meaning(meaning, call, words);
        }
        let special = matches!(meaning, Meaning::Builtin(builtin) if builtin.special);
        let is_exec = special && **words == [Text::from_slice(b"exec")];
        let redirected = match self.expands_in_child(meaning, call) {
            true => self.forgetting(|shell| shell.redirect_all(&call.redirects)),
            false => self.redirect_all(&call.redirects),
        };
        let restore = match redirected {
            Ok(restore) => restore,
            Err(Unwind::Stop) => return Err(Unwind::Stop),
            Err(unwind) => {
                if unwind != Unwind::Exit && !(special && self.special_errors_exit()) {
                    return Ok(());
                }
                return Err(Unwind::Exit);
            }
        };
        let flow = match meaning {
            Meaning::Function(_) if !call.redirects.is_empty() => {
                self.keeping_errors(|shell| shell.call_assigned(meaning, call, words, special))
            }
            _ => self.call_assigned(meaning, call, words, special),
        };
        if is_exec && flow.is_ok() {
            self.keep_redirects(restore);
        } else {
            self.restore(restore);
        }
        flow
    }

    /// Whether what a program's redirections change is the child's alone: `{name}>file` apart,
    /// whose number the program must find open.
    fn expands_in_child(&self, meaning: &Meaning, call: &Call) -> bool {
        let named = |redirect: &Redirect| matches!(redirect.target, Target::Variable(_));
        matches!(meaning, Meaning::Other)
            && self.profile.calls.redirects_in_child
            && !call.redirects.iter().any(named)
    }

    /// Whether a special builtin's error ends the shell.
    pub(crate) fn special_errors_exit(&self) -> bool {
        self.profile.failures.special_builtins_exit || self.options.posix()
    }

    /// The status of a special builtin: in dash and ksh an error ends the shell.
    pub(crate) fn special_status(&mut self, words: &[Text], status: i32) -> Flow<i32> {
        let special = builtin_table::find(&words[0], self.profile.dialect)
            .is_some_and(|builtin| builtin.special)
            || matches!(&*words[0], b"typeset" | b"local");
        let counts = status != 0 && (self.profile.failures.special_failures_exit || status == 2);
        if counts && self.special_errors_exit() && special && !self.builtins.under_command {
            self.execution.status = status;
            return Err(Unwind::Exit);
        }
        Ok(status)
    }

    /// Assignments before a command: for its time only, unless it is a special builtin.
    fn call_assigned(
        &mut self,
        meaning: &Meaning,
        call: &Call,
        words: &mut Vec<Text>,
        special: bool,
    ) -> Flow {
        let rules = &self.profile.calls;
        let stays = match meaning {
            Meaning::Function(function) => rules.function_keeps_assignments && !function.keyword,
            _ => special && self.special_errors_exit(),
        };
        if stays {
            let exported = words.len() > 1 && &*words[0] == b"exec";
            for assignment in &call.assignments {
                self.assign(assignment)?;
                if exported {
                    let slot = self.meant(assignment.slot);
                    self.variables.export(slot);
                }
            }
            self.trace_assigned_call(call, words);
            return self.call_meaning(meaning, call, words);
        }
        let base = self.variables.temporaries.count();
        let mut flow = Ok(());
        for assignment in &call.assignments {
            let meant = self.meant(assignment.slot);
            let fixed = self.variables[meant].flags.has(Flags::READONLY);
            let on_readonly = self.profile.failures.readonly_before_command;
            if fixed && on_readonly != ReadonlyPrefix::Assigned {
                let _ = self.refuse_readonly(meant);
                if on_readonly == ReadonlyPrefix::LeftOut && !self.options.posix() {
                    // It is told, and the command runs without it.
                    continue;
                }
                flow = Err(Unwind::Discard);
                break;
            }
            if assignment.subscript.is_some() && !rules.subscript_before_command {
                self.refuse_element(assignment)?;
                continue;
            }
            let outer = self.variables.temporaries.begin_assignment(base);
            let assigned = self.assign_for_command(assignment);
            self.variables.temporaries.end_assignment(outer);
            match assigned {
                Ok(()) => {}
                Err(unwind) => {
                    flow = Err(unwind);
                    break;
                }
            }
        }
        let flow = match flow {
            Ok(()) => {
                self.trace_assigned_call(call, words);
                if matches!(meaning, Meaning::Function(_)) && rules.functions_know_given {
                    self.calls.assigned = self.variables.temporaries.since(base);
                }
                let flow = self.call_meaning(meaning, call, words);
                if matches!(meaning, Meaning::Builtin(builtin) if builtin.declares) {
                    let kept = self.declared_for_good(words);
                    self.variables.temporaries.keep_since(base, &kept);
                }
                flow
            }
            Err(unwind) => Err(unwind),
        };
        self.end_temporaries(base);
        match flow {
            // The command is not run, the next one is.
            Err(Unwind::Discard) if self.errors_end_text() => Ok(()),
            flow => flow,
        }
    }

    /// The variables that `a=1 export a` keeps as they were assigned for the command.
    fn declared_for_good(&self, words: &[Text]) -> Vec<Slot> {
        let [name, operands @ ..] = words else { return Vec::new() };
        let keeps = |word: &Text| {
            word.starts_with(b"-") && word.iter().any(|letter| matches!(letter, b'x' | b'r'))
        };
        if !self.profile.calls.export_keeps_assignment
            || !(matches!(&**name, b"export" | b"readonly") || operands.iter().any(keeps))
        {
            return Vec::new();
        }
        operands.iter().filter_map(|word| self.names.find(word)).collect()
    }

    /// `set -x` behind the assignments and the redirections.
    fn trace_assigned_call(&mut self, call: &Call, words: &[Text]) {
        if self.options.trace() && !self.is_traced_early(call) {
            self.trace_call(call, words);
        }
    }

    /// Whether `set -x` shows a command before its redirections and assignments are done.
    fn is_traced_early(&self, call: &Call) -> bool {
        match self.profile.calls.traced_before {
            TraceTime::Never => false,
            TraceTime::WithoutAssignments => call.assignments.is_empty(),
            TraceTime::Always => true,
        }
    }

    fn call_meaning(&mut self, meaning: &Meaning, call: &Call, words: &mut Vec<Text>) -> Flow {
        match meaning {
            Meaning::Function(function) => {
                let arguments = std::mem::take(words);
                self.call_function(function, arguments)
            }
            Meaning::Builtin(builtin) => self.call_builtin(builtin, words, &call.words),
            Meaning::Other => {
                let replaces = self.processes.is_only_call(call);
                self.call_program_in(words, replaces)
            }
        }
    }

    /// Runs a builtin, its own name first; `arguments` are what the words were expanded from.
    fn call_builtin(
        &mut self,
        builtin: &'static Builtin,
        words: &[Text],
        arguments: &[Argument],
    ) -> Flow {
        self.execution.status = (self.builtins.run)(self, builtin.id, words, arguments)?;
        Ok(())
    }

    /// Runs a command by its words, as `command`, `eval` and the like do.
    pub(crate) fn call_words(&mut self, words: Vec<Text>, functions: bool) -> Flow {
        crate::stack::with_room(|| self.call_words_on_stack(words, functions))
    }

    fn call_words_on_stack(&mut self, mut words: Vec<Text>, functions: bool) -> Flow {
        let meaning = match self.meaning(Callee::Unknown, &words) {
            Meaning::Function(_) if !functions => {
                match builtin_table::find(&words[0], self.profile.dialect) {
                    Some(builtin) => Meaning::Builtin(builtin),
                    None => Meaning::Other,
                }
            }
            meaning => meaning,
        };
        match meaning {
            Meaning::Function(function) => self.call_function(&function, words),
            Meaning::Builtin(builtin) => self.call_builtin(builtin, &words, &[]),
            Meaning::Other => self.call_program(&mut words),
        }
    }

    /// What the first word means.
    pub(crate) fn meaning(&mut self, callee: Callee, words: &[Text]) -> Meaning {
        let (slot, builtin) = match callee {
            Callee::Named(slot, builtin) => (Some(slot), builtin),
            Callee::Unknown => {
                self.make_room();
                (self.names.find(&words[0]), builtin_table::find(&words[0], self.profile.dialect))
            }
        };
        // POSIX: special builtins are found before functions.
        if let Some(builtin) = builtin
            && builtin.special
            && self.special_errors_exit()
        {
            return Meaning::Builtin(builtin);
        }
        if let Some(slot) = slot
            && let Some(function) = self.functions.get(slot)
        {
            return Meaning::Function(function.clone());
        }
        match builtin {
            Some(builtin) => Meaning::Builtin(builtin),
            None => Meaning::Other,
        }
    }

    /// All words came to nothing: only redirections and assignments are left.
    fn nothing_called(&mut self, call: &Call) -> Flow {
        let substituted = self.expansion.had_substitution;
        let assign_first = self.profile.calls.assigns_before_redirecting;
        if assign_first {
            for assignment in &call.assignments {
                self.assign(assignment)?;
            }
        }
        match self.redirect_all(&call.redirects) {
            Ok(restore) => self.restore(restore),
            Err(Unwind::Discard) => return Ok(()),
            Err(unwind) => return Err(unwind),
        }
        if !assign_first {
            for assignment in &call.assignments {
                self.assign(assignment)?;
            }
        }
        self.end_with_substitution(substituted || self.expansion.had_substitution);
        Ok(())
    }
}
