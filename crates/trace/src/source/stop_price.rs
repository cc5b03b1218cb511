//! What a stop costs a program, without the work of the tracer: the switch to the tracer and back,
//! on one processor. It is measured on a child that does nothing but stop.

use std::time::{Duration, Instant};

use super::affinity::Affinity;
use super::ptrace::{self, Pid, Resume};

/// Stops in a batch, and batches: the median batch is taken. With five times as many stops it is
/// the same within 1 in 100 on the clock, and within 1 in 20 of the processor's time.
const STOPS: u32 = 200;
const BATCHES: usize = 5;

/// What a stop costs a program.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StopPrice {
    /// On the clock.
    pub wall: Duration,
    /// Of the processor's time that the program itself takes.
    pub processor: Duration,
}

/// Measures it. `None` where a child cannot be had or not be traced.
///
/// Price: a child, 1,000 stops: some 2 to 10 ms.
#[must_use]
pub fn stop_price() -> Option<StopPrice> {
    let mut affinity = Affinity::new(None);
    affinity.pin_here();
    let child = Child::new()?;
    ptrace::seize(child.0, ptrace::OPTIONS | libc::PTRACE_O_EXITKILL).ok()?;
    ptrace::interrupt(child.0).ok()?;
    child.stop()?;
    let mut batches = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        let mut waited = Duration::ZERO;
        for _ in 0..STOPS {
            ptrace::resume(child.0, Resume::Call, 0).ok()?;
            // As in a run: what the tracer does before it waits is its own work.
            let start = Instant::now();
            child.stop()?;
            waited += start.elapsed();
        }
        batches.push(waited);
    }
    batches.sort_unstable();
    let processor = child.end()?;
    let stops = STOPS * u32::try_from(BATCHES).unwrap_or(1);
    Some(StopPrice { wall: batches[BATCHES / 2] / STOPS, processor: processor / stops })
}

/// A process that calls `getppid` over and over.
struct Child(Pid);

impl Child {
    fn new() -> Option<Child> {
        // SAFETY: the child makes nothing but system calls, which take no lock and no memory, and
        // never returns; it does not outlive this process.
        let child = unsafe { libc::fork() };
        match child {
            -1 => None,
            0 => loop {
                // SAFETY: plain numbers.
                unsafe {
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                    for _ in 0..STOPS {
                        libc::syscall(libc::SYS_getppid);
                    }
                }
            },
            child => Some(Child(child)),
        }
    }

    /// Ends it; how long it took the processor.
    fn end(self) -> Option<Duration> {
        ptrace::send(self.0, libc::SIGKILL);
        let stop = ptrace::wait_for(self.0).ok()?;
        std::mem::forget(self);
        Some(stop.processor)
    }

    /// Waits for its next stop. A tick of the clock is not one.
    fn stop(&self) -> Option<()> {
        loop {
            match ptrace::wait_for(self.0) {
                Ok(stop) => return libc::WIFSTOPPED(stop.status).then_some(()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: the child is ours and was not waited for, so that the number is still its own.
        unsafe {
            libc::kill(self.0, libc::SIGKILL);
            libc::waitpid(self.0, std::ptr::null_mut(), libc::__WALL);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_stop_has_a_price_and_leaves_nobody_behind() {
        let price = super::stop_price().unwrap();
        for price in [price.wall, price.processor] {
            assert!(price.as_nanos() > 100 && price.as_millis() < 50, "{price:?}");
        }
    }
}
