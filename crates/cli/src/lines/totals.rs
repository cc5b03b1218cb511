//! Counts and lengths, printed as wc prints them.

use std::io::Write;

use clap::ArgMatches;
use fewer::lines::{Count, Longest};
use fewer::present::lossless::push_json;
use fewer::{Kind, LineError, Lines};

use super::input::{Format, Input};
use super::{InputAction, Stop, write};
use crate::progress::Progress;
use crate::quote::Quoting;

pub(super) struct Totals<'r> {
    format: Format,
    longest: bool,
    json: bool,
    /// How wide the numbers are at least.
    width: usize,
    /// Whether a last line for all inputs together is printed.
    several: bool,
    total: u64,
    progress: &'r Progress,
}

/// The result for one input, or for all together.
struct Total {
    value: u64,
    /// Which line it is, where that means something.
    number: Option<u64>,
}

impl<'r> Totals<'r> {
    /// Price: one `statx` for each input if there are several: the width of the numbers depends on
    /// the sizes of all of them.
    pub(super) fn new(
        flags: &ArgMatches,
        format: Format,
        inputs: &[Input],
        progress: &'r Progress,
    ) -> Totals<'r> {
        let several = inputs.len() > 1;
        let json = flags.get_flag("json");
        Totals {
            format,
            longest: flags.get_flag("longest"),
            json,
            width: if several && !json { width(inputs) } else { 1 },
            several,
            total: 0,
            progress,
        }
    }

    /// Reads the input. Returns what was found up to the end, or up to an error.
    fn find(&self, lines: &mut Lines<'_>) -> (Total, Result<(), LineError>) {
        let progress = |more| self.progress.add(usize::try_from(more).unwrap_or(0));
        if self.longest {
            let mut longest = Longest::default();
            let outcome = lines.longest_into(&mut longest, &progress);
            return (Total { value: longest.bytes, number: Some(longest.number) }, outcome);
        }
        let mut count = Count::default();
        let outcome = lines.count_into(&mut count, &progress);
        (Total { value: count.ends, number: None }, outcome)
    }

    fn add(&mut self, sum: &Total) {
        self.total = match self.longest {
            true => self.total.max(sum.value),
            false => self.total + sum.value,
        };
    }

    /// Prints one line; `name` is `None` for all inputs together.
    fn print(&self, sum: &Total, name: Option<&[u8]>) -> Result<(), Stop> {
        let mut out = Vec::new();
        let (value, width) = (sum.value, self.width);
        if self.json {
            match name {
                Some(name) => {
                    out.extend_from_slice(b"{\"v\":1,\"path\":");
                    push_json(name, &mut out);
                }
                None => out.extend_from_slice(b"{\"v\":1,\"total\":true"),
            }
            let key = if self.longest { "longest" } else { "lines" };
            let _ = write!(out, ",\"{key}\":{value}");
            if let Some(number) = sum.number {
                let _ = write!(out, ",\"number\":{number}");
            }
            out.extend_from_slice(b"}\n");
        } else {
            let _ = write!(out, "{value:>width$}");
            if let Some(name) = name {
                out.push(b' ');
                // As wc does: only a newline would break the line.
                match name.contains(&b'\n') {
                    true => out.extend_from_slice(&Quoting::for_shell().quote(name).text),
                    false => out.extend_from_slice(name),
                }
            }
            out.push(b'\n');
        }
        write(&out)
    }
}

/// As wide as the sum of the sizes of all regular files, and at least 7 if an input is something
/// else: no count can be larger. An input that cannot be looked at counts as empty.
fn width(inputs: &[Input]) -> usize {
    let mut total = 0_u64;
    let mut least = if inputs.iter().any(|input| input.object().is_some()) { 7 } else { 1 };
    let files = inputs.iter().filter(|input| input.object().is_none());
    for stat in files.filter_map(|input| input.stat().ok()) {
        match stat.kind() {
            Kind::File => total = total.saturating_add(stat.size()),
            _ => least = 7,
        }
    }
    total.to_string().len().max(least)
}

impl InputAction for Totals<'_> {
    fn input(&mut self, input: &Input, read: &mut bool) -> Result<(), Stop> {
        let mut lines = input.open(self.format)?;
        let (sum, outcome) = self.find(&mut lines);
        *read = lines.bytes_read() > 0;
        self.add(&sum);
        self.progress.clear();
        let name = Some(input.name()).filter(|_| self.json || input.has_name());
        self.print(&sum, name)?;
        Ok(outcome?)
    }

    fn end(&mut self) -> Result<(), Stop> {
        if !self.several {
            return Ok(());
        }
        let name = (!self.json).then_some(&b"total"[..]);
        self.print(&Total { value: self.total, number: None }, name)
    }
}
