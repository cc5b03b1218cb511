//! `fewer sh`: runs a shell script.

mod line;

use std::ffi::OsString;
use sys::OsStrExt;

use fewer::Errno;
use shell::{Dialect, Input, Interpreter, Invocation, Refused, ScriptFile, Setting};

use self::line::Line;
use crate::exit_status::{self, FAILED, NOT_FOUND, NOT_RUN};
use crate::report::fail;

/// The words behind `fewer sh`, unless they ask for help, which the table of flags gives.
pub(crate) fn words(all: &[OsString]) -> Option<&[OsString]> {
    let (_, [verb, words @ ..]) = all.split_first()? else { return None };
    let is_help = |word: &OsString| word == "--help" || word == "-h" && words.len() == 1;
    let options = |word: &&OsString| word.as_bytes().starts_with(b"-");
    (verb == "sh" && !words.iter().take_while(options).any(is_help)).then_some(words)
}

/// Runs the verb as the words behind `fewer sh` say; returns the exit status.
pub(crate) fn run(words: &[OsString]) -> u8 {
    let mut script = match Line::of(words.iter().cloned()).and_then(Script::of) {
        Ok(script) => script,
        Err(status) => return status,
    };
    let input = script.input.take();
    if script.line.explain {
        return script.explain(input.as_ref());
    }
    let refused = match (script.line.left, script.dialect) {
        (None, Some(_)) => match script.run(input, script.line.strict) {
            Ok(status) => return status,
            Err(refused) => refused,
        },
        (left, _) => {
            drop(input); // nothing of it was read
            script.refused_as_whole(left)
        }
    };
    if script.line.strict {
        let name = fewer::present::escaped(&script.name);
        eprintln!("fewer: {name}: line {}: {}", refused.line, refused.what);
        return FAILED;
    }
    let (program, error) = match script.hand_over() {
        Ok(failed) => failed,
        Err(status) => return status,
    };
    // If there is no shell of the language here, the script runs as far as it goes.
    let refused = match shell::Input::look() {
        Ok(input) if script.is_from_input() && script.dialect.is_some() => {
            match script.run(Some(input), true) {
                Ok(status) => return status,
                Err(refused) => refused,
            }
        }
        _ => refused,
    };
    let name = fewer::present::escaped(&script.name);
    let program = fewer::present::escaped(&program);
    eprintln!("fewer: {name}: line {}: {}", refused.line, refused.what);
    eprintln!("fewer: cannot run '{program}': {}", error.errno());
    NOT_FOUND
}

/// The script to run.
struct Script {
    line: Line,
    text: Vec<u8>,
    /// `$0`
    name: Vec<u8>,
    arguments: Vec<Vec<u8>>,
    interpreter: Interpreter,
    dialect: Option<Dialect>,
    /// Its file, if it comes from one.
    file: Option<ScriptFile>,
    /// The standard input, if it comes from there.
    input: Option<Input>,
}

impl Script {
    fn of(mut line: Line) -> Result<Script, u8> {
        let mut words = std::mem::take(&mut line.words).into_iter();
        let mut file = None;
        let mut input = None;
        let unnamed = || b"fewer".to_vec();
        let (text, name) = if line.command {
            let Some(text) = words.next() else {
                eprintln!("fewer: -c: the text is missing");
                return Err(FAILED);
            };
            (text, words.next().unwrap_or_else(unnamed))
        } else if let Some(name) = if line.input { None } else { words.next() } {
            let (found, text) = find(&name, line.dialect)?;
            file = Some(found);
            (text, name)
        } else {
            let mut text = Vec::new();
            if line.left.is_none() {
                match Input::look() {
                    Ok(looked) => {
                        match looked.text() {
                            Some(there) => text.extend_from_slice(there),
                            // A script from a terminal is a conversation with a person: another
                            // shell does that.
                            None => line.left = Some("a script from a terminal"),
                        }
                        input = Some(looked);
                    }
                    // Only bash has a message of its own for it.
                    Err(Errno::ISDIR) => line.left = Some("a directory"),
                    Err(errno) => {
                        return Err(fail(&fewer::Error::new(errno, "read", b"standard input")));
                    }
                }
            }
            (text, unnamed())
        };
        if file.is_some() && shell::is_program(&text) {
            eprintln!("fewer: {}: it is no script", fewer::present::escaped(&name));
            return Err(NOT_RUN);
        }
        let interpreter = shell::interpreter(&text);
        let dialect = line.dialect.or(interpreter.dialect);
        // The shell runs this file first.
        if let Some(name) = dialect.and_then(Dialect::startup_variable)
            && std::env::var_os(name).is_some_and(|file| !file.is_empty())
            && line.left.is_none()
        {
            line.left = Some(name);
        }
        let arguments = words.collect();
        Ok(Script { line, text, name, arguments, interpreter, dialect, file, input })
    }

    /// What is left to another shell whatever the script says: an option, or a language.
    fn refused_as_whole(&self, left: Option<&str>) -> Refused {
        let what = match left {
            Some(left) => format!("'{left}' is left to another shell"),
            None => {
                format!("'#!{}' is not run here", fewer::present::escaped(&self.interpreter.line()))
            }
        };
        Refused { line: 1, what }
    }

