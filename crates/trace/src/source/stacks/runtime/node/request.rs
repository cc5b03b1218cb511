//! What a thread of libuv's pool works on: the request on its stack, and the number that Node.js
//! gave it.
//!
//! Facts, from libuv's `include/uv.h` and `include/uv/unix.h` (the same in all releases 1.x, whose
//! interface of binaries includes them), 64 bits: a request begins with the caller's pointer and
//! its type; `uv_fs_t` has the kind of call at 64, its loop at 72, and the work that the pool is
//! handed (`work_req`: the function that does it, the one behind it, the loop, and the place in the
//! queue) at 336; `uv_getaddrinfo_t` has its loop at 64 and the work at 72. Node.js has such a
//! request as a part of an object; in front of it, at a distance that depends on the release, are
//! the number of the request and that of what it was made in (`AsyncWrap::async_id_` and
//! `trigger_async_id_`, both `double`).

use super::notes::Notes;
use crate::source::memory;
use rustc_hash::FxHashMap;

/// A request's type, where its loop is, and where its work.
const SHAPES: [(u32, u64, u64); 2] = [(6, 72, 336), (8, 64, 72)];

/// How far the work is behind what is on the stack: the work itself, its place in the pool's queue
/// (`wq`), or the request.
const FORMS: [u64; 4] = [0, QUEUED.wrapping_neg(), 336, 72];

/// Where in the work its place in the pool's queue is.
const QUEUED: u64 = 24;

/// Kinds of calls in `uv_fs_t`.
const MOST_KINDS: u32 = 64;

/// How much of a thread's stack is looked through.
const STACK: usize = 16 << 10;

/// The number is no further in front of the request than this.
const FRONT: usize = 256;

/// Threads, loops and distances remembered. When there are more, all are forgotten.
const KEPT: usize = 1 << 10;

/// A request, by which notes it is known, and the number of the stack that it was made from.
pub(super) struct Request {
    pub(super) notes: usize,
    pub(super) site: u32,
}

/// What is known of libuv's threads in an address space.
#[derive(Default)]
pub(super) struct Requests {
    /// Where on a thread's stack the work was found, and in which form.
    slots: FxHashMap<libc::pid_t, (u64, u64)>,
    /// How far in front of a request, by its type, its number is.
    distances: FxHashMap<u32, usize>,
    /// Whose loop it is: the thread that has the notes.
    loops: FxHashMap<u64, libc::pid_t>,
}

/// A request in memory.
struct Found {
    address: u64,
    kind: u32,
    event_loop: u64,
}

impl Requests {
    /// The request that a thread works on, if it is known.
    pub(super) fn find(
        &mut self,
        thread: libc::pid_t,
        sp: u64,
        threads: &[(libc::pid_t, Notes)],
    ) -> Option<Request> {
        if threads.is_empty() {
            return None;
        }
        let found = self.on_stack(thread, sp)?;
        let front: [u8; FRONT] = memory::array(thread, found.address.checked_sub(FRONT as u64)?)?;
        let owner = self.loops.get(&found.event_loop).copied();
        let mut known: Vec<(usize, Request)> = Vec::new();
        for (notes, (number, of_thread)) in threads.iter().enumerate() {
            // A thread has one loop.
            let has_another = || self.loops.values().any(|owner| owner == number);
            if owner.map_or_else(has_another, |owner| owner != *number) {
                continue;
            }
            let asked = |distance: usize| {
                let site = of_thread.of_request(thread, numbered(&front, distance)?)?;
                Some((distance, Request { notes, site }))
            };
            match self.distances.get(&found.kind) {
                Some(distance) => known.extend(asked(*distance)),
                None => known.extend((2..=FRONT / 8).map(|words| 8 * words).filter_map(asked)),
            }
        }
        // Where it could be several, none is taken; the next request may tell.
        let [_] = known.as_slice() else { return None };
        let (distance, request) = known.pop()?;
        if self.loops.len() > KEPT {
            self.loops.clear();
        }
        self.distances.insert(found.kind, distance);
        self.loops.insert(found.event_loop, threads[request.notes].0);
        Some(request)
    }

    /// The request whose work is on a thread's stack: most often where it was last time.
    fn on_stack(&mut self, thread: libc::pid_t, sp: u64) -> Option<Found> {
        if let Some(found) = self.slots.get(&thread).and_then(|&(slot, form)| {
            let word = (slot > sp).then(|| memory::array(thread, slot)).flatten()?;
            found(thread, u64::from_ne_bytes(word).wrapping_add(form))
        }) {
            return Some(found);
        }
        let stack = stack(thread, sp);
        let words = (sp..).step_by(8).zip(stack.chunks_exact(8)).filter_map(|(slot, bytes)| {
            let word = u64::from_ne_bytes(bytes.try_into().ok()?);
            is_pointer(word).then_some((slot, word))
        });
        // The outermost one is in the frame of the pool's own loop, or right below it. What is
        // further in may have been left by another request.
        let mut last = 0;
        for (slot, word) in words.collect::<Vec<_>>().into_iter().rev() {
            if std::mem::replace(&mut last, word) == word {
                continue;
            }
            for form in FORMS {
                if let Some(found) = found(thread, word.wrapping_add(form)) {
                    if self.slots.len() > KEPT {
                        self.slots.clear();
                    }
                    self.slots.insert(thread, (slot, form));
                    return Some(found);
                }
            }
        }
        None
    }
}

