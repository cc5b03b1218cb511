//! An entry for somebody who looks at it: escaped, coloured, as a link.

use clap::ArgMatches;
use fewer::{Entry, Fields, Kind, escape};
use lscolors::{Indicator, LsColors, Style};

use super::plain;
use crate::terminal;

/// How paths are dressed up.
pub(super) struct Pretty {
    escape: bool,
    colors: Option<LsColors>,
    link: Option<Base>,
    end: u8,
}

/// What is put in front of a path to make it an address.
struct Base {
    host: Vec<u8>,
    directory: Vec<u8>,
}

impl Pretty {
    /// `None` if paths are to be printed as they are.
    pub(super) fn from_flags(flags: &ArgMatches) -> Option<Pretty> {
        let terminal = terminal::is_stdout();
        let wanted = |flag: &str, auto: bool| match flags.get_one::<String>(flag) {
            Some(when) if when == "always" => true,
            Some(when) if when == "auto" => auto,
            _ => false,
        };
        let colors = wanted("color", terminal::shows_color()).then(LsColors::from_env);
        let colors = colors.map(Option::unwrap_or_default);
        let link = wanted("hyperlink", terminal).then(Base::new).flatten();
        let end = plain::end(flags);
        let escape = terminal && end == b'\n';
        (escape || colors.is_some() || link.is_some()).then_some(Pretty {
            escape,
            colors,
            link,
            end,
        })
    }

    /// Prints the path.
    pub(super) fn print(&self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        let path = entry.path_bytes();
        if let Some(base) = &self.link {
            base.open(path, out);
        }
        let folder = path.len() - entry.name_bytes().len();
        match &self.colors {
            // A root that ends in slashes is one piece.
            Some(colors) if path.ends_with(entry.name_bytes()) => {
                let directory = colors.style_for_indicator(Indicator::Directory);
                self.piece(&path[..folder], directory, out);
                self.piece(&path[folder..], style(colors, entry), out);
            }
            Some(colors) => self.piece(path, style(colors, entry), out),
            None => self.piece(path, None, out),
        }
        if self.link.is_some() {
            out.extend_from_slice(b"\x1b]8;;\x1b\\");
        }
        out.push(self.end);
    }

    fn piece(&self, bytes: &[u8], style: Option<&Style>, out: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let style = style.map(Style::to_nu_ansi_term_style).unwrap_or_default();
        out.extend_from_slice(style.prefix().to_string().as_bytes());
        if self.escape {
            escape(bytes, out);
        } else {
            out.extend_from_slice(bytes);
        }
        out.extend_from_slice(style.suffix().to_string().as_bytes());
    }
}

/// The style of an entry. The price is one statx for a file or directory whose mode matters, and
/// for a link if broken ones look different.
fn style<'c>(colors: &'c LsColors, entry: &Entry<'_>) -> Option<&'c Style> {
    let indicator = indicator(colors, entry);
    if indicator == Indicator::RegularFile {
        let name = entry.name().to_string_lossy();
        return colors
            .style_for_str(&name)
            .or_else(|| colors.style_for_indicator(Indicator::RegularFile));
    }
    colors.style_for_indicator(indicator)
}

fn indicator(colors: &LsColors, entry: &Entry<'_>) -> Indicator {
    match entry.kind() {
        Kind::Directory => directory(colors, entry),
        Kind::File => file(colors, entry),
        Kind::Symlink if colors.has_explicit_style_for(Indicator::OrphanedSymbolicLink) => {
            match entry.stat_target(Fields::KIND) {
                Ok(_) => Indicator::SymbolicLink,
                Err(_) => Indicator::OrphanedSymbolicLink,
            }
        }
        Kind::Symlink => Indicator::SymbolicLink,
        Kind::Fifo => Indicator::FIFO,
        Kind::Socket => Indicator::Socket,
        Kind::Block => Indicator::BlockDevice,
        Kind::Char => Indicator::CharacterDevice,
        Kind::Unknown => Indicator::Normal,
    }
}

fn permissions(colors: &LsColors, entry: &Entry<'_>, of_interest: &[Indicator]) -> u16 {
    if !of_interest.iter().any(|indicator| colors.has_explicit_style_for(*indicator)) {
        return 0;
    }
    entry.stat(Fields::MODE).map_or(0, |stat| stat.permissions())
}

fn directory(colors: &LsColors, entry: &Entry<'_>) -> Indicator {
    let of_interest =
        [Indicator::StickyAndOtherWritable, Indicator::OtherWritable, Indicator::Sticky];
    let mode = permissions(colors, entry, &of_interest);
    let indicator = match (mode & 0o1000 != 0, mode & 0o002 != 0) {
        (true, true) => Indicator::StickyAndOtherWritable,
        (false, true) => Indicator::OtherWritable,
        (true, false) => Indicator::Sticky,
        (false, false) => Indicator::Directory,
    };
    explicit_or(colors, indicator, Indicator::Directory)
}

fn file(colors: &LsColors, entry: &Entry<'_>) -> Indicator {
    let of_interest = [Indicator::Setuid, Indicator::Setgid, Indicator::ExecutableFile];
    let mode = permissions(colors, entry, &of_interest);
    let indicator = match mode {
        _ if mode & 0o4000 != 0 => Indicator::Setuid,
        _ if mode & 0o2000 != 0 => Indicator::Setgid,
        _ if mode & 0o111 != 0 => Indicator::ExecutableFile,
        _ => Indicator::RegularFile,
    };
    explicit_or(colors, indicator, Indicator::RegularFile)
}

fn explicit_or(colors: &LsColors, indicator: Indicator, otherwise: Indicator) -> Indicator {
    if colors.has_explicit_style_for(indicator) { indicator } else { otherwise }
}

impl Base {
    /// `None` if the working directory is nowhere any more.
    fn new() -> Option<Base> {
        let mut directory =
            fewer::Scope::start().physical().ok()?.into_os_string().into_encoded_bytes();
        directory.push(b'/');
        Some(Base { host: kernel::host_name(), directory })
    }

    /// Begins a link (OSC 8) to the path.
    fn open(&self, path: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;file://");
        out.extend_from_slice(&self.host);
        if !path.starts_with(b"/") {
            percent_encode(&self.directory, out);
        }
        percent_encode(path.strip_prefix(b"./").unwrap_or(path), out);
        out.extend_from_slice(b"\x1b\\");
    }
}

/// What is not plain in an address (RFC 3986) becomes `%` and two digits.
fn percent_encode(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(byte);
            }
            _ => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
}
