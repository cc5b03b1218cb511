//! Colours as LS_COLORS sets them, in the format of dircolors(1): labels of two letters and endings
//! of names, each with the numbers of an escape sequence.

use sys::OsStrExt;

use crate::{report, terminal};
use fewer::Kind;

/// What a label stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Label {
    Left,
    Right,
    End,
    Reset,
    Normal,
    File,
    Directory,
    Link,
    Fifo,
    Socket,
    Block,
    Char,
    Missing,
    Orphan,
    Executable,
    Setuid,
    Setgid,
    Sticky,
    OtherWritable,
    StickyOtherWritable,
    MultiHardlink,
    ClearToEnd,
}

/// Each label in the order above, and its style if LS_COLORS does not set one.
const LABELS: [(&[u8; 2], Option<&[u8]>); 22] = [
    (b"lc", Some(b"\x1b[")),
    (b"rc", Some(b"m")),
    (b"ec", None),
    (b"rs", Some(b"0")),
    (b"no", None),
    (b"fi", None),
    (b"di", Some(b"01;34")),
    (b"ln", Some(b"01;36")),
    (b"pi", Some(b"33")),
    (b"so", Some(b"01;35")),
    (b"bd", Some(b"01;33")),
    (b"cd", Some(b"01;33")),
    (b"mi", None),
    (b"or", None),
    (b"ex", Some(b"01;32")),
    (b"su", Some(b"37;41")),
    (b"sg", Some(b"30;43")),
    (b"st", Some(b"37;44")),
    (b"ow", Some(b"34;42")),
    (b"tw", Some(b"30;42")),
    (b"mh", None),
    (b"cl", Some(b"\x1b[K")),
];

/// Labels of what Linux does not have, and of what would cost a call to find out (capabilities).
const OTHER_LABELS: [&[u8; 2]; 2] = [b"do", b"ca"];

/// The styles that LS_COLORS sets.
#[derive(Clone, Debug)]
pub(crate) struct Colors {
    labels: Vec<Option<Vec<u8>>>,
    /// Those given later come first.
    endings: Vec<Ending>,
}

#[derive(Clone, Debug)]
struct Ending {
    text: Vec<u8>,
    style: Vec<u8>,
    /// Whether endings are compared exactly, because styles for both cases differ.
    exact: bool,
}

impl Label {
    /// The label of a kind, whatever its mode.
    pub(crate) fn of_kind(kind: Kind) -> Label {
        match kind {
            Kind::File => Label::File,
            Kind::Directory => Label::Directory,
            Kind::Symlink => Label::Link,
            Kind::Fifo => Label::Fifo,
            Kind::Socket => Label::Socket,
            Kind::Block => Label::Block,
            Kind::Char => Label::Char,
            Kind::Unknown => Label::Orphan,
        }
    }
}

impl Colors {
    /// The styles of LS_COLORS; if it is not set, the usual ones, on a terminal that is known for
    /// colours. `None`, and a message, if it cannot be parsed.
    pub(crate) fn from_env() -> Option<Colors> {
        let value = std::env::var_os("LS_COLORS").unwrap_or_default();
        if value.is_empty() && !terminal::is_known_for_color() {
            return None;
        }
        Colors::parse(value.as_bytes()).map_err(|reason| report::complain(&reason)).ok()
    }

