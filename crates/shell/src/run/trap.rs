//! Traps.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::external::INTERRUPT;
use super::limits::Limit;
use super::signals::{CHILD, PIPE, QUIT};
use super::{Flow, Shell, Unwind};
use crate::{Dialect, Text};

/// The conditions that are no signals.
pub(crate) const EXIT: i32 = 0;
pub(crate) const ERROR: i32 = -1;
pub(crate) const RETURN: i32 = -2;
pub(crate) const DEBUG: i32 = -3;

/// What is done when something happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traps {
    /// By signal; the empty text ignores it.
    pub(crate) actions: BTreeMap<i32, Text>,
    /// Whether they are those of the shell around, only shown, not done.
    pub(crate) inherited: bool,
    /// Signals that were ignored when the shell started: they stay so.
    pub(crate) ignored_at_start: u64,
    /// Signals of which that is known.
    pub(crate) asked: u64,
    /// Signals that this shell catches.
    pub(crate) caught: u64,
}

impl Traps {
    /// What is done, if anything is.
    pub(crate) fn action(&self, signal: i32) -> Option<&Text> {
        match self.actions.get(&signal) {
            Some(action) if self.inherited && !action.is_empty() => None,
            action => action,
        }
    }

    /// Whether something is to be run once the signal comes, and it has come.
    pub(crate) fn is_run_at(&self, signal: i32) -> bool {
        let came = sys::pending() & (1 << (signal - 1)) != 0;
        came && self.action(signal).is_some_and(|action| !action.is_empty())
    }

    pub(crate) fn ignores(&self, signal: i32) -> bool {
        self.actions.get(&signal).is_some_and(|action| action.is_empty())
            || self.ignored_at_start & (1 << (signal - 1)) != 0
    }

    /// Signals that do in children what they do by default.
    pub(crate) fn default_in_children(&self) -> Vec<i32> {
        let caught = (1..=64).filter(|signal| self.caught & (1 << (signal - 1)) != 0);
        let mut signals: Vec<i32> = caught.filter(|signal| !self.ignores(*signal)).collect();
        if !self.ignores(PIPE) && !signals.contains(&PIPE) {
            signals.push(PIPE);
        }
        signals
    }

    #[inline]
    pub(crate) fn any_pending(&self) -> bool {
        sys::any_pending()
    }
}

/// What is there before a function of bash: the traps that it does not have, and whether there was
/// one on ERR.
#[derive(Default)]
pub(crate) struct PutAway {
    actions: Vec<(i32, Text)>,
    had_error: bool,
}

impl Shell {
    /// Between two commands: signals, limits.
    #[cold]
    pub(crate) fn between_commands(&mut self) -> Flow {
        if self.limits.is_stepping() {
            match self.limits.steps.checked_sub(1) {
                Some(left) => self.limits.steps = left,
                None => return Err(self.reached(Limit::Steps, b"more commands than are allowed")),
            }
        }
        if self.owns_process && sys::any_pending() { self.handle_all_signals() } else { Ok(()) }
    }

    /// What the last command of an action has sent is not left for after the next one: the usual
    /// end of an action takes it away and sends the signal again.
    fn handle_all_signals(&mut self) -> Flow {
        self.handle_signals()?;
        // In a subshell some wait for the shell around.
        while self.level == 0 && sys::any_pending() {
            self.handle_signals()?;
        }
        Ok(())
    }

    /// What the shell leaves for later while something else runs: what is trapped, but for what
    /// ends that as well.
    pub(crate) fn deferred(&self) -> u64 {
        self.trapped & !(1 << (INTERRUPT - 1)) | self.own_signals
    }

    /// Whether a signal that is ignored here would end the shell if it were sent to that process.
    pub(crate) fn is_ended_by(&self, signal: i32, process: i32) -> bool {
        self.owns_process
            && process == sys::own_number()
            && self.traps.action(signal).is_none()
            && !self.traps.ignores(signal)
    }

    /// What has come until the end of the script.
    pub(crate) fn last_signals(&mut self) -> Flow {
        if self.owns_process && sys::any_pending() { self.handle_all_signals() } else { Ok(()) }
    }

