//! Which processors the tracer and its tracees run on.
//!
//! At every stop one of them sleeps and the other wakes. If both run on one processor that is a
//! switch from one to the other. If they run on two, one processor has to wake the other, which
//! takes ten times as long. So while there are many calls, all threads run on one processor; when
//! there are few, the tracees compute, and may run wherever they were allowed to.
//!
//! Calls that an agent records do not stop. Then the tracer, and the thread that its events are
//! for, must not take time from the program: they keep off the processors that it is on.

use std::mem::{MaybeUninit, size_of};

use super::memory;
use super::proc;
use super::ptrace::Pid;
use super::tracees::Thread;
use crate::Name;
use rustc_hash::FxHashMap;

/// The stops of a window: after so many the tracer looks at the clock.
const WINDOW: u32 = 64;

/// A window that takes less time than this, in nanoseconds, has many stops. On two processors a
/// stop takes up to 45 microseconds, so the tracees did little else.
const THICK: u64 = 100_000 * WINDOW as u64;

/// A window that takes more time than this, in nanoseconds, has few stops.
const THIN: u64 = 150_000 * WINDOW as u64;

/// A stop costs a program on another processor so much more than a call that is recorded costs it
/// on the same one: 35 microseconds against about one.
const RECORDED: u64 = 32;

/// So many threads are asked which processor they are on.
const FEW: usize = 4;

const SIZE: usize = size_of::<libc::cpu_set_t>();

type Processors = libc::cpu_set_t;

/// Which thread may run on which processor.
pub(crate) struct Affinity {
    /// Where the tracer and its tracees may run. `None`: there is no choice, nothing is changed.
    usual: Option<Processors>,
    is_pinned: bool,
    /// Where this process's own threads are, off the processors of tracees.
    apart: Option<Processors>,
    /// The thread that events are for.
    reader: Option<Pid>,
    /// Whether the tracees are about to be left alone: they stop a last time each, and are not put
    /// anywhere then.
    is_over: bool,
    stops: u32,
    /// When the last window ended, in nanoseconds since the program started.
    since: u64,
    /// How many calls had been recorded by agents then.
    recorded: u64,
    /// How many windows with many stops must follow each other until all threads are put on one
    /// processor: more each time that this was a mistake.
    needed: u32,
    thick: u32,
}

/// No more than that.
const MOST_NEEDED: u32 = 64;

impl Affinity {
    pub(crate) fn new(reader: Option<Pid>) -> Affinity {
        let usual = of(0).filter(|usual| count(usual) > 1);
        Affinity {
            usual,
            is_pinned: false,
            apart: None,
            reader,
            is_over: false,
            stops: 0,
            since: 0,
            recorded: 0,
            needed: 1,
            thick: 0,
        }
    }

    /// Changes nothing, ever.
    #[cfg(feature = "kernel")]
    pub(crate) fn none() -> Affinity {
        Affinity { usual: None, ..Affinity::new(None) }
    }

    /// Whether the tracer takes its time from the tracees: all are on one processor.
    pub(crate) fn is_in_the_way(&self) -> bool {
        self.is_pinned || self.usual.is_none()
    }

    /// Before there are tracees: this thread stays on the processor that it is on. A child does so
    /// as well.
    pub(crate) fn pin_here(&mut self) {
        // SAFETY: asks for a number.
        let here = unsafe { libc::sched_getcpu() };
        if self.usual.is_some()
            && let Ok(here) = usize::try_from(here)
        {
            set(0, &only(here));
            self.is_pinned = true;
        }
    }

    /// A stop at a call, at this time. `recorded`: how many calls agents have recorded by now.
    pub(crate) fn stop(
        &mut self,
        threads: &FxHashMap<Pid, Thread>,
        id: Pid,
        now: u64,
        recorded: u64,
    ) {
        if self.is_over {
            return;
        }
        self.stops += 1;
        let took = now.saturating_sub(self.since);
        // A thread that computes on the one processor makes the others wait at every stop: such a
        // window ends early.
        let is_thin = self.is_pinned && took > THIN;
        if self.stops < WINDOW && !is_thin {
            return;
        }
        let is_recorded = self.is_recorded(recorded);
        (self.stops, self.since, self.recorded) = (0, now, recorded);
        if is_recorded {
            self.thick = 0;
            self.let_recorded_go(threads);
        } else if self.is_pinned {
            // One tracee alone loses nothing by being here.
            if is_thin && threads.len() > 1 {
                self.needed = (self.needed * 2).min(MOST_NEEDED);
                self.let_go(threads);
            } else {
                self.needed = (self.needed / 2).max(1);
            }
        } else if took < THICK {
            self.thick += 1;
            if self.thick >= self.needed {
                self.pin(threads, id);
            }
        } else {
            self.thick = 0;
        }
    }

