//! `fewer sh`: runs a shell script.

use std::ffi::OsString;
use std::io::Read;
use std::iter::Peekable;
use std::os::unix::ffi::OsStrExt;

use clap::ArgMatches;
use shell::{Dialect, Interpreter, Invocation};

use crate::flags::LETTERS;
use crate::report::FAILED;

/// The exit status for a script that is there and cannot be run.
const CANNOT_RUN: u8 = 126;

/// Does what the flags say; back comes the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    if let Some(name) = named_options(flags).find(|name| !shell::is_option(name)) {
        eprintln!("fewer: -o: there is no option '{}'", fewer::escaped(&name));
        return FAILED;
    }
    let script = match Script::of(flags) {
        Ok(script) => script,
        Err(status) => return status,
    };
    let invocation = script.invocation(flags);
    let refused = match script.dialect {
        Some(_) => match shell::run_process(&invocation) {
            Ok(status) => return status,
            Err(refused) => refused,
        },
        None => shell::Refused { line: 1, what: "it is for another interpreter".into() },
    };
    let name = fewer::escaped(&script.name);
    if flags.get_flag("strict") {
        eprintln!("fewer: {name}: line {}: {}", refused.line, refused.what);
        return FAILED;
    }
    script.hand_over(flags, &refused)
}

/// What is to be run.
struct Script {
    text: Vec<u8>,
    /// `$0`
    name: Vec<u8>,
    arguments: Vec<Vec<u8>>,
    interpreter: Interpreter,
    dialect: Option<Dialect>,
    /// Whether there is a file that another shell could read.
    is_file: bool,
    /// Options that are off, by letter: `+x`.
    unset: Vec<u8>,
}

impl Script {
    fn of(flags: &ArgMatches) -> Result<Script, u8> {
        let words = flags.get_many::<OsString>("script").into_iter().flatten();
        let mut words = words.map(|word| word.as_bytes().to_vec()).peekable();
        let unset = unset_options(&mut words);
        if !flags.get_flag("command") {
            // As for every shell, it ends the options.
            words.next_if(|word| word == b"-");
        }
        let mut is_file = false;
        let unnamed = || b"fewer".to_vec();
        let (text, name) = if flags.get_flag("command") {
            let Some(text) = words.next() else {
                eprintln!("fewer: -c: the text is missing");
                return Err(FAILED);
            };
            (text, words.next().unwrap_or_else(unnamed))
        } else if flags.get_flag("stdin") {
            (read_input()?, unnamed())
        } else {
            match words.next() {
                Some(path) => {
                    is_file = true;
                    (read_file(&path)?, path)
                }
                None => (read_input()?, unnamed()),
            }
        };
        if is_file && is_program(&text) {
            eprintln!("fewer: {}: it is no script", fewer::escaped(&name));
            return Err(CANNOT_RUN);
        }
        let interpreter = shell::interpreter(&text);
        let named = |name| flags.get_flag(name);
        let dialect = match (named("posix"), named("bash"), named("ksh")) {
            (true, _, _) => Some(Dialect::Posix),
            (_, true, _) => Some(Dialect::Bash),
            (_, _, true) => Some(Dialect::Ksh),
            _ => interpreter.dialect,
        };
        Ok(Script { text, name, arguments: words.collect(), interpreter, dialect, is_file, unset })
    }

    fn invocation(&self, flags: &ArgMatches) -> Invocation {
        let from_line = self.interpreter.options.iter().map(|letter| (*letter, true));
        let given = LETTERS.iter().filter(|(_, name, _)| flags.get_flag(name));
        let given = given.map(|(letter, ..)| (*letter as u8, true));
        let unset = self.unset.iter().map(|letter| (*letter, false));
        Invocation {
            dialect: self.dialect.unwrap_or_default(),
            text: self.text.clone(),
            name: self.name.clone(),
            arguments: self.arguments.clone(),
            options: from_line.chain(given).chain(unset).collect(),
            named_options: named_options(flags).map(|name| (name, true)).collect(),
            from_argument: flags.get_flag("command"),
            tools: !flags.get_flag("no-builtins"),
        }
    }

