//! The frame of a function that says nothing about itself, from its code (prologue analysis).
//!
//! From its beginning along all jumps, until the instruction in question: how far `push`, `sub` and
//! the like have moved the stack pointer from where the return address stands, and where the
//! caller's frame pointer is by then.

use iced_x86::{Code, Instruction, OpKind, Register};

use super::step::Step;
use crate::source::instructions::{
    decoded, is_call, is_filler, is_jump_to_anywhere, never_goes_on,
};
use crate::source::registers::Registers;

/// Where the caller's frame pointer is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Saved {
    /// Still in its register.
    Not,
    /// So far below the return address.
    Below(i64),
    /// It was overwritten.
    Lost,
}

/// What is known of a function's frame at one of its instructions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Frame {
    /// How far the stack pointer is below the return address.
    sp: Option<i64>,
    /// The same for the frame pointer, where it belongs to the function.
    fp: Option<i64>,
    saved: Saved,
}

impl Frame {
    /// That of a function that nothing has called.
    pub(super) const OUTERMOST: Frame = Frame { sp: Some(-WORD), fp: None, saved: Saved::Lost };

    const AT_ENTRY: Frame = Frame { sp: Some(0), fp: None, saved: Saved::Not };

    /// At the instruction that the byte at an address belongs to, in a function that begins at
    /// `start`; `is_one`: all of the code is that function's. `None` where that cannot be said.
    pub(super) fn at(address: u64, start: u64, code: &[u8], is_one: bool) -> Option<Frame> {
        let instructions = decoded(code, start);
        let (mut seen, mut unseen) = (vec![false; instructions.len()], 0);
        let mut to_do = vec![(start, Frame::AT_ENTRY)];
        // What follows a jump to where a table says is reached by that, as it is; and what follows
        // a call, even if there is room in between, by that, unless it never returns.
        let (mut switch, mut after_calls) = (None, Vec::new());
        loop {
            let next = to_do.pop().or_else(|| after_calls.pop()).or_else(|| {
                unseen += seen[unseen..].iter().position(|seen| !seen)?;
                Some((instructions[unseen].ip(), switch?))
            });
            let (from, mut frame) = next?;
            let Ok(first) = instructions.binary_search_by_key(&from, Instruction::ip) else {
                continue;
            };
            let mut was_call = false;
            for (it, seen) in instructions[first..].iter().zip(&mut seen[first..]) {
                if was_call && is_filler(it) {
                    after_calls.extend(is_one.then_some((it.next_ip(), frame)));
                    break;
                }
                if std::mem::replace(seen, true) {
                    break;
                }
                if (it.ip()..it.next_ip()).contains(&address) {
                    return Some(frame).filter(|it| it.sp.is_some() || it.fp.is_some());
                }
                if it.op0_kind() == OpKind::NearBranch64 && !is_call(it) {
                    to_do.push((it.near_branch_target(), frame));
                }
                if is_one && is_jump_to_anywhere(it) {
                    switch = Some(frame);
                }
                if never_goes_on(it) {
                    break;
                }
                frame.take(it);
                was_call = is_call(it);
            }
        }
    }