    /// Says what would be handed over, and why; returns the exit status.
    fn explain(&self, input: Option<&Input>) -> u8 {
        let refused = match (self.line.left, self.dialect) {
            (None, Some(_)) => shell::explain(&self.invocation(), input),
            (left, _) => vec![self.refused_as_whole(left)],
        };
        let name = fewer::present::escaped(&self.name).to_string();
        let line = |one: &Refused| format!("{name}: line {}: {}\n", one.line, one.what);
        let mut text: String = refused.iter().map(line).collect();
        text += &match refused.is_empty() {
            true => format!("{name}: is run here\n"),
            false => {
                let interpreter = self.interpreter_words().swap_remove(0);
                format!("{name}: is handed to {}\n", fewer::present::escaped(&interpreter))
            }
        };
        match crate::report::print(text.as_bytes()) {
            exit_status::OK if !refused.is_empty() => exit_status::SOME_FAILED,
            status => status,
        }
    }

    fn is_from_input(&self) -> bool {
        !self.line.command && self.file.is_none()
    }

    /// Runs the script here. With `anyway` it also runs if it comes from the standard input and is
    /// not known to its end.
    fn run(&self, input: Option<Input>, anyway: bool) -> Result<u8, Refused> {
        let invocation = self.invocation();
        match input {
            Some(input) => shell::run_input(&invocation, input, anyway),
            None => shell::run_process(&invocation),
        }
    }

    fn invocation(&self) -> Invocation {
        let from_line = self.interpreter.options.iter();
        let from_line = from_line.map(|letter| (Setting::Letter(*letter), true));
        Invocation {
            dialect: self.dialect.unwrap_or_default(),
            text: self.text.clone(),
            name: self.name.clone(),
            arguments: self.arguments.clone(),
            settings: from_line.chain(self.line.settings.iter().cloned()).collect(),
            from_argument: self.line.command,
            from_input: self.is_from_input(),
            tools: !self.line.no_builtins,
        }
    }

    /// Replaces this process by the script's own interpreter. Returns the interpreter and the error
    /// if that cannot be run.
    fn hand_over(&self) -> Result<(Vec<u8>, fewer::Error), u8> {
        let mut words = self.interpreter_words();
        let mut long = self.line.long.clone();
        if self.dialect.is_some_and(Dialect::has_long_options) {
            long.extend(self.line.long_of_bash.iter().cloned());
        } else {
            let login = long.iter_mut().filter(|word| *word == b"--login");
            login.for_each(|word| *word = b"-l".to_vec());
        }
        words.splice(1..1, long);
        for (setting, on) in &self.line.settings {
            let sign = if *on { b'-' } else { b'+' };
            match setting {
                Setting::Letter(letter) => words.push(vec![sign, *letter]),
                Setting::Name(name) => words.extend([vec![sign, b'o'], name.clone()]),
                Setting::Shopt(name) => words.extend([vec![sign, b'O'], name.clone()]),
            }
        }
        if self.line.command {
            words.extend([b"-c".to_vec(), self.text.clone(), self.name.clone()]);
        } else if let Err(errno) = self.name_script(&mut words) {
            eprintln!("fewer: {}", fewer::Error::new(errno, "keep", b"the script"));
            return Err(NOT_RUN);
        }
        words.extend(self.arguments.iter().cloned());
        let error = shell::replace_process(&words);
        Ok((words.swap_remove(0), error))
    }

    /// Adds the words that tell the interpreter where the script is.
    fn name_script(&self, words: &mut Vec<Vec<u8>>) -> Result<(), Errno> {
        let Some(file) = &self.file else {
            // Nothing of the input was read; without arguments the script needs no name.
            if self.dialect.is_some() && (self.line.input || !self.arguments.is_empty()) {
                words.extend([b"-s".to_vec(), b"--".to_vec()]);
            }
            return Ok(());
        };
        let path = file.path_for_another(&self.text)?;
        // An interpreter that is no shell may not know `--`.
        if path.starts_with(b"-") || path.starts_with(b"+") {
            words.push(b"--".to_vec());
        }
        words.push(path);
        Ok(())
    }

    /// The interpreter of the first line, if no flag names a language; otherwise a shell of that
    /// language, with the options of the first line.
    fn interpreter_words(&self) -> Vec<Vec<u8>> {
        let same = self.dialect == self.interpreter.dialect;
        let program = &self.interpreter.program;
        if same && !program.is_empty() && !shell::is_this_program(program) {
            let mut words = vec![self.interpreter.program.clone()];
            words.extend(self.interpreter.argument.clone());
            return words;
        }
        let program = self.dialect.unwrap_or_default().program();
        let options = self.interpreter.options.iter().map(|&letter| vec![b'-', letter]);
        std::iter::once(program.to_vec()).chain(options).collect()
    }
}

/// Finds and reads a script. Prints an error and returns the exit status.
fn find(name: &[u8], dialect: Option<Dialect>) -> Result<(ScriptFile, Vec<u8>), u8> {
    ScriptFile::find(name).map_err(|error| {
        eprintln!("fewer: {error}");
        match error.errno() {
            // dash has one status for all errors.
            _ if dialect.is_some_and(Dialect::has_one_status) => FAILED,
            Errno::NOENT => NOT_FOUND,
            _ => NOT_RUN,
        }
    })
}
