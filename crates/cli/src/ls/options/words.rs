//! The words that flags and variables of the environment take.

use fewer::list::{By, Moment};

use super::{Indicators, Layout};
use crate::quote::Style;
use crate::{report, terminal};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Always,
    Auto,
    Never,
}

impl When {
    pub(super) fn is_on(self) -> bool {
        self == When::Always || (self == When::Auto && terminal::is_stdout())
    }
}

/// A number of columns from the environment.
pub(super) fn from_env(name: &str, what: &str) -> Option<usize> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let found = width(&text);
    if found.is_none() {
        report::complain(&format!(
            "ignoring invalid {what} in environment variable {name}: '{}'",
            text.escape_default()
        ));
    }
    found
}

/// A number of columns in C's notation; one that is too large means no limit.
pub(super) fn width(text: &str) -> Option<usize> {
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text.strip_prefix('+').unwrap_or(text), 10),
    };
    let all_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    let number = || isize::from_str_radix(digits, base).unwrap_or(0);
    all_digits.then(|| number().unsigned_abs())
}

pub(super) fn style_from_env() -> Option<Style> {
    let word = std::env::var("QUOTING_STYLE").ok()?;
    let found = style(&word);
    if found.is_none() {
        report::complain(&format!(
            "ignoring invalid value of environment variable QUOTING_STYLE: '{}'",
            word.escape_default()
        ));
    }
    found
}

pub(super) fn wrong(what: &str, text: &str) -> String {
    format!("invalid {what}: '{}'", text.escape_default())
}

pub(super) fn by(word: &str) -> By {
    match word {
        "none" => By::Nothing,
        "size" => By::Size,
        "time" => By::Time(Moment::default()),
        "version" => By::Version,
        "extension" => By::Extension,
        _ => By::Name,
    }
}

pub(super) fn layout(word: &str) -> Layout {
    match word {
        "across" | "horizontal" => Layout::Across,
        "commas" => Layout::Commas,
        "long" | "verbose" => Layout::Long,
        "vertical" => Layout::Columns,
        _ => Layout::Lines,
    }
}

pub(super) fn indicators(word: &str) -> Indicators {
    match word {
        "slash" => Indicators::Slash,
        "file-type" => Indicators::Kind,
        "classify" => Indicators::Classify,
        _ => Indicators::None,
    }
}

pub(super) fn style(word: &str) -> Option<Style> {
    Some(match word {
        "literal" => Style::Literal,
        "shell" => Style::Shell { escape: false, always: false },
        "shell-always" => Style::Shell { escape: false, always: true },
        "shell-escape" => Style::Shell { escape: true, always: false },
        "shell-escape-always" => Style::Shell { escape: true, always: true },
        "c" => Style::C { maybe: false },
        "c-maybe" => Style::C { maybe: true },
        "escape" => Style::Escape,
        "locale" => Style::Locale { double: false },
        "clocale" => Style::Locale { double: true },
        _ => return None,
    })
}

pub(super) fn moment(word: &str) -> Moment {
    match word {
        "atime" | "access" | "use" => Moment::Accessed,
        "ctime" | "status" => Moment::Changed,
        "birth" | "creation" => Moment::Created,
        _ => Moment::Modified,
    }
}

pub(super) fn when(word: &str) -> When {
    match word {
        "auto" | "tty" | "if-tty" => When::Auto,
        "never" | "no" | "none" => When::Never,
        _ => When::Always,
    }
}
