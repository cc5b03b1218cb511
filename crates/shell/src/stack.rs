//! Room on the stack for what goes deep: scripts are as deep as their authors like.
//!
//! How much there is could be asked of the C library, which reads /proc for it; here it is known
//! from where the first that asks stands, and what it was told.

use std::cell::Cell;

/// The free stack that a thread is assumed to have by default.
const USUAL_BYTES: usize = 256 << 10;

/// What is added when it is used up.
const MORE_BYTES: usize = 16 << 20;

/// The least that a recursive function needs until it checks again.
const NEEDED_BYTES: usize = 96 << 10;

thread_local! {
    /// The lowest address to be used; 0 if it is not known yet.
    static END: Cell<usize> = const { Cell::new(0) };
}

/// Says how much stack this thread has left from here on.
pub(crate) fn has_left(bytes: usize) {
    END.set(here().saturating_sub(bytes));
}

/// Says how much stack there is for the time of `run`; what was known before is known again
/// afterwards.
pub(crate) fn with_left<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    let _back = Back(END.get());
    has_left(bytes);
    run()
}

/// Puts the end back where it was.
struct Back(usize);

impl Drop for Back {
    fn drop(&mut self) {
        END.set(self.0);
    }
}

/// Runs what may go deep, on a new piece of stack if little is left of this one.
///
/// Price: none; three or four calls (`mmap`, `mprotect`, `munmap`) for a new piece, and some ten
/// more the first time.
#[inline]
pub(crate) fn with_room<T>(run: impl FnOnce() -> T) -> T {
    with_room_for(NEEDED_BYTES, run)
}

/// The same for what needs so much at once.
#[inline]
pub(crate) fn with_room_for<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    let end = END.get();
    // Below the end: other code has used the stack since the end was found.
    if end != 0 && here().checked_sub(end).is_some_and(|left| left >= bytes) {
        return run();
    }
    more(bytes, run)
}

#[cold]
fn more<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    if END.get() == 0 {
        has_left(USUAL_BYTES);
        if bytes <= USUAL_BYTES {
            return run();
        }
    }
    let size = MORE_BYTES.max(bytes + NEEDED_BYTES);
    stacker::grow(size, || {
        let _back = Back(END.get());
        has_left(size - 4096);
        run()
    })
}

/// Where the stack is now.
#[inline]
fn here() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(levels: u32) -> u32 {
        let room = std::hint::black_box([0u8; 1024]);
        if levels == 0 { u32::from(room[0]) } else { with_room(|| deep(levels - 1)) + 1 }
    }

    #[test]
    fn a_small_thread_goes_as_deep_as_it_likes() {
        let small = std::thread::Builder::new().stack_size(512 << 10);
        let thread = small.spawn(|| (deep(100_000), deep(100_000))).unwrap();
        assert_eq!(thread.join().unwrap(), (100_000, 100_000));
    }
}
