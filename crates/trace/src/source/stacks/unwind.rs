//! From registers and memory to a list of frames, and what in memory it depends on.
//!
//! A step outwards reads a few words of the stack. Which of them the result depends on is found out
//! by taking the step again with one thing changed: a word, or the frame pointer. So a saved
//! register that holds a program's own data, and that no step ever follows, does not count.

use super::images::{ImageId, Images};
use super::machine;
use super::space::{Space, Spot};
use super::step::Step;
use super::window::Window;
use crate::source::memory;
use crate::source::registers::Registers;

/// At most so many frames.
pub(super) const DEEPEST: usize = 128;

/// What a value is changed by to see whether it matters. No address plus or minus this is likely to
/// be the same.
const OTHER: u64 = 0x1010;

/// What a thread's stack is, and what that depends on.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// From the innermost frame outwards.
    pub(super) spots: Vec<Spot>,
    /// The words of memory that it depends on: address and value.
    pub(super) slots: Vec<(u64, u64)>,
    /// Whether it depends on the frame pointer and on the link register.
    pub(super) fp: bool,
    pub(super) lr: bool,
    /// The registers of the innermost frame whose code lies in no ELF file.
    pub(super) compiled: Option<Registers>,
    /// Whether it goes on where it could not be read.
    pub(super) truncated: bool,
    /// Where it leads to, if it is not known that there is code.
    pub(super) unknown: Option<u64>,
    /// Whether it leads there by a frame that was found from code alone.
    pub(super) is_from_code: bool,
}

/// Where the frame pointer's value comes from, as long as it has not been followed.
enum Origin {
    /// It was in the register.
    Register,
    /// It was saved in these words.
    Saved(Vec<(u64, u64)>),
}

/// A stopped thread, and what is known about the code that it runs.
pub(super) struct Walk<'a> {
    space: &'a Space,
    images: &'a mut Images,
    window: Window,
    trail: Trail,
    fp: Origin,
    /// Whether it ends where code begins that lies in no file.
    ends_at_compiled: bool,
    /// Whether code was understood wrongly that leads to where none is known.
    doubts_code: bool,
}

