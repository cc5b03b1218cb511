//! Where a site's `syscall` instruction can give way to a jump.
//!
//! The instruction is two bytes long, a jump is five. What is between moves into the stub, behind
//! the stub's own `syscall`: whole instructions that work as well there, and that nobody jumps to.

use std::ops::{Range, RangeInclusive};

use iced_x86::{Code, Instruction, OpKind, Register};

use crate::source::instructions::{
    decoded, is_call, is_filler, is_jump, is_jump_to_anywhere, is_one_of, is_return,
};

/// How long `jmp` to an address within 2 GiB is.
pub(crate) const JUMP: usize = 5;

/// How long `syscall` is.
pub(crate) const SYSCALL: u64 = 2;

/// A site that may be patched.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Patch {
    /// The address of the `syscall`.
    pub(crate) site: u64,
    /// What stands there: the `syscall`, the instructions that move, and what is never reached.
    pub(crate) original: Vec<u8>,
    /// How much of that is in the stub as well.
    pub(crate) moved: usize,
    /// Where it goes on behind those.
    pub(crate) next: u64,
}

impl Patch {
    /// Finds out whether the `syscall` at an address can be patched. `code` is the function that it
    /// is in, whole.
    pub(crate) fn plan(code: &[u8], function: Range<u64>, site: u64) -> Option<Patch> {
        let instructions = decoded(code, function.start);
        let at = instructions.iter().position(|it| it.ip() == site)?;
        if instructions[at].code() != Code::Syscall {
            return None;
        }
        let behind = &instructions[at + 1..];
        let replaced = behind.iter().position(|it| it.next_ip() >= site + JUMP as u64)? + 1;
        let replaced = &behind[..replaced];
        // Whole, so that nothing is missing of what may jump into it.
        let is_whole = instructions.iter().all(|it| !it.is_invalid());
        let moved = replaced.iter().take_while(|it| can_move(it)).count();
        let (last, fillers) = match replaced[moved..].split_first() {
            Some((last, fillers)) => (Some(last), fillers),
            None => (None, &[][..]),
        };
        let end = replaced.last()?.next_ip();
        // Where such a function also leaves by a jump the C library may look whether a thread is
        // there that is to be cancelled (`__syscall_cancel_arch`).
        let is_plain = || instructions.iter().all(|it| it.op0_kind() != OpKind::NearBranch64);
        if !is_whole
            || !last.is_none_or(|it| is_return(it) && is_plain() || is_jump(it))
            || !fillers.iter().all(is_filler)
            || !flags_are_free(&instructions, at + 1)
            || instructions.iter().any(|it| may_jump_into(it, site + 1..end))
        {
            return None;
        }
        let offset = |address: u64| usize::try_from(address - function.start).ok();
        let original = code.get(offset(site)?..offset(end)?)?.to_vec();
        let (moved, next) = match last {
            Some(jump) if is_jump(jump) => (jump.ip(), jump.near_branch_target()),
            Some(leaves) => (leaves.next_ip(), end),
            None => (end, end),
        };
        let moved = usize::try_from(moved - site).ok()?;
        Some(Patch { site, original, moved, next })
    }

    /// The address behind what is replaced.
    pub(crate) fn end(&self) -> u64 {
        self.site + self.original.len() as u64
    }

    /// The instructions that move.
    fn moved(&self) -> &[u8] {
        &self.original[SYSCALL as usize..self.moved]
    }

    /// What stands at the site instead: a jump to the stub, and what is never reached.
    pub(crate) fn jump(&self, stub: u64) -> Option<Vec<u8>> {
        const NOP: u8 = 0x90;
        let mut bytes = jump(self.site, stub)?;
        bytes.resize(self.original.len(), NOP);
        Some(bytes)
    }