/// Whether a word may be the address of something.
fn is_pointer(word: u64) -> bool {
    word.is_multiple_of(8) && (1 << 16..1 << 47).contains(&word)
}

/// The request that a piece of work belongs to, if it is one.
fn found(thread: libc::pid_t, work: u64) -> Option<Found> {
    SHAPES.iter().find_map(|&(kind, loop_at, work_at)| {
        let address = work.checked_sub(work_at)?;
        let head: [u8; 80] = memory::array(thread, address)?;
        let number = |at: usize| Some(u32::from_ne_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let pointer = |at: u64| {
            let at = usize::try_from(at).ok()?;
            let pointer = u64::from_ne_bytes(head.get(at..at + 8)?.try_into().ok()?);
            is_pointer(pointer).then_some(pointer)
        };
        let [function, _, again, next]: [u64; 4] = {
            let words: [u8; 32] = memory::array(thread, work)?;
            std::array::from_fn(|at| {
                u64::from_ne_bytes(std::array::from_fn(|byte| words[8 * at + byte]))
            })
        };
        let event_loop = pointer(loop_at)?;
        let is_call = kind != 6 || number(64)? < MOST_KINDS;
        // While it is done it stands in no queue: its place there leads to itself. When it is done
        // the function is taken away.
        let is_being_done = function != 0 && next == work.wrapping_add(QUEUED);
        let is_whole = number(8)? == kind && is_call && again == event_loop;
        (is_whole && is_being_done).then_some(Found { address, kind, event_loop })
    })
}

/// The number of a request, if it stands at this distance in front of it: behind it stands a
/// smaller one, of what it was made in.
fn numbered(front: &[u8; FRONT], distance: usize) -> Option<u32> {
    let number = |distance: usize| {
        let at = FRONT.checked_sub(distance)?;
        let number = f64::from_ne_bytes(front.get(at..at + 8)?.try_into().ok()?);
        let is_whole = (0.0..9e15).contains(&number) && number.fract() == 0.0;
        // Bits that are no `double` of a program mostly are one that is almost 0.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        (is_whole && (number == 0.0 || number >= 1.0)).then_some(number as u64)
    };
    let (own, trigger) = (number(distance)?, number(distance.checked_sub(8)?)?);
    #[expect(clippy::cast_possible_truncation, reason = "the notes have the lower half")]
    (own > trigger && own > 1).then_some(own as u32)
}

/// The innermost part of a thread's stack.
fn stack(thread: libc::pid_t, sp: u64) -> Vec<u8> {
    let mut stack = vec![0; STACK];
    let mut length = 0;
    // A read ends where memory does, at a page.
    while length < STACK {
        let to = (length + (4096 - usize::try_from(sp % 4096).unwrap_or(0))).min(STACK);
        let to = if length == 0 { to } else { (length + 4096).min(STACK) };
        match memory::read(thread, sp + length as u64, &mut stack[length..to]) {
            Ok(read) if read == to - length => length = to,
            _ => break,
        }
    }
    stack.truncate(length);
    stack
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_smaller_one_behind_it() {
        let mut front = [0; FRONT];
        let mut put = |distance: usize, number: f64| {
            front[FRONT - distance..FRONT - distance + 8].copy_from_slice(&number.to_ne_bytes());
        };
        put(64, 17.0);
        put(56, 5.0);
        put(32, 3.5);
        put(24, 9.0);
        put(16, 12.0);
        let found: Vec<_> =
            (2..=FRONT / 8).filter_map(|words| numbered(&front, 8 * words)).collect();
        assert_eq!(found, [12, 5, 17]);
        assert_eq!(numbered(&front, 0), None);
        assert_eq!(numbered(&front, FRONT + 8), None);
    }

    #[test]
    fn what_is_no_request_is_not_taken_for_one() {
        let this = std::process::id().cast_signed();
        let nothing = [0u64; 128];
        assert!(found(this, nothing.as_ptr() as u64 + 336).is_none());
        assert!(found(this, 8).is_none());
        let mut request = [0u64; 64];
        let event_loop = nothing.as_ptr() as u64;
        (request[1], request[8], request[9], request[44]) = (6, 1, event_loop, event_loop);
        let work = request.as_ptr() as u64 + 336;
        (request[42], request[45]) = (1, work + 24);
        let whole = found(this, work).unwrap();
        assert_eq!((whole.address + 336, whole.kind, whole.event_loop), (work, 6, event_loop));
        // Of another loop; done; waiting.
        for (at, value) in [(44, 0), (42, 0), (45, work)] {
            let kept = std::mem::replace(&mut request[at], value);
            assert!(found(this, std::hint::black_box(&request).as_ptr() as u64 + 336).is_none());
            request[at] = kept;
        }
        assert!(stack(this, 4096 * 3).is_empty());
    }
}