    /// What an instruction does to it.
    fn take(&mut self, it: &Instruction) {
        let (sp, writes) = (self.sp, it.op0_register());
        match it.code() {
            Code::Push_r64 | Code::Push_rm64 | Code::Pushq_imm8 | Code::Pushq_imm32 => {
                self.sp = sp.map(|sp| sp + WORD);
                if writes == Register::RBP {
                    self.is_saved(self.sp);
                }
            }
            Code::Pop_r64 if writes != Register::RSP => {
                self.sp = sp.map(|sp| sp - WORD);
                if writes == Register::RBP {
                    self.is_taken(sp);
                }
            }
            Code::Pushfq | Code::Pushq_FS | Code::Pushq_GS => self.sp = sp.map(|sp| sp + WORD),
            Code::Popfq | Code::Popq_FS | Code::Popq_GS | Code::Pop_rm64 => {
                self.sp = sp.map(|sp| sp - WORD);
            }
            Code::Enterq_imm16_imm8 => self.sp = None,
            Code::Leaveq => {
                self.sp = self.fp.map(|fp| fp - WORD);
                self.is_taken(self.fp);
            }
            Code::Mov_rm64_r64
                if it.op0_kind() == OpKind::Memory && it.op1_register() == Register::RBP =>
            {
                self.is_saved(self.memory(it));
            }
            Code::Cmp_rm64_r64 | Code::Cmp_r64_rm64 | Code::Cmp_rm64_imm8 => {}
            Code::Test_rm64_r64 | Code::Test_rm32_r32 | Code::Cmp_rm32_r32 => {}
            _ if it.op0_kind() != OpKind::Register => {}
            code if writes == Register::RSP => {
                self.sp = match code {
                    Code::Sub_rm64_imm8 => sp.map(|sp| sp + it.immediate8to64()),
                    Code::Sub_rm64_imm32 => sp.map(|sp| sp + it.immediate32to64()),
                    Code::Add_rm64_imm8 => sp.map(|sp| sp - it.immediate8to64()),
                    Code::Add_rm64_imm32 => sp.map(|sp| sp - it.immediate32to64()),
                    Code::Lea_r64_m => self.memory(it),
                    Code::Mov_rm64_r64 | Code::Mov_r64_rm64
                        if it.op1_register() == Register::RBP =>
                    {
                        self.fp
                    }
                    _ => None,
                };
            }
            code if matches!(
                writes,
                Register::RBP | Register::EBP | Register::BP | Register::BPL
            ) =>
            {
                let copies = matches!(code, Code::Mov_rm64_r64 | Code::Mov_r64_rm64);
                self.fp = sp.filter(|_| copies && it.op1_register() == Register::RSP);
                if self.saved == Saved::Not {
                    self.saved = Saved::Lost;
                }
            }
            _ => {}
        }
    }

    /// Where the memory that an instruction names is, if that is on the stack.
    fn memory(&self, it: &Instruction) -> Option<i64> {
        let base = match it.memory_base() {
            Register::RSP => self.sp,
            Register::RBP => self.fp,
            _ => None,
        }?;
        let is_plain = it.memory_index() == Register::None;
        is_plain.then(|| base - it.memory_displacement64().cast_signed())
    }

    fn is_saved(&mut self, place: Option<i64>) {
        if self.saved == Saved::Not && self.fp.is_none() {
            self.saved = place.map_or(Saved::Not, Saved::Below);
        }
    }

    fn is_taken(&mut self, place: Option<i64>) {
        self.fp = None;
        let is_same = place.map(Saved::Below) == Some(self.saved);
        self.saved = if is_same { Saved::Not } else { Saved::Lost };
    }

    /// One step outwards from there. `stack` reads the stack.
    pub(super) fn step(
        self,
        at: &Registers,
        stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
    ) -> Step {
        let place = match self {
            // It has given its return address away: nothing comes back here.
            Frame { sp: Some(..0), .. } => return Step::End,
            Frame { sp: Some(below), .. } => at.sp.wrapping_add_signed(below),
            Frame { fp: Some(below), .. } => at.fp.wrapping_add_signed(below),
            _ => return Step::Lost,
        };
        let fp = match self.saved {
            Saved::Not => Ok(at.fp),
            Saved::Below(below) => stack(place.wrapping_add_signed(-below)),
            Saved::Lost => Ok(0),
        };
        match (stack(place), fp, place.checked_add(8)) {
            (Ok(0), ..) => Step::End,
            (Ok(ip), Ok(fp), Some(sp)) => Step::To(Registers { ip, sp, fp, ..*at }),
            _ => Step::Lost,
        }
    }
}

