//! Calls that only look (`stat`, `access`, `readlink`, an `open` of what is not there) are answered
//! from the first answer.
//!
//! All answers are void once this process changes anything: a name, a mode, an owner, the directory
//! it works in, who it is. While it has a file open that it may write to, none is given. From its
//! first child on, and after a call that this library does not know, none is given any more: what
//! others do is not seen here.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::{copy_nonoverlapping, null_mut};
use core::slice;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::hand_on::{__errno_location, free, malloc};
use crate::{Chosen, Lock, is_chosen};

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    Stat,
    LinkStat,
    Statx,
    Access,
    Link,
    Name,
    Open,
}

/// A question about a path.
pub(crate) struct Question {
    pub(crate) look: Look,
    /// What the path starts from, if it is relative.
    pub(crate) at: c_int,
    pub(crate) path: *const c_char,
    /// What else is asked: flags, a mask, a size.
    pub(crate) more: u64,
    /// Where the answer goes.
    pub(crate) to: *mut u8,
    /// How long it is; that of a link or name is as long as the result says.
    pub(crate) size: usize,
}

/// `AT_FDCWD` (fcntl.h).
pub(crate) const HERE: c_int = -100;

/// Whether it is known how long an answer is here.
const IS_KNOWN: bool =
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));

/// Longer paths are not remembered.
const LONGEST: usize = 1024;

/// How many answers are kept, each at a slot that its question's hash gives.
const SLOTS: usize = 1 << 14;

/// `ENOENT`, `EACCES`, `ENOTDIR`, and `EINVAL`, which says that something is no link (errno.h).
const LASTING: [c_int; 4] = [2, 13, 20, 22];

/// An answer; the path and what was written stand behind it.
#[repr(C)]
struct Answer {
    hash: u64,
    /// The changes that had been made when it was given.
    changes: u64,
    result: isize,
    errno: c_int,
    path: usize,
    bytes: usize,
}

struct Memory {
    lock: Lock,
    slots: UnsafeCell<[*mut Answer; SLOTS]>,
}

// SAFETY: what is in it is touched only with the lock.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory { lock: Lock::new(), slots: UnsafeCell::new([null_mut(); SLOTS]) };

/// How often this process has changed something.
static CHANGES: AtomicU64 = AtomicU64::new(0);
/// How many files it has open that it may write to.
static WRITERS: AtomicUsize = AtomicUsize::new(0);
/// Whether no more answers are given.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Voids all answers.
pub(crate) fn change() {
    CHANGES.fetch_add(1, Relaxed);
}

/// Gives none any more.
pub(crate) fn end() {
    ENDED.store(true, Relaxed);
}

/// Descriptors below this are known by number.
const FILES: usize = 1024;

static IS_WRITER: [AtomicU64; FILES / 64] = [const { AtomicU64::new(0) }; FILES / 64];

/// A file was opened; `writes`: it may be written to, or was made.
pub(crate) fn opened(number: c_int, writes: bool) {
    let Some(number) = usize::try_from(number).ok().filter(|_| writes) else { return };
    change();
    match IS_WRITER.get(number / 64) {
        None => end(),
        Some(bits) if bits.fetch_or(1 << (number % 64), Relaxed) >> (number % 64) & 1 == 0 => {
            WRITERS.fetch_add(1, Relaxed);
        }
        Some(_) => {}
    }
}

/// A descriptor is about to be closed.
pub(crate) fn closed(number: c_int) {
    if let Some((bits, bit)) = writer(number) {
        bits.fetch_and(!bit, Relaxed);
        WRITERS.fetch_sub(1, Relaxed);
        change();
    }
}

/// A descriptor gets another number: closing it says nothing any more.
pub(crate) fn shared(number: c_int) {
    if writer(number).is_some() {
        end();
    }
}

/// Where it is noted that a descriptor may be written to; `None` if it may not.
fn writer(number: c_int) -> Option<(&'static AtomicU64, u64)> {
    let number = usize::try_from(number).ok()?;
    let (bits, bit) = (IS_WRITER.get(number / 64)?, 1 << (number % 64));
    (bits.load(Relaxed) & bit != 0).then_some((bits, bit))
}

