//! Where `why --top` shows what is wasted now: in place on a terminal, block after block elsewhere.
//! It moves the cursor and changes nothing else of the terminal; the key that ends it is heard by
//! the source, as signals are.

use std::time::Duration;

use clap::ArgMatches;
use trace::report::{Moment, Palette};

use crate::{terminal, watched};

/// Where it is no terminal: the columns of the report, and as many lines as are read at a glance.
const BLOCK: (usize, usize) = (100, 11);

/// More often is more than one can read.
const SHORTEST: Duration = Duration::from_millis(50);

/// The standard error.
pub(super) struct Screen {
    interval: Duration,
    palette: &'static Palette,
    is_terminal: bool,
    /// How many lines are there that the next ones replace.
    lines: usize,
}

impl Screen {
    /// As the flags say.
    pub(super) fn of(flags: &ArgMatches) -> Screen {
        let is_terminal = terminal::is_stderr_with_cursor();
        let usual = Duration::from_secs(if is_terminal { 1 } else { 2 });
        let interval = flags.get_one("interval").copied().unwrap_or(usual).max(SHORTEST);
        let palette = match watched::is_colored_on_stderr(flags) {
            true => &Palette::COLOR,
            false => &Palette::PLAIN,
        };
        Screen { interval, palette, is_terminal, lines: 0 }
    }

    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Shows it in place of what was shown before. That it cannot be written is of no consequence.
    pub(super) fn show(&mut self, moment: &Moment) {
        let (columns, rows) = if self.is_terminal { size() } else { BLOCK };
        let lines = moment.lines(columns, rows, self.palette);
        let mut text = self.away();
        for line in &lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if self.is_terminal {
            self.lines = lines.len();
        } else {
            text.push('\n');
        }
        let _ = sys::write_all(sys::STDERR, text.as_bytes());
    }

    /// What takes away the lines that are shown.
    fn away(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines => format!("\r\x1b[{lines}A\x1b[J"),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = sys::write_all(sys::STDERR, self.away().as_bytes());
    }
}

/// Columns and rows that can be written without that the terminal wraps or scrolls.
fn size() -> (usize, usize) {
    let columns = sys::terminal_columns(sys::STDERR).map_or(80, usize::from);
    let rows = sys::terminal_rows(sys::STDERR).map_or(24, usize::from);
    (columns.saturating_sub(1), rows.saturating_sub(1).max(1))
}
