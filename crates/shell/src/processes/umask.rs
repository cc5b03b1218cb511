//! Which permission bits new files do not get: `umask`.

use std::cell::Cell;

use sys::{own_file_state, set_umask};

use crate::Dialect;
use crate::dialect::MaskClause;

const USER: u32 = 0o700;
const GROUP: u32 = 0o070;
const OTHERS: u32 = 0o007;
const ALL: u32 = 0o777;

/// The umask of the thread that a script runs in: its own from the first change on, so that other
/// threads keep theirs. Dropping this sets it back.
#[derive(Debug, Default)]
pub struct Umask {
    now: Cell<Option<u32>>,
    before: Cell<Option<u32>>,
    alone: Cell<bool>,
}

impl Umask {
    /// The bits.
    ///
    /// Price: one `openat`, one `read`, one `close` the first time; `unshare` and two `umask` where
    /// /proc does not tell.
    #[must_use]
    pub fn get(&self) -> u32 {
        if let Some(now) = self.now.get() {
            return now;
        }
        let now = told_by_proc().unwrap_or_else(|| {
            self.be_alone();
            let now = set_umask(0o77); // should a thread be in between, its file is too private
            set_umask(now);
            now
        });
        self.now.set(Some(now));
        self.before.set(Some(now));
        now
    }

    /// Sets the bits: the lowest nine.
    ///
    /// Price: one `umask`; one `unshare` the first time.
    pub fn set(&self, bits: u32) {
        self.be_alone();
        let before = set_umask(bits & ALL);
        if self.before.get().is_none() {
            self.before.set(Some(before));
        }
        self.now.set(Some(bits & ALL));
    }

    /// The bits, if they are others than before. Free.
    #[must_use]
    pub fn changed(&self) -> Option<u32> {
        self.now.get().filter(|_| self.now != self.before)
    }

    fn be_alone(&self) {
        if !self.alone.replace(true) {
            // Where a filter forbids it, the umask is the process's; so is that of other shells.
            let _ = own_file_state();
        }
    }
}

impl Drop for Umask {
    fn drop(&mut self) {
        if let (Some(before), Some(now)) = (self.before.get(), self.now.get())
            && before != now
        {
            set_umask(before);
        }
    }
}

/// The umask of this thread, as /proc has it.
fn told_by_proc() -> Option<u32> {
    let status = sys::read_all(sys::CWD, c"/proc/thread-self/status", 64 << 10).ok()?;
    let line = status.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"Umask:"))?;
    u32::from_str_radix(std::str::from_utf8(line).ok()?.trim(), 8).ok()
}

/// Why a mask cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongMask {
    /// It begins with a digit and is no octal number, or too large a one.
    Number,
    /// This byte, or a blank for the end, should be an operator.
    Operator(u8),
    /// This byte should be a permission or the end.
    Permission(u8),
}

/// What a mask is given to be: octal, or symbolic (`u=rwx,g-w`), which changes `now`.
///
/// # Errors
/// Where the shell does not understand it.
pub fn parse_mask(text: &[u8], now: u32, dialect: Dialect) -> Result<u32, WrongMask> {
    let rules = &dialect.profile().processes.limits;
    if text.first().is_some_and(u8::is_ascii_digit) {
        let number = text.iter().try_fold(0_u32, |sum, &byte| match byte {
            b'0'..=b'7' => Some(sum.saturating_mul(8) | u32::from(byte - b'0')),
            _ => None,
        });
        return match number {
            Some(number) if number <= rules.largest_mask => Ok(number & ALL),
            _ => Err(WrongMask::Number),
        };
    }
    if text.is_empty() && rules.empty_mask {
        return Ok(now);
    }
    let text = match rules.mask_may_end_in_comma {
        true => text.strip_suffix(b",").filter(|it| !it.is_empty()).unwrap_or(text),
        false => text,
    };
    let mut allowed = ALL & !now;
    for clause in text.split(|&byte| byte == b',') {
        allowed = match rules.mask_clause {
            MaskClause::One => one_change(clause, allowed)?,
            MaskClause::Changes { copies, sets } => {
                changes(clause, allowed, ALL & !now, (copies, sets))?
            }
        };
    }
    Ok(ALL & !allowed)
}