    /// Parses the value of LS_COLORS.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(value: &[u8]) -> Result<Colors, String> {
        let labels = LABELS.iter().map(|(_, style)| style.map(<[u8]>::to_vec)).collect();
        let mut colors = Colors { labels, endings: Vec::new() };
        let mut rest = value;
        while let Some((&first, behind)) = rest.split_first() {
            rest = match first {
                b':' => behind,
                b'*' => colors.read_ending(behind)?,
                _ => colors.read_label(rest)?,
            };
        }
        colors.tell_cases_apart();
        Ok(colors)
    }

    fn read_ending<'v>(&mut self, value: &'v [u8]) -> Result<&'v [u8], String> {
        let (text, rest) = unescape(value, true)?;
        let rest = rest.strip_prefix(b"=").ok_or_else(unreadable)?;
        let (style, rest) = unescape(rest, false)?;
        self.endings.insert(0, Ending { text, style, exact: false });
        Ok(rest)
    }

    fn read_label<'v>(&mut self, value: &'v [u8]) -> Result<&'v [u8], String> {
        let (name, rest) = value.split_at_checked(2).ok_or_else(unreadable)?;
        let rest = rest.strip_prefix(b"=").ok_or_else(unreadable)?;
        let (style, rest) = unescape(rest, false)?;
        match LABELS.iter().position(|(label, _)| *label == name) {
            Some(place) => self.labels[place] = Some(style),
            None if OTHER_LABELS.iter().any(|label| *label == name) => {}
            None => return Err(format!("unrecognized prefix: '{}'", name.escape_ascii())),
        }
        Ok(rest)
    }

    /// Endings that differ only in case match in any case, unless their styles differ.
    fn tell_cases_apart(&mut self) {
        let mut kept: Vec<Ending> = Vec::new();
        for mut ending in std::mem::take(&mut self.endings) {
            if kept.iter().any(|other| other.text == ending.text) {
                continue;
            }
            let like = |other: &&mut Ending| other.text.eq_ignore_ascii_case(&ending.text);
            let mut exact = false;
            let mut same = false;
            for other in kept.iter_mut().filter(like) {
                if other.style == ending.style && !other.exact {
                    same = true;
                } else {
                    (other.exact, exact) = (true, true);
                }
            }
            ending.exact = exact;
            if !same {
                kept.push(ending);
            }
        }
        self.endings = kept;
    }

    /// Whether a label has a style that shows: not empty, `0` or `00`.
    #[inline(always)]
    pub(crate) fn is_colored(&self, label: Label) -> bool {
        !matches!(self.get(label), None | Some(b"" | b"0" | b"00"))
    }

    /// The style of a label.
    #[inline(always)]
    pub(crate) fn get(&self, label: Label) -> Option<&[u8]> {
        self.labels[label as usize].as_deref()
    }

    /// Whether files or directories look different by their mode.
    pub(crate) fn depend_on_mode(&self, kind: Kind) -> bool {
        let labels: &[Label] = match kind {
            Kind::File => &[Label::Executable, Label::Setuid, Label::Setgid],
            Kind::Directory => &[Label::OtherWritable, Label::Sticky, Label::StickyOtherWritable],
            _ => &[],
        };
        labels.iter().any(|label| self.is_colored(*label))
    }

    /// The label of a file with this mode and so many names.
    pub(crate) fn label(&self, kind: Kind, mode: u16, names: u32) -> Label {
        let has = |bits: u16, label| mode & bits == bits && self.is_colored(label);
        let executable = mode & 0o111 != 0 && self.is_colored(Label::Executable);
        match kind {
            Kind::File if has(0o4000, Label::Setuid) => Label::Setuid,
            Kind::File if has(0o2000, Label::Setgid) => Label::Setgid,
            Kind::File if executable => Label::Executable,
            Kind::File if names > 1 && self.is_colored(Label::MultiHardlink) => {
                Label::MultiHardlink
            }
            Kind::Directory if has(0o1002, Label::StickyOtherWritable) => {
                Label::StickyOtherWritable
            }
            Kind::Directory if has(0o0002, Label::OtherWritable) => Label::OtherWritable,
            Kind::Directory if has(0o1000, Label::Sticky) => Label::Sticky,
            kind => Label::of_kind(kind),
        }
    }

    /// The style of a label, or of a file's ending.
    pub(crate) fn style(&self, label: Label, name: &[u8]) -> Option<&[u8]> {
        let of_ending = (label == Label::File).then(|| self.of_ending(name)).flatten();
        of_ending.or_else(|| self.get(label))
    }

    /// Prints the escape sequence of a style.
    pub(crate) fn push(&self, style: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(self.get(Label::Left).unwrap_or_default());
        out.extend_from_slice(style);
        out.extend_from_slice(self.get(Label::Right).unwrap_or_default());
    }

    /// Prints what ends a style.
    pub(crate) fn push_end(&self, out: &mut Vec<u8>) {
        match self.get(Label::End) {
            Some(end) => out.extend_from_slice(end),
            None => self.push(self.get(Label::Reset).unwrap_or_default(), out),
        }
    }

    /// The style for a name that ends so.
    fn of_ending(&self, name: &[u8]) -> Option<&[u8]> {
        let ends = |ending: &&Ending| {
            let Some(start) = name.len().checked_sub(ending.text.len()) else { return false };
            match ending.exact {
                true => name[start..] == ending.text,
                false => name[start..].eq_ignore_ascii_case(&ending.text),
            }
        };
        self.endings.iter().find(ends).map(|ending| &*ending.style)
    }
}