    fn handle_signals(&mut self) -> Flow {
        let mut pending = sys::take_pending();
        if self.level > 0 && pending & self.trapped != 0 {
            // The shell around is waiting for this one.
            sys::put_back_pending(pending & self.trapped);
            let interrupt = 1 << (INTERRUPT - 1);
            if pending & self.trapped & interrupt & !self.own_signals != 0 {
                // Everybody at the terminal was meant: this one ends, the one around is told.
                self.status = sys::status_of_signal(INTERRUPT);
                return Err(Unwind::Exit);
            }
            pending &= !self.trapped;
        }
        self.own_signals &= !pending;
        for signal in (1..=64).filter(|signal| pending & (1 << (signal - 1)) != 0) {
            match self.traps.action(signal).cloned() {
                Some(action) if action.is_empty() => {}
                Some(action) if signal == CHILD && self.dialect == Dialect::Bash => {
                    self.run_child_trap(&action)?;
                }
                Some(action) => self.run_trap(&action)?,
                None if signal == CHILD => {}
                None => {
                    // It would have ended the shell at once, had what was written not been kept.
                    self.dies_of = Some(signal);
                    if self.dialect != Dialect::Bash {
                        self.status = sys::status_of_signal(signal);
                    }
                    return Err(Unwind::Stop);
                }
            }
        }
        Ok(())
    }

    /// bash: the action on CHLD, once for each child that has ended, but for its own.
    fn run_child_trap(&mut self, action: &[u8]) -> Flow {
        self.notice_ended();
        let mut flow = Ok(());
        for _ in 0..std::mem::take(&mut self.children_ended).max(1) {
            flow = flow.and_then(|()| self.run_trap(action));
        }
        self.children_ended = 0;
        sys::put_back_pending(sys::take_pending() & !(1 << (CHILD - 1)));
        flow
    }

    /// bash: something is done that another shell makes a process for, and its trap on CHLD is told
    /// of it.
    pub(crate) fn child_would_have_ended(&mut self) {
        let told = self.dialect == Dialect::Bash && self.owns_process && self.level == 0;
        if told && self.trapped & (1 << (CHILD - 1)) != 0 {
            self.children_ended += 1;
            sys::put_back_pending(1 << (CHILD - 1));
        }
    }

    /// A signal that came and is trapped, while something waited.
    pub(crate) fn pending_trap(&self) -> Option<i32> {
        let pending = sys::pending();
        (1..=64).find(|signal| pending & (1 << (signal - 1)) != 0)
    }

    /// Runs an action; `$?` is as before afterwards.
    pub(crate) fn run_trap(&mut self, action: &[u8]) -> Flow {
        let status = self.status;
        let line = self.line;
        let before = self.before_trap;
        let reader = self.reader.take();
        match self.dialect {
            Dialect::Posix => self.before_trap = before.or(Some((status, self.frames.len()))),
            Dialect::Bash => self.before_trap = Some((status, self.frames.len())),
            Dialect::Ksh => {}
        }
        let flow = self.evaluate_script(action);
        self.before_trap = before;
        self.reader = reader;
        self.line = line;
        match flow {
            Ok(()) => {
                self.status = status;
                Ok(())
            }
            other => other,
        }
    }

    /// The trap on ERR.
    pub(crate) fn run_error_trap(&mut self) -> Flow {
        if self.in_error_trap || std::mem::take(&mut self.new_error_trap) {
            return Ok(());
        }
        let Some(action) = self.traps.action(ERROR).cloned() else { return Ok(()) };
        self.in_error_trap = true;
        let outer = self.trap_line.replace(self.line);
        let flow = self.run_trap(&action);
        self.trap_line = outer;
        self.in_error_trap = false;
        flow
    }