    /// Nothing has happened for a tick: threads that run are computing.
    pub(crate) fn idle(&mut self, threads: &FxHashMap<Pid, Thread>) {
        if self.is_pinned {
            self.let_go(threads);
        }
    }

    /// Whether so many calls of the window did not stop that those that did matter less.
    fn is_recorded(&self, recorded: u64) -> bool {
        let stops = u64::from(self.stops.max(WINDOW / 4));
        recorded.saturating_sub(self.recorded) > RECORDED * stops
    }

    /// These threads have made calls without a stop since the last time. This process's own keep
    /// off their processors, if one is left, and if they are no more than a few.
    ///
    /// Price: a read of /proc for each of them, and two calls when they have moved.
    pub(crate) fn keep_off(
        &mut self,
        threads: &FxHashMap<Pid, Thread>,
        busy: &[Pid],
        recorded: u64,
    ) {
        if self.is_recorded(recorded) {
            self.let_recorded_go(threads);
        }
        let Some(usual) = self.usual.filter(|_| !self.is_pinned && !self.is_over) else { return };
        let left = without(&usual, busy);
        if !are_equal(&left, self.apart.as_ref().unwrap_or(&usual)) {
            self.put_own(&left);
            self.apart = (!are_equal(&left, &usual)).then_some(left);
        }
    }

    /// It was a mistake to put all on one processor.
    fn let_recorded_go(&mut self, threads: &FxHashMap<Pid, Thread>) {
        if self.is_pinned {
            self.needed = (self.needed * 2).min(MOST_NEEDED);
            self.let_go(threads);
        }
    }

    /// Says where this process's own threads may run.
    fn put_own(&self, processors: &Processors) {
        set(0, processors);
        if let Some(reader) = self.reader {
            set(reader, processors);
        }
    }

    fn pin(&mut self, threads: &FxHashMap<Pid, Thread>, id: Pid) {
        let (Some(_), Some(processor)) = (&self.usual, proc::processor(id)) else { return };
        let there = only(processor);
        if let Some(usual) = self.usual.filter(|_| self.apart.take().is_some()) {
            self.put_own(&usual);
        }
        if set(0, &there) {
            for (id, _) in threads.iter().filter(|(_, thread)| may_be_put(thread)) {
                set(*id, &there);
            }
            self.is_pinned = true;
        }
    }

    /// Every thread may run where it might before.
    pub(crate) fn let_go(&mut self, threads: &FxHashMap<Pid, Thread>) {
        let Some(usual) = &self.usual else { return };
        for (id, _) in threads.iter().filter(|(_, thread)| may_be_put(thread)) {
            set(*id, usual);
        }
        self.put_own(usual);
        (self.is_pinned, self.apart) = (false, None);
        self.thick = 0;
    }

    /// The same for good, before the tracees are left alone.
    pub(crate) fn end(&mut self, threads: &FxHashMap<Pid, Thread>) {
        self.let_go(threads);
        self.is_over = true;
    }

    /// A new thread has got its processors from its maker; since then they may have changed.
    pub(crate) fn born(&self, id: Pid, thread: &Thread) {
        let Some(usual) = &self.usual else { return };
        if thread.chose_processors {
            return;
        }
        match of(0) {
            Some(now) if self.is_pinned => set(id, &now),
            _ => set(id, usual),
        };
    }

    /// Whether a thread that was there before may run elsewhere than this one.
    pub(crate) fn is_unusual(&self, id: Pid) -> bool {
        let (Some(usual), Some(its)) = (&self.usual, of(id)) else { return true };
        !are_equal(usual, &its)
    }

    /// A tracee asked where it may run, or chose: it must not notice that the tracer moved it.
    pub(crate) fn call(
        &self,
        threads: &mut FxHashMap<Pid, Thread>,
        id: Pid,
        name: Name,
        arguments: &[u64; 6],
        result: i64,
    ) {
        if !matches!(name, Name::SchedGetaffinity | Name::SchedSetaffinity) {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "an int is the lower half")]
        let target = arguments[0] as Pid;
        let target = if target == 0 { id } else { target };
        let Some(thread) = threads.get_mut(&target) else { return };
        match name {
            Name::SchedSetaffinity if result == 0 => thread.chose_processors = true,
            // It has not been put where the others are in the meantime.
            Name::SchedSetaffinity => self.born(target, thread),
            Name::SchedGetaffinity if !thread.chose_processors => {
                let (Some(usual), Ok(length)) = (&self.usual, usize::try_from(result)) else {
                    return;
                };
                // SAFETY: a set is numbers only: as many bytes as it is large, all initialised.
                let bytes: &[u8; SIZE] = unsafe { &*std::ptr::from_ref(usual).cast() };
                if let Some(bytes) = bytes.get(..length) {
                    // It was just written there.
                    let _gone = memory::write(id, arguments[2], bytes);
                }
            }
            _ => {}
        }
    }
}

