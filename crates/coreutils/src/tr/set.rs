//! `a-z[:digit:]\n[x*3]`: sets of bytes, in the order in which they are written.

/// What a set is made of.
#[derive(Clone, Copy)]
enum Part {
    Byte(u8),
    Range(u8, u8),
    Class(Class),
    /// `[x*3]`; as often as it takes if the number is 0.
    Repeat(u8, usize),
}

#[derive(Clone, Copy)]
enum Class {
    Lower,
    Upper,
    Other(fn(u8) -> bool),
}

impl Class {
    fn has(self, byte: u8) -> bool {
        match self {
            Class::Lower => byte.is_ascii_lowercase(),
            Class::Upper => byte.is_ascii_uppercase(),
            Class::Other(has) => has(byte),
        }
    }

    fn named(name: &[u8]) -> Option<Class> {
        Some(match name {
            b"lower" => Class::Lower,
            b"upper" => Class::Upper,
            b"alnum" => Class::Other(|byte| byte.is_ascii_alphanumeric()),
            b"alpha" => Class::Other(|byte| byte.is_ascii_alphabetic()),
            b"blank" => Class::Other(|byte| byte == b' ' || byte == b'\t'),
            b"cntrl" => Class::Other(|byte| byte.is_ascii_control()),
            b"digit" => Class::Other(|byte| byte.is_ascii_digit()),
            b"graph" => Class::Other(|byte| byte.is_ascii_graphic()),
            b"print" => Class::Other(|byte| byte == b' ' || byte.is_ascii_graphic()),
            b"punct" => Class::Other(|byte| byte.is_ascii_punctuation()),
            b"space" => Class::Other(|byte| byte == b' ' || (b'\t'..=b'\r').contains(&byte)),
            b"xdigit" => Class::Other(|byte| byte.is_ascii_hexdigit()),
            _ => return None,
        })
    }
}

/// A set as it is written.
pub(super) struct Set {
    parts: Vec<Part>,
}

/// A byte, and whether a backslash made it one that means nothing else.
type Letter = (u8, bool);

impl Set {
    /// `None` for what is wrong, or warned of.
    pub(super) fn new(text: &[u8]) -> Option<Set> {
        let letters = letters(text)?;
        let plain = |at: usize, byte: u8| letters.get(at) == Some(&(byte, false));
        let mut parts = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            if plain(at, b'[')
                && let Some((part, length)) = bracket(&letters[at..])?
            {
                parts.push(part);
                at += length;
                continue;
            }
            let (first, _) = letters[at];
            if plain(at + 1, b'-')
                && let Some(&(last, _)) = letters.get(at + 2)
            {
                if last < first {
                    return None;
                }
                parts.push(Part::Range(first, last));
                at += 3;
            } else {
                parts.push(Part::Byte(first));
                at += 1;
            }
        }
        let endless = parts.iter().filter(|part| matches!(part, Part::Repeat(_, 0))).count();
        (endless <= 1).then_some(Set { parts })
    }

    fn repeats(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Repeat(..)))
    }

    /// All bytes, in order; what is repeated without a number takes what others leave of `wanted`.
    fn bytes(&self, wanted: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            match *part {
                Part::Byte(byte) => bytes.push(byte),
                Part::Range(first, last) => bytes.extend(first..=last),
                Part::Class(class) => bytes.extend((0..=255).filter(|&byte| class.has(byte))),
                Part::Repeat(byte, 0) => {
                    let behind = Set { parts: self.parts[place + 1..].to_vec() }.bytes(0).len();
                    let end = wanted.saturating_sub(behind).max(bytes.len());
                    bytes.resize(end, byte);
                }
                Part::Repeat(byte, times) => bytes.resize(bytes.len() + times, byte),
            }
        }
        bytes
    }

    /// Which bytes are in it. Nothing may be repeated in a set that only chooses.
    pub(super) fn members(&self, complement: bool) -> Option<[bool; 256]> {
        let mut members = [complement; 256];
        for byte in self.bytes(0) {
            members[usize::from(byte)] = !complement;
        }
        (!self.repeats()).then_some(members)
    }

    /// Which bytes are in it, where it stands beside a set of so many.
    pub(super) fn members_beside(&self, wanted: usize) -> [bool; 256] {
        let mut members = [false; 256];
        for byte in self.bytes(wanted) {
            members[usize::from(byte)] = true;
        }
        members
    }

    /// What becomes what.
    pub(super) fn pairs(
        &self,
        second: &Set,
        complement: bool,
        truncate: bool,
    ) -> Option<Vec<(u8, u8)>> {
        if self.repeats() || !self.classes_match(second, complement, truncate) {
            return None;
        }
        let mut from = self.bytes(0);
        if complement {
            let members = self.members(true)?;
            from = (0..=255).filter(|&byte| members[usize::from(byte)]).collect();
        }
        let mut to = second.bytes(from.len());
        if complement && (truncate || to.iter().any(|byte| byte != &to[0])) {
            return None;
        }
        match to.last() {
            None if !truncate && !from.is_empty() => return None,
            None => {}
            Some(&last) if !truncate => to.resize(to.len().max(from.len()), last),
            Some(_) => {}
        }
        Some(from.into_iter().zip(to).collect())
    }

    /// Whether each class of the second set stands where the other case does in the first, and
    /// none where the first goes on behind it.
    fn classes_match(&self, second: &Set, complement: bool, truncate: bool) -> bool {
        let has_class = |set: &Set| set.parts.iter().any(|part| matches!(part, Part::Class(_)));
        if !has_class(second) {
            return true;
        }
        let same_way = self.parts.len() == second.parts.len();
        let mut pairs = self.parts.iter().zip(&second.parts);
        let supported = |(first, second): (&Part, &Part)| match (first, second) {
            (Part::Class(Class::Lower), Part::Class(Class::Upper))
            | (Part::Class(Class::Upper), Part::Class(Class::Lower))
            | (Part::Byte(_), Part::Byte(_)) => true,
            (Part::Range(a, b), Part::Range(c, d)) => b - a == d - c,
            _ => false,
        };
        same_way && !complement && !truncate && pairs.all(supported)
    }
}

