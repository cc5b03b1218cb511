//! Signals by name and number, and the conditions of `trap`, as the three shells word them.
//!
//! Where a shell knows a signal by another name it is listed under `KSH_NAMES`; the rest is the
//! same in all of them. Names come without SIG, and are taken with it where the shell does so.

use fewer::compact;

use crate::Dialect;
use crate::dialect::{SignalList, Signals};

/// What `trap` can be set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// The end of the shell or the subshell.
    Exit,
    /// A signal: 1 to 64.
    Signal(u8),
    /// Before each simple command.
    Debug,
    /// After a command that failed.
    Error,
    /// The end of a function or a sourced file, in bash.
    Return,
    /// A key is pressed, in ksh: never, as there is no line editing.
    Key,
}

/// How ksh calls some of them where it lists traps.
const KSH_NAMES: [(u8, &str); 2] = [(6, "IOT"), (29, "POLL")];

const STKFLT: u8 = 16;
const FIRST_REAL_TIME: u8 = 34;
const LAST_REAL_TIME: u8 = 64;
/// Up to here they are counted from the first, above from the last.
const MIDDLE: u8 = 49;

/// A signal's name without SIG; its number for those that have none (32, 33; in dash 16).
///
/// ```
/// use fewer_shell::{Dialect, processes::signal_name};
///
/// assert_eq!(signal_name(15, Dialect::Posix), "TERM");
/// assert_eq!(signal_name(36, Dialect::Bash), "RTMIN+2");
/// ```
#[must_use]
pub fn signal_name(signal: u8, dialect: Dialect) -> String {
    match signal {
        STKFLT if !dialect.profile().processes.signals.stack_fault_has_name => "16".into(),
        FIRST_REAL_TIME => "RTMIN".into(),
        LAST_REAL_TIME => "RTMAX".into(),
        35..=MIDDLE => format!("RTMIN+{}", signal - FIRST_REAL_TIME),
        50..=63 => format!("RTMAX-{}", LAST_REAL_TIME - signal),
        _ => sys::signal_name(signal.into()).map_or_else(|| signal.to_string(), str::to_owned),
    }
}

/// How a signal is named in lists: in ksh two of them otherwise than when asked.
fn listed_name(signal: u8, dialect: Dialect) -> String {
    let other = KSH_NAMES.iter().find(|(number, _)| *number == signal);
    match (dialect.profile().processes.signals.has_own_names, other) {
        (true, Some((_, name))) => (*name).into(),
        (true, None) if matches!(signal, 32 | 33) => format!("SIG{signal}"),
        _ => signal_name(signal, dialect),
    }
}

/// The number that a signal's name or number stands for: 0 to 64, 0 for EXIT and 0. `None` if the
/// shell does not know it, as bash and dash do not know CLD.
#[must_use]
pub fn signal_number(text: &[u8], dialect: Dialect) -> Option<u8> {
    let rules = &dialect.profile().processes.signals;
    if let Some(number) = plain_number(text, rules.number_has_sign) {
        return u8::try_from(number).ok().filter(|number| *number <= LAST_REAL_TIME);
    }
    let upper = text.to_ascii_uppercase();
    let short = upper.strip_prefix(b"SIG").filter(|_| rules.sig_prefix);
    let name = short.unwrap_or(&upper);
    if name == b"EXIT" && (short.is_none() || rules.has_own_names) {
        return Some(0);
    }
    if rules.has_own_names {
        if let Some((number, _)) = KSH_NAMES.iter().find(|(_, other)| other.as_bytes() == name) {
            return Some(*number);
        }
        // SIG15
        if let Some(number) = short.and_then(|name| plain_number(name, false)) {
            return u8::try_from(number).ok().filter(|number| *number <= LAST_REAL_TIME);
        }
    }
    match sys::signal_number(name).and_then(|number| u8::try_from(number).ok()) {
        Some(STKFLT) if !rules.stack_fault_has_name => None,
        Some(number) => Some(number),
        None => real_time(name, rules),
    }
}

fn real_time(name: &[u8], rules: &Signals) -> Option<u8> {
    let steps = |digits: &[u8]| {
        let number = plain_number(digits, false)?;
        u8::try_from(number).ok().filter(|steps| *steps <= LAST_REAL_TIME - FIRST_REAL_TIME)
    };
    if let Some(rest) = name.strip_prefix(b"RTMIN") {
        let up = if rest.is_empty() { 0 } else { steps(rest.strip_prefix(b"+")?)? };
        let spelled = up <= MIDDLE - FIRST_REAL_TIME && (up > 0 || rest.is_empty());
        return Some(FIRST_REAL_TIME + up).filter(|_| spelled || rules.real_time_from_first);
    }
    let rest = name.strip_prefix(b"RTMAX")?;
    let down = if rest.is_empty() { 0 } else { steps(rest.strip_prefix(b"-")?)? };
    let spelled = down < LAST_REAL_TIME - MIDDLE && (down > 0 || rest.is_empty());
    Some(LAST_REAL_TIME - down).filter(|_| spelled || rules.real_time_from_last)
}

