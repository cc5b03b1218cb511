//! Traps.

use std::rc::Rc;

use super::limits::Limit;
use super::signals::{CHILD, INTERRUPT};
use super::state::{ERROR, EXIT, RETURN, Traps};
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::dialect::{IgnoredTrap, TrapStatus};

impl Shell {
    /// Between two commands: signals, limits.
    #[cold]
    pub(crate) fn between_commands(&mut self) -> Flow {
        if self.limits.is_stepping() {
            if self.streams.stopped().is_some() {
                return Err(self.reached(Limit::Canceled, b"canceled"));
            }
            match self.limits.steps.checked_sub(1) {
                Some(left) => self.limits.steps = left,
                None => return Err(self.reached(Limit::Steps, b"more commands than are allowed")),
            }
        }
        if self.processes.owns_process && sys::any_pending() {
            self.handle_all_signals()
        } else {
            Ok(())
        }
    }

    /// What the last command of an action has sent is not left for after the next one: the usual
    /// end of an action takes it away and sends the signal again.
    fn handle_all_signals(&mut self) -> Flow {
        self.handle_signals()?;
        // In a subshell some wait for the shell around.
        while self.subshells.depth() == 0 && sys::any_pending() {
            self.handle_signals()?;
        }
        Ok(())
    }

    /// Whether a signal that is ignored here would end the shell if it were sent to that process.
    pub(crate) fn is_ended_by(&self, signal: i32, process: i32) -> bool {
        self.processes.owns_process
            && process == sys::own_number()
            && self.traps.table.action(signal).is_none()
            && !self.traps.table.ignores(signal)
    }

    /// What has come until the end of the script.
    pub(crate) fn last_signals(&mut self) -> Flow {
        if self.processes.owns_process && sys::any_pending() {
            self.handle_all_signals()
        } else {
            Ok(())
        }
    }

    fn handle_signals(&mut self) -> Flow {
        let mut pending = sys::take_pending();
        if self.subshells.depth() > 0 && pending & self.traps.trapped != 0 {
            // The shell around is waiting for this one.
            sys::put_back_pending(pending & self.traps.trapped);
            let interrupt = 1 << (INTERRUPT - 1);
            if pending & self.traps.trapped & interrupt & !self.traps.sent_to_self != 0 {
                // Everybody at the terminal was meant: this one ends, the one around is told.
                self.execution.status = sys::status_of_signal(INTERRUPT);
                return Err(Unwind::Exit);
            }
            pending &= !self.traps.trapped;
        }
        self.traps.sent_to_self &= !pending;
        for signal in (1..=64).filter(|signal| pending & (1 << (signal - 1)) != 0) {
            match self.traps.table.action(signal).cloned() {
                Some(action) if action.is_empty() => {}
                Some(action)
                    if signal == CHILD && self.profile.processes.traps.child_trap_for_each =>
                {
                    self.run_child_trap(&action)?;
                }
                Some(action) => self.run_trap(&action)?,
                None if signal == CHILD => {}
                None => {
                    // It would have ended the shell at once, had what was written not been kept.
                    self.traps.fatal_signal = Some(signal);
                    if self.profile.processes.traps.dies_with_status {
                        self.execution.status = sys::status_of_signal(signal);
                    }
                    return Err(Unwind::Stop);
                }
            }
        }
        Ok(())
    }

    /// bash: the action on CHLD, once for each child that has ended, but for its own.
    fn run_child_trap(&mut self, action: &[u8]) -> Flow {
        self.processes.jobs.notice_ended();
        let mut flow = Ok(());
        for _ in 0..std::mem::take(&mut self.processes.jobs.ended_children).max(1) {
            flow = flow.and_then(|()| self.run_trap(action));
        }
        self.processes.jobs.ended_children = 0;
        sys::put_back_pending(sys::take_pending() & !(1 << (CHILD - 1)));
        flow
    }

    /// Something is done that another shell makes a process for: a trap on CHLD that runs for each
    /// child is told of it.
    pub(crate) fn child_would_have_ended(&mut self) {
        let counts = self.profile.processes.traps.child_trap_for_each
            && self.processes.owns_process
            && self.subshells.depth() == 0;
        if counts && self.traps.trapped & (1 << (CHILD - 1)) != 0 {
            self.processes.jobs.ended_children += 1;
            sys::put_back_pending(1 << (CHILD - 1));
        }
    }

    /// Runs an action; `$?` is as before afterwards.
    pub(crate) fn run_trap(&mut self, action: &[u8]) -> Flow {
        let status = self.execution.status;
        let line = self.execution.line;
        let before = self.traps.interrupted;
        let reader = self.execution.text_reader.take();
        match self.profile.processes.traps.status_before_trap {
            TrapStatus::Outermost => {
                self.traps.interrupted = before.or(Some((status, self.calls.frames.len())))
            }
            TrapStatus::Innermost => {
                self.traps.interrupted = Some((status, self.calls.frames.len()))
            }
            TrapStatus::None => {}
        }
        let flow = self.evaluate_script(action);
        self.traps.interrupted = before;
        self.execution.text_reader = reader;
        self.execution.line = line;
        match flow {
            Ok(()) => {
                self.execution.status = status;
                Ok(())
            }
            other => other,
        }
    }

    /// The trap on ERR.
    pub(crate) fn run_error_trap(&mut self) -> Flow {
        if self.traps.in_error || std::mem::take(&mut self.traps.error_is_new) {
            return Ok(());
        }
        let Some(action) = self.traps.table.action(ERROR).cloned() else { return Ok(()) };
        self.traps.in_error = true;
        let outer = self.traps.error_line.replace(self.execution.line);
        let flow = self.run_trap(&action);
        self.traps.error_line = outer;
        self.traps.in_error = false;
        flow
    }

