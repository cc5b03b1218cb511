//! The lines of a recording, unpacked if it is compressed.

use std::io::{self, BufRead as _, BufReader, Read, Take};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::Lines;
use fewer::lines::Check;
use flate2::bufread::MultiGzDecoder;

use super::Header;
use crate::Error;
use crate::strace::LONGEST_LINE_BYTES;

/// What every compressed recording begins with: gzip, deflate.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// What is unpacked at a time.
const BLOCK_BYTES: usize = 64 << 10;

/// A reader of lines, of which the first is known.
#[derive(Debug)]
pub(super) struct RecordedLines<'f> {
    source: Source<'f>,
    path: Box<[u8]>,
    first: Option<Vec<u8>>,
    /// The number of the line that was read last.
    number: u64,
    /// A line of a compressed recording.
    line: Vec<u8>,
}

#[derive(Debug)]
enum Source<'f> {
    Plain(Box<Lines<'f>>),
    Packed(Box<Take<BufReader<MultiGzDecoder<BufReader<Packed<'f>>>>>>),
}

/// The first line of what is no recording, and the lines behind it.
type Other<'f> = (Option<Vec<u8>>, Lines<'f>);

impl<'f> RecordedLines<'f> {
    /// Reads the first line. `path` is what errors call the file.
    pub(super) fn new(lines: Lines<'f>, path: &Path) -> Result<RecordedLines<'f>, Error> {
        let mut lines = lines.check(Check::Nothing).longest_bytes(LONGEST_LINE_BYTES);
        let first = lines.next()?.map(|line| (line.bytes().to_vec(), line.is_ended()));
        let (source, first) = match first {
            Some((mut start, is_ended)) if start.starts_with(GZIP) => {
                start.extend(is_ended.then_some(b'\n'));
                let packed = BufReader::new(Packed { start: start.into(), lines });
                let unpacked = BufReader::with_capacity(BLOCK_BYTES, MultiGzDecoder::new(packed));
                (Source::Packed(Box::new(unpacked.take(0))), None)
            }
            first => (Source::Plain(Box::new(lines)), first.map(|(line, _)| line)),
        };
        let path = path.as_os_str().as_bytes().into();
        let mut lines = RecordedLines { source, path, first, number: 0, line: Vec::new() };
        match lines.source {
            Source::Plain(_) => lines.number = 1,
            Source::Packed(_) => lines.first = lines.next()?.map(|(line, _)| line.to_vec()),
        }
        Ok(lines)
    }

    /// The first line; `None` if there is nothing.
    pub(super) fn first(&self) -> Option<&[u8]> {
        self.first.as_deref()
    }

    /// What errors call the file.
    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The number of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// What is no recording, and not compressed either; `Err` if it is.
    pub(super) fn into_other(self) -> Result<Other<'f>, Box<RecordedLines<'f>>> {
        match self.source {
            Source::Plain(lines) if !self.first.as_deref().is_some_and(Header::is_in) => {
                Ok((self.first, *lines))
            }
            source => Err(Box::new(RecordedLines { source, ..self })),
        }
    }

    /// The next line, and whether a newline ends it. A compressed recording that was cut off ends
    /// there.
    pub(super) fn next(&mut self) -> Result<Option<(&[u8], bool)>, Error> {
        self.number += 1;
        let unpacked = match &mut self.source {
            Source::Plain(lines) => {
                return Ok(lines.next()?.map(|line| (line.bytes(), line.is_ended())));
            }
            Source::Packed(unpacked) => unpacked,
        };
        self.line.clear();
        unpacked.set_limit(LONGEST_LINE_BYTES as u64);
        match unpacked.read_until(b'\n', &mut self.line) {
            Ok(LONGEST_LINE_BYTES) => {
                return Err(damage(&self.path, self.number, "the line is too long"));
            }
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(match error.downcast::<fewer::LineError>() {
                    Ok(error) => error.into(),
                    Err(error) => damage(&self.path, self.number, &error.to_string()),
                });
            }
            _ => {}
        }
        let is_ended = self.line.pop_if(|byte| *byte == b'\n').is_some();
        Ok((is_ended || !self.line.is_empty()).then_some((&self.line, is_ended)))
    }

    /// The error for what is wrong with the line that was read last.
    pub(super) fn damaged(&self, why: &str) -> Error {
        damage(&self.path, self.number, why)
    }
}

fn damage(path: &[u8], line: u64, why: &str) -> Error {
    Error::Format { path: path.into(), line, why: why.to_owned() }
}

/// The bytes of a file of which the first were read as a line.
#[derive(Debug)]
struct Packed<'f> {
    start: std::collections::VecDeque<u8>,
    lines: Lines<'f>,
}

impl Read for Packed<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        if self.start.is_empty() {
            let piece = self.lines.next_piece(u64::MAX).map_err(io::Error::other)?;
            self.start.extend(piece.map(|piece| piece.bytes()).unwrap_or_default());
        }
        self.start.read(block)
    }
}
