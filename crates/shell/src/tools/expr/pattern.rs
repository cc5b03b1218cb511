//! Basic regular expressions, as far as they are a row of characters, each with how often it may
//! stand there. What else there is in them (`\|`, `\1`, groups that repeat) is left to others.

/// How often at most, where there is no limit.
const ENDLESS: usize = usize::MAX;
/// Work and memory grow with the square of this.
const LONGEST: usize = 2048;

/// Which bytes.
#[derive(Clone, Copy, Default)]
struct Bytes([u64; 4]);

impl Bytes {
    fn all() -> Bytes {
        Bytes([u64::MAX; 4])
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }
}

struct Item {
    bytes: Bytes,
    least: usize,
    most: usize,
}

/// What a text is matched with, from its beginning.
pub(super) struct Pattern {
    items: Vec<Item>,
    /// Before which items the first group begins and ends.
    group: Option<(usize, usize)>,
    /// Whether the text must end where it ends.
    to_end: bool,
}

/// What matched.
pub(super) struct Match {
    pub(super) length: usize,
    /// Of the first group.
    pub(super) group: (usize, usize),
}

impl Pattern {
    /// `None` if there is more in it than is done here.
    pub(super) fn new(text: &[u8]) -> Option<Pattern> {
        let mut rest = text.strip_prefix(b"^").unwrap_or(text);
        if rest.len() < text.len() && rest.starts_with(b"*") {
            return None;
        }
        let mut pattern = Pattern { items: Vec::new(), group: None, to_end: false };
        let mut open: Vec<bool> = Vec::new();
        let mut first_end = None;
        // Whether what was last can be repeated; whether a star would be one like any other.
        let (mut repeatable, mut at_start) = (false, true);
        while let Some((&byte, behind)) = rest.split_first() {
            let begins = std::mem::take(&mut at_start);
            let can_repeat = std::mem::take(&mut repeatable);
            if let Some((least, most, behind)) = times(rest, begins)? {
                let item = pattern.items.last_mut().filter(|_| can_repeat)?;
                (item.least, item.most) = (least, most);
                rest = behind;
                continue;
            }
            rest = behind;
            match (byte, behind.first()) {
                (b'\\', Some(b'(')) => {
                    // A caret would be an anchor here, or not.
                    rest = &behind[1..];
                    if rest.starts_with(b"^") {
                        return None;
                    }
                    let first = pattern.group.is_none();
                    if first {
                        pattern.group = Some((pattern.items.len(), usize::MAX));
                    }
                    open.push(first);
                    at_start = true;
                    continue;
                }
                (b'\\', Some(b')')) => {
                    rest = &behind[1..];
                    if open.pop()? {
                        first_end = Some(pattern.items.len());
                    }
                    let repeated =
                        rest.starts_with(b"*") || matches!(rest, [b'\\', b'{' | b'+' | b'?', ..]);
                    if repeated {
                        return None;
                    }
                    continue;
                }
                (b'$', None) => {
                    pattern.to_end = true;
                    continue;
                }
                // An anchor in front of the end of a group.
                (b'$', Some(b'\\')) if behind.starts_with(b"\\)") => return None,
                _ => {}
            }
            let (bytes, behind) = one(byte, behind)?;
            rest = behind;
            pattern.items.push(Item { bytes, least: 1, most: 1 });
            repeatable = true;
        }
        if let (Some(group), Some(end)) = (&mut pattern.group, first_end) {
            group.1 = end;
        }
        open.is_empty().then_some(pattern)
    }

    pub(super) fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// The longest match; of those, the one whose items take as much as they can from the first
    /// on. Outside, `None` for a text that is too long.
    #[expect(clippy::option_option, reason = "the outer one is for the question mark")]
    pub(super) fn matches(&self, text: &[u8]) -> Option<Option<Match>> {
        if text.len() > LONGEST || text.len() * self.items.len() > LONGEST * 64 {
            return None;
        }
        let row = text.len() + 1;
        // Where a match of the items from one on ends that begins at a place; one more than that.
        let mut ends = vec![0_u32; row * (self.items.len() + 1)];
        for place in 0..row {
            // At most 2048.
            let end = if self.to_end { text.len() } else { place };
            ends[row * self.items.len() + place] = if place == end { place as u32 + 1 } else { 0 };
        }
        for (number, item) in self.items.iter().enumerate().rev() {
            let (before, behind) = ends.split_at_mut(row * (number + 1));
            item.ends(text, &mut before[row * number..], &behind[..row]);
        }
        let length = ends[0];
        if length == 0 {
            return Some(None);
        }
        let mut group = (0, 0);
        let mut at = 0;
        for number in 0..=self.items.len() {
            if let Some((start, end)) = self.group {
                if start == number {
                    group.0 = at;
                }
                if end == number {
                    group.1 = at;
                }
            }
            let Some(item) = self.items.get(number) else { break };
            let behind = &ends[row * (number + 1)..][..row];
            let times = (item.least..=item.run(&text[at..])).rev();
            let longest = times.into_iter().find(|times| behind[at + times] == length);
            at += longest.unwrap_or(item.least);
        }
        Some(Some(Match { length: length as usize - 1, group }))
    }
}

