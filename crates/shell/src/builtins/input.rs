//! `read`.

use std::time::{Duration, Instant};

use super::flow::number;
use super::options::{Options, no_such_option, no_value, takes_value};
use crate::dialect::InterruptedRead;
use crate::formats::fields::{self, Into};
use crate::run::signals::first_pending;
use crate::run::value::Flags;
use crate::run::{Flow, Shell, Unwind};
use crate::streams::{Ended, Open};
use crate::{Text, syntax};

/// What `read`'s options say.
struct Wanted<'a> {
    raw: bool,
    array: Option<&'a [u8]>,
    delimiter: u8,
    /// `-n`
    at_most: Option<usize>,
    /// `-N`
    exactly: Option<usize>,
    deadline: Option<Duration>,
    descriptor: u32,
    prompt: Option<&'a [u8]>,
    silent: bool,
    names: &'a [Text],
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Wanted {
            raw: false,
            array: None,
            delimiter: b'\n',
            at_most: None,
            exactly: None,
            deadline: None,
            descriptor: 0,
            prompt: None,
            silent: false,
            names: &[],
        }
    }
}

impl<'a> Wanted<'a> {
    /// An error was told, its status is given.
    fn of(shell: &mut Shell, words: &'a [Text]) -> Result<Wanted<'a>, i32> {
        let mut wanted = Wanted::default();
        let mut options = Options::new(words);
        while let Some(letter) = options.next() {
            let value: &[u8] = match takes_value(letter, shell.profile.builtins.letters.read) {
                None => return Err(no_such_option(shell, words, [b'-', letter])),
                Some(false) => b"",
                Some(true) => match options.value() {
                    Some(value) => value,
                    None => return Err(no_value(shell, words, letter)),
                },
            };
            if letter == b'p' && shell.profile.builtins.read.p_is_process {
                return Err(shell.builtin_error(words, b"no query process", 1));
            }
            if let Err(message) = wanted.option(letter, value) {
                return Err(shell.builtin_error(words, &message, 1));
            }
        }
        wanted.names = options.operands();
        Ok(wanted)
    }

    fn option(&mut self, letter: u8, argument: &'a [u8]) -> Result<(), Vec<u8>> {
        let count = || {
            number(argument)
                .and_then(|count| usize::try_from(count).ok())
                .ok_or_else(|| [argument, b": invalid number"].concat())
        };
        match letter {
            b'r' => self.raw = true,
            b's' => self.silent = true,
            b'a' | b'A' => self.array = Some(argument),
            b'd' => self.delimiter = argument.first().copied().unwrap_or(0),
            b'n' => self.at_most = Some(count()?),
            b'N' => self.exactly = Some(count()?),
            b'u' => self.descriptor = u32::try_from(count()?).unwrap_or(u32::MAX),
            b'p' => self.prompt = Some(argument),
            b't' => {
                let seconds: Option<f64> = crate::run::texts::parsed(argument);
                let seconds = seconds.filter(|seconds| *seconds >= 0.0 && seconds.is_finite());
                let invalid = || [argument, b": invalid timeout specification"].concat();
                self.deadline = Some(Duration::from_secs_f64(seconds.ok_or_else(invalid)?));
            }
            _ => {}
        }
        Ok(())
    }
}

pub(crate) fn read(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let rules = &shell.profile.builtins.read;
    let mut wanted = match Wanted::of(shell, words) {
        Ok(wanted) => wanted,
        Err(status) => return Ok(status),
    };
    wanted.raw |= rules.ifs_takes_backslash && shell.expansion.ifs.plain_length(b"\\") == 0;
    if wanted.names.is_empty() && rules.needs_name {
        return Ok(shell.builtin_error(words, b"arg count", 2));
    }
    let Some(open) = shell.streams.get(wanted.descriptor) else {
        let text = format!("{}: invalid file descriptor: Bad file descriptor", wanted.descriptor);
        return Ok(shell.builtin_error(words, text.as_bytes(), 1));
    };
    if let Some(prompt) = wanted.prompt
        && open.is_terminal()
    {
        shell.say(2, prompt);
    }
    let names = name_list(&wanted, rules.prompt_behind_name);
    if let Some(bad) = names.iter().find(|name| !is_target(name)) {
        let text = shell.profile.messages.not_a_name.of(bad);
        return Ok(shell.builtin_error(words, &text, shell.profile.failures.status));
    }
    if wanted.deadline == Some(Duration::ZERO) && rules.zero_timeout_asks {
        // It only asks whether there is something, and takes nothing.
        let there = open.with_block(true, 1, Some(Instant::now()), |_| 0);
        return Ok(i32::from(!matches!(there, Ok(Some(_)))));
    }
    if let Some(fixed) = fixed_target(shell, &names) {
        let text = [b"read: warning: ", fixed.as_slice(), b": is read only"].concat();
        shell.complain(&text);
        return Ok(1);
    }
    let mut line = std::mem::take(&mut shell.builtins.buffer);
    line.clear();
    let status = read_line(shell, &open, &wanted, &mut line);
    let status = match status {
        Ok(status) => match assign(shell, &wanted, &names, &line) {
            // bash: a readonly variable only makes it fail.
            Err(Unwind::Discard) => Ok(shell.execution.status.max(1)),
            flow => flow.map(|()| status),
        },
        Err(unwind) => Err(unwind),
    };
    shell.builtins.buffer = line;
    status
}

/// A readonly variable, where it is found before anything is read.
fn fixed_target(shell: &mut Shell, names: &[&[u8]]) -> Option<Vec<u8>> {
    if !shell.profile.builtins.read.checks_readonly_first {
        return None;
    }
    let is_fixed = |name: &&&[u8]| {
        let slot = shell.slot(name);
        shell.variables[slot].flags.has(Flags::READONLY)
    };
    names.iter().find(is_fixed).map(|name| name.to_vec())
}

fn is_target(name: &[u8]) -> bool {
    let end = memchr::memchr(b'[', name).unwrap_or(name.len());
    syntax::is_name(&name[..end])
}

/// The variables, maybe with a prompt behind `?`; REPLY if there are none.
fn name_list<'a>(wanted: &Wanted<'a>, prompts: bool) -> Vec<&'a [u8]> {
    let names = wanted.names.iter().map(|name| &**name);
    let mut names: Vec<&[u8]> = match prompts {
        true => {
            names.map(|name| name.split(|byte| *byte == b'?').next().unwrap_or_default()).collect()
        }
        false => names.collect(),
    };
    if let Some(array) = wanted.array {
        names = vec![array];
    } else if names.is_empty() {
        names.push(b"REPLY");
    }
    names
}

