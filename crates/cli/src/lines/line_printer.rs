//! Prints line by line: with numbers, with other line ends, as JSON, or only lines that are not
//! UTF-8.

use std::io::Write;

use clap::ArgMatches;
use fewer::Lines;
use fewer::lines::{Batch, Line};
use fewer::present::align::push_right;
use fewer::present::escape;
use fewer::present::lossless::push_json;

use super::copy::Choice;
use super::input::{Format, Input};
use super::same_file::GrowthCheck;
use super::{InputAction, Stop, write};
use crate::progress::Progress;

pub(super) struct LinePrinter<'r> {
    format: Format,
    choice: Choice,
    number: bool,
    json: bool,
    invalid: bool,
    /// Whether the listing of lines that are not UTF-8 names the file.
    names: bool,
    terminal: bool,
    progress: &'r Progress,
    out: Vec<u8>,
}

impl<'r> LinePrinter<'r> {
    /// Whether the flags ask for more than a copy of the bytes.
    pub(super) fn is_needed(flags: &ArgMatches) -> bool {
        ["number", "json", "invalid", "crlf"].into_iter().any(|flag| flags.get_flag(flag))
    }

    pub(super) fn new(
        flags: &ArgMatches,
        format: Format,
        inputs: &[Input],
        progress: &'r Progress,
    ) -> LinePrinter<'r> {
        let invalid = flags.get_flag("invalid");
        let json = flags.get_flag("json");
        LinePrinter {
            format,
            choice: Choice::from_flags(flags),
            number: flags.get_flag("number"),
            json,
            invalid,
            names: inputs.len() > 1,
            terminal: invalid && !json && sys::is_terminal(sys::STDOUT),
            progress,
            out: Vec::new(),
        }
    }

    fn print(&mut self, lines: &mut Lines<'_>, input: &Input) -> Result<(), Stop> {
        let mut growth = GrowthCheck::default();
        let mut left = self.choice.count();
        match self.choice {
            Choice::Range(from, _) if left > 0 => lines.skip(from - 1)?,
            Choice::Range(..) => {}
            Choice::Last(count) if self.number || self.json => lines.last_numbered(count)?,
            Choice::Last(count) => lines.last(count)?,
        }
        while left > 0
            && let Some(batch) = lines.next_batch()?
        {
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(batch.len());
            left -= wanted as u64;
            self.progress.add(wanted);
            self.batch(&batch, wanted, input.name());
            // Written before more is read, for the same reason as in `copy`.
            if !self.out.is_empty() {
                write(&self.out)?;
                self.out.clear();
            }
            growth.look(input, lines)?;
        }
        Ok(())
    }

    fn batch(&mut self, batch: &Batch<'_>, wanted: usize, name: &[u8]) {
        if self.invalid && batch.flags().iter().all(|flags| flags & Batch::UTF8 != 0) {
            return;
        }
        for line in batch.lines().take(wanted) {
            match (self.invalid, self.json) {
                (true, _) if line.is_utf8() => {}
                (true, false) => self.invalid(&line, name),
                (_, true) => self.json(&line, name),
                (false, false) => self.plain(&line),
            }
        }
    }

    fn plain(&mut self, line: &Line<'_>) {
        if self.number {
            push_right(6, line.number(), &mut self.out);
            self.out.push(b'\t');
        }
        if !self.format.crlf {
            return self.out.extend_from_slice(line.with_end());
        }
        self.out.extend_from_slice(line.bytes());
        if line.is_ended() {
            self.out.push(self.format.end.byte());
        }
    }

    fn json(&mut self, line: &Line<'_>, name: &[u8]) {
        self.out.extend_from_slice(b"{\"v\":1,\"path\":");
        push_json(name, &mut self.out);
        let (number, offset) = (line.number(), line.offset());
        let _ = write!(self.out, ",\"number\":{number},\"offset\":{offset},");
        if let Some(column) = line.first_bad().filter(|_| self.invalid) {
            let _ = write!(self.out, "\"invalid\":{},", offset + column as u64);
        }
        self.out.extend_from_slice(b"\"line\":");
        push_json(line.bytes(), &mut self.out);
        self.out.extend_from_slice(b"}\n");
    }

    fn invalid(&mut self, line: &Line<'_>, name: &[u8]) {
        if self.names {
            self.show(name);
            self.out.push(b':');
        }
        let at = line.offset() + line.first_bad().unwrap_or(0) as u64;
        let _ = write!(self.out, "{}:{at}:", line.number());
        self.show(line.bytes());
        self.out.push(self.format.end.byte());
    }

    fn show(&mut self, bytes: &[u8]) {
        match self.terminal {
            true => escape(bytes, &mut self.out),
            false => self.out.extend_from_slice(bytes),
        }
    }
}

impl InputAction for LinePrinter<'_> {
    fn input(&mut self, input: &Input, read: &mut bool) -> Result<(), Stop> {
        let mut lines = input.open(self.format)?;
        let outcome = self.print(&mut lines, input);
        *read = lines.bytes_read() > 0;
        outcome
    }
}
