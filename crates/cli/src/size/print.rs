//! The rows as text or JSON.

use std::io::Write;

use clap::ArgMatches;
use fewer::disk_usage::{Row, Space};
use fewer::locale::{is_utf8, own_locale};
use fewer::present::lossless::push_json;
use fewer::present::{Scale, escape};

use crate::json::push_space;
use crate::terminal;

/// How many columns a bar takes.
const BAR_COLUMNS: usize = 20;
/// Parts of a column, an eighth more each.
const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// How rows are printed.
pub(super) struct Style {
    apparent: bool,
    json: bool,
    scale: Scale,
    end: u8,
    /// For a person at a terminal: with bars, and names that cannot control it.
    pretty: bool,
}

impl Style {
    /// Price: one `ioctl`, unless NUL ends the rows or they are JSON.
    pub(super) fn from_flags(flags: &ArgMatches) -> Result<Style, String> {
        let (null, json) = (flags.get_flag("null"), flags.get_flag("json"));
        let pretty = !null && !json && terminal::is_stdout();
        Ok(Style {
            apparent: flags.get_flag("apparent") || flags.get_flag("bytes"),
            json,
            scale: scale(flags, pretty)?,
            end: if null { 0 } else { b'\n' },
            pretty,
        })
    }

    /// The bytes that are shown of it.
    pub(super) fn bytes(&self, space: Space) -> u64 {
        if self.apparent { space.size } else { space.allocated }
    }

    /// All rows, and the one for all together behind them.
    pub(super) fn text(&self, rows: &[Row], total: Option<Space>) -> Vec<u8> {
        let mut out = Vec::new();
        if self.json {
            rows.iter().for_each(|row| push_json_row(row, &mut out));
            total.iter().for_each(|space| push_json_total(*space, &mut out));
            return out;
        }
        let rows = rows.iter().map(|row| (row.space(), row.path_bytes()));
        let rows: Vec<(u64, &[u8])> = rows
            .chain(total.map(|space| (space, &b"total"[..])))
            .map(|(space, path)| (self.bytes(space), path))
            .collect();
        let most = rows.iter().map(|(bytes, _)| *bytes).max().unwrap_or(0);
        let width = rows.iter().map(|(bytes, _)| self.scale.columns(*bytes)).max().unwrap_or(0);
        let bar = self.pretty.then(Bar::from_locale);
        for (bytes, path) in rows {
            match &bar {
                Some(bar) => {
                    self.scale.push_right(width, bytes, &mut out);
                    bar.push(bytes, most, &mut out);
                    escape(path, &mut out);
                }
                None => {
                    self.scale.push(bytes, &mut out);
                    out.push(b'\t');
                    out.extend_from_slice(path);
                }
            }
            out.push(self.end);
        }
        out
    }
}

/// What all starting points take together.
pub(super) fn total(rows: &[Row]) -> Space {
    let mut total = Space::default();
    rows.iter().filter(|row| row.depth() == 0).for_each(|row| total += row.space());
    total
}

fn scale(flags: &ArgMatches, pretty: bool) -> Result<Scale, String> {
    if let Some(text) = flags.get_one::<String>("block-size") {
        let wrong = || format!("cannot understand --block-size '{text}': expected 1M, KB, 512 …");
        return Scale::parse(text).ok_or_else(wrong);
    }
    Ok(match () {
        () if flags.get_flag("bytes") => Scale::BYTES,
        () if flags.get_flag("kibibytes") => Scale::unit(1024),
        () if flags.get_flag("si") => Scale::Human(1000),
        () if flags.get_flag("human-readable") || pretty => Scale::Human(1024),
        () => Scale::unit(1024),
    })
}

fn push_json_row(row: &Row, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"path\":");
    push_json(row.path_bytes(), out);
    let (kind, depth) = (row.kind().name(), row.depth());
    // Writing to memory does not fail.
    let _ = write!(out, ",\"kind\":\"{kind}\",\"depth\":{depth}");
    push_space(row.space(), out);
    out.extend_from_slice(b"}\n");
}

fn push_json_total(space: Space, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"total\":true");
    push_space(space, out);
    out.extend_from_slice(b"}\n");
}

/// A bar, and how many hundredths it stands for.
struct Bar {
    utf8: bool,
}

impl Bar {
    fn from_locale() -> Bar {
        Bar { utf8: own_locale("LC_CTYPE").is_some_and(|name| is_utf8(&name)) }
    }

    fn push(&self, bytes: u64, most: u64, out: &mut Vec<u8>) {
        let (bytes, most) = (u128::from(bytes), u128::from(most.max(1)));
        let parts = bytes * (BAR_COLUMNS * PARTS.len()) as u128 / most;
        let (full, rest) = (parts as usize / PARTS.len(), parts as usize % PARTS.len());
        let mut bar = (if self.utf8 { "█" } else { "#" }).repeat(full);
        if self.utf8 && rest > 0 {
            bar.push(PARTS[rest]);
        }
        let percent = bytes * 100 / most;
        let _ = write!(out, " {percent:>3}% {bar:<BAR_COLUMNS$} ");
    }
}