/// What `push` takes.
const WORD: i64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known at an offset of a function.
    fn at(offset: u64, code: &[u8]) -> Option<Frame> {
        Frame::at(0x1000 + offset, 0x1000, code, true)
    }

    fn frame(sp: i64, saved: Saved) -> Option<Frame> {
        Some(Frame { sp: Some(sp), fp: None, saved })
    }

    #[test]
    fn pushes_and_room_are_counted_along_jumps() {
        let code = [
            0x55, // 0: push %rbp
            0x53, // 1: push %rbx
            0x48, 0x81, 0xec, 0xd8, 0, 0, 0, // 2: sub $0xd8, %rsp
            0x85, 0xff, // 9: test %edi, %edi
            0x74, 0x0a, // 11: je 23
            0x48, 0x81, 0xc4, 0xd8, 0, 0, 0,    // 13: add $0xd8, %rsp
            0x5b, // 20: pop %rbx
            0x5d, // 21: pop %rbp
            0xc3, // 22: ret
            0x6a, 0x01, // 23: push $1
            0x0f, 0x05, // 25: syscall
            0xeb, 0xf0, // 27: jmp 13
        ];
        assert_eq!(at(0, &code), frame(0, Saved::Not));
        assert_eq!(at(1, &code), frame(8, Saved::Below(8)));
        assert_eq!(at(10, &code), frame(16 + 0xd8, Saved::Below(8)));
        assert_eq!(at(21, &code), frame(8, Saved::Below(8)));
        assert_eq!(at(22, &code), frame(0, Saved::Not));
        assert_eq!(at(26, &code), frame(24 + 0xd8, Saved::Below(8)));
        assert_eq!(at(29, &code), None);
    }

    #[test]
    fn a_stack_pointer_that_was_rounded_is_found_by_the_frame_pointer() {
        let code = [
            0x55, // 0: push %rbp
            0x48, 0x89, 0xe5, // 1: mov %rsp, %rbp
            0x48, 0x83, 0xe4, 0xe0, // 4: and $-32, %rsp
            0x0f, 0x05, // 8: syscall
            0xc9, // 10: leave
            0xc3, // 11: ret
        ];
        let inside = Frame { sp: None, fp: Some(8), saved: Saved::Below(8) };
        assert_eq!(at(8, &code), Some(inside));
        assert_eq!(at(11, &code), frame(0, Saved::Not));
        let registers = Registers { ip: 0, sp: 0x7000, fp: 0x7100, lr: 0 };
        let mut words = |place| Ok(place + 1);
        let outside = Registers { ip: 0x7109, sp: 0x7110, fp: 0x7101, lr: 0 };
        assert_eq!(inside.step(&registers, &mut words), Step::To(outside));
    }

    #[test]
    fn cases_of_a_switch_have_the_frame_of_its_jump() {
        let code = [
            0x48, 0x83, 0xec, 0x18, // 0: sub $24, %rsp
            0xff, 0xe0, // 4: jmp *%rax
            0x0f, 0x05, // 6: syscall
            0x48, 0x83, 0xc4, 0x18, // 8: add $24, %rsp
            0xc3, // 12: ret
            0x0f, 0x05, // 13: syscall
        ];
        assert_eq!(at(7, &code), frame(24, Saved::Not));
        assert_eq!(at(13, &code), frame(24, Saved::Not));
    }

    #[test]
    fn what_follows_a_call_that_may_not_return_is_another_function() {
        let code = [
            0x50, // 0: push %rax
            0xe8, 0, 0, 0, 0,    // 1: call 6
            0x90, // 6: nop
            0x53, // 7: push %rbx
            0x0f, 0x05, // 8: syscall
        ];
        assert_eq!(at(8, &code), frame(16, Saved::Not));
        assert_eq!(Frame::at(0x1008, 0x1000, &code, false), None);
    }

    #[test]
    fn flags_on_the_stack_are_counted() {
        // pushfq; pop %rax; syscall
        assert_eq!(at(2, &[0x9c, 0x58, 0x0f, 0x05]), frame(0, Saved::Not));
    }

    #[test]
    fn a_thread_that_has_taken_its_word_from_the_stack_has_no_caller() {
        // pop %rdi; call *%r9
        let frame = at(1, &[0x5f, 0x41, 0xff, 0xd1]).unwrap();
        let registers = Registers { ip: 0, sp: 0x7000, fp: 0, lr: 0 };
        assert_eq!(frame.step(&registers, &mut |_| Ok(1)), Step::End);
    }

    #[test]
    fn a_frame_pointer_that_was_overwritten_is_not_believed() {
        // xor %ebp, %ebp; syscall
        let frame = at(2, &[0x31, 0xed, 0x0f, 0x05]).unwrap();
        let registers = Registers { ip: 0, sp: 0x7000, fp: 0x7100, lr: 0 };
        let outside = Registers { ip: 5, sp: 0x7008, fp: 0, lr: 0 };
        assert_eq!(frame.step(&registers, &mut |_| Ok(5)), Step::To(outside));
    }
}