    /// bash: a function begins, which has no traps on RETURN and ERR unless they are handed on.
    pub(crate) fn enter_function_traps(&mut self) -> PutAway {
        let mut put_away =
            PutAway { actions: Vec::new(), had_error: self.traps.action(ERROR).is_some() };
        if self.traps.inherited {
            return put_away; // none of them counts any more
        }
        let kept = [(RETURN, self.options.function_trace()), (ERROR, self.options.error_trace())];
        for (which, stays) in kept {
            if !stays && let Some(action) = self.traps.actions.get(&which).cloned() {
                Rc::make_mut(&mut self.traps).actions.remove(&which);
                put_away.actions.push((which, action));
            }
        }
        put_away
    }

    /// bash: a function, or a file that was read, ends: its trap on RETURN.
    #[cold]
    pub(crate) fn run_return_trap(&mut self, flow: Flow) -> Flow {
        if !matches!(flow, Ok(()) | Err(Unwind::Return)) {
            return flow;
        }
        let Some(action) = self.traps.action(RETURN).cloned() else { return flow };
        if std::mem::replace(&mut self.in_return_trap, true) {
            return flow;
        }
        let status = self.status;
        if flow.is_err() {
            self.status = self.before_return;
        }
        let ran = self.run_trap(&action);
        self.in_return_trap = false;
        if ran.is_ok() {
            self.status = status;
        }
        ran.and(flow)
    }

    /// The traps that were there before a function, unless it has set them.
    pub(crate) fn leave_function_traps(&mut self, before: PutAway) {
        for (which, action) in before.actions {
            Rc::make_mut(&mut self.traps).actions.entry(which).or_insert(action);
        }
        if self.status != 0 && self.unchecked == 0 && self.dialect == Dialect::Bash {
            // One on ERR that the function has set is not for the call itself.
            self.new_error_trap = !before.had_error && self.traps.action(ERROR).is_some();
        }
    }

    /// The trap on EXIT, once.
    pub(crate) fn run_exit_trap(&mut self) -> Flow {
        let Some(action) = self.traps.action(EXIT).cloned() else { return Ok(()) };
        Rc::make_mut(&mut self.traps).actions.remove(&EXIT);
        let status = self.status;
        if self.dialect != Dialect::Ksh {
            self.before_trap = Some((status, self.frames.len()));
        }
        let outer = self.exit_action.replace(action.clone());
        let flow = self.evaluate_script(&action);
        self.exit_action = outer;
        self.before_trap = None;
        match flow {
            Ok(()) => self.status = status,
            Err(Unwind::Discard) if self.dialect == Dialect::Bash => self.status = status,
            Err(Unwind::Stop) => return flow,
            Err(_) => {}
        }
        Ok(())
    }

    /// A stage of a pipeline begins: in ksh what is trapped around it is not even shown.
    pub(crate) fn forget_traps(&mut self) {
        if self.dialect == Dialect::Ksh && self.traps.inherited {
            Rc::make_mut(&mut self.traps).actions.retain(|_, action| action.is_empty());
        }
    }

    /// A virtual subshell begins: what is trapped is only shown.
    pub(crate) fn enter_subshell_traps(&mut self) {
        if self.traps.actions.is_empty() || self.traps.inherited {
            return;
        }
        let traps = Rc::make_mut(&mut self.traps);
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
        use super::signals::ENDING;
        let caught = self.traps.caught;
        for signal in (1..=64).filter(|signal| caught & (1 << (signal - 1)) != 0) {
            // What ends it stays caught, so that what was written is not lost.
            if !self.traps.ignores(signal) && !ENDING.contains(&signal) {
                let _ = sys::set_signal(signal, sys::Action::Default);
            }
        }
        let came = sys::take_pending() & !before;
        let ending = ENDING.iter().fold(0, |all, signal| all | 1u64 << (signal - 1));
        Rc::make_mut(&mut self.traps).caught &= ending;
        self.trapped = 0;
        self.streams.defer(0);
        sys::put_back_pending(came & ending);
        self.enter_subshell_traps();
    }

