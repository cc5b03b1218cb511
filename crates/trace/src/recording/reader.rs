//! From a file, line by line.

use std::path::Path;

use fewer::Lines;

use super::Header;
use super::lines::RecordedLines;
use crate::{Error, Event, Note};

/// Reads a recording: its events in order. Of the file only a block is in memory.
///
/// A recording that was cut off, in front of its end or in the middle of a line, is read as far as
/// it goes, and its last event is a note that says so, with the id `cut-off`. Anything else that is
/// wrong with it is an error, after which nothing comes.
#[derive(Debug)]
pub struct Reader<'f> {
    lines: RecordedLines<'f>,
    header: Header,
    state: State,
}

#[derive(Debug, PartialEq)]
enum State {
    /// In the middle.
    Within,
    /// Behind the end.
    Complete,
    /// Nothing more comes.
    Done,
}

/// What was cut off: the end, or the rest of a line.
enum Line {
    Event(Event),
    Cut,
    None,
}

impl Reader<'static> {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// That it cannot be read, or is no recording.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader<'static>, Error> {
        Reader::from_lines(Lines::open(&path)?, path)
    }
}

impl<'f> Reader<'f> {
    /// Reads from lines of which none has been read yet. `path` is what errors call them.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn from_lines(lines: Lines<'f>, path: impl AsRef<Path>) -> Result<Reader<'f>, Error> {
        Reader::behind(RecordedLines::new(lines, path.as_ref())?)
    }

    /// Goes on behind the first line.
    pub(super) fn behind(lines: RecordedLines<'f>) -> Result<Reader<'f>, Error> {
        let header = match lines.first() {
            Some(line) => Header::parse(line),
            None => Err("this is no recording of fewer: it is empty".to_owned()),
        };
        let format = |why| Error::Format { path: lines.path().into(), line: 1, why };
        let header = header.map_err(format)?;
        Ok(Reader { lines, header, state: State::Within })
    }

    /// What it says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn line(&mut self) -> Result<Line, Error> {
        let Some((line, is_ended)) = self.lines.next()? else { return Ok(Line::None) };
        match serde_json::from_slice(line) {
            Ok(event) => Ok(Line::Event(event)),
            // A writer that was stopped leaves the beginning of a line.
            Err(_) if !is_ended => Ok(Line::Cut),
            Err(error) => Err(self.lines.damaged(&without_place(&error))),
        }
    }

    fn step(&mut self) -> Result<Option<Event>, Error> {
        let line = self.line()?;
        if self.state == State::Complete {
            return match line {
                Line::None => Ok(None),
                _ => Err(self.lines.damaged("something stands behind the end")),
            };
        }
        Ok(Some(match line {
            Line::Event(event) => {
                if matches!(event, Event::End { .. }) {
                    self.state = State::Complete;
                }
                return Ok(Some(event));
            }
            Line::Cut => self.cut(format!("in the middle of line {}", self.lines.number())),
            Line::None => self.cut(format!("behind line {}", self.lines.number() - 1)),
        }))
    }

    fn cut(&mut self, place: String) -> Event {
        self.state = State::Done;
        let path = fewer::present::escaped(self.lines.path());
        let text = format!("the recording '{path}' was cut off {place}: what came then is unknown");
        Event::Note(Note { id: "cut-off".to_owned(), process: 0, text })
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Result<Event, Error>> {
        if self.state == State::Done {
            return None;
        }
        let event = self.step().transpose();
        if !matches!(event, Some(Ok(_))) {
            self.state = State::Done;
        }
        event
    }
}

/// What a parser says, without the line that it counts: it sees one only.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let column = error.column();
    match text.rfind(" at line ") {
        Some(end) => format!("{} at byte {column}", &text[..end]),
        None => text,
    }
}
