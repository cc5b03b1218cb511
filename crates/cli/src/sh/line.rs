//! Parses the command line of `fewer sh` as shells parse theirs: letters may be packed (`-euo
//! pipefail -c`), `+` turns off what `-` turns on, and the first other word ends the options.

use std::ffi::OsString;
use sys::OsStringExt;

use shell::{Dialect, Setting};

use crate::flags::LETTERS;
use crate::report::fail;

/// The letters that any of the shells knows; the shell of the language checks them further.
const KNOWN: &[u8] = b"abefhkmnprtuvxBCDEGHIPRTV";

/// The parsed command line.
#[derive(Default)]
pub(super) struct Line {
    /// The options in order, and whether each is turned on.
    pub(super) settings: Vec<(Setting, bool)>,
    /// Long options that are passed on if the language's own shell runs the script.
    pub(super) long: Vec<Vec<u8>>,
    /// Long options that only bash has, and that do not matter to a script.
    pub(super) long_of_bash: Vec<Vec<u8>>,
    /// An option that only another shell can carry out, as the message names it.
    pub(super) left: Option<&'static str>,
    pub(super) command: bool,
    pub(super) input: bool,
    pub(super) strict: bool,
    /// Nothing is run: it is said what would be handed over, and why.
    pub(super) explain: bool,
    pub(super) no_builtins: bool,
    pub(super) dialect: Option<Dialect>,
    /// The script, or its text, and its arguments.
    pub(super) words: Vec<Vec<u8>>,
    /// `--posix`: the POSIX language, or with bash and ksh their posix mode.
    posix: bool,
}

impl Line {
    /// Parses the words behind `fewer sh`. An error is printed here, and its exit status returned.
    pub(super) fn of(words: impl Iterator<Item = OsString>) -> Result<Line, u8> {
        let mut line = Line::default();
        let mut words = words.map(OsStringExt::into_vec).peekable();
        while let Some(word) = words.next_if(|word| is_option(word)) {
            match &*word {
                // As in every shell, they end the options.
                b"-" | b"--" => break,
                [b'-', b'-', name @ ..] => line.long(name, &mut words)?,
                [b'-', name @ ..] if line.is_long_with_one_dash(name) => {
                    line.long(name, &mut words)?
                }
                [sign, letters @ ..] => line.letters(letters, *sign == b'-', &mut words)?,
                [] => {}
            }
        }
        line.words = words.collect();
        if line.posix {
            match line.dialect {
                None => line.dialect = Some(Dialect::default()),
                Some(_) => line.settings.push((Setting::Name(b"posix".to_vec()), true)),
            }
        }
        Ok(line)
    }

    fn long(&mut self, name: &[u8], words: &mut impl Iterator<Item = Vec<u8>>) -> Result<(), u8> {
        let written = [b"--", name].concat();
        match name {
            b"posix" => self.posix = true,
            b"strict" => self.strict = true,
            b"explain" => self.explain = true,
            b"no-builtins" => self.no_builtins = true,
            b"command" => self.command = true,
            b"stdin" => self.input = true,
            // They are about startup files of interactive shells.
            b"norc" | b"noprofile" | b"noediting" => self.long_of_bash.push(written),
            b"rcfile" | b"init-file" => {
                let Some(file) = words.next() else {
                    return Err(fail(&format_args!("{}: its file is missing", text(&written))));
                };
                self.long_of_bash.extend([written, file]);
            }
            b"login" => self.leave("--login", &written),
            b"version" => self.leave("--version", &written),
            b"restricted" => self.leave("--restricted", &written),
            b"debugger" => self.leave("--debugger", &written),
            b"dump-strings" => self.leave("--dump-strings", &written),
            b"dump-po-strings" => self.leave("--dump-po-strings", &written),
            b"pretty-print" => self.leave("--pretty-print", &written),
            _ => {
                let letter = LETTERS.iter().find(|(_, known, _)| known.as_bytes() == name);
                match (Dialect::by_option(&written), letter) {
                    (Some(dialect), _) => self.dialect = Some(dialect),
                    (None, Some((letter, ..))) => {
                        self.settings.push((Setting::Letter(*letter as u8), true));
                    }
                    (None, None) => return Err(not_known(&written)),
                }
            }
        }
        Ok(())
    }

    /// bash takes a long option with one dash as well.
    fn is_long_with_one_dash(&self, name: &[u8]) -> bool {
        let known: [&[u8]; 7] =
            [b"login", b"norc", b"noprofile", b"posix", b"rcfile", b"init-file", b"noediting"];
        self.dialect.is_some_and(Dialect::has_long_options) && known.contains(&name)
    }

    fn leave(&mut self, what: &'static str, written: &[u8]) {
        self.left = Some(what);
        self.long.push(written.to_vec());
    }

    /// Takes packed letters like `-euo pipefail`: the names follow as words, one for each `o` and
    /// `O`.
    fn letters(
        &mut self,
        letters: &[u8],
        on: bool,
        words: &mut impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), u8> {
        for &letter in letters {
            let setting = match letter {
                b'c' => {
                    self.command = true;
                    continue;
                }
                b's' => {
                    self.input |= on;
                    continue;
                }
                b'i' | b'l' if !on => continue,
                b'i' => {
                    self.left = Some("-i");
                    Setting::Letter(letter)
                }
                b'l' => {
                    self.left = Some("-l");
                    Setting::Letter(letter)
                }
                b'o' | b'O' => match (words.next(), letter) {
                    (Some(name), b'o') if !shell::is_option(&name) => {
                        let name = fewer::present::escaped(&name);
                        return Err(fail(&format_args!("-o: there is no option '{name}'")));
                    }
                    (Some(name), b'o') => Setting::Name(name),
                    (Some(name), _) => Setting::Shopt(name),
                    // Without a name the options would be listed.
                    (None, _) => {
                        self.left = Some("-o without a name");
                        Setting::Letter(letter)
                    }
                },
                _ if KNOWN.contains(&letter) => Setting::Letter(letter),
                _ => return Err(not_known(&[if on { b'-' } else { b'+' }, letter])),
            };
            self.settings.push((setting, on));
        }
        Ok(())
    }
}

fn is_option(word: &[u8]) -> bool {
    word == b"-" || (word.len() > 1 && matches!(word[0], b'-' | b'+'))
}

fn text(word: &[u8]) -> String {
    fewer::present::escaped(word).to_string()
}

fn not_known(word: &[u8]) -> u8 {
    fail(&format_args!("there is no option '{}'; --help lists them", text(word)))
}