/// Whose permissions a clause is about, and what stands behind that.
fn whose(clause: &[u8]) -> (u32, &[u8]) {
    let mut who = 0;
    let mut rest = clause;
    while let Some((&byte, after)) = rest.split_first() {
        who |= match byte {
            b'u' => USER,
            b'g' => GROUP,
            b'o' => OTHERS,
            b'a' => ALL,
            _ => break,
        };
        rest = after;
    }
    (if who == 0 { ALL } else { who }, rest)
}

/// One operator, and nothing but r, w and x: bash.
fn one_change(clause: &[u8], allowed: u32) -> Result<u32, WrongMask> {
    let (who, rest) = whose(clause);
    let (operator, letters) = match rest.split_first() {
        Some((operator @ (b'+' | b'-' | b'='), letters)) => (*operator, letters),
        Some((other, _)) => return Err(WrongMask::Operator(*other)),
        None => return Err(WrongMask::Operator(b' ')),
    };
    let bits = letters.iter().try_fold(0, |bits, &byte| match byte {
        b'r' | b'w' | b'x' => Ok(bits | letter(byte, allowed)),
        other => Err(WrongMask::Permission(other)),
    })?;
    Ok(changed(allowed, operator, bits & who, who))
}

/// Any number of operators, as in `chmod`: dash and ksh. In ksh `=` need not be written. What is
/// copied is what was allowed at first.
fn changes(
    clause: &[u8],
    mut allowed: u32,
    at_first: u32,
    (copies, sets): (bool, bool),
) -> Result<u32, WrongMask> {
    let (who, mut rest) = whose(clause);
    let mut first = true;
    while !rest.is_empty() || first {
        let operator = match rest.split_first() {
            Some((operator @ (b'+' | b'-' | b'='), after)) => {
                rest = after;
                *operator
            }
            _ if first && sets => b'=',
            other => return Err(WrongMask::Operator(other.map_or(b' ', |(byte, _)| *byte))),
        };
        first = false;
        let known = |byte: u8| match byte {
            b'r' | b'w' | b'x' | b'X' | b's' => true,
            b'u' | b'g' | b'o' => copies,
            b't' => !copies,
            _ => false,
        };
        let end = rest.iter().position(|&byte| !known(byte)).unwrap_or(rest.len());
        let bits = rest[..end].iter().fold(0, |bits, &byte| bits | letter(byte, at_first));
        rest = &rest[end..];
        allowed = changed(allowed, operator, bits & who, who);
    }
    Ok(allowed)
}

/// The bits of a letter, for user, group and others.
fn letter(byte: u8, allowed: u32) -> u32 {
    match byte {
        b'r' => 0o444,
        b'w' => 0o222,
        b'x' => 0o111,
        b'X' if allowed & 0o111 != 0 => 0o111,
        b'u' => spread((allowed & USER) >> 6),
        b'g' => spread((allowed & GROUP) >> 3),
        b'o' => spread(allowed & OTHERS),
        _ => 0,
    }
}

fn changed(allowed: u32, operator: u8, bits: u32, who: u32) -> u32 {
    match operator {
        b'+' => allowed | bits,
        b'-' => allowed & !bits,
        _ => (allowed & !who) | bits,
    }
}

fn spread(three: u32) -> u32 {
    three * 0o111
}

/// A mask as `umask` prints it: four octal digits.
#[must_use]
pub fn octal_mask(mask: u32) -> String {
    format!("{mask:04o}")
}

/// A mask as `umask -S` prints it: what is allowed.
#[must_use]
pub fn symbolic_mask(mask: u32) -> String {
    let allowed = |shift: u32| -> String {
        let bits = (!mask >> shift) & 7;
        let letters = [(4, 'r'), (2, 'w'), (1, 'x')];
        letters.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, letter)| *letter).collect()
    };
    format!("u={},g={},o={}", allowed(6), allowed(3), allowed(0))
}
