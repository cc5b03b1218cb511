//! Text as batches of lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fewer::lines::{Batch, Check, Count, End};
use fewer::{Lines, Scope};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;

use crate::descriptor::duplicate;
use crate::failure::Failure;
use crate::js::{self, ToJs, Value};
use crate::scope::{NativeScope, scope_of};
use crate::slot::Slot;
use crate::text::{Encoding, Text};
use crate::walk_options::{count, path};
use crate::work::{Answer, Made, made, perform};

/// The options of a reader, which `lib/arguments.js` has checked.
#[napi(object)]
pub(crate) struct LinesOptions {
    pub encoding: Option<String>,
    pub fatal: Option<bool>,
    pub crlf: Option<bool>,
    pub nul: Option<bool>,
    pub keep_ends: Option<bool>,
    pub threads: Option<f64>,
}

/// What is read: a file by its path, or one that is open already.
enum Input {
    Path(Scope, Vec<u8>),
    Descriptor(i32),
}

/// How it is read.
#[derive(Clone, Copy)]
struct Manner {
    end: End,
    crlf: bool,
    check: Check,
    keep_ends: bool,
    encoding: Encoding,
    threads: Option<usize>,
}

/// A reader: its file is opened when it is first asked.
struct Reader {
    input: Option<Input>,
    manner: Manner,
    is_cancelled: Arc<AtomicBool>,
    /// So many of the last lines are wanted, if not all.
    last: Option<u64>,
    lines: Option<Lines<'static>>,
}

impl Reader {
    /// The lines, opened.
    fn lines(&mut self) -> std::result::Result<Option<&mut Lines<'static>>, Failure> {
        if let Some(input) = self.input.take() {
            let lines = match input {
                Input::Path(scope, bytes) => Lines::open_within(&scope, path(&bytes))?,
                Input::Descriptor(number) => {
                    Lines::from_owned(duplicate(number)?, number.to_string())
                }
            };
            let Manner { end, crlf, check, threads, .. } = self.manner;
            let flag = Arc::clone(&self.is_cancelled);
            let lines = lines.ends_with(end).crlf(crlf).check(check);
            let mut lines = lines.cancel_when(move || flag.load(Relaxed));
            if let Some(threads) = threads {
                lines = lines.threads(threads);
            }
            let lines = self.lines.insert(lines);
            if let Some(last) = self.last {
                lines.last(last)?;
            }
        }
        Ok(self.lines.as_mut())
    }

    fn next(&mut self) -> std::result::Result<Made, Failure> {
        let manner = self.manner;
        let is_cancelled = Arc::clone(&self.is_cancelled);
        let Some(lines) = self.lines()? else { return Ok(None) };
        // To open a FIFO may have taken a while.
        if is_cancelled.load(Relaxed) {
            return Ok(None);
        }
        let batch = lines.next_batch()?;
        Ok(batch.map(|batch| LineBatch::new(batch, manner)).and_then(made))
    }

    fn count(&mut self) -> std::result::Result<Made, Failure> {
        let Some(lines) = self.lines()? else { return Ok(None) };
        let mut count = Count::default();
        lines.count_into(&mut count, &|_| ())?;
        Ok(made(Counted(count.lines())))
    }
}

/// A reader of lines, as JavaScript holds it.
#[napi]
pub(crate) struct NativeLines(Arc<Slot<Reader>>);

#[napi]
impl NativeLines {
    /// A reader of the file at a path, or of a descriptor if there is no path; of the last lines
    /// only if `last` is there. Makes no call.
    #[napi(factory)]
    pub fn open(
        file: Option<&[u8]>,
        descriptor: i32,
        last: Option<f64>,
        options: LinesOptions,
        scope: Option<ClassInstance<NativeScope>>,
    ) -> Result<NativeLines> {
        let input = match file {
            Some(file) => Input::Path(scope_of(scope.as_deref())?, file.to_vec()),
            None => Input::Descriptor(descriptor),
        };
        let is = |flag: Option<bool>| flag.unwrap_or(false);
        let manner = Manner {
            end: if is(options.nul) { End::Nul } else { End::Newline },
            crlf: is(options.crlf),
            check: if is(options.fatal) { Check::Strict } else { Check::Nothing },
            keep_ends: is(options.keep_ends),
            encoding: Encoding::named(options.encoding.as_deref().or(Some("utf8"))),
            threads: options.threads.map(count),
        };
        let last = last.map(|last| last as u64);
        Ok(NativeLines(Slot::new(|is_cancelled| Reader {
            input: Some(input),
            manner,
            is_cancelled: Arc::clone(is_cancelled),
            last,
            lines: None,
        })))
    }

    /// The lines of the next block: see `LineBatch`; undefined at the end, or if it is closed.
    #[napi]
    pub fn next(&self, later: bool) -> Answer {
        let slot = Arc::clone(&self.0);
        perform(later, move || slot.with(Reader::next).unwrap_or(Ok(None)))
    }

    /// How many lines are left; undefined if it is closed.
    #[napi]
    pub fn count(&self, later: bool) -> Answer {
        let slot = Arc::clone(&self.0);
        perform(later, move || slot.with(Reader::count).unwrap_or(Ok(None)))
    }

    /// Ends the reading.
    #[napi]
    pub fn close(&self) {
        self.0.close();
    }
}

/// Lines, in JavaScript an array: all of them as one text, with what ends a line between them, and
/// whether the text ends with that as well. Bytes come with the offsets of the ends of the lines.
struct LineBatch {
    text: Text,
    is_ended: bool,
    ends: Vec<f64>,
}

impl LineBatch {
    fn new(batch: Batch<'_>, manner: Manner) -> LineBatch {
        let is_ended = batch.flags().last().is_some_and(|flags| flags & Batch::ENDED != 0);
        let text = Text::new(bytes(batch, manner), manner.encoding);
        let mut ends = Vec::new();
        if matches!(text, Text::Bytes(_)) {
            let mut end = 0;
            ends.extend(batch.lines().map(|line| {
                end += match manner.keep_ends {
                    true => line.with_end().len(),
                    false => line.bytes().len() + usize::from(line.is_ended()),
                };
                end as f64
            }));
        }
        LineBatch { text, is_ended, ends }
    }
}

/// The bytes of the lines; a `\r` is left out where it belongs to the end of a line.
fn bytes(batch: Batch<'_>, manner: Manner) -> Vec<u8> {
    if manner.keep_ends || !manner.crlf {
        return batch.bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(batch.bytes().len());
    for line in batch.lines() {
        bytes.extend_from_slice(line.bytes());
        if line.is_ended() {
            bytes.push(manner.end.byte());
        }
    }
    bytes
}

impl ToJs for LineBatch {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let (text, is_ended) = (self.text.value(env)?, js::value(env, self.is_ended)?);
        let ends = match self.ends.is_empty() {
            true => js::undefined(env)?,
            false => js::typed_array(env, &self.ends)?,
        };
        js::array(env, &[text, is_ended, ends])
    }
}

/// A number of lines.
struct Counted(u64);

impl ToJs for Counted {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        js::value(env, self.0 as f64)
    }
}
