//! A child by `clone`, where a filter refuses `clone3`, without which the C library's `posix_spawn`
//! starts nothing. What the child does is the same, and it shares memory with this process in the
//! same way: this thread waits until the child has run its program, or has ended.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use rustix::process::{Pid, WaitOptions};

use super::launch::{Launch, Process, Step, null};
use super::{SignalMask, hold_signals, retry, signal_mask};
use crate::Errno;
use crate::counter::{Call, count};

/// What the child and the C library need, beside a pointer for each argument: the library looks for
/// a program in `PATH` on the stack, and hands a script to a shell.
const STACK_BYTES: usize = 128 << 10;

/// The highest number of a signal.
const LAST_SIGNAL: c_int = 64;

/// What the child is to do, and its answer.
struct Order<'a> {
    launch: &'a Launch<'a>,
    mask: SignalMask,
    /// Why it has not run the program.
    failed: Cell<Option<Errno>>,
}

/// Starts the child.
///
/// Price: one `clone`; a `wait4` if the program could not be run. The calls for the signal mask,
/// and the child's own, are not counted.
pub(super) fn by_clone(launch: &Launch<'_>) -> Result<Process, Errno> {
    let mask = launch.mask.unwrap_or_else(signal_mask);
    let order = Order { launch, mask, failed: Cell::new(None) };
    let mut stack = Vec::<MaybeUninit<u128>>::new();
    let length = STACK_BYTES / size_of::<u128>() + launch.arguments.len();
    stack.resize(length, MaybeUninit::uninit());
    // A handler must not run in the child, whose memory is this process's.
    let held = hold_signals();
    count(Call::Clone);
    // SAFETY: the child runs on a stack of its own, which grows down from an aligned end; `order`
    // and the stack live on while it does, because with CLONE_VFORK this thread goes on only when
    // the child has run a program or has ended. What it shares with this process it reads only, but
    // for `failed`, which is read after that, and for `errno`. It returns from no function of this
    // process.
    let number = unsafe {
        libc::clone(
            run,
            stack.as_mut_ptr_range().end.cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            (&raw const order).cast_mut().cast(),
        )
    };
    let errno = super::last_error();
    drop(held);
    let child = Pid::from_raw(number).filter(|_| number > 0).ok_or(errno)?;
    let Some(errno) = order.failed.get() else { return Ok(Process::new(child)) };
    retry(Call::Wait4, || rustix::process::waitpid(Some(child), WaitOptions::empty()))?;
    Err(errno)
}

/// The child, with a pointer to a `Order`. It allocates nothing and takes no lock.
extern "C" fn run(order: *mut c_void) -> c_int {
    // SAFETY: `by_clone` points to one, which lives on.
    let order = unsafe { &*order.cast_const().cast::<Order<'_>>() };
    let launch = order.launch;
    set_signals(launch.default_signals);
    let ready = launch.steps.iter().try_for_each(|step| take(*step));
    if ready.is_ok() {
        let (arguments, environment) = (launch.arguments.as_ptr(), launch.environment.as_ptr());
        let call = if launch.search { libc::execvpe } else { libc::execve };
        // SAFETY: the mask is one; `program` and all strings end with a NUL, both lists with a null
        // pointer; nothing is written to.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, order.mask.as_ptr(), std::ptr::null_mut());
            call(launch.program.as_ptr(), arguments.cast(), environment.cast());
        }
    }
    order.failed.set(Some(ready.err().unwrap_or_else(super::last_error)));
    // SAFETY: a plain number; nothing of this process is run at the end.
    unsafe { libc::_exit(crate::NOT_FOUND.into()) }
}

