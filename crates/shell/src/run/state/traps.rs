//! Traps, and signals that came.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::options::Options;
use crate::run::signals::{CHILD, ENDING, INTERRUPT, PIPE, QUIT, bit};
use crate::{Dialect, Text};

/// The conditions that are no signals.
pub(crate) const EXIT: i32 = 0;
pub(crate) const ERROR: i32 = -1;
pub(crate) const RETURN: i32 = -2;
pub(crate) const DEBUG: i32 = -3;

/// The traps that are set, and what goes on with them.
#[derive(Debug, Default)]
pub(crate) struct TrapState {
    /// What is put back after a subshell.
    pub(crate) table: Rc<Traps>,
    /// Signals that this process's script has set a trap on, bit 0 for signal 1: in a virtual
    /// subshell they wait for its end.
    pub(crate) trapped: u64,
    /// Those that it has sent to itself alone.
    pub(crate) sent_to_self: u64,
    /// The signal that ends the process.
    pub(crate) fatal_signal: Option<i32>,
    /// Whether the trap on ERR runs: it is not run for what fails in it.
    pub(crate) in_error: bool,
    /// Whether the trap on RETURN runs.
    pub(crate) in_return: bool,
    /// bash: whether the trap on ERR is younger than the call that has failed.
    pub(crate) error_is_new: bool,
    /// The line that LINENO is while the trap on ERR runs.
    pub(crate) error_line: Option<u32>,
    /// The action on EXIT while it runs.
    pub(crate) exit_action: Option<Text>,
    /// `$?` when the last `return` began: what the trap on RETURN sees (bash).
    pub(crate) status_before_return: i32,
    /// What `$?` was before the trap that runs, and how many frames there were: what `exit`
    /// without a number ends with.
    pub(crate) interrupted: Option<(i32, usize)>,
}

/// What is done when something happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traps {
    /// By signal; the empty text ignores it.
    pub(crate) actions: BTreeMap<i32, Text>,
    /// Whether they are those of the shell around, only shown, not done.
    pub(crate) inherited: bool,
    /// Signals that were ignored when the shell started: they stay so.
    ignored_at_start: u64,
    /// Signals of which that is known.
    known_at_start: u64,
    /// Signals that this shell catches.
    caught: u64,
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
        let came = sys::pending() & bit(signal) != 0;
        came && self.action(signal).is_some_and(|action| !action.is_empty())
    }

    pub(crate) fn ignores(&self, signal: i32) -> bool {
        self.actions.get(&signal).is_some_and(|action| action.is_empty())
            || self.ignored_at_start & bit(signal) != 0
    }

    /// Signals that do in children what they do by default.
    pub(crate) fn default_in_children(&self) -> Vec<i32> {
        let caught = (1..=64).filter(|signal| self.caught & bit(*signal) != 0);
        let mut signals: Vec<i32> = caught.filter(|signal| !self.ignores(*signal)).collect();
        if !self.ignores(PIPE) && !signals.contains(&PIPE) {
            signals.push(PIPE);
        }
        signals
    }

    /// A signal was met for the first time: it is ignored at the start, or caught from now on.
    fn started(&mut self, signal: i32, ignored: bool, catches: bool) {
        self.known_at_start |= bit(signal);
        if ignored {
            self.ignored_at_start |= bit(signal);
        } else if catches {
            self.caught |= bit(signal);
        }
    }
}

/// What is there before a function of bash: the traps that it does not have, and whether there was
/// one on ERR.
#[derive(Default)]
pub(crate) struct PutAway {
    actions: Vec<(i32, Text)>,
    had_error: bool,
}

impl TrapState {
    /// A process that is the shell's own begins. What ends a shell is caught from the start, so
    /// that what was written is not lost; what is ignored stays so, but for the end of children,
    /// which would have no status.
    pub(crate) fn start(&mut self, dialect: Dialect) {
        let traps = Rc::make_mut(&mut self.table);
        let child = sys::set_signal(CHILD, sys::Action::Default);
        let rules = &dialect.profile().processes.traps;
        let ignored = child == Ok(sys::Action::Ignore) && rules.keeps_ignored_child;
        traps.started(CHILD, ignored, false);
        // Rust has it ignored in every program.
        traps.started(PIPE, sys::was_pipe_ignored(), false);
        if rules.ignores_quit {
            // It cannot be ended by SIGQUIT; its children can.
            let before = sys::set_signal(QUIT, sys::Action::Ignore);
            traps.started(QUIT, before == Ok(sys::Action::Ignore), true);
        }
        for signal in ENDING {
            let before = sys::set_signal(signal, sys::Action::Catch);
            let ignored = before == Ok(sys::Action::Ignore);
            if ignored {
                let _ = sys::set_signal(signal, sys::Action::Ignore);
            }
            traps.started(signal, ignored, true);
        }
    }

    /// What the shell leaves for later while something else runs: what is trapped, but for what
    /// ends that as well.
    pub(crate) fn deferred(&self) -> u64 {
        self.trapped & !bit(INTERRUPT) | self.sent_to_self
    }

