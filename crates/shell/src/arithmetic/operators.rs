//! What operators make of numbers.

use super::error::Position;
use super::node::Sign;
use super::{Error, Kind, Operator};
use crate::Dialect;

pub(super) fn signed(sign: Sign, value: i64) -> i64 {
    match sign {
        Sign::Minus => value.wrapping_neg(),
        Sign::Not => i64::from(value == 0),
        Sign::Complement => !value,
    }
}

/// An operator that cannot go wrong but by an overflow where there is floating point.
#[inline]
pub(super) fn simple(
    dialect: Dialect,
    operator: Operator,
    left: i64,
    right: i64,
) -> Result<i64, Error> {
    binary(dialect, operator, left, right, Position::default())
}

#[inline]
pub(super) fn binary(
    dialect: Dialect,
    operator: Operator,
    left: i64,
    right: i64,
    place: Position,
) -> Result<i64, Error> {
    let (value, overflowed) = match operator {
        Operator::Add => left.overflowing_add(right),
        Operator::Subtract => left.overflowing_sub(right),
        Operator::Multiply => left.overflowing_mul(right),
        Operator::Less => (i64::from(left < right), false),
        Operator::LessEqual => (i64::from(left <= right), false),
        Operator::Greater => (i64::from(left > right), false),
        Operator::GreaterEqual => (i64::from(left >= right), false),
        Operator::Equal => (i64::from(left == right), false),
        Operator::NotEqual => (i64::from(left != right), false),
        Operator::BitAnd => (left & right, false),
        Operator::BitXor => (left ^ right, false),
        Operator::BitOr => (left | right, false),
        Operator::ShiftLeft => (left.wrapping_shl(right as u32), false),
        Operator::ShiftRight => (left.wrapping_shr(right as u32), false),
        // -1 is what the processor cannot divide the least number by.
        Operator::Divide if right > 0 => (left / right, false),
        Operator::Remainder if right > 0 => (left % right, false),
        Operator::Divide | Operator::Remainder | Operator::Power => {
            return rare(dialect, operator, left, right, place);
        }
    };
    if overflowed && dialect.profile().arithmetic.floating_point {
        return Err(Error::at(Kind::Overflow, place));
    }
    Ok(value)
}

/// The operators that can go wrong.
#[cold]
#[inline(never)]
fn rare(
    dialect: Dialect,
    operator: Operator,
    left: i64,
    right: i64,
    place: Position,
) -> Result<i64, Error> {
    if operator == Operator::Power {
        return power(dialect, left, right, place);
    }
    if right == 0 {
        return Err(Error::at(Kind::DivisionByZero, place));
    }
    Ok(if operator == Operator::Divide {
        left.wrapping_div(right)
    } else {
        left.wrapping_rem(right)
    })
}

#[inline(never)]
fn power(dialect: Dialect, base: i64, exponent: i64, place: Position) -> Result<i64, Error> {
    if exponent < 0 {
        return Err(Error::at(Kind::NegativeExponent, place));
    }
    if dialect.profile().arithmetic.floating_point {
        return rounded_power(base, exponent).ok_or(Error::at(Kind::Overflow, place));
    }
    let (mut base, mut rest, mut value) = (base, exponent, 1i64);
    while rest > 0 {
        if rest & 1 == 1 {
            value = value.wrapping_mul(base);
        }
        rest >>= 1;
        if rest > 0 {
            base = base.wrapping_mul(base);
        }
    }
    Ok(value)
}

/// As pow(3) has it, with 53 bits. It is not asked itself: its library would have to be loaded at
/// each start. None if that is no number of 64 bits.
fn rounded_power(base: i64, exponent: i64) -> Option<i64> {
    let base = base as f64 as i128;
    let value = match (base, exponent) {
        (0 | 1, _) => base.pow(u32::from(exponent != 0)),
        (-1, _) => 1 - 2 * i128::from(exponent % 2),
        // Of more than 63 bits in any case.
        (_, 64..) => return None,
        _ => base.checked_pow(u32::try_from(exponent).ok()?)?,
    };
    let value = value as f64;
    let least = i64::MIN as f64;
    (least..-least).contains(&value).then_some(value as i64)
}

/// The value of two constants, if there is one in every dialect: parsing folds with it.
pub(super) fn folded(
    dialect: Dialect,
    operator: Operator,
    left: i64,
    right: i64,
) -> Result<i64, Kind> {
    binary(dialect, operator, left, right, Position::default()).map_err(|error| error.kind())
}
