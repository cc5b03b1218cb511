//! An entry as text, after a template.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Format`] and [`FormatWriter`] |
//! | `field` | what a template may contain: its names and letters, and what each costs |
//! | `braces` | the parser of `{path} {size}`: fd's placeholders, and names for the rest |
//! | `percent` | the parser of `%p %s\n`: the common letters of find's -printf |

mod braces;
mod field;
mod percent;

use std::fmt;
use std::sync::OnceLock;

pub use field::names;
use field::{Field, Source};
use sys::{Fields, Kind, Stat};

use crate::align::push_number;
use crate::entry::Entry;
use crate::error::{Errno, Error};
use crate::escape::escape;
use crate::localtime::Zone;
use crate::localtime::column::{TimeColumn, TimeStyle};
use crate::mode::mode_text;
use crate::owner::Owners;

/// A template, parsed once.
///
/// Price of an entry: none for its path, name, kind, depth and inode; one `statx` for anything
/// else, however much; one `readlinkat` for the target of a link. Owners and times cost, once, what
/// [`Owners`] and [`Zone::local`] do.
#[derive(Debug)]
pub struct Format {
    pieces: Vec<Piece>,
    fields: Option<Fields>,
    escapes: bool,
    owners: Owners,
    zone: OnceLock<Zone>,
}

#[derive(Debug)]
enum Piece {
    Text(Box<[u8]>),
    Field { field: Field, pad: Pad },
}

/// How a field is brought to a width.
#[derive(Clone, Copy, Debug, Default)]
struct Pad {
    width: usize,
    left: bool,
    zeros: bool,
    /// Of a text, no more bytes than this.
    most: Option<usize>,
}

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    reason: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for FormatError {}

impl Format {
    /// A template such as `{path} {size}`. `{}`, `{/}`, `{//}`, `{.}` and `{/.}` are those of fd
    /// ([`PathPart`](crate::path::PathPart)), `{{` and `}}` are braces. A time may have a format of
    /// date(1) behind a colon: `{mtime:%F}`.
    ///
    /// # Errors
    /// A name that there is not, or a brace that is not closed. The message lists the names.
    pub fn braces(template: &[u8]) -> Result<Format, FormatError> {
        braces::parse(template).map(Format::of)
    }

    /// A template of find's `-printf`, with its escapes: `%p %s\n`. The letters are `p f h P H d y
    /// Y l s b k n m M u U g G i`, and `a c t`, `A C T B` with the letter of a time behind.
    ///
    /// # Errors
    /// A letter that there is not.
    pub fn percent(template: &[u8]) -> Result<Format, FormatError> {
        percent::parse(template).map(Format::of)
    }

    fn of(pieces: Vec<Piece>) -> Format {
        let fields = pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Field { field, .. } => field.source.fields(),
        });
        Format {
            fields: fields.reduce(|all, field| all | field),
            pieces,
            escapes: false,
            owners: Owners::new(),
            zone: OnceLock::new(),
        }
    }

    /// Whether what could steer a terminal is escaped in names and targets.
    #[must_use]
    pub fn escapes(mut self, yes: bool) -> Format {
        self.escapes = yes;
        self
    }

    /// Whether it has a field that costs one `statx` an entry; free.
    #[must_use]
    pub fn needs_stat(&self) -> bool {
        self.fields.is_some()
    }

    /// The fields that it needs besides those that are free; free.
    #[cfg(feature = "stores")]
    #[must_use]
    pub fn fields(&self) -> Fields {
        self.fields.unwrap_or(Fields::NONE)
    }

    /// What one thread writes entries with.
    #[must_use]
    pub fn writer(&self) -> FormatWriter<'_> {
        let column = |piece: &Piece| match piece {
            Piece::Field {
                field: Field { source: Source::Time(_), time: Some(style), .. },
                ..
            } => Some(TimeColumn::new(self.zone.get_or_init(Zone::local), style.clone())),
            _ => None,
        };
        FormatWriter { format: self, times: self.pieces.iter().map(column).collect() }
    }
}

/// Writes entries after a template, for one thread.
#[derive(Debug)]
pub struct FormatWriter<'f> {
    format: &'f Format,
    /// For each piece that is a time, the cache of its texts.
    times: Vec<Option<TimeColumn<'f>>>,
}

impl FormatWriter<'_> {
    /// Appends an entry. Nothing is appended if its metadata cannot be read.
    ///
    /// Price: see [`Format`].
    ///
    /// # Errors
    /// The kernel's number with the path of the entry.
    pub fn write(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let stat = self.format.fields.map(|fields| entry.stat(fields)).transpose()?;
        let begin = out.len();
        for (piece, times) in self.format.pieces.iter().zip(&mut self.times) {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Field { field, pad } => {
                    let start = out.len();
                    let done = self.format.push(field, entry, stat.as_ref(), times.as_mut(), out);
                    if let Err(error) = done {
                        out.truncate(begin);
                        return Err(error);
                    }
                    pad.apply(start, out);
                }
            }
        }
        Ok(())
    }
}

