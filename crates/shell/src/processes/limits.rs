//! `ulimit`: each shell's letters, units and words.

use sys::Errno;

use crate::Dialect;

/// What a letter of `ulimit` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// One of the kernel's limits (`RLIMIT_…`), in units of so many.
    Limit(u32, u64),
    /// Something that cannot be changed.
    Fixed(u64),
    /// Nothing that this system has.
    Nothing,
}

struct Row {
    letter: u8,
    /// As `ulimit -a` names it; for bash with its unit, a bar between.
    name: &'static str,
    about: About,
}

const fn row(letter: u8, name: &'static str, resource: u32, unit: u64) -> Row {
    Row { letter, name, about: About::Limit(resource, unit) }
}

const fn fixed(letter: u8, name: &'static str, value: u64) -> Row {
    Row { letter, name, about: About::Fixed(value) }
}

const fn none(letter: u8, name: &'static str) -> Row {
    Row { letter, name, about: About::Nothing }
}

const CPU: u32 = 0;
const FILE_SIZE: u32 = 1;
const DATA: u32 = 2;
const STACK: u32 = 3;
const CORE: u32 = 4;
const RESIDENT: u32 = 5;
const PROCESSES: u32 = 6;
const FILES: u32 = 7;
const LOCKED_MEMORY: u32 = 8;
const ADDRESS_SPACE: u32 = 9;
const LOCKS: u32 = 10;
const PENDING_SIGNALS: u32 = 11;
const MESSAGE_QUEUES: u32 = 12;
const NICE: u32 = 13;
const REAL_TIME_PRIORITY: u32 = 14;
const REAL_TIME: u32 = 15;

const KIB: u64 = 1 << 10;

static BASH: [Row; 17] = [
    row(b'R', "real-time non-blocking time|microseconds, ", REAL_TIME, 1),
    row(b'c', "core file size|blocks, ", CORE, KIB),
    row(b'd', "data seg size|kbytes, ", DATA, KIB),
    row(b'e', "scheduling priority|", NICE, 1),
    row(b'f', "file size|blocks, ", FILE_SIZE, KIB),
    row(b'i', "pending signals|", PENDING_SIGNALS, 1),
    row(b'l', "max locked memory|kbytes, ", LOCKED_MEMORY, KIB),
    row(b'm', "max memory size|kbytes, ", RESIDENT, KIB),
    row(b'n', "open files|", FILES, 1),
    fixed(b'p', "pipe size|512 bytes, ", 8),
    row(b'q', "POSIX message queues|bytes, ", MESSAGE_QUEUES, 1),
    row(b'r', "real-time priority|", REAL_TIME_PRIORITY, 1),
    row(b's', "stack size|kbytes, ", STACK, KIB),
    row(b't', "cpu time|seconds, ", CPU, 1),
    row(b'u', "max user processes|", PROCESSES, 1),
    row(b'v', "virtual memory|kbytes, ", ADDRESS_SPACE, KIB),
    row(b'x', "file locks|", LOCKS, 1),
];

static DASH: [Row; 12] = [
    row(b't', "time(seconds)", CPU, 1),
    row(b'f', "file(blocks)", FILE_SIZE, 512),
    row(b'd', "data(kbytes)", DATA, KIB),
    row(b's', "stack(kbytes)", STACK, KIB),
    row(b'c', "coredump(blocks)", CORE, 512),
    row(b'm', "memory(kbytes)", RESIDENT, KIB),
    row(b'l', "locked memory(kbytes)", LOCKED_MEMORY, KIB),
    row(b'p', "process", PROCESSES, 1),
    row(b'n', "nofiles", FILES, 1),
    row(b'v', "vmemory(kbytes)", ADDRESS_SPACE, KIB),
    row(b'w', "locks", LOCKS, 1),
    row(b'r', "rtprio", REAL_TIME_PRIORITY, 1),
];

static KSH: [Row; 24] = [
    row(b'M', "address space limit (Kibytes)", ADDRESS_SPACE, KIB),
    row(b'c', "core file size (blocks)", CORE, 512),
    row(b't', "cpu time (seconds)", CPU, 1),
    row(b'd', "data size (Kibytes)", DATA, KIB),
    row(b'f', "file size (blocks)", FILE_SIZE, 512),
    none(b'k', "kqueues"),
    row(b'x', "locks", LOCKS, 1),
    row(b'l', "locked address space (Kibytes)", LOCKED_MEMORY, KIB),
    row(b'q', "message queue size (Kibytes)", MESSAGE_QUEUES, KIB),
    row(b'e', "nice", NICE, 1),
    row(b'n', "nofile", FILES, 1),
    none(b'V', "novmon"),
    row(b'u', "nproc", PROCESSES, 1),
    none(b'P', "npts"),
    fixed(b'p', "pipe buffer size (bytes)", 4096),
    row(b'm', "max memory size (Kibytes)", RESIDENT, KIB),
    row(b'r', "rtprio", REAL_TIME_PRIORITY, 1),
    row(b'R', "max time before blocking (microseconds)", REAL_TIME, 1),
    fixed(b'b', "socket buffer size (bytes)", 4096),
    row(b'i', "sigpend", PENDING_SIGNALS, 1),
    row(b's', "stack size (Kibytes)", STACK, KIB),
    none(b'w', "swap size (Kibytes)"),
    none(b'T', "threads"),
    row(b'v', "process size (Kibytes)", ADDRESS_SPACE, KIB),
];

fn rows(dialect: Dialect) -> &'static [Row] {
    match dialect {
        Dialect::Bash => &BASH,
        Dialect::Posix => &DASH,
        Dialect::Ksh => &KSH,
    }
}

/// One of a shell's limits.
#[derive(Clone, Copy)]
pub struct Limit {
    row: &'static Row,
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
        let row = rows(dialect).iter().find(|row| row.letter == letter)?;
        Some(Limit { row, dialect })
    }

    /// All of a shell's limits in the order of `ulimit -a`.
    pub fn all(dialect: Dialect) -> impl Iterator<Item = Limit> {
        rows(dialect).iter().map(move |row| Limit { row, dialect })
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
            About::Limit(resource, unit) => (resource, unit),
            About::Fixed(value) => return Ok(value.to_string()),
            About::Nothing => return Ok("not supported".into()),
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
        Ok(match self.dialect {
            Dialect::Bash => {
                let (name, unit) = self.row.name.split_once('|').unwrap_or((self.row.name, ""));
                format!("{name:20} {:>20}{value}\n", format!("({unit}-{letter}) "))
            }
            Dialect::Posix => format!("{:20} {value}\n", self.row.name),
            Dialect::Ksh => format!("{:40}(-{letter})  {value}\n", self.row.name),
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
        let About::Limit(resource, unit) = self.row.about else { return Err(Errno::INVAL) };
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
        let About::Limit(resource, _) = self.row.about else { return None };
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
        match (word, self.row.about) {
            (b"unlimited", _) => return Ok(None),
            (b"hard" | b"soft", About::Limit(resource, unit)) if self.dialect == Dialect::Bash => {
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
        match (digits.parse::<u64>(), self.dialect) {
            (Ok(number), _) => Ok(Some(number)),
            (Err(_), Dialect::Bash) => Err(Errno::RANGE),
            (Err(_), _) => Ok(None),
        }
    }
}

impl std::fmt::Debug for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Limit").field(&char::from(self.row.letter)).field(&self.dialect).finish()
    }
}
