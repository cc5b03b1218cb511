//! An entry as its path, for a person: escaped, coloured, as a hyperlink.

use clap::ArgMatches;
use fewer::present::escape;
use fewer::{Entry, Fields, Kind};

use super::plain;
use crate::colors::{Colors, Label};
use crate::hyperlink::Hyperlinks;
use crate::terminal;

/// How paths are shown to a person.
pub(super) struct Pretty {
    escape: bool,
    colors: Option<Colors>,
    link: Option<UrlBase>,
    end: u8,
}

/// The prefix that makes a path a `file:` URL; for a relative path it includes the working
/// directory.
struct UrlBase {
    links: Hyperlinks,
    directory: Vec<u8>,
}

impl Pretty {
    /// `None` if paths are printed as they are.
    pub(super) fn from_flags(flags: &ArgMatches) -> Option<Pretty> {
        let terminal = terminal::is_stdout();
        let wanted = |flag: &str, auto: bool| match flags.get_one::<String>(flag) {
            Some(when) if when == "always" => true,
            Some(when) if when == "auto" => auto,
            _ => false,
        };
        let colors = wanted("color", terminal::shows_color()).then(Colors::from_env).flatten();
        let link = wanted("hyperlink", terminal).then(UrlBase::new).flatten();
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
            base.push_start(path, out);
        }
        let folder = path.len() - entry.name_bytes().len();
        match &self.colors {
            // A root that ends in slashes is one piece.
            Some(colors) if path.ends_with(entry.name_bytes()) => {
                self.piece(&path[..folder], colors.get(Label::Directory), out);
                self.piece(&path[folder..], style(colors, entry), out);
            }
            Some(colors) => self.piece(path, style(colors, entry), out),
            None => self.piece(path, None, out),
        }
        if let Some(base) = &self.link {
            base.links.push_end(out);
        }
        out.push(self.end);
    }

    fn piece(&self, bytes: &[u8], style: Option<&[u8]>, out: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let styled = self.colors.as_ref().zip(style);
        if let Some((colors, style)) = styled {
            colors.push(style, out);
        }
        if self.escape {
            escape(bytes, out);
        } else {
            out.extend_from_slice(bytes);
        }
        if let Some((colors, _)) = styled {
            colors.push_end(out);
        }
    }
}

/// The style of an entry. The price is one statx for a file or directory whose mode matters, and
/// for a link if broken ones look different.
fn style<'c>(colors: &'c Colors, entry: &Entry<'_>) -> Option<&'c [u8]> {
    let label = match entry.kind() {
        Kind::Symlink if colors.is_colored(Label::Orphan) => {
            match entry.stat_target(Fields::KIND) {
                Ok(_) => Label::Link,
                Err(_) => Label::Orphan,
            }
        }
        kind if colors.depend_on_mode(kind) => {
            let stat = entry.stat(Fields::PERMISSIONS | Fields::LINKS);
            stat.map_or(Label::of_kind(kind), |stat| {
                colors.label(kind, stat.permissions(), stat.links())
            })
        }
        kind => Label::of_kind(kind),
    };
    colors.style(label, entry.name_bytes())
}

impl UrlBase {
    /// `None` if the working directory has been removed.
    fn new() -> Option<UrlBase> {
        let mut directory =
            fewer::Scope::start().physical().ok()?.into_os_string().into_encoded_bytes();
        directory.push(b'/');
        Some(UrlBase { links: Hyperlinks::new(), directory })
    }

    /// Begins a link to the path.
    fn push_start(&self, path: &[u8], out: &mut Vec<u8>) {
        if path.starts_with(b"/") {
            return self.links.push_start(path, out);
        }
        let below = path.strip_prefix(b"./").unwrap_or(path);
        self.links.push_start(&[&self.directory, below].concat(), out);
    }
}
