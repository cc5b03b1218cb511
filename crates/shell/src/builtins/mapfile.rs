//! bash's `mapfile`.

use std::rc::Rc;

use super::flow::number;
use super::options::{Options, refuse};
use crate::formats::quote;
use crate::run::{Flow, Shell};
use crate::streams::{Ended, Open};
use crate::{Text, syntax};

/// What the options of `mapfile` say.
#[derive(Default)]
struct Wanted<'w> {
    lines: Lines,
    origin: Option<i64>,
    descriptor: u32,
    /// What is run for every so many lines.
    callback: Option<&'w [u8]>,
    every: i64,
}

/// The options of `mapfile`, and its operands.
fn mapfile_options<'w>(
    shell: &mut Shell,
    words: &'w [Text],
) -> Flow<Result<(Wanted<'w>, &'w [Text]), i32>> {
    let lines = Lines { delimiter: b'\n', ..Lines::default() };
    let mut wanted = Wanted { lines, every: 5000, ..Wanted::default() };
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        if letter == b't' {
            wanted.lines.strip = true;
            continue;
        }
        if !b"dnsOuCc".contains(&letter) {
            return refuse(shell, words, letter).map(Err);
        }
        let text = options.value().unwrap_or_default();
        let value = number(text).unwrap_or(0);
        let wrong = match letter {
            b'n' | b's' if number(text).is_none_or(|value| value < 0) => "invalid line count",
            b'O' if number(text).is_none_or(|value| value < 0) => "invalid array origin",
            b'u' if number(text).is_none() => "invalid file descriptor specification",
            _ => "",
        };
        if !wrong.is_empty() {
            let text = [text, b": ", wrong.as_bytes()].concat();
            return Ok(Err(shell.builtin_error(words, &text, 1)));
        }
        match letter {
            b'd' => wanted.lines.delimiter = text.first().copied().unwrap_or(0),
            b'n' => wanted.lines.count = value,
            b's' => wanted.lines.skip = value,
            b'O' => wanted.origin = Some(value),
            b'u' => wanted.descriptor = u32::try_from(value).unwrap_or(0),
            b'C' => wanted.callback = Some(text),
            _ if value > 0 => wanted.every = value,
            _ => {
                let text = [text, b": invalid callback quantum"].concat();
                return Ok(Err(shell.builtin_error(words, &text, 1)));
            }
        }
    }
    Ok(Ok((wanted, options.operands())))
}

/// `mapfile [-d c] [-n count] [-O origin] [-s skip] [-t] [-u fd] [-C command] [-c every] [array]`
pub(crate) fn mapfile(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (wanted, operands) = match mapfile_options(shell, words)? {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    let name = operands.first().map_or(b"MAPFILE".as_slice(), |word| word);
    if !syntax::is_name(name) {
        let text = shell.profile.messages.not_a_name.of(name);
        return Ok(shell.builtin_error(words, &text, 1));
    }
    let Some(open) = shell.streams.get(wanted.descriptor) else {
        let text = format!("{}: invalid file descriptor: Bad file descriptor", wanted.descriptor);
        return Ok(shell.builtin_error(words, text.as_bytes(), 1));
    };
    let lines = read_lines(shell, &open, wanted.lines)?;
    let slot = shell.slot(name);
    let slot = shell.meant(slot);
    if wanted.origin.is_none() && wanted.callback.is_none() {
        let set = shell.set_words(slot, lines);
        return shell.was_writable(set).map(|written| i32::from(!written));
    }
    if wanted.origin.is_none() {
        shell.set_words(slot, Vec::new())?;
    }
    for ((index, line), count) in (wanted.origin.unwrap_or(0)..).zip(lines).zip(1..) {
        if let Some(callback) = wanted.callback
            && count % wanted.every == 0
        {
            let mut quoted = Vec::new();
            quote::quote(
                &line,
                quote::For::Printf,
                shell.profile.dialect,
                shell.expansion.utf8,
                &mut quoted,
            );
            let text = [callback, b" ", index.to_string().as_bytes(), b" ", &quoted].concat();
            shell.evaluate_script(&text)?;
        }
        shell.set_index(slot, index, line, false)?;
    }
    Ok(0)
}

/// Which lines `mapfile` reads.
#[derive(Default)]
struct Lines {
    delimiter: u8,
    /// 0 for all.
    count: i64,
    skip: i64,
    strip: bool,
}

fn read_lines(shell: &mut Shell, open: &Rc<Open>, which: Lines) -> Flow<Vec<Text>> {
    let Lines { delimiter, count, mut skip, strip } = which;
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut bytes = 0;
    while count == 0 || (lines.len() as i64) < count {
        line.clear();
        let most = shell.limits.text_bytes.saturating_add(1);
        let ended = match open.read_until(delimiter, &mut line, most, None) {
            Ok(ended) => ended,
            Err(fewer::Errno::INTR) => {
                shell.between_commands()?;
                continue;
            }
            Err(_) => break,
        };
        bytes += line.len() + size_of::<Text>();
        shell.count_bytes(bytes)?;
        let whole = ended == Ended::Delimiter;
        if !whole && line.is_empty() {
            break;
        }
        match memchr::memchr(0, &line) {
            Some(end) => line.truncate(end), // bash sees no more of it
            None if whole && !strip => line.push(delimiter),
            None => {}
        }
        if skip > 0 {
            skip -= 1;
        } else {
            lines.push(Text::from_slice(&line));
        }
        if !whole {
            break;
        }
    }
    Ok(lines)
}
