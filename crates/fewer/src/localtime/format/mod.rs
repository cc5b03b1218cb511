//! Formats of date(1) and strftime(3): `%Y-%m-%d` and all the others, in the C locale, with the
//! flags, widths and oddities of GNU date and of glibc. They are the same unless a comment says
//! otherwise.

use std::ops::Range;

use sys::Time;

use super::clock::{Civil, DAY};
use number::Number;

mod number;

/// Wider fields are cut down to this, so that a format cannot exhaust the memory.
const WIDEST: usize = 65_535;

/// The months as the C locale has them.
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
];
/// The days of the week as the C locale has them, Sunday first.
const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The program whose rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// GNU date(1), and ls(1).
    Date,
    /// glibc's strftime(3), and the shells that call it.
    Strftime,
}

/// A parsed format.
#[derive(Clone, Debug)]
pub(super) struct Format {
    text: Box<[u8]>,
    items: Box<[Item]>,
    grain_seconds: i64,
}

#[derive(Clone, Debug)]
enum Item {
    /// Literal text.
    Text(Range<usize>),
    Field(Field),
}

/// `%`, flags, width, modifier, letter.
#[derive(Clone, Debug)]
struct Field {
    writer: Writer,
    /// The last of `_-0+`.
    pad: Option<u8>,
    upper: bool,
    change_case: bool,
    width: Option<usize>,
    modifier: Option<u8>,
    colons: usize,
    letter: u8,
    /// Its position in the format, for fields that are printed as they are.
    source: Range<usize>,
}

/// The value that fields are filled from.
#[derive(Clone, Copy)]
struct Moment<'m> {
    civil: &'m Civil<'m>,
    time: Time,
    /// How years are padded inside a compound field.
    year_pad: Option<u8>,
}

impl Format {
    /// A format of date(1).
    pub(super) fn new(text: &[u8]) -> Format {
        Format::of(Writer::Date, text)
    }

    pub(super) fn of(writer: Writer, text: &[u8]) -> Format {
        let mut items = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let length = text[at..].iter().position(|&byte| byte == b'%');
            let end = length.map_or(text.len(), |length| at + length);
            if end > at {
                items.push(Item::Text(at..end));
            }
            at = end;
            if at < text.len() {
                let field = field(writer, text, at);
                at = field.source.end;
                items.push(Item::Field(field));
            }
        }
        let grains = items.iter().map(|item| match item {
            Item::Field(Field { letter: b'N', .. }) => 0,
            Item::Field(Field { letter: b'S' | b's' | b'T' | b'r' | b'c' | b'X', .. }) => 1,
            Item::Field(Field { letter: b'Y' | b'm' | b'd' | b'e' | b'b' | b'F', .. }) => DAY,
            Item::Text(_) => DAY,
            Item::Field(_) => 60,
        });
        let grain_seconds = grains.min().unwrap_or(DAY);
        Format { text: text.into(), items: items.into(), grain_seconds }
    }

    /// How long the result stays the same while the offset does not change: a day, a minute, a
    /// second, or 0.
    pub(super) fn grain_seconds(&self) -> i64 {
        self.grain_seconds
    }

    pub(super) fn write(&self, civil: &Civil<'_>, time: Time, out: &mut Vec<u8>) {
        self.fill(Moment { civil, time, year_pad: None }, out);
    }

    fn fill(&self, moment: Moment<'_>, out: &mut Vec<u8>) {
        for item in &self.items {
            match item {
                Item::Text(range) => out.extend_from_slice(&self.text[range.clone()]),
                Item::Field(field) => {
                    if field.fill(moment, out).is_none() {
                        let names = field.change_case && b"bBh".contains(&field.letter);
                        field.put(&self.text[field.source.clone()], names, out);
                    }
                }
            }
        }
    }
}

