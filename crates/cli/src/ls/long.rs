//! Mode, links, owner, group, size, time and name, one entry a line.

use fewer::list::{Link, Marks, Row};
use fewer::present::{kind_letter, mode_text};
use fewer::{Fields, Kind, Stat};

use super::names::NameContext;
use super::owner_names::RecentNames;
use super::renderer::Renderer;
use super::table::Table;
use super::times::TimeWriter;
use fewer::present::align::{push_left, push_right, push_unknown};

/// What one thread writes rows with: the parts of the renderer that have a cache.
pub(super) struct RowWriter<'p> {
    times: TimeWriter<'p>,
    users: RecentNames<'p>,
    groups: RecentNames<'p>,
}

impl<'p> RowWriter<'p> {
    pub(super) fn new(renderer: &'p Renderer<'_>) -> RowWriter<'p> {
        let (users, groups) = (RecentNames::default(), RecentNames::default());
        RowWriter { times: renderer.times.writer(), users, groups }
    }
}

impl<'r> Table<'r, '_> {
    /// Prints a row and ends its line.
    #[inline(always)]
    pub(super) fn push_long(&self, row: Row<'_>, writer: &mut RowWriter<'r>, out: &mut Vec<u8>) {
        let column = self.push_details(row, writer, out);
        self.push_long_name(row, column, out);
        out.push(self.renderer.options.lines.end);
    }

    /// Prints what stands in front of the name, and returns in which column that ends.
    pub(super) fn push_details(
        &self,
        row: Row<'_>,
        writer: &mut RowWriter<'r>,
        out: &mut Vec<u8>,
    ) -> usize {
        let options = self.renderer.options;
        self.renderer.names.push_normal(out);
        let mut start = out.len();
        self.push_numbers(row, true, out);
        if options.details.known.contains(Fields::PERMISSIONS) {
            self.push_mode(row, out);
        }
        if options.details.known.contains(Fields::LINKS) {
            match row.stat() {
                Some(stat) => push_right(self.widths.links, u64::from(stat.links()), out),
                None => push_unknown(self.widths.links, out),
            }
            out.push(b' ');
        }
        if options.details.owner || options.details.group || options.details.author {
            self.push_owners(row.stat(), writer, out);
            start = out.len();
        }
        self.push_size(row, out);
        out.push(b' ');
        writer.times.push(options.details.moment.of(row), out);
        out.push(b' ');
        out.len() - start
    }

    /// Prints the name, which begins in `column`, and where a link points.
    pub(super) fn push_long_name(&self, row: Row<'_>, column: usize, out: &mut Vec<u8>) {
        let length = self.renderer.names.push(row, self.context(column), out);
        match row.link() {
            Some(link) if row.kind() == Kind::Symlink => {
                self.push_link(row, link, column + length + 4, out);
            }
            _ if row.kind() == Kind::Symlink => {}
            _ => {
                if let Some(indicator) = self.renderer.names.indicator(row) {
                    out.push(indicator);
                }
            }
        }
    }

    fn push_link(&self, row: Row<'_>, link: &Link, column: usize, out: &mut Vec<u8>) {
        let Some(Ok(path)) = &link.path else { return };
        out.extend_from_slice(b" -> ");
        let context = NameContext { column, ..self.context(0) };
        self.renderer.names.push_target(path, link, row, context, out);
        out.extend(self.renderer.names.target_indicator(link));
    }

    #[inline(always)]
    fn push_mode(&self, row: Row<'_>, out: &mut Vec<u8>) {
        match row.stat() {
            Some(stat) => {
                out.extend_from_slice(&mode_text(row.kind(), stat.permissions()));
                match row.marks() {
                    _ if !self.widths.marks => {}
                    Marks::None => out.push(b' '),
                    Marks::Label => out.push(b'.'),
                    Marks::AccessList => out.push(b'+'),
                }
            }
            None => {
                out.push(kind_letter(row.kind()));
                out.extend_from_slice(b"?????????");
                out.extend(self.widths.marks.then_some(b' '));
            }
        }
        out.push(b' ');
    }

    fn push_owners(&self, stat: Option<&Stat>, writer: &mut RowWriter<'r>, out: &mut Vec<u8>) {
        let (options, owner_names) = (self.renderer.options, &self.renderer.owner_names);
        let user = stat.map(|stat| {
            let id = stat.user();
            (id, writer.users.name(id, |id| owner_names.user(id)))
        });
        if options.details.owner {
            push_owner_name(user, self.widths.owner, out);
        }
        if options.details.group {
            let group = stat.map(|stat| {
                let id = stat.group();
                (id, writer.groups.name(id, |id| owner_names.group(id)))
            });
            push_owner_name(group, self.widths.group, out);
        }
        if options.details.author {
            push_owner_name(user, self.widths.owner, out);
        }
    }

    #[inline(always)]
    fn push_size(&self, row: Row<'_>, out: &mut Vec<u8>) {
        let scale = &self.renderer.options.details.size_scale;
        match (row.kind(), row.stat()) {
            (_, None) => push_unknown(self.widths.size, out),
            (Kind::Block | Kind::Char, Some(stat)) => {
                let (major, minor) = stat.special();
                let width = self.widths.size - 2 - self.widths.minor;
                push_right(width, u64::from(major), out);
                out.extend_from_slice(b", ");
                push_right(self.widths.minor, u64::from(minor), out);
            }
            (_, Some(stat)) => scale.push_right(self.widths.size, stat.size(), out),
        }
    }
}

/// Prints a name on the left of its column, a number on the right, and a question mark where the
/// owner is not known.
fn push_owner_name(owner: Option<(u32, Option<&[u8]>)>, width: usize, out: &mut Vec<u8>) {
    let text = match owner {
        Some((id, None)) => {
            push_right(width, u64::from(id), out);
            return out.push(b' ');
        }
        Some((_, Some(name))) => name,
        None => b"?",
    };
    push_left(width + 1, text, out);
}