/// A step, and the words that it read.
struct Taken {
    step: Step,
    read: Vec<(u64, u64)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(window: Window, space: &'a Space, images: &'a mut Images) -> Walk<'a> {
        let (trail, fp) = (Trail::default(), Origin::Register);
        Walk { space, images, window, trail, fp, ends_at_compiled: false, doubts_code: false }
    }

    /// Lets it take for wrong what was found from code and leads to where no code is known: as it
    /// has been looked what is mapped.
    pub(super) fn doubting_code(mut self, doubts: bool) -> Walk<'a> {
        self.doubts_code = doubts;
        self
    }

    /// Ends it where code begins that lies in no file, if its functions are known otherwise: there
    /// is nothing that says how its frames look.
    pub(super) fn ending_at_compiled(mut self, ends: bool) -> Walk<'a> {
        self.ends_at_compiled = ends;
        self
    }

    /// Goes from a thread's registers outwards. `returns` says whether the code at a spot, and at
    /// an address in memory, is what a signal handler returns to.
    pub(super) fn outwards(
        mut self,
        registers: &Registers,
        mut returns: impl FnMut(Spot, u64) -> bool,
    ) -> Trail {
        let mut at = *registers;
        // An instruction pointer is behind the instruction that it stands for, except where a
        // signal came in between.
        let (mut exact, mut first) = (false, true);
        loop {
            let Some(spot) = self.space.find(at.ip.wrapping_sub(u64::from(!exact))) else {
                (self.trail.truncated, self.trail.unknown) = (true, Some(at.ip));
                break;
            };
            if self.trail.spots.len() == DEEPEST {
                self.trail.truncated = true;
                break;
            }
            self.trail.spots.push(spot);
            if self.trail.compiled.is_none() && !self.images.is_elf(spot.image) {
                self.trail.compiled = Some(at);
            }
            if self.ends_at_compiled && spot.image == ImageId::JIT {
                break;
            }
            let signal = !first && spot.image != ImageId::JIT && returns(spot, at.ip);
            let step = if signal { self.interrupted(&at) } else { self.step(spot, first, &at) };
            match step {
                Step::To(next) => at = next,
                Step::End => break,
                Step::Lost => {
                    self.trail.truncated = true;
                    break;
                }
            }
            (exact, first) = (signal, signal);
        }
        self.trail
    }

    /// Out of a signal handler.
    fn interrupted(&mut self, at: &Registers) -> Step {
        let (window, mut read) = (&mut self.window, Vec::new());
        let step = machine::interrupted(at.sp, &mut |address| {
            let word = window.word(address)?;
            read.push((address, word));
            Ok(word)
        });
        // All four count; a frame pointer that is not followed is a small loss here.
        self.trail.slots.append(&mut read);
        self.fp = Origin::Saved(Vec::new());
        step.map_or(Step::Lost, Step::To)
    }

    fn step(&mut self, spot: Spot, first: bool, at: &Registers) -> Step {
        if first && let Some(step) = self.bare(spot, at) {
            return step;
        }
        if spot.image == ImageId::JIT
            && let Some(step) = self.about_to_return(at)
        {
            return step;
        }
        let mut taken = self.take(spot, first, at);
        // What is reached by jumps alone, with a frame that is there already, as V8's handlers of
        // bytecodes are, has no return address where a function would have it.
        if let Step::To(next) = taken.step
            && self.space.find(next.ip.wrapping_sub(1)).is_none()
        {
            let image = self.images.image(spot.image);
            self.trail.is_from_code = image.bare_frame(spot.address).is_some();
            if self.doubts_code && image.is_not_bare(spot.address) {
                taken = self.take(spot, first, at);
            }
        }
        self.weigh(spot, first, at, &taken);
        taken.step
    }

    fn take(&mut self, spot: Spot, first: bool, at: &Registers) -> Taken {
        let (window, mut read) = (&mut self.window, Vec::new());
        let step = self.images.image(spot.image).step(spot.address, first, at, &mut |address| {
            let word = window.word(address)?;
            read.push((address, word));
            Ok(word)
        });
        Taken { step, read }
    }

    /// A function that makes the call and says nothing about itself most often has no frame: what
    /// it returns to is at hand, and is code.
    fn bare(&mut self, spot: Spot, at: &Registers) -> Option<Step> {
        let image = self.images.image(spot.image);
        if image.is_described() || image.bare_frame(spot.address).is_some() {
            return None;
        }
        let (window, mut read) = (&mut self.window, Vec::new());
        let next = machine::bare_return(at, &mut |address| {
            let word = window.word(address)?;
            read.push((address, word));
            Ok(word)
        });
        self.trail.lr |= cfg!(target_arch = "aarch64");
        self.trail.slots.append(&mut read);
        let next = next.ok().filter(|next| self.space.find(next.ip.wrapping_sub(1)).is_some())?;
        Some(Step::To(next))
    }

    /// Code without a file that does nothing more but return says by that how its frame looks.
    /// CPython's trampolines for `perf` are such.
    fn about_to_return(&mut self, at: &Registers) -> Option<Step> {
        let mut code = Vec::new();
        memory::ranges(self.window.process(), &[(at.ip, 16)], &mut code);
        // It may be other code the next time.
        let words = (at.ip..).step_by(8).zip(code.as_chunks().0);
        self.trail.slots.extend(words.map(|(at, word)| (at, u64::from_ne_bytes(*word))));
        let (window, mut read) = (&mut self.window, Vec::new());
        let (next, saved_fp) = machine::epilogue(&code, at, &mut |address| {
            let word = window.word(address)?;
            read.push((address, word));
            Ok(word)
        })?;
        self.trail.slots.append(&mut read);
        if saved_fp {
            self.fp = Origin::Saved(Vec::new());
        }
        Some(Step::To(next))
    }

    /// Finds out what a step depended on.
    fn weigh(&mut self, spot: Spot, first: bool, at: &Registers, taken: &Taken) {
        let Taken { step: Step::To(next), read } = taken else {
            // Why there was no step is not known as easily: all of it counts.
            self.trail.slots.extend_from_slice(&taken.read);
            let always = taken.read.is_empty() && self.ends_anyway(spot, first, at, taken.step);
            if !always {
                self.follow_fp();
                self.trail.lr |= first;
            }
            return;
        };
        let mut again = |at: &Registers, changed: Option<usize>| {
            self.images.image(spot.image).step(spot.address, first, at, &mut |address| {
                let known = read.iter().position(|slot| slot.0 == address).ok_or(())?;
                Ok(read[known].1 ^ if changed == Some(known) { OTHER } else { 0 })
            })
        };
        let other_fp = again(&Registers { fp: at.fp ^ OTHER, ..*at }, None);
        let other_lr = again(&Registers { lr: at.lr ^ OTHER, ..*at }, None);
        let mut saved = Vec::new();
        for (number, slot) in read.iter().enumerate() {
            match again(at, Some(number)) {
                Step::To(other) if same_but_fp(&other, next) => {
                    if other.fp != next.fp {
                        saved.push(*slot);
                    }
                }
                _ => self.trail.slots.push(*slot),
            }
        }
        self.trail.lr |= first && other_lr != taken.step;
        match other_fp {
            // The old value is gone; the new one comes from these words.
            Step::To(other) if other == *next => self.fp = Origin::Saved(saved),
            // The register was left as it was.
            Step::To(other) if same_but_fp(&other, next) && saved.is_empty() => {}
            _ => {
                self.follow_fp();
                self.fp = Origin::Saved(saved);
            }
        }
    }

    fn ends_anyway(&mut self, spot: Spot, first: bool, at: &Registers, step: Step) -> bool {
        step == Step::End
            && [0, OTHER, at.sp.wrapping_add(OTHER)].into_iter().all(|fp| {
                let mut nothing = |_| Err(());
                let at = Registers { fp, ..*at };
                self.images.image(spot.image).step(spot.address, first, &at, &mut nothing) == step
            })
    }

    /// The frame pointer's value was followed: where it came from counts.
    fn follow_fp(&mut self) {
        match std::mem::replace(&mut self.fp, Origin::Saved(Vec::new())) {
            Origin::Register => self.trail.fp = true,
            Origin::Saved(mut slots) => self.trail.slots.append(&mut slots),
        }
    }
}

fn same_but_fp(a: &Registers, b: &Registers) -> bool {
    (a.ip, a.sp) == (b.ip, b.sp)
}

/// Whether the code at an address in memory is what a signal handler returns to.
pub(super) fn is_signal_return(process: libc::pid_t, address: u64) -> bool {
    let mut code = Vec::new();
    memory::ranges(process, &[(address, 16)], &mut code);
    machine::SIGNAL_RETURNS.iter().any(|returns| code.starts_with(returns))
}