fn unreadable() -> String {
    "unparsable value for LS_COLORS environment variable".to_owned()
}

/// The text up to `:`, the end, or with `to_equals` a `=`, its escapes undone; and the rest behind
/// it.
fn unescape(value: &[u8], to_equals: bool) -> Result<(Vec<u8>, &[u8]), String> {
    let mut text = Vec::new();
    let mut rest = value;
    loop {
        match *rest {
            [] | [b':', ..] => return Ok((text, rest)),
            [b'=', ..] if to_equals => return Ok((text, rest)),
            [b'\\', ref behind @ ..] => rest = escaped(behind, &mut text)?,
            [b'^', b'?', ref behind @ ..] => {
                text.push(127);
                rest = behind;
            }
            [b'^', byte @ b'@'..=b'~', ref behind @ ..] => {
                text.push(byte & 0o37);
                rest = behind;
            }
            [b'^', ..] => return Err(unreadable()),
            [byte, ref behind @ ..] => {
                text.push(byte);
                rest = behind;
            }
        }
    }
}

/// Takes what stands behind a backslash.
fn escaped<'v>(value: &'v [u8], text: &mut Vec<u8>) -> Result<&'v [u8], String> {
    let Some((&first, rest)) = value.split_first() else { return Err(unreadable()) };
    let number = |digits: &'v [u8], base: u32| {
        let mut number = 0u8;
        let mut taken = 0;
        while let Some(digit) = digits.get(taken).and_then(|&d| char::from(d).to_digit(base)) {
            number = number.wrapping_mul(base as u8).wrapping_add(digit as u8);
            taken += 1;
        }
        (number, &digits[taken..])
    };
    let (byte, rest) = match first {
        b'0'..=b'7' => number(value, 8),
        b'x' | b'X' => number(rest, 16),
        b'a' => (7, rest),
        b'b' => (8, rest),
        b'e' => (27, rest),
        b'f' => (12, rest),
        b'n' => (b'\n', rest),
        b'r' => (b'\r', rest),
        b't' => (b'\t', rest),
        b'v' => (11, rest),
        b'?' => (127, rest),
        b'_' => (b' ', rest),
        other => (other, rest),
    };
    text.push(byte);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_endings_are_read_with_their_escapes() {
        let colors = Colors::parse(b"di=1:*.tar=01;31::ec=\\e[m:*\\075x=^[:*.b\\=c=4").unwrap();
        assert_eq!(colors.get(Label::Directory), Some(&b"1"[..]));
        assert_eq!(colors.get(Label::End), Some(&b"\x1b[m"[..]));
        assert_eq!(colors.of_ending(b"a.tar"), Some(&b"01;31"[..]));
        assert_eq!(colors.of_ending(b"A.TAR"), Some(&b"01;31"[..]));
        assert_eq!(colors.of_ending(b"=x"), Some(&b"\x1b"[..]));
        assert_eq!(colors.of_ending(b".b=c"), Some(&b"4"[..]));
        assert_eq!(colors.of_ending(b"tar"), None);
    }

    #[test]
    fn cases_are_told_apart_only_where_styles_differ() {
        let colors = Colors::parse(b"*.C=1:*.c=2:*.X=3:*.x=3").unwrap();
        assert_eq!(colors.of_ending(b"a.C"), Some(&b"1"[..]));
        assert_eq!(colors.of_ending(b"a.c"), Some(&b"2"[..]));
        assert_eq!(colors.of_ending(b"a.x"), Some(&b"3"[..]));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        for value in [&b"d"[..], b"di", b"di:1", b"zz=1", b"*.c", b"*.c=\\", b"di=^\x01"] {
            assert!(Colors::parse(value).is_err(), "{}", value.escape_ascii());
        }
    }

    #[test]
    fn a_style_of_nothing_or_zeros_does_not_show() {
        let colors = Colors::parse(b"di=0:ln=00:ex=:or=1").unwrap();
        let shows = |label| colors.is_colored(label);
        assert!(!shows(Label::Directory) && !shows(Label::Link) && !shows(Label::Executable));
        assert!(shows(Label::Orphan) && !shows(Label::Missing) && shows(Label::Fifo));
    }
}
