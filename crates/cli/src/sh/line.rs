//! What the command line of `fewer sh` says.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use clap::ArgMatches;
use shell::Dialect;

use crate::flags::{self, LETTERS};
use crate::report::FAILED;

/// What the command line says.
#[derive(Default)]
pub(super) struct Line {
    /// Options of `set`, by name, and whether they are on.
    pub(super) options: Vec<(Vec<u8>, bool)>,
    pub(super) command: bool,
    pub(super) input: bool,
    pub(super) strict: bool,
    pub(super) no_builtins: bool,
    pub(super) dialect: Option<Dialect>,
    /// The script, or its text, and its arguments.
    pub(super) words: Vec<Vec<u8>>,
}

impl Line {
    /// Reads the flags, and those behind words such as `+e`, which turn options off and which the
    /// parser takes for the script. An error is told; the status comes back.
    pub(super) fn of(matches: &ArgMatches) -> Result<Line, u8> {
        let mut line = Line::default();
        let mut all: Vec<OsString> = std::env::args_os().collect();
        let mut matches = matches.clone();
        loop {
            let words = line.take(&matches);
            // The parser does not tell whether there was a `--` before them.
            let ended = all.len().checked_sub(words.len() + 1).is_some_and(|at| all[at] == "--");
            let mut words = words.into_iter().peekable();
            if ended {
                line.words = words.collect();
                break;
            }
            let mut found = false;
            while let Some(word) = words.next_if(|word| word.len() > 1 && word[0] == b'+') {
                line.turn_off(&word[1..], &mut words)?;
                found = true;
            }
            // As for every shell, it ends the options.
            let ends = words.next_if(|word| word == b"-").is_some();
            let rest: Vec<Vec<u8>> = words.collect();
            if ends || !found {
                line.words = rest;
                break;
            }
            let name = OsString::from("fewer sh");
            all = std::iter::once(name).chain(rest.into_iter().map(OsString::from_vec)).collect();
            matches = flags::sh().bin_name("fewer sh").get_matches_from(&all);
        }
        if let Some((name, _)) = line.options.iter().find(|(name, _)| !shell::is_option(name)) {
            eprintln!("fewer: -o: there is no option '{}'", fewer::escaped(name));
            return Err(FAILED);
        }
        Ok(line)
    }

    /// Takes over flags; back come the words behind them.
    fn take(&mut self, matches: &ArgMatches) -> Vec<Vec<u8>> {
        let given = LETTERS.iter().filter(|(_, name, _)| matches.get_flag(name));
        let given = given.map(|(_, name, _)| name.as_bytes().to_vec());
        self.options.extend(given.chain(many(matches, "option")).map(|name| (name, true)));
        self.command |= matches.get_flag("command");
        self.input |= matches.get_flag("stdin");
        self.strict |= matches.get_flag("strict");
        self.no_builtins |= matches.get_flag("no-builtins");
        for (name, dialect) in
            [("posix", Dialect::Posix), ("bash", Dialect::Bash), ("ksh", Dialect::Ksh)]
        {
            if matches.get_flag(name) {
                self.dialect = Some(dialect);
            }
        }
        many(matches, "script").collect()
    }

    /// `+ex`, and `+o NAME`.
    fn turn_off(
        &mut self,
        letters: &[u8],
        words: &mut impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), u8> {
        for &letter in letters {
            let known = LETTERS.iter().find(|(known, ..)| *known as u8 == letter);
            let name = match known {
                Some((_, name, _)) => Some(name.as_bytes().to_vec()),
                None if letter == b'o' => words.next(),
                None => None,
            };
            let Some(name) = name else {
                eprintln!("fewer: there is no option '+{}'", fewer::escaped(&[letter]));
                return Err(FAILED);
            };
            self.options.push((name, false));
        }
        Ok(())
    }
}

fn many(matches: &ArgMatches, name: &str) -> impl Iterator<Item = Vec<u8>> {
    let words = matches.get_many::<OsString>(name).into_iter().flatten();
    words.map(|word| word.as_bytes().to_vec())
}
