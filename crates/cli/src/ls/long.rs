//! Mode, links, owner, group, size, time and name, one entry a line.

use fewer::{Kind, Link, Listing, Marks, Row, Stat};

use super::names::Beside;
use super::people::Lately;
use super::press::Press;
use super::sheet::{Sheet, push_blanks, push_right, push_unknown};
use super::sizes::{Scale, digits};
use super::times::Clock;

/// How wide each column is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LongWidths {
    links: usize,
    owner: usize,
    group: usize,
    size: usize,
    major: usize,
    minor: usize,
    /// Whether any entry has a mark behind its mode.
    marks: bool,
}

impl LongWidths {
    pub(super) fn of(press: &Press<'_>, listing: &Listing) -> LongWidths {
        let mut widths = LongWidths::default();
        let (mut users, mut groups) = (Widest::default(), Widest::default());
        let (mut links, mut size) = (None, None);
        let options = press.options;
        for row in listing.rows() {
            widths.marks |= row.marks() != Marks::None;
            let Some(stat) = row.stat() else { continue };
            links = links.max(Some(stat.links()));
            if options.owner || options.author {
                users.see(stat.user(), |id| press.people.user(id));
            }
            if options.group {
                groups.see(stat.group(), |id| press.people.group(id));
            }
            match row.kind() {
                Kind::Block | Kind::Char => widths.grow_for_device(stat),
                _ => size = size.max(Some(stat.size())),
            }
        }
        widths.links = links.map_or(0, |links| digits(u64::from(links)));
        widths.owner = users.columns;
        widths.group = groups.columns;
        // The largest number takes the most columns in any unit, unless that is chosen by size.
        widths.size = widths.size.max(match &options.size_scale {
            scale @ Scale::Unit(..) => size.map_or(0, |size| scale.columns(size)),
            scale => sizes(listing).map(|size| scale.columns(size)).max().unwrap_or(0),
        });
        widths
    }

    fn grow_for_device(&mut self, stat: &Stat) {
        let (major, minor) = stat.special();
        self.major = self.major.max(digits(u64::from(major)));
        self.minor = self.minor.max(digits(u64::from(minor)));
        self.size = self.size.max(self.major + 2 + self.minor);
    }
}

fn sizes(listing: &Listing) -> impl Iterator<Item = u64> {
    listing
        .rows()
        .filter(|row| !matches!(row.kind(), Kind::Block | Kind::Char))
        .filter_map(|row| row.stat().map(|stat| stat.size()))
}

/// The widest name of those seen.
#[derive(Default)]
struct Widest<'n> {
    lately: Lately<'n>,
    columns: usize,
}

impl<'n> Widest<'n> {
    #[inline]
    fn see(&mut self, id: u32, look_up: impl FnOnce(u32) -> Option<&'n [u8]>) {
        let name = self.lately.name(id, look_up);
        self.columns = self.columns.max(name.map_or_else(|| digits(u64::from(id)), <[u8]>::len));
    }
}

/// What one thread writes rows with.
pub(super) struct Pen<'p> {
    clock: Clock<'p>,
    users: Lately<'p>,
    groups: Lately<'p>,
}

impl<'p> Pen<'p> {
    pub(super) fn new(press: &'p Press<'_>) -> Pen<'p> {
        let (users, groups) = (Lately::default(), Lately::default());
        Pen { clock: press.times.clock(), users, groups }
    }
}

impl<'s> Sheet<'s> {
    /// Prints a row and ends its line.
    pub(super) fn push_long(&self, row: Row<'_>, pen: &mut Pen<'s>, out: &mut Vec<u8>) {
        let options = self.press.options;
        self.press.names.push_normal(out);
        let mut start = out.len();
        self.push_numbers(row, true, out);
        self.push_mode(row, out);
        match row.stat() {
            Some(stat) => push_right(self.long.links, u64::from(stat.links()), out),
            None => push_unknown(self.long.links, out),
        }
        out.push(b' ');
        if options.owner || options.group || options.author {
            self.push_owners(row.stat(), pen, out);
            start = out.len();
        }
        self.push_size(row, out);
        out.push(b' ');
        pen.clock.push(options.moment.of(row), out);
        out.push(b' ');
        let column = out.len() - start;
        let length = self.press.names.push(row, self.beside(column), out);
        match row.link() {
            Some(link) if row.kind() == Kind::Symlink => {
                self.push_link(row, link, column + length + 4, out);
            }
            _ => {
                out.extend(self.press.names.indicator(row).filter(|_| row.kind() != Kind::Symlink))
            }
        }
        out.push(options.end);
    }

