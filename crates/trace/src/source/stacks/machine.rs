//! What differs from processor to processor: how unwinding reads registers, how a function returns,
//! and how a signal's frame looks.

use framehop::UnwindRegsNative;
#[cfg(target_arch = "aarch64")]
use framehop::aarch64::PtrAuthMask;

use crate::source::registers::Registers;

/// Addresses of memory end here; what stands above is a signature of the address (`paciasp`).
#[cfg(target_arch = "aarch64")]
const ADDRESSES: PtrAuthMask = PtrAuthMask(u64::MAX >> 16);

#[cfg(target_arch = "x86_64")]
pub(super) fn to_framehop(at: &Registers) -> UnwindRegsNative {
    UnwindRegsNative::new(at.ip, at.sp, at.fp)
}

#[cfg(target_arch = "x86_64")]
pub(super) fn from_framehop(ip: u64, registers: &UnwindRegsNative) -> Registers {
    Registers { ip, sp: registers.sp(), fp: registers.bp(), lr: 0 }
}

#[cfg(target_arch = "aarch64")]
pub(super) fn to_framehop(at: &Registers) -> UnwindRegsNative {
    UnwindRegsNative::new_with_ptr_auth_mask(ADDRESSES, at.lr, at.sp, at.fp)
}

#[cfg(target_arch = "aarch64")]
pub(super) fn from_framehop(ip: u64, registers: &UnwindRegsNative) -> Registers {
    Registers { ip, sp: registers.sp(), fp: registers.fp(), lr: registers.lr() }
}

/// What a function returns to that has not touched the stack, and says nothing about itself: a
/// word on the stack, or a register. `stack` reads the stack.
#[cfg(target_arch = "x86_64")]
pub(super) fn bare_return(
    at: &Registers,
    stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Result<Registers, ()> {
    Ok(Registers { ip: stack(at.sp)?, sp: at.sp.checked_add(8).ok_or(())?, ..*at })
}

#[cfg(target_arch = "aarch64")]
pub(super) fn bare_return(
    at: &Registers,
    _stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Result<Registers, ()> {
    Ok(Registers { ip: ADDRESSES.strip_ptr_auth(at.lr), ..*at })
}

/// What the code at `at` does if it is the rest of a function: give back room on the stack, take
/// registers from it, return. Where that leads to, and whether the frame pointer was taken.
#[cfg(target_arch = "x86_64")]
pub(super) fn epilogue(
    code: &[u8],
    at: &Registers,
    stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Option<(Registers, bool)> {
    let (mut sp, mut fp, mut rest) = (at.sp, None, code);
    loop {
        rest = match *rest {
            // add $n, %rsp
            [0x48, 0x83, 0xc4, n @ ..=0x7f, ref rest @ ..] => {
                sp = sp.checked_add(n.into())?;
                rest
            }
            // pop %rbp
            [0x5d, ref rest @ ..] => {
                fp = Some(stack(sp).ok()?);
                sp = sp.checked_add(8)?;
                rest
            }
            // pop of another
            [0x58..=0x5b | 0x5e | 0x5f, ref rest @ ..] | [0x41, 0x58..=0x5f, ref rest @ ..] => {
                sp = sp.checked_add(8)?;
                rest
            }
            // ret
            [0xc3, ..] => {
                let ip = stack(sp).ok()?;
                let next = Registers { ip, sp: sp.checked_add(8)?, fp: fp.unwrap_or(at.fp), lr: 0 };
                return Some((next, fp.is_some()));
            }
            _ => return None,
        };
    }
}

#[cfg(target_arch = "aarch64")]
pub(super) fn epilogue(
    _code: &[u8],
    _at: &Registers,
    _stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Option<(Registers, bool)> {
    // Code for this machine keeps a frame pointer.
    None
}

/// The code that a signal handler returns to: `mov $__NR_rt_sigreturn, …`, and the call. gdb knows
/// these frames in the same way.
#[cfg(target_arch = "x86_64")]
pub(super) const SIGNAL_RETURNS: [&[u8]; 2] = [
    &[0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05],
    &[0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05],
];
#[cfg(target_arch = "aarch64")]
pub(super) const SIGNAL_RETURNS: [&[u8]; 1] = [&[0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4]];

/// Where the stack pointer of such a frame has the interrupted thread's registers: a `ucontext`
/// (arch/x86/include/uapi/asm/sigcontext.h), on aarch64 behind 128 bytes of `siginfo`.
#[cfg(target_arch = "x86_64")]
pub(super) fn interrupted(
    sp: u64,
    stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Result<Registers, ()> {
    let mut at = |offset| stack(sp.checked_add(offset).ok_or(())?);
    Ok(Registers { fp: at(120)?, sp: at(160)?, ip: at(168)?, lr: 0 })
}

#[cfg(target_arch = "aarch64")]
pub(super) fn interrupted(
    sp: u64,
    stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
) -> Result<Registers, ()> {
    const REGISTERS: u64 = 128 + 176 + 8;
    let mut at = |number: u64| stack(sp.checked_add(REGISTERS + 8 * number).ok_or(())?);
    Ok(Registers { fp: at(29)?, lr: at(30)?, sp: at(31)?, ip: at(32)? })
}
