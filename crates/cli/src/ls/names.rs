//! A name as it is printed: quoted, coloured, as a hyperlink, with an indicator behind it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use sys::{OsStrExt, OsStringExt};

use fewer::list::{Link, Row};
use fewer::path::push;
use fewer::{Kind, Stat};

use super::options::{Indicators, Layout, Options};
use crate::colors::{Colors, Label};
use crate::hyperlink::Hyperlinks;
use crate::quote::{Quoting, Style};

/// How names are printed.
pub(super) struct Names<'o> {
    options: &'o Options,
    entries: Quoting,
    headings: Quoting,
    links: Option<Hyperlinks>,
    /// Whether any colour has been printed yet.
    colored: AtomicBool,
}

/// What the printed form of a name depends on besides the name.
#[derive(Clone, Copy)]
pub(super) struct NameContext<'b> {
    /// Whether any name of the listing has quotes around it: then the others are indented.
    pub(super) some_quoted: bool,
    /// The canonical path of the directory; only if names are links.
    pub(super) folder: Option<&'b Path>,
    /// In which column the name begins.
    pub(super) column: usize,
}

impl<'o> Names<'o> {
    pub(super) fn new(options: &'o Options) -> Names<'o> {
        let mut also = Vec::new();
        if options.names.style == Style::Escape {
            also.push(b' ');
        }
        match options.names.indicators {
            Indicators::Classify => also.extend_from_slice(b"=>@|"),
            Indicators::Kind => also.extend_from_slice(b"*=>@|"),
            Indicators::Slash | Indicators::None => {}
        }
        let (style, charset) = (options.names.style, options.names.charset);
        let entries =
            Quoting { style, charset, question_marks: options.names.question_marks, also };
        let mut headings = entries.clone();
        headings.also = vec![b':'];
        Names {
            options,
            entries,
            headings,
            links: options.names.hyperlink.then(Hyperlinks::new),
            colored: AtomicBool::new(false),
        }
    }

    /// Whether names without quotes are indented where other names have quotes.
    #[inline(always)]
    pub(super) fn aligns_quotes(&self) -> bool {
        let in_columns = matches!(self.options.layout, Layout::Columns | Layout::Across);
        (self.options.layout == Layout::Long || (in_columns && self.options.lines.width > 0))
            && self.entries.may_have_outer_quotes()
    }

    /// Whether rows can be formatted by several threads: no name depends on those before it.
    pub(super) fn are_independent(&self) -> bool {
        self.options.names.colors.is_none() && self.links.is_none()
    }

    pub(super) fn is_quoted(&self, name: &[u8]) -> bool {
        self.entries.quote(name).quoted
    }

    /// How many columns a name takes, without its indicator.
    pub(super) fn columns(&self, name: &[u8], some_quoted: bool) -> usize {
        self.entries.columns(name, some_quoted)
    }

    /// The way of quoting, on which the widths of names depend.
    pub(super) fn quoting(&self) -> Quoting {
        self.entries.clone()
    }

    /// The canonical path of a directory that is listed, if names are links.
    pub(super) fn folder(&self, path: &Path) -> Option<std::path::PathBuf> {
        self.links.as_ref().map(|_| fewer::canonical(None, path))
    }

    /// Prints what stands above a listing.
    pub(super) fn push_heading(&self, path: &Path, folder: Option<&Path>, out: &mut Vec<u8>) {
        let quoted = self.headings.quote(path.as_os_str().as_bytes());
        self.push_linked(&quoted.text, folder, false, out);
        out.extend_from_slice(b":\n");
    }

    /// Prints the directory at the top of a tree.
    pub(super) fn push_top(&self, path: &Path, out: &mut Vec<u8>) {
        let quoted = self.entries.quote(path.as_os_str().as_bytes());
        self.push_linked(&quoted.text, self.folder(path).as_deref(), false, out);
    }

    /// Prints the name of a row, and returns its length in bytes without colours and hyperlinks.
    pub(super) fn push(&self, row: Row<'_>, context: NameContext<'_>, out: &mut Vec<u8>) -> usize {
        if self.options.names.colors.is_none() && self.links.is_none() {
            return self.push_plain(row.name_bytes(), context.some_quoted, out);
        }
        let target = self.links.as_ref().map(|_| {
            let name = Path::new(row.name());
            match (row.kind(), context.folder) {
                // Only a link has another canonical path than its name.
                _ if self.options.selection.follow => fewer::canonical(context.folder, name),
                (Kind::Symlink, _) | (_, None) => fewer::canonical(context.folder, name),
                (_, Some(folder)) => match row.name_bytes() {
                    b"." | b".." => fewer::canonical(Some(folder), name),
                    name => {
                        let mut path = folder.as_os_str().as_bytes().to_vec();
                        push(&mut path, name);
                        PathBuf::from(OsString::from_vec(path))
                    }
                },
            }
        });
        let style = self.options.names.colors.as_ref().and_then(|colors| style(colors, row));
        self.push_styled((row.name_bytes(), true), style, target.as_deref(), context, out)
    }

    /// Prints where a link points.
    pub(super) fn push_target(
        &self,
        path: &[u8],
        link: &Link,
        row: Row<'_>,
        context: NameContext<'_>,
        out: &mut Vec<u8>,
    ) {
        let style =
            self.options.names.colors.as_ref().and_then(|c| style_of_target(c, path, link, row));
        let target =
            self.links.as_ref().map(|_| fewer::canonical(context.folder, row.name().as_ref()));
        self.push_styled((path, false), style, target.as_deref(), context, out);
    }

    fn push_plain(&self, name: &[u8], some_quoted: bool, out: &mut Vec<u8>) -> usize {
        if self.entries.style == Style::Literal && !self.entries.question_marks {
            out.extend_from_slice(name);
            return name.len();
        }
        let quoted = self.entries.quote(name);
        let indented = some_quoted && !quoted.quoted;
        if indented {
            out.push(b' ');
        }
        out.extend_from_slice(&quoted.text);
        quoted.text.len() + usize::from(indented)
    }

    /// Prints a name, or what a link points to, with colours and as a hyperlink; returns its length
    /// in bytes without these. Only a name may be indented.
    fn push_styled(
        &self,
        (name, may_be_indented): (&[u8], bool),
        style: Option<&[u8]>,
        target: Option<&Path>,
        context: NameContext<'_>,
        out: &mut Vec<u8>,
    ) -> usize {
        let quoted = self.entries.quote(name);
        let indented = context.some_quoted && !quoted.quoted;
        if indented && may_be_indented {
            out.push(b' ');
        }
        if let (Some(colors), Some(style)) = (&self.options.names.colors, style) {
            if colors.is_colored(Label::Normal) {
                self.push_sequence(colors, b"", out);
            }
            self.push_sequence(colors, style, out);
        }
        let text: &[u8] = &quoted.text;
        let aligned = self.aligns_quotes() && context.some_quoted && !indented;
        self.push_linked(text, target, aligned, out);
        let length = text.len() + usize::from(indented);
        if let Some(colors) = &self.options.names.colors
            && (style.is_some() || colors.is_colored(Label::Normal))
        {
            if !self.colored.swap(true, Relaxed) {
                colors.push_end(out);
            }
            colors.push_end(out);
            // A background colour must not run on to the edge where the line wraps.
            let width = self.options.lines.width;
            let last = (context.column + length).wrapping_sub(1);
            if width > 0 && context.column / width != last / width {
                out.extend_from_slice(colors.get(Label::ClearToEnd).unwrap_or_default());
            }
        }
        length
    }

    /// Prints text as a hyperlink. With `aligned` the quotes around it are not part of the link.
    #[inline(always)]
    fn push_linked(&self, text: &[u8], target: Option<&Path>, aligned: bool, out: &mut Vec<u8>) {
        let (Some(links), Some(target)) = (&self.links, target) else {
            return out.extend_from_slice(text);
        };
        let (before, inside, behind) = match text {
            [first, inside @ .., last] if aligned => (Some(*first), inside, Some(*last)),
            _ => (None, text, None),
        };
        out.extend(before);
        links.push_start(target.as_os_str().as_bytes(), out);
        out.extend_from_slice(inside);
        links.push_end(out);
        out.extend(behind);
    }

    /// Prints the style of ordinary text before a row, if there is one (`no` in `LS_COLORS`).
    pub(super) fn push_normal(&self, out: &mut Vec<u8>) {
        if let Some(colors) = &self.options.names.colors
            && colors.is_colored(Label::Normal)
        {
            self.push_sequence(colors, colors.get(Label::Normal).unwrap_or_default(), out);
        }
    }

    /// Prints a style; before the very first one, the sequence that ends a style.
    fn push_sequence(&self, colors: &Colors, style: &[u8], out: &mut Vec<u8>) {
        if !self.colored.swap(true, Relaxed) {
            colors.push_end(out);
        }
        colors.push(style, out);
    }

    /// Puts the terminal back as it was at the very end, if the sequences are not the usual ones.
    pub(super) fn push_last(&self, out: &mut Vec<u8>) {
        let Some(colors) = &self.options.names.colors else { return };
        let usual =
            colors.get(Label::Left) == Some(b"\x1b[") && colors.get(Label::Right) == Some(b"m");
        if self.colored.load(Relaxed) && !usual {
            self.push_sequence(colors, b"", out);
        }
    }

    /// What is added behind the name of a row.
    #[inline(always)]
    pub(super) fn indicator(&self, row: Row<'_>) -> Option<u8> {
        indicator(self.options.names.indicators, row.kind(), row.stat())
    }

    /// What is added behind where a link points.
    pub(super) fn target_indicator(&self, link: &Link) -> Option<u8> {
        let target = link.target.as_ref()?.as_ref().ok()?;
        indicator(self.options.names.indicators, target.kind(), Some(target))
    }
}

#[inline(always)]
fn indicator(indicators: Indicators, kind: Kind, stat: Option<&Stat>) -> Option<u8> {
    let executable = || stat.is_some_and(|stat| stat.permissions() & 0o111 != 0);
    match (kind, indicators) {
        (_, Indicators::None) => None,
        (Kind::Directory, _) => Some(b'/'),
        (_, Indicators::Slash) => None,
        (Kind::File, Indicators::Classify) if executable() => Some(b'*'),
        (Kind::Symlink, _) => Some(b'@'),
        (Kind::Fifo, _) => Some(b'|'),
        (Kind::Socket, _) => Some(b'='),
        _ => None,
    }
}

/// The style of a row.
fn style<'c>(colors: &'c Colors, row: Row<'_>) -> Option<&'c [u8]> {
    let target = row.link().and_then(|link| link.target.as_ref()?.as_ref().ok());
    let as_target = colors.get(Label::Link) == Some(b"target");
    let label = match (row.kind(), target) {
        (Kind::Symlink, Some(target)) if as_target => of_stat(colors, target, row),
        (Kind::Symlink, None) if as_target || colors.is_colored(Label::Orphan) => Label::Orphan,
        (kind, _) => match row.stat() {
            Some(stat) => of_stat(colors, stat, row),
            None => Label::of_kind(kind),
        },
    };
    colors.style(label, row.name_bytes())
}

fn style_of_target<'c>(
    colors: &'c Colors,
    path: &[u8],
    link: &Link,
    row: Row<'_>,
) -> Option<&'c [u8]> {
    let label = match link.target.as_ref().and_then(|target| target.as_ref().ok()) {
        Some(target) => of_stat(colors, target, row),
        None if colors.is_colored(Label::Missing) => Label::Missing,
        None => Label::Orphan,
    };
    colors.style(label, path)
}

/// Whether a file has several names is only known of the row itself.
#[inline(always)]
fn of_stat(colors: &Colors, stat: &Stat, row: Row<'_>) -> Label {
    let names = row.stat().map_or(0, Stat::links);
    colors.label(stat.kind(), stat.permissions(), names)
}
