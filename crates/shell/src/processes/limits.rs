//! `ulimit`: each shell's letters, units and words.

use sys::Errno;

use crate::Dialect;
use crate::dialect::{LimitLine, LimitOf, LimitRow};

/// One of a shell's limits.
#[derive(Clone, Copy)]
pub struct Limit {
    row: &'static LimitRow,
    dialect: Dialect,
}

/// Which of the two values of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// What holds: what is shown without `-H`.
    Soft,
    /// How far it may be raised.
    Hard,
    /// Both: what is set without `-H` and `-S`.
    Both,
}

impl Limit {
    /// The limit that a shell has under a letter: `f` where none is given.
    #[must_use]
    pub fn of(letter: u8, dialect: Dialect) -> Option<Limit> {
        let row =
            dialect.profile().processes.limits.rows.iter().find(|row| row.letter == letter)?;
        Some(Limit { row, dialect })
    }

    /// All of a shell's limits in the order of `ulimit -a`.
    pub fn all(dialect: Dialect) -> impl Iterator<Item = Limit> {
        dialect.profile().processes.limits.rows.iter().map(move |row| Limit { row, dialect })
    }

    /// Its letter.
    #[must_use]
    pub fn letter(self) -> u8 {
        self.row.letter
    }

    /// As bash's messages name it: `open files`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row.name.split('|').next().unwrap_or_default()
    }

    /// What holds, in the shell's units, as the shell prints it: a number, `unlimited`, or (ksh)
    /// `not supported`.
    ///
    /// Price: one `prlimit64`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn value(self, which: Which) -> Result<String, Errno> {
        let (resource, unit) = match self.row.about {
            LimitOf::Limit(resource, unit) => (resource, unit),
            LimitOf::Fixed(value) => return Ok(value.to_string()),
            LimitOf::Nothing => return Ok("not supported".into()),
        };
        let limit = sys::limit(resource)?;
        let value = if which == Which::Hard { limit.hard } else { limit.soft };
        Ok(value.map_or("unlimited".into(), |value| (value / unit).to_string()))
    }

    /// Its line in a list, with the newline: where several are asked for.
    ///
    /// Price: as [`value`](Limit::value).
    ///
    /// # Errors
    /// As [`value`](Limit::value).
    pub fn line(self, which: Which) -> Result<String, Errno> {
        let (value, letter) = (self.value(which)?, char::from(self.row.letter));
        Ok(match self.dialect.profile().processes.limits.line {
            LimitLine::NameUnitLetter => {
                let (name, unit) = self.row.name.split_once('|').unwrap_or((self.row.name, ""));
                format!("{name:20} {:>20}{value}\n", format!("({unit}-{letter}) "))
            }
            LimitLine::Name => format!("{:20} {value}\n", self.row.name),
            LimitLine::NameLetter => format!("{:40}(-{letter})  {value}\n", self.row.name),
        })
    }

    /// Sets it, in the shell's units; `None` for unlimited. It is the whole process's.
    ///
    /// Price: two `prlimit64`.
    ///
    /// # Errors
    /// The kernel's number: `EPERM` for raising a hard limit, `EINVAL` for a soft one above the
    /// hard one and for what cannot be changed.
    pub fn set(self, which: Which, value: Option<u64>) -> Result<(), Errno> {
        let LimitOf::Limit(resource, unit) = self.row.about else { return Err(Errno::INVAL) };
        let value = value.map(|value| value.saturating_mul(unit));
        let mut limit = sys::limit(resource)?;
        if which != Which::Hard {
            limit.soft = value;
        }
        if which != Which::Soft {
            limit.hard = value;
        }
        sys::set_limit(resource, limit)
    }

    /// What it is at present, in the kernel's units; `None` if there is none.
    ///
    /// Price: one `prlimit64`.
    #[must_use]
    pub fn now(self) -> Option<u64> {
        let LimitOf::Limit(resource, _) = self.row.about else { return None };
        sys::limit(resource).ok()?.soft
    }

    /// What a word says that it shall be, where the shell takes it as it is: digits, `unlimited`,
    /// in bash `hard` and `soft`. ksh evaluates anything else as arithmetic.
    ///
    /// Price: none; one `prlimit64` for `hard` and `soft`.
    ///
    /// # Errors
    /// `EINVAL` if it is none of these, `ERANGE` if it is too large for bash.
    pub fn parse(self, word: &[u8]) -> Result<Option<u64>, Errno> {
        let rules = &self.dialect.profile().processes.limits;
        match (word, self.row.about) {
            (b"unlimited", _) => return Ok(None),
            (b"hard" | b"soft", LimitOf::Limit(resource, unit)) if rules.hard_and_soft => {
                let limit = sys::limit(resource)?;
                let value = if word == b"hard" { limit.hard } else { limit.soft };
                return Ok(value.map(|value| value / unit));
            }
            _ => {}
        }
        if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
            return Err(Errno::INVAL);
        }
        let digits = std::str::from_utf8(word).map_err(|_| Errno::INVAL)?;
        match digits.parse::<u64>() {
            Ok(number) => Ok(Some(number)),
            Err(_) if rules.large_is_error => Err(Errno::RANGE),
            Err(_) => Ok(None),
        }
    }
}

impl std::fmt::Debug for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Limit").field(&char::from(self.row.letter)).field(&self.dialect).finish()
    }
}