impl Item {
    /// How many of these bytes the text begins with, as far as they count.
    fn run(&self, text: &[u8]) -> usize {
        text.iter().take(self.most).take_while(|&&byte| self.bytes.has(byte)).count()
    }

    fn ends(&self, text: &[u8], ends: &mut [u32], behind: &[u32]) {
        let endless = self.most == ENDLESS && self.least <= 1;
        for place in (0..=text.len()).rev() {
            let next = text.get(place).filter(|&&byte| self.bytes.has(byte));
            ends[place] = if endless {
                let none = if self.least == 0 { behind[place] } else { 0 };
                let more = next.map_or(0, |_| ends[place + 1].max(behind[place + 1]));
                none.max(more)
            } else {
                let run = self.run(&text[place..]);
                let some = behind.get(place + self.least..=place + run).unwrap_or_default();
                some.iter().copied().max().unwrap_or(0)
            };
        }
    }
}

/// One character, one of several, or any.
fn one(byte: u8, behind: &[u8]) -> Option<(Bytes, &[u8])> {
    let mut bytes = Bytes::default();
    match (byte, behind.split_first()) {
        (b'.', _) => return Some((Bytes::all(), behind)),
        (b'[', _) => return bracket(behind),
        (b'\\', Some((&escaped, behind))) => {
            let special = escaped.is_ascii_alphanumeric() || b"{}|+?()<>`'\n".contains(&escaped);
            bytes.add(escaped);
            return (!special).then_some((bytes, behind));
        }
        (b'\\', None) => return None,
        _ => bytes.add(byte),
    }
    Some((bytes, behind))
}

/// `a-z[:digit:]]`
fn bracket(text: &[u8]) -> Option<(Bytes, &[u8])> {
    let (negated, mut rest) = match text.strip_prefix(b"^") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut bytes = Bytes::default();
    let mut first = true;
    loop {
        match *rest {
            [b']', ref behind @ ..] if !first => {
                rest = behind;
                break;
            }
            [b'[', b'.' | b'=', ..] => return None,
            [b'[', b':', ref behind @ ..] => {
                let end = memchr::memmem::find(behind, b":]")?;
                let has = class(&behind[..end])?;
                (0..=127).filter(has).for_each(|byte| bytes.add(byte));
                rest = &behind[end + 2..];
                // A range from a class is an error.
                if matches!(rest, [b'-', next, ..] if *next != b']') {
                    return None;
                }
            }
            [low, b'-', high, ref behind @ ..] if high != b']' => {
                if high == b'[' || high < low || !low.is_ascii() || !high.is_ascii() {
                    return None;
                }
                (low..=high).for_each(|byte| bytes.add(byte));
                rest = behind;
            }
            [byte, ref behind @ ..] => {
                bytes.add(byte);
                rest = behind;
            }
            [] => return None,
        }
        first = false;
    }
    if negated {
        bytes.0.iter_mut().for_each(|word| *word = !*word);
    }
    Some((bytes, rest))
}

fn class(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| *byte == b' ' || *byte == b'\t',
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| *byte == b' ' || byte.is_ascii_graphic(),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| *byte == b' ' || (b'\t'..=b'\r').contains(byte),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

/// How often at least and at most, if that is what the text begins with, and what stands behind it.
/// Outside, `None` for what is wrong.
#[expect(clippy::option_option, reason = "the outer one is for the question mark")]
fn times(text: &[u8], at_start: bool) -> Option<Option<(usize, usize, &[u8])>> {
    Some(match text {
        [b'*', behind @ ..] if !at_start => Some((0, ENDLESS, behind)),
        [b'\\', b'+', behind @ ..] => Some((1, ENDLESS, behind)),
        [b'\\', b'?', behind @ ..] => Some((0, 1, behind)),
        [b'\\', b'{', behind @ ..] => Some(bounds(behind)?),
        _ => None,
    })
}

/// `2\}`, `2,\}`, `2,3\}`
fn bounds(text: &[u8]) -> Option<(usize, usize, &[u8])> {
    let end = memchr::memmem::find(text, b"\\}")?;
    let (bounds, behind) = (&text[..end], &text[end + 2..]);
    let number = |digits: &[u8]| {
        let number = super::super::arguments::decimal(digits)?;
        usize::try_from(number).ok().filter(|&number| number <= 255)
    };
    let (least, most) = match memchr::memchr(b',', bounds) {
        None => (number(bounds)?, number(bounds)?),
        Some(comma) if comma + 1 == bounds.len() => (number(&bounds[..comma])?, ENDLESS),
        Some(comma) => (number(&bounds[..comma])?, number(&bounds[comma + 1..])?),
    };
    // Twice repeated is left to others.
    let again = behind.starts_with(b"*") || matches!(behind, [b'\\', b'{' | b'+' | b'?', ..]);
    (least <= most && !again).then_some((least, most, behind))
}
