//! A script that comes from the standard input, which its own commands read as well.

use memchr::memchr_iter;

use super::{Flow, Shell, Unwind};
use crate::Dialect;
use crate::streams::Open;
use crate::syntax::tree::List;
use crate::syntax::{self, Error, Start};

/// dash takes so much at once: its commands find only what comes behind.
const TAKEN_BY_DASH: usize = 8 << 10;

/// Where the script has come to.
#[derive(Debug, Default)]
struct Progress {
    /// What was taken from the input and has not been run: the beginning of a command; in dash
    /// whatever was read with it.
    taken: Vec<u8>,
    /// How many lines have been run.
    lines: u32,
    /// Whether nothing more will come.
    ended: bool,
}

impl Shell {
    /// Runs the script that descriptor 0 is, whatever that is at the time, line by line: before a
    /// command runs nothing is taken but what was needed to read it, so that it finds the next
    /// line. (dash reads 8 KiB.) With `set -n` it is only read.
    ///
    /// Price: that of reading ([`Open::read_until`]). Where a command of the script may read as
    /// well, what was read ahead is put back before it and read again afterwards: for a file an
    /// `lseek` and a `read`, for a pipe two `read` and a `tee`.
    pub(crate) fn run_input(&mut self) -> Flow {
        let mut progress = Progress::default();
        while let Some(list) = self.next_commands(&mut progress)? {
            let lowered = self.lower_list(&list)?;
            drop(list);
            if !self.options.no_exec() {
                self.run_lowered(&lowered)?;
            }
        }
        Ok(())
    }

    /// What is to be run next; none at the end.
    fn next_commands(&mut self, progress: &mut Progress) -> Flow<Option<List>> {
        loop {
            // Without blocks, what is left is known to be a part.
            let in_blocks = self.profile.start.reads_input_in_blocks;
            if !progress.taken.is_empty() && (progress.ended || in_blocks) {
                let taken = std::mem::take(&mut progress.taken);
                let start = progress.read(&taken, self.profile.dialect);
                match self.readable(start)? {
                    Start::Commands(list, length) => {
                        progress.lines += lines(&taken[..length]);
                        progress.taken = taken;
                        progress.taken.drain(..length);
                        return Ok(Some(list));
                    }
                    Start::Blank if progress.ended => return Ok(None),
                    Start::Blank | Start::Part => progress.taken = taken,
                }
            }
            if progress.ended {
                return Ok(None);
            }
            let Some(input) = self.streams.get(0) else {
                progress.ended = true;
                continue;
            };
            let found = match in_blocks {
                true => progress.take_block(&input).map(|()| None),
                false => progress.take_commands(&input, self.profile.dialect),
            };
            match found {
                Ok(Some(start)) => {
                    if let Start::Commands(list, _) = self.readable(start)? {
                        return Ok(Some(list));
                    }
                }
                Ok(None) => {}
                Err(fewer::Errno::INTR) => self.between_commands()?,
                Err(_) => progress.ended = true,
            }
        }
    }

    /// A line that is no script ends the shell, when it comes to it.
    fn readable(&mut self, start: Result<Start, Error>) -> Flow<Start> {
        start.map_err(|error| {
            self.cannot_read(&error);
            Unwind::Exit
        })
    }
}

impl Progress {
    fn read(&self, text: &[u8], dialect: Dialect) -> Result<Start, Error> {
        syntax::parse_start(text, dialect, self.lines + 1, self.ended)
    }

    fn take_block(&mut self, input: &Open) -> Result<(), fewer::Errno> {
        input.read_by(TAKEN_BY_DASH);
        let took = input.with_block(true, usize::MAX, None, |block| {
            let length = block.len().min(TAKEN_BY_DASH);
            self.taken.extend_from_slice(&block[..length]);
            length
        })?;
        self.ended = took == Some(0);
        Ok(())
    }

    /// Takes the next commands and no more, if they are there; otherwise all that is.
    fn take_commands(
        &mut self,
        input: &Open,
        dialect: Dialect,
    ) -> Result<Option<Result<Start, Error>>, fewer::Errno> {
        let mut found = None;
        let took = input.with_block(true, usize::MAX, None, |block| {
            if block.is_empty() {
                return 0;
            }
            let before = self.taken.len();
            let joined;
            let text = if before == 0 {
                block
            } else {
                joined = [&self.taken, block].concat();
                &joined
            };
            let start = self.read(text, dialect);
            let used = match &start {
                Ok(Start::Commands(_, length)) => *length,
                Ok(Start::Blank | Start::Part) => text.len(),
                Err(error) => lines_up_to(text, error.line.saturating_sub(self.lines)),
            };
            if matches!(start, Ok(Start::Part)) {
                self.taken.extend_from_slice(block);
            } else {
                self.taken.clear();
                self.lines += lines(&text[..used]);
                // What is blank at the end of a line that is not over may yet become a command.
                let rest = text[..used].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
                if matches!(start, Ok(Start::Blank)) {
                    self.taken.extend_from_slice(rest);
                }
            }
            found = Some(start);
            used.saturating_sub(before)
        })?;
        self.ended = took == Some(0);
        Ok(found)
    }
}

fn lines(text: &[u8]) -> u32 {
    u32::try_from(memchr_iter(b'\n', text).count()).unwrap_or(u32::MAX)
}

/// How many bytes so many lines are.
fn lines_up_to(text: &[u8], lines: u32) -> usize {
    let ends = memchr_iter(b'\n', text).map(|end| end + 1);
    let last = usize::try_from(lines.max(1) - 1).unwrap_or(usize::MAX);
    ends.into_iter().nth(last).unwrap_or(text.len())
}