    /// The stub at an address, and how far behind its beginning its own `syscall` is: it says where
    /// that is in r11, and jumps to the agent.
    pub(crate) fn stub(&self, stub: u64, agent: u64) -> Option<(Vec<u8>, u64)> {
        let mut bytes = vec![0x4c, 0x8d, 0x1d, 12, 0, 0, 0]; // lea 12(%rip), %r11
        bytes.extend([0x48, 0xb9]); // movabs $agent, %rcx
        bytes.extend(agent.to_le_bytes());
        bytes.extend([0xff, 0xe1]); // jmp *%rcx
        let traced = bytes.len() as u64;
        bytes.extend([0x0f, 0x05]); // syscall
        bytes.extend(self.moved());
        let here = stub + bytes.len() as u64;
        bytes.extend(jump(here, self.next)?);
        (bytes.len() <= STUB).then_some((bytes, traced))
    }
}

/// Room for a stub.
pub(crate) const STUB: usize = 64;

/// The stub that has its own `syscall` at an address.
pub(crate) fn stub_of(traced: u64) -> u64 {
    traced - traced % STUB as u64
}

fn jump(from: u64, to: u64) -> Option<Vec<u8>> {
    let distance = to.wrapping_sub(from + JUMP as u64).cast_signed();
    let distance = i32::try_from(distance).ok()?;
    Some([&[0xe9][..], &distance.to_le_bytes()].concat())
}

/// What an instruction does, as far as it matters here.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    /// It computes with registers, and leaves the flags alone.
    Copies,
    /// It computes with registers, and writes all flags.
    Compares,
    /// It leaves the function, which neither takes nor gives flags: `ret`, `call`.
    Leaves,
    /// Anything else.
    Other,
}

/// `mov`, `movsxd`, `movzx`, `cdqe`, `nop`
const COPIES: [RangeInclusive<Code>; 9] = [
    Code::Movsxd_r16_rm16..=Code::Movsxd_r64_rm32,
    Code::Mov_rm8_r8..=Code::Mov_r64_rm64,
    Code::Mov_r8_imm8..=Code::Mov_r64_imm64,
    Code::Mov_rm8_imm8..=Code::Mov_rm8_imm8,
    Code::Mov_rm16_imm16..=Code::Mov_rm64_imm32,
    Code::Movzx_r16_rm8..=Code::Movzx_r64_rm16,
    Code::Cdqe..=Code::Cdqe,
    Code::Nopw..=Code::Nopq,
    Code::Nop_rm16..=Code::Nop_rm64,
];

/// `add`, `or`, `and`, `sub`, `xor`, `cmp`, `test`, `neg`, but neither `adc` nor `sbb`
const COMPARES: [RangeInclusive<Code>; 17] = [
    Code::Add_rm8_r8..=Code::Add_RAX_imm32,
    Code::Or_rm8_r8..=Code::Or_RAX_imm32,
    Code::And_rm8_r8..=Code::And_RAX_imm32,
    Code::Sub_rm8_r8..=Code::Sub_RAX_imm32,
    Code::Xor_rm8_r8..=Code::Xor_RAX_imm32,
    Code::Cmp_rm8_r8..=Code::Cmp_RAX_imm32,
    Code::Add_rm8_imm8..=Code::Or_rm8_imm8,
    Code::And_rm8_imm8..=Code::Cmp_rm8_imm8,
    Code::Add_rm16_imm16..=Code::Or_rm64_imm32,
    Code::And_rm16_imm16..=Code::Cmp_rm64_imm32,
    Code::Add_rm16_imm8..=Code::Or_rm64_imm8,
    Code::And_rm16_imm8..=Code::Cmp_rm64_imm8,
    Code::Test_rm8_r8..=Code::Test_rm64_r64,
    Code::Test_AL_imm8..=Code::Test_RAX_imm32,
    Code::Test_rm8_imm8..=Code::Test_rm8_imm8,
    Code::Test_rm16_imm16..=Code::Test_rm64_imm32,
    Code::Neg_rm8..=Code::Neg_rm64,
];

/// What is looked at has no more.
const MOST_OPERANDS: u32 = 4;