    /// bash: a function, or a file that was read, ends: its trap on RETURN.
    #[cold]
    pub(crate) fn run_return_trap(&mut self, flow: Flow) -> Flow {
        if !matches!(flow, Ok(()) | Err(Unwind::Return)) {
            return flow;
        }
        let Some(action) = self.traps.table.action(RETURN).cloned() else { return flow };
        if std::mem::replace(&mut self.traps.in_return, true) {
            return flow;
        }
        let status = self.execution.status;
        if flow.is_err() {
            self.execution.status = self.traps.status_before_return;
        }
        let ran = self.run_trap(&action);
        self.traps.in_return = false;
        if ran.is_ok() {
            self.execution.status = status;
        }
        ran.and(flow)
    }

    /// The trap on EXIT, once.
    pub(crate) fn run_exit_trap(&mut self) -> Flow {
        let Some(action) = self.traps.table.action(EXIT).cloned() else { return Ok(()) };
        Rc::make_mut(&mut self.traps.table).actions.remove(&EXIT);
        let status = self.execution.status;
        if self.profile.processes.traps.status_before_trap != TrapStatus::None {
            self.traps.interrupted = Some((status, self.calls.frames.len()));
        }
        let outer = self.traps.exit_action.replace(action.clone());
        let flow = self.evaluate_script(&action);
        self.traps.exit_action = outer;
        self.traps.interrupted = None;
        match flow {
            Ok(()) => self.execution.status = status,
            Err(Unwind::Discard)
                if self.profile.processes.traps.exit_trap_keeps_status_on_error =>
            {
                self.execution.status = status;
            }
            Err(Unwind::Stop) => return flow,
            Err(_) => {}
        }
        Ok(())
    }

    /// A virtual subshell begins: what is trapped is only shown.
    pub(crate) fn enter_subshell_traps(&mut self) {
        if self.traps.table.actions.is_empty() || self.traps.table.inherited {
            return;
        }
        let traps = Rc::make_mut(&mut self.traps.table);
        // bash's ERR goes on with `set -E` only.
        let error = traps.actions.get(&ERROR).cloned();
        traps.inherited = true;
        if let Some(error) = error
            && self.options.error_trace()
        {
            self.set_trap(ERROR, Some(error));
        }
    }

    /// A copy of the process begins: signals do what they do by default. `before` came to the
    /// process that it is a copy of.
    pub(crate) fn enter_copy_traps(&mut self, before: u64) {
        self.traps.become_copy(before);
        self.streams.defer(0);
        self.enter_subshell_traps();
    }

    /// Whether a signal was ignored when the shell started.
    ///
    /// Price: one `rt_sigaction` for each signal, once.
    pub(crate) fn was_ignored(&mut self, signal: i32) -> bool {
        signal > 0 && self.processes.owns_process && self.traps.was_ignored(signal)
    }

    /// Sets an action, or takes it away. A signal that was ignored at the start stays so.
    pub(crate) fn set_trap(&mut self, signal: i32, action: Option<Text>) {
        let stays = self.was_ignored(signal);
        let action = match self.profile.processes.traps.set_on_ignored {
            IgnoredTrap::Left if stays => return,
            IgnoredTrap::ListedEmpty if stays && action.is_none() => return,
            IgnoredTrap::ListedEmpty if stays => Some(Text::new()),
            _ => action,
        };
        if signal == CHILD {
            self.processes.jobs.ended_children = 0;
        }
        let traps = Rc::make_mut(&mut self.traps.table);
        if traps.inherited {
            traps.inherited = false;
            traps.actions.retain(|_, action| action.is_empty());
        }
        let now = match &action {
            None => sys::Action::Default,
            Some(text) if text.is_empty() => sys::Action::Ignore,
            Some(_) => sys::Action::Catch,
        };
        match action {
            Some(action) => traps.actions.insert(signal, action),
            None => traps.actions.remove(&signal),
        };
        if signal > 0 && self.processes.owns_process && self.subshells.depth() == 0 && !stays {
            self.traps.catch(signal, now, self.profile.dialect);
        }
    }

    /// ksh: the end of a function with a scope of its own.
    pub(crate) fn end_of_own_scope(&mut self, flow: Flow, traps: Rc<Traps>) -> Flow {
        let flow = match flow {
            Err(Unwind::Exit | Unwind::Stop) => flow,
            flow => self.run_exit_trap().and(flow),
        };
        // Of those of the shell around a trap that the function has set has left nothing to show.
        let same_shell = traps.inherited == self.traps.table.inherited;
        let outer = traps.actions.get(&EXIT).filter(|_| same_shell).cloned();
        match outer {
            Some(action) => {
                Rc::make_mut(&mut self.traps.table).actions.insert(EXIT, action);
            }
            None if self.traps.table.actions.contains_key(&EXIT) => {
                Rc::make_mut(&mut self.traps.table).actions.remove(&EXIT);
            }
            None => {}
        }
        flow
    }

    /// The trap on EXIT, if it runs when a signal ends the shell.
    pub(crate) fn end_by_signal(&mut self, flow: Flow) {
        let signal = self.traps.fatal_signal.filter(|_| flow == Err(Unwind::Stop));
        if flow == Err(Unwind::Stop)
            && (signal.is_none() || !self.profile.processes.traps.runs_exit_trap_on_signal)
        {
            return;
        }
        let trapped = self.traps.table.action(EXIT).is_some();
        let _ = self.run_exit_trap();
        if let Some(signal) = signal
            && trapped
            && self.profile.processes.traps.exit_trap_survives_signal
        {
            // It ends as if of its own will then.
            self.traps.fatal_signal = None;
            self.execution.status = 256 + signal;
        }
    }
}