/// Backslashes taken out.
fn letters(text: &[u8]) -> Option<Vec<Letter>> {
    let mut letters = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            letters.push((byte, false));
            continue;
        }
        let byte = *text.get(at)?;
        at += 1;
        let byte = match byte {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'0'..=b'7' => {
                let more = text[at..].iter().take(2).take_while(|byte| is_octal(**byte)).count();
                let digits = &text[at - 1..at + more];
                at += more;
                let number =
                    digits.iter().fold(0, |number, digit| number * 8 + u16::from(digit & 7));
                u8::try_from(number).ok()?
            }
            other => other,
        };
        letters.push((byte, true));
    }
    Some(letters)
}

fn is_octal(byte: u8) -> bool {
    (b'0'..=b'7').contains(&byte)
}

/// `[:class:]`, `[=x=]`, `[x*]`, `[x*3]` and their lengths; inside, `None` if the bracket is one
/// like any other byte. Outside, `None` for what is wrong.
#[expect(clippy::option_option, reason = "the outer one is for the question mark")]
fn bracket(letters: &[Letter]) -> Option<Option<(Part, usize)>> {
    let byte = |at: usize| letters.get(at).copied();
    if let Some((kind @ (b':' | b'='), false)) = byte(1) {
        // The name may hold what ends it, if that does not end it.
        let end = (2..letters.len())
            .find(|&at| byte(at) == Some((kind, false)) && byte(at + 1) == Some((b']', false)));
        if let Some(end) = end {
            let name: Vec<u8> = letters[2..end].iter().map(|letter| letter.0).collect();
            let part = match (kind, &name[..]) {
                (b'=', &[only]) => Part::Byte(only),
                (b':', name) => Part::Class(Class::named(name)?),
                _ => return None,
            };
            return Some(Some((part, end + 2)));
        }
    }
    let (Some((repeated, _)), Some((b'*', false))) = (byte(1), byte(2)) else { return Some(None) };
    let length = letters[3..].iter().position(|letter| *letter == (b']', false));
    let Some(length) = length else { return Some(None) };
    let digits: Vec<u8> = letters[3..3 + length].iter().map(|letter| letter.0).collect();
    let radix = if digits.starts_with(b"0") { 8 } else { 10 };
    let number = digits.iter().try_fold(0_usize, |number, digit| {
        let digit = char::from(*digit).to_digit(radix)?;
        Some(number * radix as usize + digit as usize).filter(|&number| number <= 1 << 16)
    });
    // More digits, or none, are rare enough.
    Some(Some((Part::Repeat(repeated, number?), length + 4)))
}
