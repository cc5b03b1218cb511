//! Functions are called.

use std::rc::Rc;

use super::limits::Limit;
use super::state::{Frame, Positional};
use super::value::{Value, Variable};
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::arithmetic::Slot;
use crate::program::Function;

impl Shell {
    /// Calls a function with its arguments, its own name first.
    pub(crate) fn call_function(
        &mut self,
        function: &Rc<Function>,
        mut arguments: Vec<Text>,
    ) -> Flow {
        if let Some(limit) = self.limit_of_functions() {
            return self.too_deep(function, limit);
        }
        let rules = &self.profile.calls;
        arguments.drain(..arguments.len().min(1));
        let own_scope = function.keyword && rules.function_keyword_makes_scope;
        let hidden = if own_scope { self.hide_locals() } else { Vec::new() };
        let frame = self.frame_of(function, own_scope);
        self.calls.frames.push(frame);
        let positional = std::mem::replace(&mut self.calls.positional, Positional::new(arguments));
        let getopts = self.builtins.getopts;
        if self.profile.values.variables.set_resets_getopts {
            self.builtins.getopts = Default::default();
        }
        let optind = if own_scope { self.begin_own_options() } else { None };
        let loops = std::mem::take(&mut self.execution.loop_depth);
        let traps = own_scope.then(|| self.traps.table.clone());
        if own_scope {
            self.traps.forget_exit();
        }
        let zero = own_scope.then(|| {
            let name = Text::from_slice(&self.names.name(function.name));
            std::mem::replace(&mut self.origin.zero, name)
        });
        let any_trap = !self.traps.table.actions.is_empty() && rules.functions_have_own_traps;
        let put_away =
            if any_trap { self.traps.enter_function(self.options) } else { Default::default() };
        let mut flow = crate::stack::with_room(|| self.run(&function.body));
        if let Some(zero) = zero {
            self.origin.zero = zero;
        }
        if self.profile.builtins.flow.has_return_trap && !self.traps.table.actions.is_empty() {
            flow = self.run_return_trap(flow);
        }
        let failed = self.execution.status != 0 && self.execution.unchecked_depth == 0;
        self.traps.leave_function(
            put_away,
            failed && self.profile.processes.traps.error_trap_of_function_waits,
        );
        let flow = match traps {
            Some(traps) => self.end_of_own_scope(flow, traps),
            None => flow,
        };
        let flow = self.end_in_function(flow);
        (self.execution.loop_depth, self.calls.positional) = (loops, positional);
        // Where `getopts` is goes back with OPTIND.
        let mut own_place = rules.function_has_getopts || optind.is_some();
        if let Some(frame) = self.calls.frames.pop() {
            self.execution.line =
                if rules.function_line_ends { frame.called_on } else { self.execution.line };
            let optind = self.variables.known.optind;
            own_place |=
                self.variables.locals[frame.locals..].iter().any(|(slot, _)| *slot == optind);
            self.end_locals(frame.locals);
            if let Some(options) = frame.options {
                self.options = options;
            }
        }
        if let Some(optind) = optind {
            let slot = self.variables.known.optind;
            self.variables[slot].value = optind;
        }
        if own_place {
            self.builtins.getopts = getopts;
        }
        self.show_locals(hidden);
        match flow {
            Err(Unwind::Return | Unwind::Break(_) | Unwind::Continue(_)) => Ok(()),
            flow => flow,
        }
    }

    #[inline]
    fn frame_of(&mut self, function: &Rc<Function>, own_scope: bool) -> Frame {
        Frame {
            function: Some(function.clone()),
            locals: self.variables.locals.len(),
            subshell: self.subshells.current(),
            called_on: self.execution.line,
            file: None,
            own_scope,
            options: None,
            assigned: std::mem::take(&mut self.calls.assigned),
        }
    }

    /// bash: what is trapped still knows the function at its end; but its variables only if the
    /// shell does not end.
    fn end_in_function(&mut self, flow: Flow) -> Flow {
        if !self.profile.calls.exit_trap_runs_inside {
            return flow;
        }
        match flow {
            Ok(()) => self.last_signals(),
            Err(Unwind::Exit) => {
                let from = self.calls.frames.last().map_or(0, |frame| frame.locals);
                self.end_locals(from);
                self.trap_before_restoring(&flow).and(flow)
            }
            flow => flow,
        }
    }

    /// ksh: `getopts` begins anew in a function that has the word `function`. Gives OPTIND as it
    /// was.
    fn begin_own_options(&mut self) -> Option<Value> {
        let slot = self.variables.known.optind;
        self.save(slot);
        let one = Value::Text(Text::from_slice(b"1"));
        self.builtins.getopts = Default::default();
        Some(std::mem::replace(&mut self.variables[slot].value, one))
    }

    /// ksh: a function's locals are not seen by those that it calls. Gives what they hid.
    fn hide_locals(&mut self) -> Vec<(Slot, Variable)> {
        let Some(frame) = self.calls.frames.last().filter(|frame| frame.own_scope) else {
            return Vec::new();
        };
        let from = frame.locals;
        let mut hidden = Vec::with_capacity(self.variables.locals.len() - from);
        for index in (from..self.variables.locals.len()).rev() {
            let (slot, outer) = self.variables.locals[index].clone();
            self.save(slot);
            let inner = std::mem::replace(&mut self.variables[slot], outer);
            hidden.push((slot, inner));
        }
        self.variables.environment.forget();
        hidden
    }

    fn show_locals(&mut self, hidden: Vec<(Slot, Variable)>) {
        if hidden.is_empty() {
            return;
        }
        let from = self.calls.frames.last().map_or(0, |frame| frame.locals);
        for (slot, inner) in hidden.into_iter().rev() {
            let outer = std::mem::replace(&mut self.variables[slot], inner);
            // What the called function did to the global one is kept.
            if let Some(entry) =
                self.variables.locals[from..].iter_mut().find(|(name, _)| *name == slot)
            {
                entry.1 = outer;
            }
        }
        self.variables.environment.forget();
    }

    /// How many functions may be inside each other, if no other may be called: bash's FUNCNEST says
    /// so, too.
    #[inline]
    fn limit_of_functions(&self) -> Option<usize> {
        if self.calls.frames.len() >= self.limits.depth {
            return Some(self.limits.depth);
        }
        if !self.profile.calls.nesting_limit
            || !self.variables.is_set(self.variables.known.function_depth)
        {
            return None;
        }
        self.most_functions().filter(|most| self.calls.functions() >= *most)
    }

    /// bash's FUNCNEST, if it is a limit.
    fn most_functions(&self) -> Option<usize> {
        let text =
            std::str::from_utf8(self.variables.text_of(self.variables.known.function_depth)?)
                .ok()?;
        text.trim().parse().ok().filter(|most| *most > 0)
    }

    #[cold]
    fn too_deep(&mut self, function: &Rc<Function>, limit: usize) -> Flow {
        let name = self.names.name(function.name);
        let text = format!(
            "{}: maximum function nesting level exceeded ({limit})",
            fewer::present::escaped(&name)
        );
        self.execution.status = 1;
        if limit != self.limits.depth {
            self.complain(text.as_bytes());
            return Err(Unwind::Discard);
        }
        if let Unwind::Stop = self.reached(Limit::Depth, text.as_bytes()) {
            return Err(Unwind::Stop);
        }
        Err(self.after_fatal_error())
    }
}