/// Answers a question: from memory, or by asking.
///
/// # Safety
/// The path is a text that ends with a NUL, or null; there is space for the answer.
pub(crate) unsafe fn ask(question: &Question, plain: &mut dyn FnMut() -> isize) -> isize {
    let is_on = IS_KNOWN && is_chosen(Chosen::Answers);
    let is_off = !is_on || ENDED.load(Relaxed) || WRITERS.load(Relaxed) > 0;
    // SAFETY: as the caller vouches.
    unsafe {
        if is_off || question.path.is_null() {
            return plain();
        }
        let path = CStr::from_ptr(question.path).to_bytes();
        let is_fixed = path.first() == Some(&b'/') || question.at == HERE;
        if !is_fixed || path.is_empty() || path.len() > LONGEST || changes_by_itself(path) {
            return plain();
        }
        let (hash, changes) = (hash(question, path), CHANGES.load(Relaxed));
        if let Some((result, errno)) = known(question, path, hash, changes) {
            if result < 0 {
                *__errno_location() = errno;
            }
            return result;
        }
        let result = plain();
        if CHANGES.load(Relaxed) == changes {
            remember(question, path, (hash, changes), result);
        }
        result
    }
}

/// Whether what is at a path is no file of a disk, so that nobody has to change it.
fn changes_by_itself(path: &[u8]) -> bool {
    let is_device = path.starts_with(b"/dev/") && !path.starts_with(b"/dev/shm");
    path.starts_with(b"/proc/") || is_device
}

fn hash(question: &Question, path: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x100_0000_01b3);
    let start = mix(0xcbf2_9ce4_8422_2325, question.look as u64);
    path.iter().fold(mix(start, question.more), |hash, byte| mix(hash, u64::from(*byte)))
}

fn slot(hash: u64) -> usize {
    (hash >> 40) as usize % SLOTS
}

/// What is remembered: the result, and its errno; the answer is where it should be.
unsafe fn known(
    question: &Question,
    path: &[u8],
    hash: u64,
    changes: u64,
) -> Option<(isize, c_int)> {
    // SAFETY: with the lock; an answer has so many bytes behind it.
    let look = || unsafe {
        let answer = (*MEMORY.slots.get())[slot(hash)];
        let Answer { hash: of, changes: then, result, errno, path: length, bytes } =
            *answer.as_ref()?;
        let texts = answer.add(1).cast::<u8>();
        if (of, then) != (hash, changes) || slice::from_raw_parts(texts, length) != path {
            return None;
        }
        copy_nonoverlapping(texts.add(length), question.to, bytes);
        Some((result, errno))
    };
    MEMORY.lock.try_with(look).flatten()
}

unsafe fn remember(question: &Question, path: &[u8], key: (u64, u64), result: isize) {
    // SAFETY: the thread has an errno.
    let errno = unsafe { *__errno_location() };
    let bytes = match (question.look, result) {
        (_, ..0) if LASTING.contains(&errno) => 0,
        (_, ..0) | (Look::Open, _) => return,
        (Look::Link | Look::Name, _) => result.unsigned_abs(),
        _ => question.size,
    };
    let (hash, changes) = key;
    // SAFETY: the block is as large as what is written to it; with the lock.
    unsafe {
        let block = malloc(size_of::<Answer>() + path.len() + bytes).cast::<Answer>();
        if block.is_null() {
            return;
        }
        block.write(Answer { hash, changes, result, errno, path: path.len(), bytes });
        let texts = block.add(1).cast::<u8>();
        copy_nonoverlapping(path.as_ptr(), texts, path.len());
        copy_nonoverlapping(question.to, texts.add(path.len()), bytes);
        let swap = || core::mem::replace(&mut (*MEMORY.slots.get())[slot(hash)], block);
        free(MEMORY.lock.try_with(swap).unwrap_or(block).cast());
        *__errno_location() = errno;
    }
}
