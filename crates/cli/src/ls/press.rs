//! From listings to output, by several threads if they are large.

use std::sync::mpsc::{channel, sync_channel};

use super::json;
use super::long::Pen;
use super::names::Names;
use super::options::{Form, Options};
use super::output::Output;
use super::people::People;
use super::sheet::Sheet;
use super::times::Times;

/// So many rows are set by one thread at a time; about 300 KiB of text.
const ROWS_PER_PIECE: usize = 4096;
/// So many pieces may wait for their turn, for each thread.
const WAITING: usize = 2;

/// Everything that rows are printed with, the same for all listings.
pub(super) struct Press<'o> {
    pub(super) options: &'o Options,
    pub(super) names: Names<'o>,
    pub(super) people: People,
    pub(super) times: Times<'o>,
}

impl<'o> Press<'o> {
    pub(super) fn new(options: &'o Options) -> Press<'o> {
        Press {
            options,
            names: Names::new(options),
            people: People::new(options.numeric),
            times: Times::new(&options.time_style, options.form == Form::Long),
        }
    }
}

impl<'s> Sheet<'s> {
    /// Prints all rows in the form that is asked for.
    pub(super) fn print(&self, output: &mut Output) {
        let options = self.press.options;
        match options.form {
            _ if self.len() == 0 => {}
            Form::Long => self.print_long(output),
            Form::Lines => self.print_each(output, |row, out| {
                self.push_entry(row, 0, out);
                out.push(options.end);
            }),
            Form::Json => self.print_each(output, |row, out| {
                json::push(row, self.directory, self.press, out);
            }),
            Form::Commas => self.push_separated(b',', &mut output.bytes),
            Form::Columns | Form::Across if options.width == 0 => {
                self.push_separated(b' ', &mut output.bytes);
            }
            Form::Columns => self.push_columns(&mut output.bytes),
            Form::Across => self.push_across(&mut output.bytes),
        }
        output.write_blocks();
    }

    fn print_each(&self, output: &mut Output, push: impl Fn(fewer::list::Row<'_>, &mut Vec<u8>)) {
        for row in self.rows() {
            push(row, &mut output.bytes);
            if !output.write_blocks() {
                return;
            }
        }
    }

    fn print_long(&self, output: &mut Output) {
        let pieces = self.len().div_ceil(ROWS_PER_PIECE);
        if pieces > 1 && self.press.names.are_independent() {
            let threads = self.threads().min(pieces);
            return self.print_long_together(threads, pieces, output);
        }
        let mut pen = Pen::new(self.press);
        self.print_each_long(0..self.len(), &mut pen, output);
    }

    fn print_each_long(
        &self,
        places: std::ops::Range<usize>,
        pen: &mut Pen<'s>,
        output: &mut Output,
    ) {
        for place in places {
            self.expect(place);
            self.push_long(self.row(place), pen, &mut output.bytes);
            if !output.write_blocks() {
                return;
            }
        }
    }

    /// Each thread sets every so many-th piece; the calling one writes all of them in turn.
    fn print_long_together(&self, threads: usize, pieces: usize, output: &mut Output) {
        let places =
            |piece: usize| piece * ROWS_PER_PIECE..((piece + 1) * ROWS_PER_PIECE).min(self.len());
        let set = |piece: usize, pen: &mut Pen<'s>, mut text: Vec<u8>| {
            text.clear();
            for place in places(piece) {
                self.expect(place);
                self.push_long(self.row(place), pen, &mut text);
            }
            text
        };
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for helper in 1..threads {
                let (sender, receiver) = sync_channel(WAITING);
                let (giver, used) = channel::<Vec<u8>>();
                let work = move || {
                    let mut pen = Pen::new(self.press);
                    for piece in (helper..pieces).step_by(threads) {
                        let text = used.try_recv().unwrap_or_default();
                        if sender.send(set(piece, &mut pen, text)).is_err() {
                            return; // nobody wants it any more
                        }
                    }
                };
                let started = std::thread::Builder::new().spawn_scoped(scope, work);
                helpers.push((started.is_ok(), receiver, giver));
            }
            let mut pen = Pen::new(self.press);
            for piece in 0..pieces {
                match helpers.get((piece % threads).wrapping_sub(1)) {
                    Some((true, receiver, giver)) => {
                        output.write();
                        let Ok(text) = receiver.recv() else { return }; // it panicked
                        // The memory goes round: what is written is given back to be filled.
                        let _ = giver.send(std::mem::replace(&mut output.bytes, text));
                    }
                    _ => self.print_each_long(places(piece), &mut pen, output),
                }
                if !output.write_blocks() {
                    return;
                }
            }
        });
    }
}
