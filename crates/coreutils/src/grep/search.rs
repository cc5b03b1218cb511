//! The search of one file.

use super::{Grep, Show};
use crate::source::FileResult;
use crate::{Input, Output, ToolResult};

/// A search while it goes on.
pub(super) struct Search<'s, 'a> {
    job: &'s Grep<'a>,
    name: &'s [u8],
    utf8: bool,
    output: &'s mut dyn Output,
    /// Whether there is a NUL in it: then NULs end lines, and no line is shown.
    binary: bool,
    pub(super) selected: u64,
    /// Whether a line was not shown because it is no text.
    pub(super) hidden: bool,
    /// The number of lines before the current text.
    before: u64,
}

/// Whether the search goes on.
type Goes = ToolResult<bool>;

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(
        job: &'s Grep<'a>,
        name: &'s [u8],
        utf8: bool,
        output: &'s mut dyn Output,
    ) -> Search<'s, 'a> {
        Search { job, name, utf8, output, binary: false, selected: 0, hidden: false, before: 0 }
    }

    pub(super) fn file(&mut self, input: &mut dyn Input) -> FileResult {
        let mut begun = Vec::new();
        let mut zapped = Vec::new();
        loop {
            let block = input.fill()?;
            if block.is_empty() {
                break;
            }
            let used = block.len();
            let mut text = block;
            self.binary |= memchr::memchr(0, block).is_some();
            if self.binary {
                zapped.clear();
                zapped.extend(block.iter().map(|&byte| if byte == 0 { b'\n' } else { byte }));
                text = &zapped;
            }
            let goes = self.block(text, &mut begun)?;
            input.consume(used);
            if !goes {
                return Ok(());
            }
        }
        if !begun.is_empty() {
            begun.push(b'\n');
            self.lines(&begun)?;
        }
        Ok(())
    }

    /// Searches a block, and the line that began in the block before. The rest of the block, a line
    /// without its end, stays in `begun`.
    fn block(&mut self, text: &[u8], begun: &mut Vec<u8>) -> Goes {
        let mut text = text;
        if !begun.is_empty() {
            let Some(end) = memchr::memchr(b'\n', text) else {
                begun.extend_from_slice(text);
                return Ok(true);
            };
            begun.extend_from_slice(&text[..=end]);
            text = &text[end + 1..];
            if !self.lines(begun)? {
                return Ok(false);
            }
            begun.clear();
        }
        let end = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        begun.extend_from_slice(&text[end..]);
        self.lines(&text[..end])
    }

    /// Searches whole lines.
    fn lines(&mut self, text: &[u8]) -> Goes {
        let mut at = 0;
        while at < text.len() {
            let found = self.job.needle.line(text, at);
            let (start, end) = found.unwrap_or((text.len(), text.len()));
            let goes = if self.job.invert {
                let goes = self.select(&text[at..start])?;
                self.before += u64::from(found.is_some());
                goes
            } else {
                if self.job.numbers {
                    self.before += memchr::memchr_iter(b'\n', &text[at..start]).count() as u64;
                }
                self.select(&text[start..end])?
            };
            if !goes {
                return Ok(false);
            }
            at = end;
        }
        Ok(true)
    }

    /// Writes or counts consecutive lines that are selected.
    fn select(&mut self, lines: &[u8]) -> Goes {
        if lines.is_empty() {
            return Ok(true);
        }
        if self.job.show == Show::Count {
            self.selected += memchr::memchr_iter(b'\n', lines).count() as u64;
            return Ok(true);
        }
        if self.job.show != Show::Lines || self.binary {
            self.selected += 1;
            self.hidden = true;
            return Ok(false);
        }
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            self.selected += 1;
            self.before += 1;
            if self.utf8 && !line.is_ascii() && std::str::from_utf8(line).is_err() {
                self.hidden = true;
                continue;
            }
            if self.job.names {
                self.output.write(self.name)?;
                self.output.write(b":")?;
            }
            if self.job.numbers {
                self.output.write(format!("{}:", self.before).as_bytes())?;
            }
            self.output.write(line)?;
        }
        Ok(true)
    }
}