fn kind(it: &Instruction) -> Kind {
    let moves_stack = it.op0_register() == Register::RSP;
    // Operands that it does not have are no register. How many it has is in a table of 5 KB.
    let is_plain = (0..MOST_OPERANDS).all(|at| match it.op_kind(at) {
        OpKind::Register => !matches!(it.op_register(at), Register::RSP | Register::ESP),
        kind => matches!(
            kind,
            OpKind::Immediate8
                | OpKind::Immediate8to32
                | OpKind::Immediate8to64
                | OpKind::Immediate32
                | OpKind::Immediate32to64
                | OpKind::Immediate64
        ),
    });
    if is_return(it) || is_call(it) {
        Kind::Leaves
    } else if is_plain && is_one_of(it, &COPIES) || !moves_stack && it.code() == Code::Pop_r64 {
        Kind::Copies
    } else if is_plain && is_one_of(it, &COMPARES) || moves_stack && is_room(it) {
        Kind::Compares
    } else {
        Kind::Other
    }
}

/// `add $n`, `sub $n`
fn is_room(it: &Instruction) -> bool {
    matches!(
        it.code(),
        Code::Add_rm64_imm8 | Code::Add_rm64_imm32 | Code::Sub_rm64_imm8 | Code::Sub_rm64_imm32
    )
}

/// Whether an instruction does the same at another address.
fn can_move(it: &Instruction) -> bool {
    matches!(kind(it), Kind::Copies | Kind::Compares)
}

/// Whether the flags are written before they are read, from one of a function's instructions on:
/// the agent leaves others than the call. Whoever jumps out of a function passes on none.
fn flags_are_free(all: &[Instruction], from: usize) -> bool {
    let mut at = from;
    // Not for ever, in a circle.
    for _ in 0..MOST_STEPS {
        let Some(it) = all.get(at) else { return false };
        match kind(it) {
            Kind::Copies => at += 1,
            Kind::Compares | Kind::Leaves => return true,
            Kind::Other if is_jump(it) => {
                let target = it.near_branch_target();
                match all.binary_search_by_key(&target, Instruction::ip) {
                    Ok(there) => at = there,
                    Err(_) => return true,
                }
            }
            Kind::Other => return false,
        }
    }
    false
}

/// So many instructions are looked at to find out whether flags are read.
const MOST_STEPS: usize = 16;

