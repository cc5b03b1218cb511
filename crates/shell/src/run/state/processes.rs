//! This process and its children.

use std::rc::Rc;

use crate::program::Call;
use crate::run::jobs::Jobs;
use crate::streams::Open;

/// What the shell knows of processes.
#[derive(Debug)]
pub(crate) struct Processes {
    pub(crate) jobs: Jobs,
    /// The process that `$$` is.
    pub(crate) id: u32,
    /// Whether this process is the shell's own: `exec`, signals and limits are its business.
    pub(crate) owns_process: bool,
    /// The depth of the subshell whose command is a program that is not waited for: `program &`
    /// where no copy of the process is made.
    pub(crate) detached_depth: Option<u32>,
    /// The call, by its address, that is all that this copy of the shell has to do: a program takes
    /// the copy's place.
    only_call: Option<usize>,
    /// The descriptors of `<( … )` that the command still needs.
    substitutions: Vec<u32>,
    /// Ends of pipes that are for later: a copy of this process must not keep them open.
    held_pipe_ends: Vec<Rc<Open>>,
    /// The status of the last program that a signal ended.
    killed_status: i32,
}

impl Processes {
    pub(crate) fn new(id: u32) -> Processes {
        Processes {
            jobs: Jobs::default(),
            id,
            owns_process: false,
            detached_depth: None,
            only_call: None,
            substitutions: Vec::new(),
            held_pipe_ends: Vec::new(),
            killed_status: 0,
        }
    }

    /// Keeps an end of a pipe for later.
    pub(crate) fn hold(&mut self, end: Rc<Open>) {
        self.held_pipe_ends.push(end);
    }

    /// The end of a pipe that was kept last.
    pub(crate) fn take_held(&mut self) -> Option<Rc<Open>> {
        self.held_pipe_ends.pop()
    }

    /// How many `<( … )` commands still need.
    pub(crate) fn substitutions(&self) -> usize {
        self.substitutions.len()
    }

    /// A command needs the descriptor of a `<( … )`.
    pub(crate) fn add_substitution(&mut self, number: u32) {
        self.substitutions.push(number);
    }

    /// The last of the descriptors behind so many that are needed further on.
    pub(crate) fn take_substitution(&mut self, behind: usize) -> Option<u32> {
        if self.substitutions.len() > behind { self.substitutions.pop() } else { None }
    }

    /// A signal has ended a program, and `$?` is that.
    pub(crate) fn was_killed(&mut self, status: i32) {
        self.killed_status = status;
    }

    /// Whether `$?` is that of a program that a signal has ended.
    pub(crate) fn is_of_killed(&self, status: i32) -> bool {
        self.killed_status == status
    }

    /// Whether this copy of the shell has nothing to do but that call.
    pub(crate) fn is_only_call(&self, call: &Call) -> bool {
        self.only_call == Some(std::ptr::from_ref(call) as usize)
    }

    /// This copy of the shell has nothing to do but that call.
    pub(crate) fn set_only_call(&mut self, call: &Call) {
        self.only_call = Some(std::ptr::from_ref(call) as usize);
    }

    /// This process is a copy now: it has no children, and ends of pipes are the other's.
    pub(crate) fn become_copy(&mut self) {
        self.jobs.forget();
        self.held_pipe_ends.clear();
    }
}