    /// bash: a function begins, which has no traps on RETURN and ERR unless they are handed on.
    pub(crate) fn enter_function(&mut self, options: Options) -> PutAway {
        let mut put_away =
            PutAway { actions: Vec::new(), had_error: self.table.action(ERROR).is_some() };
        if self.table.inherited {
            return put_away; // none of them counts any more
        }
        let kept = [(RETURN, options.function_trace()), (ERROR, options.error_trace())];
        for (which, stays) in kept {
            if !stays && let Some(action) = self.table.actions.get(&which).cloned() {
                Rc::make_mut(&mut self.table).actions.remove(&which);
                put_away.actions.push((which, action));
            }
        }
        put_away
    }

    /// The traps that were there before a function, unless it has set them. `failed` says that the
    /// function has, and that it counts.
    pub(crate) fn leave_function(&mut self, before: PutAway, failed: bool) {
        for (which, action) in before.actions {
            Rc::make_mut(&mut self.table).actions.entry(which).or_insert(action);
        }
        if failed {
            // One on ERR that the function has set is not for the call itself.
            self.error_is_new = !before.had_error && self.table.action(ERROR).is_some();
        }
    }

    /// ksh: a stage of a pipeline begins: what is trapped around it is not even shown.
    pub(crate) fn forget_inherited(&mut self) {
        if self.table.inherited {
            Rc::make_mut(&mut self.table).actions.retain(|_, action| action.is_empty());
        }
    }

    /// ksh: a function has its own trap on EXIT.
    pub(crate) fn forget_exit(&mut self) {
        if self.table.actions.contains_key(&EXIT) {
            Rc::make_mut(&mut self.table).actions.remove(&EXIT);
        }
    }

    /// A copy of the process begins: signals do what they do by default. `before` came to the
    /// process that it is a copy of.
    pub(crate) fn become_copy(&mut self, before: u64) {
        let caught = self.table.caught;
        for signal in (1..=64).filter(|signal| caught & bit(*signal) != 0) {
            // What ends it stays caught, so that what was written is not lost.
            if !self.table.ignores(signal) && !ENDING.contains(&signal) {
                let _ = sys::set_signal(signal, sys::Action::Default);
            }
        }
        let came = sys::take_pending() & !before;
        let ending = ENDING.iter().fold(0, |all, signal| all | bit(*signal));
        Rc::make_mut(&mut self.table).caught &= ending;
        self.trapped = 0;
        sys::put_back_pending(came & ending);
    }

    /// Whether a signal was ignored when the process started.
    ///
    /// Price: one `rt_sigaction` for each signal, once.
    pub(crate) fn was_ignored(&mut self, signal: i32) -> bool {
        if self.table.known_at_start & bit(signal) == 0 {
            let ignored = sys::signal_action(signal) == Ok(sys::Action::Ignore);
            Rc::make_mut(&mut self.table).started(signal, ignored, false);
        }
        self.table.ignored_at_start & bit(signal) != 0
    }

    /// Has the process catch a signal, or not.
    pub(crate) fn catch(&mut self, signal: i32, action: sys::Action, dialect: Dialect) {
        self.trapped &= !bit(signal);
        if action == sys::Action::Catch {
            self.trapped |= bit(signal);
        }
        // What ends a shell is always caught, so that what was written is not lost.
        let action = match action {
            sys::Action::Default if ENDING.contains(&signal) => sys::Action::Catch,
            sys::Action::Default if signal == PIPE => sys::Action::Ignore,
            sys::Action::Default
                if signal == QUIT && dialect.profile().processes.traps.ignores_quit =>
            {
                sys::Action::Ignore
            }
            // Children whose end is ignored have no status.
            sys::Action::Ignore if signal == CHILD => sys::Action::Default,
            action => action,
        };
        let traps = Rc::make_mut(&mut self.table);
        if sys::set_signal(signal, action).is_ok() {
            if action == sys::Action::Default {
                traps.caught &= !bit(signal);
            } else {
                traps.caught |= bit(signal);
            }
        }
    }

    /// What is started with `&` is not interrupted from the keyboard.
    pub(crate) fn ignore_interrupts(&mut self, dialect: Dialect) {
        let for_good = dialect.profile().processes.traps.ignored_beside_is_for_good;
        let traps = Rc::make_mut(&mut self.table);
        for signal in [INTERRUPT, QUIT] {
            let before = sys::set_signal(signal, sys::Action::Ignore);
            let was_ignored =
                traps.known_at_start & bit(signal) == 0 && before == Ok(sys::Action::Ignore);
            traps.started(signal, was_ignored || for_good, false);
        }
        if traps.ignored_at_start & bit(INTERRUPT) == 0 {
            traps.actions.insert(INTERRUPT, Text::new());
        }
    }

    /// What concerns one run of a script in another program only.
    pub(crate) fn forget_run(&mut self) {
        self.fatal_signal = None;
        self.in_error = false;
        self.in_return = false;
        self.exit_action = None;
        self.interrupted = None;
    }
}