    fn push_link(&self, row: Row<'_>, link: &Link, column: usize, out: &mut Vec<u8>) {
        let Some(Ok(path)) = &link.path else { return };
        out.extend_from_slice(b" -> ");
        let beside = Beside { column, ..self.beside(0) };
        self.press.names.push_target(path, link, row, beside, out);
        out.extend(self.press.names.target_indicator(link));
    }

    fn push_mode(&self, row: Row<'_>, out: &mut Vec<u8>) {
        let letter = letter(row.kind());
        match row.stat() {
            Some(stat) => {
                out.extend_from_slice(&permissions(letter, stat.permissions()));
                match row.marks() {
                    _ if !self.long.marks => {}
                    Marks::None => out.push(b' '),
                    Marks::Label => out.push(b'.'),
                    Marks::AccessList => out.push(b'+'),
                }
            }
            None => {
                out.push(letter);
                out.extend_from_slice(b"?????????");
                out.extend(self.long.marks.then_some(b' '));
            }
        }
        out.push(b' ');
    }

    fn push_owners(&self, stat: Option<&Stat>, pen: &mut Pen<'s>, out: &mut Vec<u8>) {
        let (options, people) = (self.press.options, &self.press.people);
        let user = stat.map(|stat| {
            let id = stat.user();
            (id, pen.users.name(id, |id| people.user(id)))
        });
        if options.owner {
            push_person(user, self.long.owner, out);
        }
        if options.group {
            let group = stat.map(|stat| {
                let id = stat.group();
                (id, pen.groups.name(id, |id| people.group(id)))
            });
            push_person(group, self.long.group, out);
        }
        if options.author {
            push_person(user, self.long.owner, out);
        }
    }

    fn push_size(&self, row: Row<'_>, out: &mut Vec<u8>) {
        let scale = &self.press.options.size_scale;
        match (row.kind(), row.stat()) {
            (_, None) => push_unknown(self.long.size, out),
            (Kind::Block | Kind::Char, Some(stat)) => {
                let (major, minor) = stat.special();
                let width = self.long.size - 2 - self.long.minor;
                push_right(width, u64::from(major), out);
                out.extend_from_slice(b", ");
                push_right(self.long.minor, u64::from(minor), out);
            }
            (_, Some(stat)) => scale.push_right(self.long.size, stat.size(), out),
        }
    }
}

/// A name is on the left of its column, a number on the right; nobody is a question mark.
fn push_person(person: Option<(u32, Option<&[u8]>)>, width: usize, out: &mut Vec<u8>) {
    let text = match person {
        Some((id, None)) => {
            push_right(width, u64::from(id), out);
            return out.push(b' ');
        }
        Some((_, Some(name))) => name,
        None => b"?",
    };
    out.extend_from_slice(text);
    push_blanks(width + 1, text.len().min(width), out);
}

/// What a mode begins with. Of a file that did not answer it is the kind that the directory told.
fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::File => b'-',
        Kind::Directory => b'd',
        Kind::Symlink => b'l',
        Kind::Fifo => b'p',
        Kind::Socket => b's',
        Kind::Block => b'b',
        Kind::Char => b'c',
        Kind::Unknown => b'?',
    }
}

fn permissions(letter: u8, mode: u16) -> [u8; 10] {
    let mut text = *b"----------";
    text[0] = letter;
    for (place, sign) in b"rwxrwxrwx".iter().enumerate() {
        if mode & 0o400 >> place != 0 {
            text[place + 1] = *sign;
        }
    }
    for (bit, place, sign) in [(0o4000, 3, b's'), (0o2000, 6, b's'), (0o1000, 9, b't')] {
        if mode & bit != 0 {
            text[place] = if text[place] == b'x' { sign } else { sign.to_ascii_uppercase() };
        }
    }
    text
}