/// Digits alone, or with white space and a sign before them.
fn plain_number(text: &[u8], signed: bool) -> Option<u32> {
    let digits = match signed {
        true => {
            let text = text.trim_ascii();
            text.strip_prefix(b"+").unwrap_or(text)
        }
        false => text,
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl Condition {
    /// The condition of `trap` that a word stands for; `None` if the shell does not know it.
    #[must_use]
    pub fn of(word: &[u8], dialect: Dialect) -> Option<Condition> {
        let upper = word.to_ascii_uppercase();
        let known = dialect.profile().processes.signals.conditions;
        let own = known.iter().find(|name| name.as_bytes() == upper).and_then(|name| match *name {
            "ERR" => Some(Condition::Error),
            "DEBUG" => Some(Condition::Debug),
            "RETURN" => Some(Condition::Return),
            "KEYBD" => Some(Condition::Key),
            _ => None,
        });
        own.or_else(|| match signal_number(word, dialect)? {
            0 => Some(Condition::Exit),
            signal => Some(Condition::Signal(signal)),
        })
    }

    /// How `trap` names it when it lists what is set: bash says SIGTERM, the others TERM.
    #[must_use]
    pub fn name(self, dialect: Dialect) -> String {
        let prefix = dialect.profile().processes.signals.traps_have_prefix;
        match self {
            Condition::Exit => "EXIT".into(),
            Condition::Debug => "DEBUG".into(),
            Condition::Error => "ERR".into(),
            Condition::Return => "RETURN".into(),
            Condition::Key => "KEYBD".into(),
            Condition::Signal(signal @ (32 | 33)) if prefix => signal.to_string(),
            Condition::Signal(signal) if prefix => {
                format!("SIG{}", signal_name(signal, dialect))
            }
            Condition::Signal(signal) => listed_name(signal, dialect),
        }
    }

    /// Puts conditions in the order in which `trap` lists them: by number, ksh from the highest
    /// signal down.
    pub fn sort(all: &mut [Condition], dialect: Dialect) {
        if !dialect.profile().processes.signals.traps_from_highest {
            return compact::sort_by(all, Ord::cmp);
        }
        compact::sort_by_key(all, |condition| match *condition {
            Condition::Signal(signal) => (0, u8::MAX - signal),
            Condition::Exit => (1, 0),
            Condition::Debug => (2, 0),
            Condition::Key => (2, 1),
            Condition::Error => (2, 2),
            Condition::Return => (2, 3),
        });
    }
}

/// What `kill -l` prints with no more arguments; in bash also `trap -l`.
#[must_use]
pub fn list_signals(dialect: Dialect) -> String {
    let mut text = String::new();
    let style = dialect.profile().processes.signals.list;
    if style != SignalList::Columns {
        let first = if style == SignalList::LinesFromZero { "0\n" } else { "" };
        text.push_str(first);
        (1..=LAST_REAL_TIME).for_each(|signal| text += &(listed_name(signal, dialect) + "\n"));
        return text;
    }
    let named = (1..=LAST_REAL_TIME).filter(|signal| !matches!(signal, 32 | 33));
    for (place, signal) in named.enumerate() {
        text += &format!("{signal:2}) SIG{}", signal_name(signal, dialect));
        text.push(if place % 5 == 4 { '\n' } else { '\t' });
    }
    text.push('\n');
    text
}

/// What `kill -l` prints for one argument, with the newline: the name for a number or an exit
/// status, the number for a name (not in dash). Nothing at all for the two signals that bash has
/// no name for. `None` if the shell does not know it.
#[must_use]
pub fn explain_signal(text: &[u8], dialect: Dialect) -> Option<String> {
    let rules = &dialect.profile().processes.signals;
    let name = match plain_number(text, rules.list_number_has_sign) {
        None if !rules.explains_names => return None,
        None => own_number(Condition::of(text, dialect)?, rules).to_string(),
        Some(number) if rules.explains_low_bits => match number & 0x7f {
            0 => "EXIT".into(),
            signal => signal_name(u8::try_from(signal).ok()?, dialect),
        },
        Some(number) => {
            let number = if number > 128 { number - 128 } else { number };
            match u8::try_from(number).ok().filter(|signal| *signal <= LAST_REAL_TIME)? {
                0 if rules.unnamed_are_nothing => "EXIT".into(),
                0 => return None,
                32 | 33 if rules.unnamed_are_nothing => return Some(String::new()),
                signal => signal_name(signal, dialect),
            }
        }
    };
    Some(name + "\n")
}

/// The numbers that shells give to what is no signal.
fn own_number(condition: Condition, rules: &Signals) -> u8 {
    match condition {
        Condition::Exit => 0,
        Condition::Signal(signal) => signal,
        Condition::Debug => rules.debug_number,
        Condition::Error => rules.error_number,
        Condition::Return => 67,
        Condition::Key => 129,
    }
}