/// Reads what is wanted, and gives the status.
fn read_line(
    shell: &mut Shell,
    open: &std::rc::Rc<Open>,
    wanted: &Wanted<'_>,
    line: &mut Vec<u8>,
) -> Flow<i32> {
    let deadline = wanted.deadline.map(|time| Instant::now() + time);
    let limit = wanted.exactly.or(wanted.at_most).unwrap_or(usize::MAX);
    if limit == 0 {
        return Ok(0);
    }
    // One more shows that it is too much.
    let limit = limit.min(shell.limits.text_bytes.saturating_add(1));
    let rules = &shell.profile.builtins.read;
    let raw = wanted.raw || (wanted.exactly.is_some() && !rules.counts_escaped);
    let counts_escapes = !raw && rules.counts_escaped;
    loop {
        let delimiter = wanted.delimiter;
        let ended = if wanted.exactly.is_some()
            || wanted.at_most.is_some() && (shell.expansion.utf8 || counts_escapes)
        {
            let delimiter = wanted.exactly.is_none().then_some(delimiter);
            let (escapes, utf8) = (counts_escapes, shell.expansion.utf8);
            Characters { limit, delimiter, deadline, escapes, utf8 }.read(open, line)
        } else {
            open.read_until(delimiter, line, limit, deadline)
        };
        match ended {
            Ok(Ended::Delimiter) if !raw && fields::reads_on(line) => line.push(delimiter),
            Ok(Ended::Delimiter | Ended::Limit) => {
                shell.count_bytes(line.len())?;
                return Ok(0);
            }
            Ok(Ended::End) => {
                let some = rules.part_succeeds && wanted.at_most.is_some();
                return Ok(i32::from(!some || line.is_empty()));
            }
            Ok(Ended::Late) if rules.late_line_is_lost => {
                line.clear();
                return Ok(1);
            }
            Ok(Ended::Late) => return Ok(142),
            Err(fewer::Errno::INTR) => {
                let signal = first_pending().unwrap_or(0);
                if rules.interrupted == InterruptedRead::Fails {
                    shell.execution.status = 1; // it has failed when the trap runs
                }
                shell.between_commands()?;
                match rules.interrupted {
                    InterruptedRead::GoesOn => {}
                    InterruptedRead::Fails => return Ok(1),
                    InterruptedRead::EndsWithSignal => return Ok(256 + signal),
                }
            }
            Err(errno) => {
                shell.complain(format!("read: read error: {errno}").as_bytes());
                return Ok(1);
            }
        }
    }
}