    /// Lets the script's own interpreter run it, in this process's place.
    fn hand_over(&self, flags: &ArgMatches, refused: &shell::Refused) -> u8 {
        let mut words = self.interpreter_words();
        for (letter, name, _) in LETTERS {
            if flags.get_flag(name) {
                words.push(format!("-{letter}").into_bytes());
            }
        }
        for letter in &self.unset {
            words.push(vec![b'+', *letter]);
        }
        for name in named_options(flags) {
            words.extend([b"-o".to_vec(), name]);
        }
        if flags.get_flag("command") {
            words.extend([b"-c".to_vec(), self.text.clone(), self.name.clone()]);
        } else if self.is_file {
            // What is no shell may know no `--`.
            if self.name.starts_with(b"-") || self.name.starts_with(b"+") {
                words.push(b"--".to_vec());
            }
            words.push(self.name.clone());
        } else {
            if self.dialect.is_some() {
                words.extend([b"-s".to_vec(), b"--".to_vec()]);
            }
            if let Err(errno) = shell::put_in_place_of_input(&self.text) {
                eprintln!("fewer: {}", fewer::Error::new(errno, "keep", b"the script"));
                return CANNOT_RUN;
            }
        }
        words.extend(self.arguments.iter().cloned());
        let error = shell::replace_process(&words);
        let name = fewer::escaped(&self.name);
        let program = fewer::escaped(&words[0]);
        eprintln!("fewer: {name}: line {}: {}", refused.line, refused.what);
        eprintln!("fewer: cannot run '{program}': {}", error.reason());
        127
    }

    fn interpreter_words(&self) -> Vec<Vec<u8>> {
        let same = self.dialect == self.interpreter.dialect;
        if same && !self.interpreter.program.is_empty() {
            let mut words = vec![self.interpreter.program.clone()];
            words.extend(self.interpreter.argument.clone());
            return words;
        }
        let program: &[u8] = match self.dialect {
            Some(Dialect::Bash) => b"bash",
            Some(Dialect::Ksh) => b"ksh93",
            _ => b"sh",
        };
        vec![program.to_vec()]
    }
}

/// The words at the front that turn options off.
fn unset_options(words: &mut Peekable<impl Iterator<Item = Vec<u8>>>) -> Vec<u8> {
    let is_unset = |word: &Vec<u8>| {
        word.strip_prefix(b"+").is_some_and(|letters| {
            !letters.is_empty()
                && letters.iter().all(|byte| LETTERS.iter().any(|(it, ..)| *it as u8 == *byte))
        })
    };
    let mut letters = Vec::new();
    while let Some(word) = words.next_if(is_unset) {
        letters.extend_from_slice(&word[1..]);
    }
    letters
}

/// Whether a file is a program or other data: its first line has a NUL byte, as the shells ask.
fn is_program(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    text.starts_with(b"\x7fELF") || line.contains(&0)
}

fn named_options(flags: &ArgMatches) -> impl Iterator<Item = Vec<u8>> {
    let names = flags.get_many::<OsString>("option").into_iter().flatten();
    names.map(|name| name.as_bytes().to_vec())
}

fn read_file(path: &[u8]) -> Result<Vec<u8>, u8> {
    let name = std::ffi::CString::new(path).map_err(|_| CANNOT_RUN)?;
    kernel::read_all(kernel::CWD, &name, usize::MAX).map_err(|errno| {
        eprintln!("fewer: {}", fewer::Error::new(errno, "open", path));
        if errno == fewer::Errno::NOENT { 127 } else { CANNOT_RUN }
    })
}

fn read_input() -> Result<Vec<u8>, u8> {
    let mut text = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => {
            eprintln!("fewer: cannot read standard input: {error}");
            Err(FAILED)
        }
    }
}
