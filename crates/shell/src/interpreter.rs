//! Which interpreter a script asks for.

use fewer::path::base_name;

use crate::Dialect;

/// What a script's first line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interpreter {
    /// The program; empty if there is no `#!`, or if it names `fewer sh` itself: a script that we
    /// cannot run must not come back to us.
    pub program: Vec<u8>,
    /// What follows it, as the one argument that the kernel makes of it.
    pub argument: Option<Vec<u8>>,
    /// The language, if it is one that is run here.
    pub dialect: Option<Dialect>,
    /// The options of `set` that it gives, by letter.
    pub options: Vec<u8>,
}

impl Interpreter {
    /// What follows `#!`.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        let words = [Some(&self.program), self.argument.as_ref()];
        words.into_iter().flatten().cloned().collect::<Vec<_>>().join(&b' ')
    }
}

/// Reads a script's first line as the kernel does: behind the program's name, all is one argument.
/// Blanks at its end, and with them a carriage return, are no part of it. A script without `#!`, or
/// with nothing behind it, is POSIX sh. Makes no calls.
#[must_use]
pub fn interpreter(text: &[u8]) -> Interpreter {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = first.strip_prefix(b"#!").unwrap_or_default().trim_ascii();
    if line.is_empty() {
        return Interpreter { dialect: Some(Dialect::default()), ..Interpreter::default() };
    }
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let program = line[..end].to_vec();
    let argument = line[end..].trim_ascii();
    let split = |text: &'_ [u8]| {
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let mut name = base_name(&program).to_vec();
    let mut words = match &*name {
        b"env" | b"fewer" => split(argument.strip_prefix(b"-S").unwrap_or(argument)),
        _ if argument.is_empty() => Vec::new(),
        _ => vec![argument.to_vec()],
    };
    if name == b"env" && !words.is_empty() {
        // Its other options, and variables, are left to it.
        name = base_name(&words.remove(0)).to_vec();
        if !argument.starts_with(b"-S") && !words.is_empty() && name != b"fewer" {
            name.clear();
        }
    }
    if name == b"fewer" && words.first().is_some_and(|word| word == b"sh") {
        return ourselves(&words[1..]);
    }
    let (options, known) = letters(&words);
    let dialect = Dialect::by_program(&name).filter(|_| known);
    let argument = (!argument.is_empty()).then(|| argument.to_vec());
    Interpreter { program, argument, dialect, options }
}

/// What a first line says that names `fewer sh`, by the words behind that.
fn ourselves(words: &[Vec<u8>]) -> Interpreter {
    let mut dialect = Dialect::default();
    let mut options = Vec::new();
    for word in words {
        match Dialect::by_option(word) {
            Some(named) => dialect = named,
            None => options.extend(letters(std::slice::from_ref(word)).0),
        }
    }
    Interpreter { dialect: Some(dialect), options, ..Interpreter::default() }
}

/// The letters of options, and whether there is nothing else.
fn letters(words: &[Vec<u8>]) -> (Vec<u8>, bool) {
    let mut options = Vec::new();
    for (index, word) in words.iter().enumerate() {
        match word.strip_prefix(b"-") {
            Some(b"" | b"-") => return (options, index + 1 == words.len()),
            Some(letters) if letters.iter().all(|letter| b"efuxvnaCh".contains(letter)) => {
                options.extend_from_slice(letters);
            }
            _ => return (options, false),
        }
    }
    (options, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_language() {
        let of = |text: &str| interpreter(text.as_bytes()).dialect;
        assert_eq!(of("echo"), Some(Dialect::Posix));
        assert_eq!(of("#!/bin/sh\n"), Some(Dialect::Posix));
        assert_eq!(of("#! /bin/bash -e\n"), Some(Dialect::Bash));
        assert_eq!(of("#!/usr/bin/env ksh93\n"), Some(Dialect::Ksh));
        assert_eq!(of("#!/usr/bin/env -S bash -eu\n"), Some(Dialect::Bash));
        assert_eq!(of("#!/usr/bin/python3\n"), None);
        assert_eq!(of("#!/bin/sh -o posix\n"), None);
        assert_eq!(of("#!/usr/bin/fewer sh\n"), Some(Dialect::Posix));
        assert_eq!(of("#!/usr/bin/env -S fewer sh --strict --bash -e\n"), Some(Dialect::Bash));
        assert_eq!(of("#!/usr/bin/fewer walk\n"), None);
        assert_eq!(interpreter(b"#!/usr/bin/fewer sh -e\n").program, b"");
        assert_eq!(of("#!/bin/sh\r\n"), Some(Dialect::Posix));
        assert_eq!(of("#!\n"), Some(Dialect::Posix));
        assert_eq!(of("#! /bin/bash -\n"), Some(Dialect::Bash));
        // What the kernel gives as one word, and what env does to the environment.
        assert_eq!(of("#!/bin/bash -x -e\n"), None);
        assert_eq!(of("#!/usr/bin/env -i bash\n"), None);
        assert_eq!(of("#!/usr/bin/env A=1 bash\n"), None);
        assert_eq!(of("#!/usr/bin/env -S A=1 bash\n"), None);
        assert_eq!(of("#!/usr/bin/env -S -i bash\n"), None);
        assert_eq!(interpreter(b"#!/bin/sh -eu\n").options, b"eu");
    }
}