/// Handlers of this process are not for the child; running a program would forget them later.
fn set_signals(defaults: &[c_int]) {
    for signal in 1..=LAST_SIGNAL {
        let mut now = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the first call fills `now`, of which all zeros is a value, or leaves it as it is
        // (for the C library's own signals); the second only reads it.
        unsafe {
            libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr());
            let mut now = now.assume_init();
            let is_caught = ![libc::SIG_DFL, libc::SIG_IGN].contains(&now.sa_sigaction);
            let is_ignored = now.sa_sigaction == libc::SIG_IGN;
            if is_caught || is_ignored && defaults.contains(&signal) {
                now.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const now, std::ptr::null_mut());
            }
        }
    }
}

fn take(step: Step) -> Result<(), Errno> {
    // SAFETY: plain numbers, and the path ends with a NUL. This process has descriptors
    // of its own: those of the one that started it stay as they are.
    let answer = unsafe {
        match step {
            Step::Enter(at) => libc::fchdir(at),
            Step::Put(file, number) if file == number => libc::fcntl(number, libc::F_SETFD, 0),
            Step::Put(file, number) => libc::dup2(file, number),
            Step::Close(number) => {
                libc::close(number);
                0
            }
            Step::OpenNull(number) => {
                let (path, flags) = null(number);
                libc::close(number);
                match libc::open(path.as_ptr(), flags) {
                    opened if opened < 0 || opened == number => opened,
                    opened => libc::dup2(opened, number).min(libc::close(opened)),
                }
            }
        }
    };
    if answer < 0 { Err(super::last_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::os::fd::{AsFd, AsRawFd};

    use super::super::launch::pointers;
    use super::super::{open, pipe, read_behind, wait};
    use super::*;
    use crate::CWD;

    fn start(words: &[&str], search: bool, steps: &[Step]) -> Result<Process, Errno> {
        let words: Vec<_> = words.iter().map(|word| CString::new(*word).unwrap()).collect();
        by_clone(&Launch {
            program: &words[0],
            search,
            arguments: &pointers(&words),
            environment: &pointers(&[c"A=b".to_owned()]),
            steps,
            default_signals: &[libc::SIGPIPE],
            mask: None,
        })
    }

    #[test]
    fn a_child_gets_its_directory_descriptors_signals_and_environment() {
        let (reader, writer) = pipe().unwrap();
        let root = open(CWD, c"/").unwrap();
        let [writer_number, root_number] = [&writer, &root].map(|file| file.as_fd().as_raw_fd());
        let steps = [
            Step::Enter(root_number),
            Step::Put(writer_number, 1),
            Step::OpenNull(0),
            Step::Close(2),
            Step::Put(writer_number, writer_number),
        ];
        // By its path: a shell may know descriptors of one digit only.
        let of_writer = format!("/proc/self/fd/{writer_number}");
        let script = format!("pwd; cat; echo $A >{of_writer}; grep SigIgn /proc/self/status");
        let child = start(&["sh", "-c", &script], true, &steps).unwrap();
        drop(writer);
        let mut said = Vec::new();
        while read_behind(&reader, &mut said, 4096).unwrap() > 0 {}
        assert_eq!(wait(&child, true).unwrap(), Some(0));
        let said = String::from_utf8(said).unwrap();
        let ignored = said.strip_prefix("/\nb\nSigIgn:\t").unwrap_or_else(|| panic!("{said}"));
        let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
        // This process ignores it.
        assert_eq!(ignored & 1 << (libc::SIGPIPE - 1), 0);
    }

    #[test]
    fn why_no_program_is_run_is_said() {
        assert_eq!(start(&["/nowhere"], false, &[]), Err(Errno::NOENT));
        assert_eq!(start(&["no such program"], true, &[]), Err(Errno::NOENT));
        assert_eq!(start(&["/etc/passwd"], false, &[]), Err(Errno::ACCESS));
        assert_eq!(start(&["/bin/true"], false, &[Step::Enter(-1)]), Err(Errno::BADF));
        // Nothing is left to be waited for.
        assert_eq!(wait(&Process::new(Pid::from_raw(1).unwrap()), false), Err(Errno::CHILD));
    }
}
