//! What runs beside the shell.

use super::signals::CHILD;
use crate::Dialect;
use crate::dialect::JobControl;
use crate::processes::{self, Process};
use crate::streams::Table;

/// A child that runs beside the shell.
#[derive(Debug)]
struct Job {
    process: Process,
    /// Its status as `wait` gives it, once it has ended and that was noticed.
    status: Option<i32>,
    /// The script knows its status.
    reported: bool,
    /// `%1`, …
    number: usize,
    /// How many virtual subshells are around the shell whose child it is: others do not see it.
    level: u32,
    /// `disown`: only `wait` with its number knows of it.
    disowned: bool,
}

/// The children that were started with `&`.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Vec<Job>,
    last: Option<u32>,
    /// Children that ended while others were waited for.
    others: Vec<(Process, i32)>,
    /// bash: children that have ended, for which the trap on CHLD has not run.
    pub(crate) ended_children: u32,
}

/// What waits for children, and how.
pub(crate) struct Waiting<'s> {
    pub(crate) streams: &'s Table,
    pub(crate) dialect: Dialect,
    /// Whether the process is the shell's own: all of its children are.
    pub(crate) owns_process: bool,
    /// How many virtual subshells are around the shell that waits.
    pub(crate) depth: u32,
}

/// How many children that have ended are remembered.
const REMEMBERED: usize = 4096;

impl Jobs {
    /// `$!`
    pub(crate) fn last(&self) -> Option<u32> {
        self.last
    }

    /// What `$!` was before.
    pub(crate) fn put_back_last(&mut self, last: Option<u32>) {
        self.last = last;
    }

    pub(crate) fn add(&mut self, process: Process, level: u32) {
        self.last = Some(process.id());
        // A number that is used again is another child.
        self.jobs.retain(|job| job.process != process);
        if self.jobs.len() >= REMEMBERED
            && let Some(old) = self.jobs.iter().position(|job| job.status.is_some())
        {
            self.jobs.remove(old);
        }
        let open = self.jobs.iter().filter(|job| !job.reported).map(|job| job.number);
        let number = open.max().unwrap_or(0) + 1;
        self.jobs.push(Job {
            process,
            status: None,
            reported: false,
            number,
            level,
            disowned: false,
        });
    }

    /// `$!` is a process that is no job: only `wait` with its number knows of it.
    pub(crate) fn set_last(&mut self, process: Process, level: u32) {
        self.add(process, level);
        if let Some(job) = self.jobs.last_mut() {
            (job.reported, job.disowned) = (true, true);
        }
    }

    /// Forgets all: they are another process's children.
    pub(crate) fn forget(&mut self) {
        self.jobs.clear();
        self.others.clear();
    }

    /// Notes that a child has ended.
    fn ended(&mut self, process: Process, status: i32) {
        match self.jobs.iter_mut().find(|job| job.process == process) {
            Some(job) => job.status = Some(status),
            None => self.others.push((process, status)),
        }
    }

    /// The status of a child that is none of these and has been seen to end.
    pub(crate) fn take_other(&mut self, process: Process) -> Option<i32> {
        let at = self.others.iter().position(|(other, _)| *other == process)?;
        Some(self.others.swap_remove(at).1)
    }

    /// Sends a signal to a process: not to a child that has ended, whose number may be reused.
    pub(crate) fn send(&mut self, process: i32, signal: i32) -> Result<(), fewer::Errno> {
        match self.has_ended(process) {
            true => Err(fewer::Errno::SRCH),
            false => sys::send(process, signal),
        }
    }

    /// Whether it is one of them that has ended: it is asked for.
    fn has_ended(&mut self, process: i32) -> bool {
        let Ok(number) = u32::try_from(process) else { return false };
        let Some(job) = self.jobs.iter_mut().find(|job| job.process.id() == number) else {
            return false;
        };
        if job.status.is_none() {
            job.status = sys::wait(&job.process, false).ok().flatten();
        }
        job.status.is_some()
    }

