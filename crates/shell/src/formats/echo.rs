//! `echo`, and ksh's `print`.

use super::escapes::{EscapeContext, Escapes};
use crate::Dialect;

/// Appends what `echo` writes. The arguments are those behind its name; `xpg` is bash's `xpg_echo`.
pub fn echo<T: AsRef<[u8]>>(
    arguments: &[T],
    dialect: Dialect,
    xpg: bool,
    utf8: bool,
    out: &mut Vec<u8>,
) {
    let mut newline = true;
    let rules = &dialect.profile().formats.echo;
    let mut escapes = xpg || rules.escapes;
    let mut words = arguments;
    while let Some((first, rest)) = words.split_first() {
        let letters = match first.as_ref() {
            [b'-', letters @ ..] if !letters.is_empty() => letters,
            _ => break,
        };
        if !(rules.are_options)(letters) {
            break;
        }
        for letter in letters {
            match letter {
                b'n' => newline = false,
                letter => escapes = *letter == b'e',
            }
        }
        words = rest;
        if rules.one_option {
            break;
        }
    }
    let escapes = escapes.then_some(Escapes { context: EscapeContext::Echo, dialect, utf8 });
    write(words, escapes, newline, out);
}

/// Words with spaces between, and a newline unless a `\c` ended it.
fn write<T: AsRef<[u8]>>(words: &[T], escapes: Option<Escapes>, newline: bool, out: &mut Vec<u8>) {
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        match &escapes {
            None => out.extend_from_slice(word.as_ref()),
            Some(escapes) => {
                if !escapes.text(word.as_ref(), out, &mut Vec::new()) {
                    let rules = &escapes.dialect.profile().formats.echo;
                    if rules.stops_behind_blank && at + 1 < words.len() {
                        out.push(b' ');
                    }
                    return;
                }
            }
        }
    }
    if newline {
        out.push(b'\n');
    }
}

/// What the options of ksh's `print` say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Print {
    /// `-u`: the descriptor to write to; 1 if it is not given.
    pub descriptor: Option<u32>,
    /// `-f`: the words are the arguments of `printf` with this format.
    pub format: Option<Vec<u8>>,
    /// `-s`: into the history, which is to say nowhere.
    pub history: bool,
    /// `-v`: not written, but looked up; `-C`, `-p`: not done here.
    pub unsupported: Option<u8>,
    /// Where the words begin.
    pub words: usize,
    newline: bool,
    raw: bool,
}

/// The options of `print`.
///
/// # Errors
/// What ksh says behind `print: `, such as `-z: unknown option`; its usage follows, and status 2.
pub fn print_options<T: AsRef<[u8]>>(arguments: &[T]) -> Result<Print, Vec<u8>> {
    let mut print = Print { newline: true, ..Print::default() };
    let mut at = 0;
    while let Some([b'-', letters @ ..]) = arguments.get(at).map(AsRef::as_ref) {
        at += 1;
        match letters {
            [] | [b'-'] => break,
            _ => {}
        }
        let mut letters = letters.iter();
        while let Some(&letter) = letters.next() {
            match letter {
                b'n' => print.newline = false,
                b'r' => print.raw = true,
                b'e' => print.raw = false,
                b's' => print.history = true,
                b'R' => {
                    // As the echo of old: only -n may follow.
                    print.raw = true;
                    if arguments.get(at).map(AsRef::as_ref) == Some(b"-n") {
                        print.newline = false;
                        at += 1;
                    }
                    print.words = at;
                    return Ok(print);
                }
                b'v' | b'C' | b'p' => print.unsupported = Some(letter),
                b'u' | b'f' => {
                    let mut value = letters.as_slice();
                    letters = [].iter();
                    if value.is_empty() {
                        let Some(next) = arguments.get(at) else {
                            return Err(format!("-{}: argument expected", letter as char).into());
                        };
                        value = next.as_ref();
                        at += 1;
                    }
                    print.valued(letter, value)?;
                }
                other => return Err([b"-", &[other][..], b": unknown option"].concat()),
            }
        }
    }
    print.words = at;
    Ok(print)
}

impl Print {
    fn valued(&mut self, letter: u8, value: &[u8]) -> Result<(), Vec<u8>> {
        if letter == b'f' {
            self.format = Some(value.to_vec());
            return Ok(());
        }
        let number = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        match number {
            Some(number) => self.descriptor = Some(number),
            None => return Err([b"-u: ", value, b": bad file unit number"].concat()),
        }
        Ok(())
    }

    /// Appends what is written, if there is no `-f`. `words` are those from [`Print::words`] on.
    pub fn write<T: AsRef<[u8]>>(
        &self,
        words: &[T],
        dialect: Dialect,
        utf8: bool,
        out: &mut Vec<u8>,
    ) {
        let escapes = Escapes { context: EscapeContext::Echo, dialect, utf8 };
        write(words, (!self.raw).then_some(escapes), self.newline, out);
    }
}