impl Format {
    fn push(
        &self,
        field: &Field,
        entry: &Entry<'_>,
        stat: Option<&Stat>,
        times: Option<&mut TimeColumn<'_>>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        match (&field.source, stat) {
            (Source::Path(part), _) => self.text(part.of(entry.path_bytes()), out),
            (Source::Root, _) => self.text(entry.split_root().0, out),
            (Source::BelowRoot, _) => self.text(entry.split_root().1, out),
            (Source::Kind, _) => out.extend_from_slice(entry.kind().name().as_bytes()),
            (Source::Letter, _) => out.push(letter(entry.kind())),
            (Source::TargetLetter, _) => out.push(target_letter(entry)),
            (Source::Target, _) if entry.is_symlink() => self.text(&entry.read_link()?, out),
            (Source::Depth, _) => push_number(entry.depth() as u64, out),
            (Source::EntryInode, _) => push_number(entry.inode(), out),
            (Source::Stat(number), Some(stat)) => push_number(number.of(stat), out),
            (Source::Octal, Some(stat)) => {
                out.extend_from_slice(format!("{:o}", stat.permissions()).as_bytes());
            }
            (Source::Mode, Some(stat)) => {
                out.extend_from_slice(&mode_text(entry.kind(), stat.permissions()));
            }
            (Source::User, Some(stat)) => {
                push_owner(self.owners.user(stat.user()), stat.user(), out)
            }
            (Source::Group, Some(stat)) => {
                push_owner(self.owners.group(stat.group()), stat.group(), out);
            }
            (Source::Time(moment), Some(stat)) => match (moment.of(stat), times) {
                (Some(time), Some(column)) => column.write(time, out),
                _ => out.push(b'-'),
            },
            _ => {} // no link, so no target
        }
        Ok(())
    }

    fn text(&self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.escapes {
            escape(bytes, out);
        } else {
            out.extend_from_slice(bytes);
        }
    }
}

impl Pad {
    /// Brings what was appended since `start` to the width.
    fn apply(self, start: usize, out: &mut Vec<u8>) {
        if let Some(most) = self.most {
            out.truncate(out.len().min(start + most));
        }
        let length = out.len() - start;
        if length >= self.width {
            return;
        }
        out.resize(start + self.width, if self.zeros && !self.left { b'0' } else { b' ' });
        if !self.left {
            out[start..].rotate_right(self.width - length);
        }
    }
}

/// The letter of find's `-type`.
fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::File => b'f',
        Kind::Unknown => b'U',
        other => crate::mode::kind_letter(other),
    }
}

/// The letter of what a link points to: `N` for nothing, `L` for a loop.
fn target_letter(entry: &Entry<'_>) -> u8 {
    if !entry.is_symlink() {
        return letter(entry.kind());
    }
    match entry.stat_target(Fields::KIND) {
        Ok(stat) => letter(stat.kind()),
        Err(error) => match error.errno() {
            Errno::NOENT | Errno::NOTDIR => b'N',
            Errno::LOOP => b'L',
            _ => b'?',
        },
    }
}

fn push_owner(name: Option<&[u8]>, id: u32, out: &mut Vec<u8>) {
    match name {
        Some(name) => out.extend_from_slice(name),
        None => push_number(u64::from(id), out),
    }
}

/// A style of date(1)'s format; a line break in it is none.
fn time_style(format: &[u8]) -> Option<TimeStyle> {
    TimeStyle::format(format).ok().filter(|_| !format.contains(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Walk;

    /// What the template prints of `lib.rs` in this crate.
    fn printed(format: Result<Format, FormatError>) -> String {
        let format = format.unwrap();
        let mut out = Vec::new();
        let print = |item: crate::walk::Item<'_>, out: &mut Vec<u8>| {
            let entry = item.unwrap();
            if entry.name() == "lib.rs" {
                format.writer().write(&entry, out).unwrap();
            }
            crate::Answer::Continue
        };
        Walk::new("./src").max_depth(1).visit(
            || print,
            |bytes| {
                out.extend_from_slice(bytes);
                crate::Answer::Continue
            },
        );
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_kinds_of_templates_know_the_same() {
        let braces = |template: &str| printed(Format::braces(template.as_bytes()));
        let percent = |template: &str| printed(Format::percent(template.as_bytes()));
        assert_eq!(braces("{} {/} {//} {.} {/.}"), "./src/lib.rs lib.rs ./src ./src/lib lib");
        assert_eq!(braces("{{{name}}} {type} {depth}"), "{lib.rs} file 1");
        assert_eq!(
            percent(r"%p|%f|%h|%P|%H|%d|%y%Y%%\t\0\101\\"),
            "./src/lib.rs|lib.rs|./src|lib.rs|./src|1|ff%\t\0A\\"
        );
        assert_eq!(percent("[%-8f] [%8f] [%.3f] [%03d]"), "[lib.rs  ] [  lib.rs] [lib] [001]");
        for (one, other) in [
            ("{size} {links} {user}:{group} {uid} {gid}", "%s %n %u:%g %U %G"),
            ("{mode} {permissions}", "%M %m"),
            ("{mtime} {mtime:%s}", "%TY-%Tm-%Td %TH:%TM:%.2TS %.10T@"),
        ] {
            assert_eq!(braces(one), percent(other), "{one}");
        }
    }

    #[test]
    fn what_is_no_template_is_refused_and_free_fields_need_no_call() {
        for template in ["{siez}", "{path", "}", "{mtime:a\nb\nc}"] {
            assert!(Format::braces(template.as_bytes()).is_err(), "{template}");
        }
        for template in ["%", "%q", "%T", "%-", "%+d"] {
            assert!(Format::percent(template.as_bytes()).is_err(), "{template}");
        }
        let free = Format::braces(b"{path} {name} {parent} {stem} {type} {depth} {inode}").unwrap();
        assert_eq!(free.fields, None);
        assert_eq!(Format::percent(b"%p %f %h %P %H %d %y").unwrap().fields, None);
    }
}