/// The field whose `%` is at `start`.
fn field(writer: Writer, text: &[u8], start: usize) -> Field {
    let byte = |at: usize| text.get(at).copied();
    let is_date = writer == Writer::Date;
    let mut field = Field {
        writer,
        pad: None,
        upper: false,
        change_case: false,
        width: None,
        modifier: None,
        colons: 0,
        letter: 0,
        source: start..start,
    };
    let mut at = start + 1;
    while let Some(flag @ (b'_' | b'-' | b'+' | b'0' | b'^' | b'#')) = byte(at) {
        match flag {
            b'+' if !is_date => break,
            b'^' => field.upper = true,
            b'#' => field.change_case = true,
            _ => field.pad = Some(flag),
        }
        at += 1;
    }
    while let Some(digit @ b'0'..=b'9') = byte(at) {
        let width = field.width.unwrap_or(0) * 10 + usize::from(digit - b'0');
        field.width = Some(width.min(WIDEST));
        at += 1;
    }
    if let Some(modifier @ (b'E' | b'O')) = byte(at) {
        field.modifier = Some(modifier);
        at += 1;
    }
    let colons = text[at.min(text.len())..].iter().take_while(|&&byte| byte == b':').count();
    if is_date && colons > 0 && byte(at + colons) == Some(b'z') {
        field.colons = colons;
        at += colons;
    }
    match byte(at) {
        // It stands for itself only right behind the first; elsewhere it begins the next field, and
        // strftime(3) forgets the modifier.
        Some(b'%') if is_date && at > start + 1 => field.source.end = at,
        Some(b'%') => {
            (field.letter, field.modifier) = (b'%', None);
            field.source.end = at + 1;
        }
        letter => {
            field.letter = letter.unwrap_or(0);
            field.source.end = (at + 1).min(text.len());
        }
    }
    field
}

impl Field {
    /// Appends the value of the field; `None` if it has none.
    fn fill(&self, moment: Moment<'_>, out: &mut Vec<u8>) -> Option<()> {
        if !self.is_known() {
            return None;
        }
        let civil = moment.civil;
        let month = MONTHS[usize::from(civil.month - 1) % 12];
        let day = DAYS[usize::from(civil.weekday) % 7];
        let upper = self.upper || self.change_case;
        match self.letter {
            b'%' => self.put(b"%", false, out),
            b'n' => self.put(b"\n", false, out),
            b't' => self.put(b"\t", false, out),
            b'a' => self.put(&day.as_bytes()[..3], upper, out),
            b'A' => self.put(day.as_bytes(), upper, out),
            b'b' | b'h' => self.put(&month.as_bytes()[..3], upper, out),
            b'B' => self.put(month.as_bytes(), upper, out),
            b'p' | b'P' => self.half_of_day(civil.hour, out),
            b'Z' => self.abbreviation(civil.abbreviation, out),
            b'N' | b'q' if !self.is_of_date() => return None,
            b'z' if !self.is_of_date() => self.plain_offset(civil, out),
            b'z' => self.number(self.offset(civil)?, moment, out),
            b'N' => self.nanoseconds(moment.time.nanoseconds, out),
            b'c' => self.compound(b"%a %b %e %H:%M:%S %EY", moment, out),
            b'D' => self.compound(b"%m/%d/%y", moment, out),
            b'x' => self.compound(b"%m/%d/%Ey", moment, out),
            b'r' => self.compound(b"%I:%M:%S %p", moment, out),
            b'R' => self.compound(b"%H:%M", moment, out),
            b'T' | b'X' => self.compound(b"%H:%M:%S", moment, out),
            b'F' if self.is_of_date() => self.date(moment, out),
            b'F' => self.compound(b"%Y-%m-%d", moment, out),
            letter => self.number(Number::of(letter, moment)?, moment, out),
        }
        Some(())
    }

    fn is_of_date(&self) -> bool {
        self.writer == Writer::Date
    }

    /// Whether the modifier is allowed with the letter.
    fn is_known(&self) -> bool {
        match self.modifier {
            None => true,
            Some(b'E') => b"cCnpPqrRstTuxXyYzZ".contains(&self.letter),
            Some(_) => b"bBCdeghGHIjklmMnNpPrRsStTuUVwWyzZ".contains(&self.letter),
        }
    }

    /// A number with a modifier is written by the C library, unless it is negative and the modifier
    /// asks for other digits: the library gets no flags, and pads no years.
    fn number(&self, number: Number, moment: Moment<'_>, out: &mut Vec<u8>) {
        let foreign = match self.modifier {
            _ if !self.is_of_date() => {
                return number.foreign(self.letter, moment.civil).write(self, None, out);
            }
            None => None,
            Some(b'E') => Number::foreign_year(self.letter, moment.civil),
            Some(_) if number.negative || self.letter == b's' => None,
            Some(_) => Some(number.foreign(self.letter, moment.civil)),
        };
        let Some(foreign) = foreign else { return number.write(self, moment.year_pad, out) };
        let mut text = Vec::new();
        foreign.write(&Field { pad: None, width: None, ..self.clone() }, None, &mut text);
        self.put(&text, false, out);
    }

    /// Appends text in the width of the field.
    fn put(&self, text: &[u8], upper: bool, out: &mut Vec<u8>) {
        let start = self.fill_up(self.pad, self.width.unwrap_or(0), text.len(), out);
        out.extend_from_slice(text);
        if upper || self.upper {
            out[start..].make_ascii_uppercase();
        }
    }