/// How many characters `-n` and `-N` take.
struct Characters {
    limit: usize,
    /// What ends them earlier: nothing where `-N` asked for them.
    delimiter: Option<u8>,
    deadline: Option<Instant>,
    /// Whether a backslash and what follows it are one.
    escapes: bool,
    utf8: bool,
}

impl Characters {
    /// Reads them onto `line`.
    fn read(&self, open: &Open, line: &mut Vec<u8>) -> Result<Ended, fewer::Errno> {
        loop {
            let unescaped;
            let (shown, waits) = match self.escapes && line.contains(&b'\\') {
                true => {
                    unescaped = without_backslashes(line);
                    (&unescaped.0, unescaped.1)
                }
                false => (&*line, false),
            };
            let have = crate::pattern::slices::length(shown, self.utf8);
            let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
            let waits = waits || self.utf8 && std::str::from_utf8(shown).is_err_and(is_cut);
            if have >= self.limit && !waits {
                return Ok(Ended::Limit);
            }
            let more = if waits { 1 } else { self.limit - have };
            match open.read_until(self.delimiter.unwrap_or(0), line, more, self.deadline)? {
                Ended::Limit => {}
                Ended::Delimiter if self.delimiter.is_none() => {}
                other => return Ok(other),
            }
        }
    }
}

/// A line without its backslashes and what is continued, and whether a backslash is its end.
fn without_backslashes(line: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::with_capacity(line.len());
    let mut bytes = line.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        match bytes.next() {
            Some(b'\n') => {}
            Some(escaped) => text.push(*escaped),
            None => return (text, true),
        }
    }
    (text, false)
}

fn assign(shell: &mut Shell, wanted: &Wanted<'_>, names: &[&[u8]], line: &[u8]) -> Flow {
    // No shell keeps NUL bytes.
    let without;
    let line = match memchr::memchr(0, line) {
        Some(_) => {
            without = line.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>();
            &without
        }
        None => line,
    };
    let raw = wanted.raw || wanted.exactly.is_some();
    if wanted.array.is_some() {
        let mut values = Vec::new();
        fields::read(line, raw, &shell.expansion.ifs, Into::Array, &mut values);
        let slot = shell.slot(names[0]);
        return shell.set_words(slot, values);
    }
    if wanted.exactly.is_some() {
        let unescaped;
        let line = match shell.profile.builtins.read.counts_escaped && !wanted.raw {
            true => {
                unescaped = without_backslashes(line).0;
                &unescaped
            }
            false => line,
        };
        shell.set_target(names[0], Text::from_slice(line))?;
        for name in &names[1..] {
            shell.set_target(name, Text::new())?;
        }
        return Ok(());
    }
    let whole = shell.profile.builtins.read.reply_is_whole_line && wanted.names.is_empty();
    let mut values = Vec::with_capacity(names.len());
    let into = if whole { Into::Whole } else { Into::Names(names.len()) };
    fields::read(line, raw, &shell.expansion.ifs, into, &mut values);
    for (name, value) in names.iter().zip(values) {
        shell.set_target(name, value)?;
    }
    Ok(())
}
