//! Functions that the loader puts before those of the C library, to find out what a remedy gains:
//! `localtime` that looks at its file once, owners and answers that are remembered, larger blocks.
//!
//! The build script compiles this by itself, without any library: it finds the C library of the
//! program that it is loaded into. Which of the functions do something is said by [`CHOICE`], which
//! `fewer` writes into the compiled file; the others hand on what they get.
//!
//! They are for experiments: a run is compared with one without them.

#![no_std]

mod answers;
mod hand_on;
mod looks;
mod names;
mod owners;
mod reads;
mod streams;
mod zone;

/// The mark that `fewer` looks for, and behind it which functions are chosen.
#[used]
#[unsafe(link_section = ".data")]
static CHOICE: [u8; 32] = *b"fewer-functions:................";

/// Functions that can be chosen, by their place behind the mark.
#[derive(Clone, Copy)]
enum Chosen {
    Zone = 16,
    Owners = 17,
    Reads = 18,
    Streams = 19,
    Answers = 20,
}

fn is_chosen(which: Chosen) -> bool {
    // SAFETY: it lies within the array. The compiler must not take what it says here for granted.
    unsafe { CHOICE.as_ptr().add(which as usize).read_volatile() == b'1' }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// A lock for a few instructions.
struct Lock(core::sync::atomic::AtomicBool);

impl Lock {
    const fn new() -> Lock {
        Lock(core::sync::atomic::AtomicBool::new(false))
    }

    fn with<T>(&self, act: impl FnOnce() -> T) -> T {
        while self.is_taken() {
            core::hint::spin_loop();
        }
        self.release_after(act)
    }

    /// The same unless somebody has the lock, who may be the one that a signal interrupted.
    fn try_with<T>(&self, act: impl FnOnce() -> T) -> Option<T> {
        if self.is_taken() {
            return None;
        }
        Some(self.release_after(act))
    }

    /// Takes it, unless somebody has it.
    fn is_taken(&self) -> bool {
        self.0.swap(true, core::sync::atomic::Ordering::Acquire)
    }

    fn release_after<T>(&self, act: impl FnOnce() -> T) -> T {
        let result = act();
        self.0.store(false, core::sync::atomic::Ordering::Release);
        result
    }
}