    /// Appends the padding that a text of this length needs for a width; returns the position of
    /// the text.
    fn fill_up(&self, pad: Option<u8>, width: usize, length: usize, out: &mut Vec<u8>) -> usize {
        let unpadded = pad == Some(b'-') && self.is_of_date();
        let lack = if unpadded { 0 } else { width.saturating_sub(length) };
        let filler = if matches!(pad, Some(b'0' | b'+')) { b'0' } else { b' ' };
        out.resize(out.len() + lack, filler);
        out.len()
    }

    fn half_of_day(&self, hour: u8, out: &mut Vec<u8>) {
        let lower = self.letter == b'P' || self.change_case;
        let text = match (hour < 12, lower) {
            (true, true) => b"am",
            (true, false) => b"AM",
            (false, true) => b"pm",
            (false, false) => b"PM",
        };
        let start = self.fill_up(self.pad, self.width.unwrap_or(0), 2, out);
        debug_assert_eq!(start, out.len());
        out.extend_from_slice(text);
    }

    fn abbreviation(&self, name: &str, out: &mut Vec<u8>) {
        let start = self.fill_up(self.pad, self.width.unwrap_or(0), name.len(), out);
        out.extend_from_slice(name.as_bytes());
        if self.change_case {
            out[start..].make_ascii_lowercase();
        } else if self.upper {
            out[start..].make_ascii_uppercase();
        }
    }

    fn offset(&self, civil: &Civil<'_>) -> Option<Number> {
        // RFC 9636: -00 is the name of a zone that is not known.
        let negative = civil.offset < 0 || civil.offset == 0 && civil.abbreviation.starts_with('-');
        let east = u64::from(civil.offset.unsigned_abs());
        let (hours, minutes, seconds) = (east / 3600, east / 60 % 60, east % 60);
        let (digits, colons, value) = match self.colons {
            0 => (5, 0, hours * 100 + minutes),
            1 => (6, 1, hours * 100 + minutes),
            2 => (9, 2, hours * 10_000 + minutes * 100 + seconds),
            3 if seconds != 0 => (9, 2, hours * 10_000 + minutes * 100 + seconds),
            3 if minutes != 0 => (6, 1, hours * 100 + minutes),
            3 => (3, 0, hours),
            _ => return None,
        };
        Some(Number { value, negative, digits, pad: b'0', signed: true, colons, is_year: false })
    }

    /// For strftime(3) the sign is a field of its own, as wide as the number.
    fn plain_offset(&self, civil: &Civil<'_>, out: &mut Vec<u8>) {
        self.put(if civil.offset < 0 { b"-" } else { b"+" }, false, out);
        let minutes = u64::from(civil.offset.unsigned_abs() / 60);
        Number::new(4, minutes / 60 * 100 + minutes % 60).write(self, None, out);
    }

    /// As many digits as the width says; more width is padding behind them.
    fn nanoseconds(&self, nanoseconds: u32, out: &mut Vec<u8>) {
        let width = self.width.filter(|&width| width > 0).unwrap_or(9);
        let mut digits = [b'0'; 9];
        let mut rest = nanoseconds;
        for digit in digits.iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        let mut digits = &digits[..width.min(9)];
        while let [rest @ .., b'0'] = digits {
            if rest.is_empty() {
                break;
            }
            digits = rest;
        }
        let lack = if self.pad == Some(b'-') { 0 } else { width - digits.len() };
        let filler = if self.pad == Some(b'_') { b' ' } else { b'0' };
        out.extend_from_slice(digits);
        out.resize(out.len() + lack, filler);
    }

    /// A field that stands for several others.
    fn compound(&self, format: &[u8], moment: Moment<'_>, out: &mut Vec<u8>) {
        let mut text = Vec::new();
        Format::of(self.writer, format).fill(Moment { year_pad: self.pad, ..moment }, &mut text);
        self.put(&text, self.upper, out);
    }

    /// `%F`: its width is that of the whole, so the year gets what the rest leaves.
    fn date(&self, moment: Moment<'_>, out: &mut Vec<u8>) {
        let (year_pad, width) = match (self.pad, self.width) {
            (None, None) => (Some(b'+'), 4),
            (pad, width) => (pad, width.unwrap_or(0).saturating_sub(6)),
        };
        let mut format = Format::new(b"%Y-%m-%d");
        if let Some(Item::Field(year)) = format.items.first_mut() {
            year.width = Some(width);
        }
        let mut text = Vec::new();
        format.fill(Moment { year_pad, ..moment }, &mut text);
        self.put(&text, self.upper, out);
    }
}
