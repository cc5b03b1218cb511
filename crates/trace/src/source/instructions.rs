//! Machine code: of which kind an instruction is, where it jumps to, and where functions begin.
//!
//! Instructions of one name are next to each other in iced's `Code`. Which instruction is of which
//! kind iced itself has in tables of 10 KB.

use std::ops::{Range, RangeInclusive};

use iced_x86::{Code, Decoder, DecoderOptions, Instruction, OpKind};

const CALLS: [RangeInclusive<Code>; 2] =
    [Code::Call_rel16..=Code::Call_rel32_64, Code::Call_rm16..=Code::Call_m1664];
const RETURNS: [RangeInclusive<Code>; 1] = [Code::Retnw_imm16..=Code::Retnq];
const JUMPS: [RangeInclusive<Code>; 2] =
    [Code::Jmp_rel16..=Code::Jmp_rel32_64, Code::Jmp_rel8_16..=Code::Jmp_rel8_64];
const JUMPS_TO_ANYWHERE: [RangeInclusive<Code>; 1] = [Code::Jmp_rm16..=Code::Jmp_m1664];
const FILLERS: [RangeInclusive<Code>; 3] =
    [Code::Nopw..=Code::Nopq, Code::Nop_rm16..=Code::Nop_rm64, Code::Int3..=Code::Int3];

/// The instructions of some code at an address.
pub(crate) fn decoded(code: &[u8], start: u64) -> Vec<Instruction> {
    Decoder::with_ip(64, code, start, DecoderOptions::NONE).into_iter().collect()
}

/// Whether it is one of some.
pub(crate) fn is_one_of(it: &Instruction, codes: &[RangeInclusive<Code>]) -> bool {
    codes.iter().any(|codes| codes.contains(&it.code()))
}

/// `call`
pub(crate) fn is_call(it: &Instruction) -> bool {
    is_one_of(it, &CALLS)
}

/// `ret`
pub(crate) fn is_return(it: &Instruction) -> bool {
    is_one_of(it, &RETURNS)
}

/// `jmp` to an address that it names.
pub(crate) fn is_jump(it: &Instruction) -> bool {
    is_one_of(it, &JUMPS)
}

/// `jmp` to where a register or memory says.
pub(crate) fn is_jump_to_anywhere(it: &Instruction) -> bool {
    is_one_of(it, &JUMPS_TO_ANYWHERE)
}

/// What stands between functions, and between parts of one.
pub(crate) fn is_filler(it: &Instruction) -> bool {
    is_one_of(it, &FILLERS)
}

/// Whether the instruction behind it is reached only from elsewhere.
pub(crate) fn never_goes_on(it: &Instruction) -> bool {
    it.is_invalid()
        || is_jump(it)
        || is_jump_to_anywhere(it)
        || is_return(it)
        || matches!(it.code(), Code::Hlt | Code::Ud2 | Code::Int3)
}

/// The function that an address is in, of several whose code lies in a row. One begins behind what
/// does not go on, where no jump crosses from what is before to what is behind. If any jumps to
/// anywhere that is not known.
pub(crate) fn function_in(code: &[u8], start: u64, address: u64) -> Option<Range<u64>> {
    let (mut possible, mut jumps) = (Vec::new(), Vec::new());
    let (mut begins, mut jumps_to_anywhere) = (true, false);
    for it in decoded(code, start) {
        if begins {
            possible.push(it.ip());
        }
        begins = never_goes_on(&it) || begins && is_filler(&it);
        if it.op0_kind() == OpKind::NearBranch64 && !is_call(&it) {
            jumps.push((it.ip(), it.near_branch_target()));
        }
        jumps_to_anywhere |= is_jump_to_anywhere(&it);
    }
    let end = start + code.len() as u64;
    jumps.retain(|(_, to)| (start..end).contains(to));
    possible.retain(|at| !jumps.iter().any(|(from, to)| (from < at) != (to < at)));
    let behind = possible.partition_point(|at| *at <= address);
    let begin = possible[..behind].last().copied().unwrap_or(start);
    let end = possible.get(behind).copied().unwrap_or(end);
    // What was taken for a beginning may be reached by such a jump.
    (!jumps_to_anywhere).then_some(begin..end)
}