impl Drop for Affinity {
    fn drop(&mut self) {
        if let Some(usual) = self.usual.filter(|_| self.is_pinned || self.apart.is_some()) {
            self.put_own(&usual);
        }
    }
}

/// Whether it may be put somewhere: it has not chosen itself, and is not about to. Between a choice
/// and the news of it there is time to undo it.
fn may_be_put(thread: &Thread) -> bool {
    let call = thread.pending.as_ref().map(|pending| pending.call.name);
    !thread.chose_processors && call != Some(Name::SchedSetaffinity)
}

fn are_equal(one: &Processors, other: &Processors) -> bool {
    // SAFETY: CPU_EQUAL reads the sets behind the references.
    unsafe { libc::CPU_EQUAL(one, other) }
}

fn count(processors: &Processors) -> usize {
    // SAFETY: CPU_COUNT reads the set behind the reference.
    unsafe { libc::CPU_COUNT(processors) }.unsigned_abs() as usize
}

/// The processors that none of these threads is on; all if that leaves none, or if the threads are
/// more than a few.
fn without(all: &Processors, threads: &[Pid]) -> Processors {
    let mut left = *all;
    if threads.len() > FEW || threads.len() >= count(all) {
        return left;
    }
    for processor in threads.iter().filter_map(|id| proc::processor(*id)) {
        // SAFETY: CPU_CLR checks the number against the size of the set behind the reference.
        unsafe { libc::CPU_CLR(processor, &mut left) };
    }
    if count(&left) == 0 { *all } else { left }
}

/// One processor.
fn only(processor: usize) -> Processors {
    // SAFETY: all zeros is the empty set; CPU_SET checks its number against the size of the set.
    unsafe {
        let mut set: Processors = MaybeUninit::zeroed().assume_init();
        libc::CPU_SET(processor, &mut set);
        set
    }
}

/// The number of the thread that calls.
pub(crate) fn this_thread() -> Pid {
    // SAFETY: asks for a number.
    unsafe { libc::gettid() }
}

/// Where a thread may run; 0 is this one. `None` if it is gone, or the machine is too large.
fn of(id: Pid) -> Option<Processors> {
    // SAFETY: the kernel writes at most `SIZE` bytes to a set; all zeros is the empty one.
    unsafe {
        let mut set: Processors = MaybeUninit::zeroed().assume_init();
        (libc::sched_getaffinity(id, SIZE, &raw mut set) == 0).then_some(set)
    }
}

/// Says where a thread may run; 0 is this one. Whether it worked.
fn set(id: Pid, processors: &Processors) -> bool {
    // SAFETY: the kernel reads `SIZE` bytes, which is how large the set is.
    unsafe { libc::sched_setaffinity(id, SIZE, processors) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a test changes of its own thread; nothing if there is only one processor.
    fn affinity() -> Option<(Affinity, Processors)> {
        let affinity = Affinity::new(None);
        let usual = affinity.usual?;
        Some((affinity, usual))
    }

    fn is_here(processors: &Processors) -> bool {
        of(0).is_some_and(|now| are_equal(&now, processors))
    }

    #[test]
    fn a_program_whose_calls_are_recorded_has_its_processor_for_itself() {
        let Some((mut affinity, usual)) = affinity() else { return };
        let nobody = FxHashMap::default();
        affinity.keep_off(&nobody, &[this_thread()], 0);
        // This thread has left the processor that it was on.
        let left = of(0).unwrap();
        assert_eq!(count(&left) + 1, count(&usual));
        affinity.keep_off(&nobody, &[], 0);
        assert!(is_here(&usual));
        // There are more threads than processors to choose from.
        affinity.keep_off(&nobody, &[this_thread(); FEW + 1], 0);
        assert!(is_here(&usual));
    }

    #[test]
    fn all_is_as_before_in_the_end() {
        let Some((mut affinity, usual)) = affinity() else { return };
        let nobody = FxHashMap::default();
        affinity.keep_off(&nobody, &[this_thread()], 0);
        assert!(!is_here(&usual));
        for now in 1..=u64::from(WINDOW) {
            affinity.stop(&nobody, this_thread(), now, 0);
        }
        assert_eq!(of(0).map(|now| count(&now)), Some(1));
        drop(affinity);
        assert!(is_here(&usual));
    }

    #[test]
    fn only_calls_that_stop_bring_all_to_one_processor() {
        let nobody = FxHashMap::default();
        for recorded in [1000, 3000] {
            let Some((mut affinity, usual)) = affinity() else { return };
            for now in 1..=u64::from(WINDOW) {
                affinity.stop(&nobody, this_thread(), now, recorded);
            }
            assert_eq!(is_here(&usual), recorded == 3000, "{recorded}");
            // From now on most are recorded.
            affinity.keep_off(&nobody, &[], 10_000);
            assert!(is_here(&usual));
        }
    }
}