    fn find(&mut self, number: u32, level: u32) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.process.id() == number && job.level == level)
    }

    /// One of them, or all, are no jobs any more.
    pub(crate) fn disown(&mut self, which: Option<u32>) {
        for job in &mut self.jobs {
            let meant = which.is_none_or(|number| job.process.id() == number);
            job.disowned |= meant;
            job.reported |= meant;
        }
    }

    fn remove(&mut self, number: u32) {
        self.jobs.retain(|job| job.process.id() != number);
    }

    fn running(&self, level: u32) -> usize {
        let runs = |job: &&Job| job.status.is_none() && job.level == level && !job.disowned;
        self.jobs.iter().filter(runs).count()
    }

    /// Those that have ended and that nothing will wait for any more are waited for.
    pub(crate) fn reap(&self) {
        for job in self.jobs.iter().filter(|job| job.status.is_none()) {
            let _ = sys::wait(&job.process, false);
        }
    }

    /// Those that have ended are noted, and counted.
    pub(crate) fn notice_ended(&mut self) {
        for job in self.jobs.iter_mut().filter(|job| job.status.is_none()) {
            job.status = sys::wait(&job.process, false).ok().flatten();
            self.ended_children += u32::from(job.status.is_some());
        }
    }

    /// The numbers of those that still run, as far as is known.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let open = self.jobs.iter().filter(|job| job.status.is_none() && !job.disowned);
        open.map(|job| job.process.id()).collect()
    }

    /// The process of `%-`: the job before the last one; a single one, if it is taken for both.
    pub(crate) fn previous(&self, single: bool) -> Option<u32> {
        let mut open = self.jobs.iter().rev().filter(|job| !job.reported && !job.disowned);
        let last = open.next();
        Some(open.next().or(last.filter(|_| single))?.process.id())
    }

    /// The process of `%%` in bash, which forgets a job that was waited for.
    pub(crate) fn current(&self) -> Option<u32> {
        Some(self.jobs.iter().rev().find(|job| !job.reported)?.process.id())
    }

    /// The process of `%1`, ….
    pub(crate) fn nth(&self, number: usize) -> Option<u32> {
        let job = self.jobs.iter().find(|job| !job.reported && job.number == number)?;
        Some(job.process.id())
    }

    /// Waits for one of the shell's children, and gives its `$?`; `None` if it is none of them.
    /// `Err` if a signal came that is trapped: its number.
    pub(crate) fn wait_for(&mut self, number: u32, waiting: &Waiting) -> Result<Option<i32>, i32> {
        loop {
            let Some(job) = self.find(number, waiting.depth) else {
                return Ok(None);
            };
            if let Some(status) = job.status {
                job.reported = true;
                if waiting.rules().forgets_waited {
                    self.remove(number);
                }
                return Ok(Some(exit_status(status, waiting.dialect)));
            }
            if self.wait_once(waiting)?.is_none() {
                self.remove(number);
                return Ok(None);
            }
        }
    }

    /// Waits for all of them.
    pub(crate) fn wait_for_all(&mut self, waiting: &Waiting) -> Result<(), i32> {
        while self.running(waiting.depth) > 0 {
            if self.wait_once(waiting)?.is_none() {
                break;
            }
        }
        for job in &mut self.jobs {
            job.reported |= job.level == waiting.depth;
        }
        Ok(())
    }

    /// Waits for whichever ends first, of those if any are given: its number and status.
    pub(crate) fn wait_for_next(
        &mut self,
        of: &[u32],
        waiting: &Waiting,
    ) -> Result<Option<(u32, i32)>, i32> {
        loop {
            let level = waiting.depth;
            let done = self.jobs.iter_mut().find_map(|job| {
                let id = job.process.id();
                let wanted =
                    (of.is_empty() || of.contains(&id)) && !job.reported && job.level == level;
                let status = job.status.filter(|_| wanted)?;
                job.reported = true;
                Some((id, status))
            });
            if let Some((number, status)) = done {
                return Ok(Some((number, exit_status(status, waiting.dialect))));
            }
            if self.running(level) == 0 || self.wait_once(waiting)?.is_none() {
                return Ok(None);
            }
        }
    }

    /// Kills those that still run.
    pub(crate) fn kill_all(&mut self) {
        self.notice_ended();
        for job in self.jobs.iter_mut().filter(|job| job.status.is_none()) {
            let _ = sys::kill(&job.process);
            job.status = sys::wait(&job.process, true).ok().flatten();
        }
    }

    /// Waits for those of the shell's children that run; other children are left alone.
    fn wait_for_own(&mut self, waiting: &Waiting) -> Option<()> {
        let running = self.jobs.iter().filter(|job| job.status.is_none());
        let running: Vec<Process> = running.map(|job| job.process).collect();
        let (process, status) = processes::wait_first(&running, waiting.streams).ok()??;
        self.ended(process, status);
        Some(())
    }

    /// Waits until a child ends; `None` if there is none.
    fn wait_once(&mut self, waiting: &Waiting) -> Result<Option<()>, i32> {
        if !waiting.owns_process {
            return Ok(self.wait_for_own(waiting));
        }
        let children = if waiting.rules().child_ends_wait { 0 } else { 1 << (CHILD - 1) };
        let deferred = waiting.streams.defer(0);
        waiting.streams.defer(deferred | children);
        let done = self.wait_for_any(waiting);
        waiting.streams.defer(deferred);
        done
    }

    fn wait_for_any(&mut self, waiting: &Waiting) -> Result<Option<()>, i32> {
        loop {
            match processes::wait_any(waiting.streams, true) {
                Ok(Some((process, status))) => {
                    self.ended(process, status);
                    self.ended_children += 1;
                    // The child may have sent it just before its end.
                    return match waiting.interrupting() {
                        Some(signal) if waiting.rules().signal_beats_child => Err(signal),
                        _ => Ok(Some(())),
                    };
                }
                Ok(None) => return Ok(None),
                Err(fewer::Errno::INTR) => {
                    if let Some(signal) = waiting.interrupting() {
                        return Err(signal);
                    }
                }
                Err(_) => return Ok(None),
            }
        }
    }
}

impl Waiting<'_> {
    fn rules(&self) -> &'static JobControl {
        &self.dialect.profile().processes.jobs
    }

    /// The signal that ends `wait`.
    fn interrupting(&self) -> Option<i32> {
        let mut pending = sys::pending();
        if !self.rules().child_ends_wait {
            pending &= !(1 << (CHILD - 1));
        }
        (1..=64).find(|signal| pending & (1 << (signal - 1)) != 0)
    }
}

/// `$?` for a status as `wait` gives it.
pub(crate) fn exit_status(status: i32, dialect: Dialect) -> i32 {
    let status = sys::ExitStatus::from_wait(status);
    match status.signal() {
        Some(signal) => dialect.profile().processes.traps.signal_status + signal,
        None => status.in_shell(),
    }
}