/// Where functions begin that code calls, or that it jumps to across the beginning of another one:
/// `known` are those that are known already, in order. Such a one stands behind what does not go
/// on, or behind a call, which may never return, or behind what fills the room from there on;
/// anything else was misread.
pub(crate) fn functions(code: &[u8], start: u64, known: &[u64]) -> Vec<u64> {
    let (mut called, mut jumps, mut possible) = (known.to_vec(), Vec::new(), Vec::new());
    let mut begins = true;
    // One at a time: all of them would take 40 bytes each.
    for it in Decoder::with_ip(64, code, start, DecoderOptions::NONE) {
        if begins {
            possible.push(it.ip());
        }
        begins = never_goes_on(&it) || is_call(&it) || begins && is_filler(&it);
        let to = it.near_branch_target();
        if it.op0_kind() == OpKind::NearBranch64 && is_call(&it) {
            called.push(to);
        } else if is_jump(&it) {
            jumps.push((it.ip(), to));
        }
    }
    called.sort_unstable();
    called.dedup();
    let leaves = |(from, to): &(u64, u64)| {
        let behind = called.partition_point(|start| start <= from.min(to));
        called.get(behind).is_some_and(|start| start <= from.max(to))
    };
    let left: Vec<u64> = jumps.iter().filter(|it| leaves(it)).map(|jump| jump.1).collect();
    called.extend(left);
    called.sort_unstable();
    called.dedup();
    called.retain(|start| possible.binary_search(start).is_ok());
    called
}

/// Whether code jumps to one of these addresses.
pub(crate) fn has_jump_into(code: &[u8], start: u64, range: &Range<u64>) -> bool {
    jumps(code, start).any(|to| range.contains(&to))
}

/// Where code jumps to.
pub(crate) fn jumps(code: &[u8], start: u64) -> impl Iterator<Item = u64> {
    let jumps = |it: &Instruction| it.op0_kind() == OpKind::NearBranch64 && !is_call(it);
    decoded(code, start).into_iter().filter(jumps).map(|it| it.near_branch_target())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_from_each_other_by_what_jumps_and_calls() {
        let code = [
            0x85, 0xff, // 0: test %edi, %edi
            0xeb, 0x03, // 2: jmp 7
            0xc3, // 4: ret
            0x90, 0x90, // 5: nop; nop
            0xe8, 0x04, 0, 0, 0,    // 7: call 16
            0xc3, // 12: ret
            0xcc, 0xcc, 0xcc, // 13: int3
            0x53, // 16: push %rbx
            0x0f, 0x1f, 0x00, // 17: nopl (%rax)
            0x53, // 20: push %rbx
            0xc3, // 21: ret
            0xff, 0xe0, // 22: jmp *%rax
            0x90, // 24: nop
            0x5b, // 25: pop %rbx
            0xc3, // 26: ret
        ];
        assert_eq!(functions(&code, 0x1000, &[]), [0x1010]);
        // What is jumped to is within a function, if none is known to begin before that.
        assert_eq!(functions(&code, 0x1000, &[0x1004]), [0x1004, 0x1007, 0x1010]);
        assert!(has_jump_into(&code, 0x1000, &(0x1006..0x1008)));
        assert!(!has_jump_into(&code, 0x1000, &(0x1008..0x1020)), "it is called");
        // What fills the room between them counts as functions, but not what is within one.
        let plain = &code[..22];
        let function = |offset: u64| function_in(plain, 0x1000, 0x1000 + offset);
        assert_eq!(function(8), Some(0x1000..0x100d));
        assert_eq!(function(20), Some(0x1010..0x1016));
        // Behind a jump to anywhere may be what it leads to, and before it as well.
        assert_eq!(function_in(&code, 0x1000, 0x1008), None);
    }
}
