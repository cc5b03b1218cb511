//! Which interpreter a script asks for.

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

/// Reads a script's first line. A script without `#!` is POSIX sh. Makes no calls.
#[must_use]
pub fn interpreter(text: &[u8]) -> Interpreter {
    let Some(rest) = text.strip_prefix(b"#!") else {
        return Interpreter { dialect: Some(Dialect::Posix), ..Interpreter::default() };
    };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let program = line[..end].to_vec();
    let argument = line[end..].trim_ascii();
    let argument = (!argument.is_empty()).then(|| argument.to_vec());
    let mut words = argument.as_deref().unwrap_or_default().split(u8::is_ascii_whitespace);
    let mut name = base(&program);
    if name == b"env" {
        name =
            words.find(|word| !word.starts_with(b"-") && !word.contains(&b'=')).map_or(b"", base);
    }
    if name == b"fewer" && words.next() == Some(b"sh") {
        return ourselves(words);
    }
    let (options, known) = letters(words);
    let dialect = dialect_of(name).filter(|_| known);
    Interpreter { program, argument: argument.clone(), dialect, options }
}

/// What a first line says that names `fewer sh`, by the words behind that.
fn ourselves<'a>(words: impl Iterator<Item = &'a [u8]>) -> Interpreter {
    let mut dialect = Dialect::Posix;
    let mut options = Vec::new();
    for word in words {
        match word {
            b"--bash" => dialect = Dialect::Bash,
            b"--ksh" => dialect = Dialect::Ksh,
            b"--posix" => dialect = Dialect::Posix,
            _ => options.extend(letters(std::iter::once(word)).0),
        }
    }
    Interpreter { dialect: Some(dialect), options, ..Interpreter::default() }
}

/// The language of a shell by its name.
#[must_use]
pub fn dialect_of(name: &[u8]) -> Option<Dialect> {
    match base(name) {
        b"sh" | b"dash" | b"ash" => Some(Dialect::Posix),
        b"bash" | b"rbash" => Some(Dialect::Bash),
        b"ksh" | b"ksh93" | b"mksh" | b"pdksh" => Some(Dialect::Ksh),
        _ => None,
    }
}

/// The letters of options, and whether there is nothing else.
fn letters<'a>(words: impl Iterator<Item = &'a [u8]>) -> (Vec<u8>, bool) {
    let mut options = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        match word.strip_prefix(b"-") {
            Some(letters) if letters.iter().all(|letter| b"efuxvnaCh".contains(letter)) => {
                options.extend_from_slice(letters);
            }
            Some(b"-") => {}
            _ => return (options, false),
        }
    }
    (options, true)
}

fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
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
        assert_eq!(interpreter(b"#!/bin/sh -eu\n").options, b"eu");
    }
}
