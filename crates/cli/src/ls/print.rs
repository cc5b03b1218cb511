//! Prints a listing in the layout of the options, by several threads if it is large.

use std::sync::mpsc::{channel, sync_channel};

use super::json;
use super::long::RowWriter;
use super::options::Layout;
use super::output::Output;
use super::table::Table;

/// How many rows one thread formats at a time: about 300 KiB of text.
const ROWS_PER_PIECE: usize = 4096;
/// How many formatted pieces of one thread may wait to be written.
const QUEUED_PIECES: usize = 2;

impl<'r> Table<'r, '_> {
    /// Prints all rows in the layout of the options.
    pub(super) fn print(&self, output: &mut Output) {
        let options = self.renderer.options;
        match options.layout {
            _ if self.len() == 0 => {}
            Layout::Long => self.print_long(output),
            Layout::Lines => self.print_each(output, |row, out| {
                self.push_entry(row, 0, out);
                out.push(options.lines.end);
            }),
            Layout::Json => self.print_each(output, |row, out| {
                json::push(row, self.directory, self.renderer, out);
            }),
            Layout::Commas => self.push_separated(b',', &mut output.bytes),
            Layout::Columns | Layout::Across if options.lines.width == 0 => {
                self.push_separated(b' ', &mut output.bytes);
            }
            Layout::Columns => self.push_columns(&mut output.bytes),
            Layout::Across => self.push_across(&mut output.bytes),
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
        if pieces > 1 && self.renderer.names.are_independent() {
            let threads = self.threads().min(pieces);
            return self.print_long_together(threads, pieces, output);
        }
        let mut writer = RowWriter::new(self.renderer);
        self.print_each_long(0..self.len(), &mut writer, output);
    }

    fn print_each_long(
        &self,
        places: std::ops::Range<usize>,
        writer: &mut RowWriter<'r>,
        output: &mut Output,
    ) {
        for place in places {
            self.prefetch(place);
            self.push_long(self.row(place), writer, &mut output.bytes);
            if !output.write_blocks() {
                return;
            }
        }
    }

    /// Of `threads` threads each formats every `threads`-th piece; the calling thread writes all
    /// pieces, in order.
    fn print_long_together(&self, threads: usize, pieces: usize, output: &mut Output) {
        let places =
            |piece: usize| piece * ROWS_PER_PIECE..((piece + 1) * ROWS_PER_PIECE).min(self.len());
        let format = |piece: usize, writer: &mut RowWriter<'r>, mut text: Vec<u8>| {
            text.clear();
            for place in places(piece) {
                self.prefetch(place);
                self.push_long(self.row(place), writer, &mut text);
            }
            text
        };
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for helper in 1..threads {
                let (sender, receiver) = sync_channel(QUEUED_PIECES);
                let (recycler, recycled) = channel::<Vec<u8>>();
                let work = move || {
                    let mut writer = RowWriter::new(self.renderer);
                    for piece in (helper..pieces).step_by(threads) {
                        let text = recycled.try_recv().unwrap_or_default();
                        if sender.send(format(piece, &mut writer, text)).is_err() {
                            return; // the writing thread has stopped
                        }
                    }
                };
                let started = std::thread::Builder::new().spawn_scoped(scope, work);
                helpers.push((started.is_ok(), receiver, recycler));
            }
            let mut writer = RowWriter::new(self.renderer);
            for piece in 0..pieces {
                match helpers.get((piece % threads).wrapping_sub(1)) {
                    Some((true, receiver, recycler)) => {
                        output.write();
                        let Ok(text) = receiver.recv() else { return }; // it panicked
                        // What has been written is handed back, so that its memory is used again.
                        let _ = recycler.send(std::mem::replace(&mut output.bytes, text));
                    }
                    _ => self.print_each_long(places(piece), &mut writer, output),
                }
                if !output.write_blocks() {
                    return;
                }
            }
        });
    }
}