    /// Whether a signal was ignored when the shell started.
    ///
    /// Price: one `rt_sigaction` for each signal, once.
    pub(crate) fn was_ignored(&mut self, signal: i32) -> bool {
        if signal <= 0 || !self.owns_process {
            return false;
        }
        let bit = 1 << (signal - 1);
        if self.traps.asked & bit == 0 {
            let traps = Rc::make_mut(&mut self.traps);
            traps.asked |= bit;
            if sys::signal_action(signal) == Ok(sys::Action::Ignore) {
                traps.ignored_at_start |= bit;
            }
        }
        self.traps.ignored_at_start & bit != 0
    }

    /// Sets an action, or takes it away. A signal that was ignored at the start stays so: bash does
    /// nothing, dash lists the action all the same, ksh an empty one.
    pub(crate) fn set_trap(&mut self, signal: i32, action: Option<Text>) {
        let stays = self.was_ignored(signal);
        let action = match self.dialect {
            Dialect::Bash if stays => return,
            Dialect::Ksh if stays && action.is_none() => return,
            Dialect::Ksh if stays => Some(Text::new()),
            _ => action,
        };
        if signal == CHILD {
            self.children_ended = 0;
        }
        let traps = Rc::make_mut(&mut self.traps);
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
        if signal > 0 && self.owns_process && self.level == 0 && !stays {
            self.catch(signal, now);
            let bit = 1 << (signal - 1);
            self.trapped &= !bit;
            if now == sys::Action::Catch {
                self.trapped |= bit;
            }
        }
    }

    fn catch(&mut self, signal: i32, action: sys::Action) {
        // What ends a shell is always caught, so that what was written is not lost.
        let action = match action {
            sys::Action::Default if super::signals::ENDING.contains(&signal) => sys::Action::Catch,
            sys::Action::Default if signal == PIPE => sys::Action::Ignore,
            sys::Action::Default if signal == QUIT && self.dialect == Dialect::Bash => {
                sys::Action::Ignore
            }
            // Children whose end is ignored have no status.
            sys::Action::Ignore if signal == super::signals::CHILD => sys::Action::Default,
            action => action,
        };
        let traps = Rc::make_mut(&mut self.traps);
        let bit = 1 << (signal - 1);
        if sys::set_signal(signal, action).is_ok() {
            if action == sys::Action::Default {
                traps.caught &= !bit;
            } else {
                traps.caught |= bit;
            }
        }
    }

    /// What is started with `&` is not interrupted from the keyboard. In bash that is a trap like
    /// any other.
    pub(crate) fn ignore_interrupts(&mut self) {
        let traps = Rc::make_mut(&mut self.traps);
        for signal in [INTERRUPT, QUIT] {
            let bit = 1 << (signal - 1);
            let before = sys::set_signal(signal, sys::Action::Ignore);
            let was_ignored = traps.asked & bit == 0 && before == Ok(sys::Action::Ignore);
            traps.asked |= bit;
            if was_ignored || self.dialect != Dialect::Bash {
                traps.ignored_at_start |= bit;
            }
        }
        if traps.ignored_at_start & 0b10 == 0 {
            traps.actions.insert(INTERRUPT, Text::new());
        }
    }

    /// ksh: a function has its own trap on EXIT.
    pub(crate) fn leave_exit_trap_behind(&mut self) {
        if self.traps.actions.contains_key(&EXIT) {
            Rc::make_mut(&mut self.traps).actions.remove(&EXIT);
        }
    }

    /// ksh: the end of a function with a scope of its own.
    pub(crate) fn end_of_own_scope(&mut self, flow: Flow, traps: Rc<Traps>) -> Flow {
        let flow = match flow {
            Err(Unwind::Exit | Unwind::Stop) => flow,
            flow => self.run_exit_trap().and(flow),
        };
        // Of those of the shell around a trap that the function has set has left nothing to show.
        let same_shell = traps.inherited == self.traps.inherited;
        let outer = traps.actions.get(&EXIT).filter(|_| same_shell).cloned();
        match outer {
            Some(action) => {
                Rc::make_mut(&mut self.traps).actions.insert(EXIT, action);
            }
            None if self.traps.actions.contains_key(&EXIT) => {
                Rc::make_mut(&mut self.traps).actions.remove(&EXIT);
            }
            None => {}
        }
        flow
    }
}