/// Whether an instruction jumps into a range; one whose target is not known may.
fn may_jump_into(it: &Instruction, range: Range<u64>) -> bool {
    match it.op0_kind() {
        OpKind::NearBranch64 => range.contains(&it.near_branch_target()),
        _ => is_jump_to_anywhere(it),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `mov $5, %eax; syscall` and more, in a function at 0x1000.
    fn plan(more: &[u8]) -> Option<Patch> {
        let code = [&[0xb8, 5, 0, 0, 0, 0x0f, 0x05], more].concat();
        Patch::plan(&code, 0x1000..0x1000 + code.len() as u64, 0x1005)
    }

    const CMP: [u8; 6] = [0x48, 0x3d, 0x00, 0xf0, 0xff, 0xff];
    const MOV: [u8; 3] = [0x48, 0x89, 0xc5];

    #[test]
    fn what_a_wrapper_of_the_c_library_does_behind_a_call_moves() {
        let patch = plan(&[&CMP[..], &[0x77, 0x01, 0xc3, 0xc3]].concat()).unwrap();
        assert_eq!((patch.site, patch.end(), patch.next), (0x1005, 0x100d, 0x100d));
        assert_eq!(patch.jump(0x2000).unwrap(), [0xe9, 0xf6, 0x0f, 0, 0, 0x90, 0x90, 0x90]);
        let (stub, traced) = patch.stub(0x2000, 0x1122_3344_5566).unwrap();
        assert_eq!(stub[traced as usize..][..2], [0x0f, 0x05]);
        assert_eq!(stub[traced as usize + 2..][..6], CMP);
        // lea: the next instruction's address and 12 are where `syscall` is.
        assert_eq!(traced, 7 + 12);
        let back = stub.len() as u64;
        let distance = i32::from_le_bytes(stub[stub.len() - 4..].try_into().unwrap());
        assert_eq!(0x2000 + back.cast_signed() + i64::from(distance), 0x100d);
        assert!(plan(&[&MOV[..], &CMP, &[0xc3]].concat()).is_some());
        // add $8, %rsp; pop %rbx; ret
        assert_eq!(plan(&[0x48, 0x83, 0xc4, 8, 0x5b, 0xc3]).unwrap().end(), 0x100b);
        // pop %rbx; pop %r12; test %eax, %eax; ret
        assert_eq!(plan(&[0x5b, 0x41, 0x5c, 0x85, 0xc0, 0xc3]).unwrap().end(), 0x100a);
    }

    #[test]
    fn a_return_and_a_jump_move_if_nothing_is_behind_them() {
        // ret; nopw 0(%rax, %rax)
        let patch = plan(&[0xc3, 0x66, 0x0f, 0x1f, 0x44, 0, 0]).unwrap();
        assert_eq!(patch.end(), 0x100e);
        let (stub, traced) = patch.stub(0x2000, 0).unwrap();
        assert_eq!(stub[traced as usize..][..4], [0x0f, 0x05, 0xc3, 0xe9]);
        // mov %eax, %ebp; jmp 0x100f; 0x100f: cmp $-4096, %rax
        let jump = [0x89, 0xc5, 0xeb, 0x04, 0x90, 0x90, 0x90, 0x90];
        let patch = plan(&[&jump[..], &CMP].concat()).unwrap();
        assert_eq!((patch.end(), patch.next), (0x100b, 0x100f));
        let (stub, traced) = patch.stub(0x2000, 0).unwrap();
        assert_eq!(stub[traced as usize..][..4], [0x0f, 0x05, 0x89, 0xc5]);
        let distance = i32::from_le_bytes(stub[stub.len() - 4..].try_into().unwrap());
        assert_eq!(0x2000 + stub.len() as i64 + i64::from(distance), 0x100f);
        // jmp 0x1001; nop
        let patch = plan(&[0xeb, 0xf8, 0x90, 0x90]).unwrap();
        assert_eq!((patch.moved, patch.end(), patch.next), (2, 0x100a, 0x1001));
    }

    #[test]
    fn what_works_only_where_it_stands_stays() {
        let movs_rip = [0x8b, 0x05, 0, 0, 0, 0];
        for (why, more) in [
            ("something is behind a jump", vec![0xeb, 0x01, 0x53, 0x90, 0xc3]),
            ("something is behind a return", vec![0xc3, 0x53, 0x90, 0x90]),
            ("it leaves in two ways", vec![0xc3, 0x90, 0x90, 0x73, 0x20, 0xc3]),
            (
                "flags are read elsewhere",
                [&MOV[..], &[0xeb, 0x00, 0x73, 0x01, 0x90, 0xc3]].concat(),
            ),
            ("another stack", vec![0x48, 0x89, 0xec, 0x85, 0xc0, 0xc3]),
            ("another stack", vec![0x5c, 0x90, 0x90, 0x85, 0xc0, 0xc3]),
            ("a circle", [&MOV[..], &[0xeb, 0xfb]].concat()),
            ("relative to itself", [&movs_rip[..], &CMP, &[0xc3]].concat()),
            ("flags are read", [&MOV[..], &[0x73, 0x01, 0x90, 0xc3]].concat()),
            ("flags are read", vec![0x0f, 0x93, 0xc0, 0xc3]),
            ("the end is near", vec![0x90]),
            ("a jump into it", [&MOV[..], &CMP, &[0x77, 0xf5, 0xc3]].concat()),
            ("a jump to anywhere", [&CMP[..], &[0xff, 0xe0]].concat()),
            ("another call", vec![0x0f, 0x05, 0x90, 0x90, 0xc3]),
        ] {
            assert_eq!(plan(&more), None, "{why}");
        }
    }

    #[test]
    fn a_stub_too_far_away_is_none() {
        let patch = plan(&[&CMP[..], &[0xc3]].concat()).unwrap();
        assert_eq!(patch.jump(0x1_8000_0000), None);
        assert!(patch.stub(0x1_8000_0000, 0).is_none());
    }
}
