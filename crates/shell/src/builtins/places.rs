//! `cd`, `pwd`, `pushd`, `popd`, `dirs`, `umask`, `ulimit`.

use std::os::unix::ffi::OsStrExt;

use super::flow::number;
use crate::processes::{Limit, Which, WrongMask, octal_mask, parse_mask, symbolic_mask};
use crate::run::environment::reason;
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

/// `-L` and `-P`: which of them counts, and where the operands begin; or the status if there is
/// another option.
fn logical_or_physical(shell: &mut Shell, words: &[Text]) -> Result<(bool, usize), i32> {
    let mut physical = shell.options.physical();
    let mut at = 1;
    while let Some([b'-', letters @ ..]) = words.get(at).map(|word| &**word)
        && !letters.is_empty()
    {
        at += 1;
        if letters == b"-" {
            break;
        }
        for letter in letters {
            match (letter, shell.dialect) {
                (b'L', _) => physical = false,
                (b'P', _) => physical = true,
                (b'e', Dialect::Bash | Dialect::Ksh) | (b'@', Dialect::Bash)
                    if *words[0] == *b"cd" => {}
                _ => return Err(no_such_option(shell, words, *letter)),
            }
        }
    }
    Ok((physical, at))
}

fn no_such_option(shell: &mut Shell, words: &[Text], letter: u8) -> i32 {
    let (text, usage): (&[u8], &str) = match (shell.dialect, &*words[0]) {
        (Dialect::Posix, _) => {
            return shell.builtin_error(words, &[b"Illegal option -", &[letter][..]].concat(), 2);
        }
        (Dialect::Bash, b"cd") => {
            (b": invalid option", "cd: usage: cd [-L|[-P [-e]] [-@]] [dir]\n")
        }
        (Dialect::Bash, _) => (b": invalid option", "pwd: usage: pwd [-LP]\n"),
        (Dialect::Ksh, b"cd") => (
            b": unknown option",
            "Usage: cd [-LPe] [directory]\n   Or: cd old new\n \
             Help: cd [ --help | --man ] 2>&1\n",
        ),
        (Dialect::Ksh, _) => {
            (b": unknown option", "Usage: pwd [-LP]\n Help: pwd [ --help | --man ] 2>&1\n")
        }
    };
    let status = shell.builtin_error(words, &[b"-", &[letter][..], text].concat(), 2);
    shell.say(2, usage.as_bytes());
    status
}

pub(crate) fn cd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (physical, at) = match logical_or_physical(shell, words) {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    if words.len() > at + 1 && shell.dialect == Dialect::Bash {
        return Ok(shell.builtin_error(words, b"too many arguments", 1));
    }
    let mut show = false;
    let target = match words.get(at) {
        None => match shell.get(shell.own.home).map(Text::from_slice) {
            Some(home) => home,
            // Nowhere is here.
            None if shell.dialect == Dialect::Posix => Text::new(),
            None => return Ok(shell.builtin_error(words, b"HOME not set", 1)),
        },
        Some(word) if word.as_slice() == b"-" => {
            show = true;
            match shell.get(shell.own.oldpwd).map(Text::from_slice) {
                Some(old) => old,
                None if shell.dialect == Dialect::Posix => Text::new(),
                None => return Ok(shell.builtin_error(words, b"OLDPWD not set", 1)),
            }
        }
        Some(word) => word.clone(),
    };
    if target.is_empty() && shell.dialect == Dialect::Ksh {
        return Ok(shell.builtin_error(words, b"bad directory", 1));
    }
    let there = match target.is_empty() {
        true => {
            shell.leave_for(Text::from_slice(&shell.here));
            Ok(())
        }
        false => change_directory(shell, &target, physical, &mut show),
    };
    match there {
        Ok(()) => {}
        Err(errno) => {
            let why = reason(errno);
            let text = match shell.dialect {
                Dialect::Bash => [&*target, b": ", why.as_bytes()].concat(),
                Dialect::Posix => [b"can't cd to ", &*target].concat(),
                Dialect::Ksh => [&*target, b": [", why.as_bytes(), b"]"].concat(),
            };
            let status = if shell.dialect == Dialect::Posix { 2 } else { 1 };
            return Ok(shell.builtin_error(words, &text, status));
        }
    }
    if show {
        let pwd = shell.get(shell.own.pwd).map(Text::from_slice).unwrap_or_default();
        let line = [&*pwd, b"\n"].concat();
        return shell.print("cd", &line);
    }
    Ok(0)
}

/// Changes the scope, PWD and OLDPWD. `show` is set if CDPATH found it.
pub(super) fn change_directory(
    shell: &mut Shell,
    target: &[u8],
    physical: bool,
    show: &mut bool,
) -> Result<(), fewer::Errno> {
    let relative = !target.starts_with(b"/")
        && !matches!(target.split(|byte| *byte == b'/').next(), Some(b"." | b".."));
    if relative && let Some(path) = shell.get(shell.own.cdpath).map(Text::from_slice) {
        for directory in path.split(|byte| *byte == b':') {
            let candidate = match directory {
                b"" => Text::from_slice(target),
                _ => [directory, b"/", target].concat().into(),
            };
            if shell.go_to(&candidate, physical).is_ok() {
                *show |= !directory.is_empty();
                return Ok(());
            }
        }
    }
    shell.go_to(target, physical)
}

pub(crate) fn pwd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (physical, _) = match logical_or_physical(shell, words) {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    // ksh looks whether it is still there.
    let gone = shell.dialect == Dialect::Ksh && shell.scope.logical().is_err();
    if !physical && !gone {
        let line = [&*shell.here, b"\n"].concat();
        return shell.print("pwd", &line);
    }
    match shell.scope.physical() {
        Ok(path) => {
            let line = [path.as_os_str().as_bytes(), b"\n"].concat();
            shell.print("pwd", &line)
        }
        Err(error) => Ok(shell.builtin_error(words, error.reason().as_bytes(), 1)),
    }
}

pub(crate) fn umask(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut symbolic = false;
    let mut again = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match &**word {
            b"-S" => symbolic = true,
            b"-p" if shell.dialect == Dialect::Bash => again = true,
            b"--" => {
                at += 1;
                break;
            }
            _ => break,
        }
        at += 1;
    }
    let Some(word) = words.get(at) else {
        let mask = shell.umask.get();
        let mut text = match symbolic {
            true => symbolic_mask(mask),
            false => octal_mask(mask),
        };
        if again {
            text = format!("umask {}{text}", if symbolic { "-S " } else { "" });
        }
        return shell.print("umask", format!("{text}\n").as_bytes());
    };
    let now = shell.umask.get();
    match parse_mask(word, now, shell.dialect) {
        Ok(mask) => {
            shell.save_umask(now);
            shell.umask.set(mask);
            if symbolic && shell.dialect == Dialect::Bash {
                return shell.print("umask", format!("{}\n", symbolic_mask(mask)).as_bytes());
            }
            Ok(0)
        }
        Err(wrong) => {
            let text = wrong_mask(wrong, word, shell.dialect);
            let status = if shell.dialect == Dialect::Posix { 2 } else { 1 };
            Ok(shell.builtin_error(words, &text, status))
        }
    }
}

pub(crate) fn ulimit(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if !shell.owns_process {
        // They are those of the whole process.
        return Ok(shell.builtin_error(words, b"the process is not the script's own", 2));
    }
    let mut which = Which::Both;
    let mut letters = Vec::new();
    let mut all = false;
    let mut at = 1;
    while let Some([b'-', rest @ ..]) = words.get(at).map(|word| &**word) {
        at += 1;
        for letter in rest {
            match letter {
                b'H' => which = Which::Hard,
                b'S' => which = Which::Soft,
                b'a' => all = true,
                letter => letters.push(*letter),
            }
        }
    }
    let shown = if which == Which::Both { Which::Soft } else { which };
    if all {
        let mut text = String::new();
        for limit in Limit::all(shell.dialect) {
            if let Ok(line) = limit.line(shown) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        return shell.print("ulimit", text.as_bytes());
    }
    if letters.is_empty() {
        letters.push(b'f');
    }
    let mut text = String::new();
    for letter in &letters {
        let Some(limit) = Limit::of(*letter, shell.dialect) else {
            let message = [b"-", &[*letter][..], b": invalid option"].concat();
            return Ok(shell.builtin_error(words, &message, 2));
        };
        let outcome = match words.get(at) {
            None => limit.value(shown).map(|value| {
                let line = match letters.len() {
                    1 => value,
                    _ => limit.line(shown).unwrap_or(value),
                };
                text.push_str(&line);
                text.push('\n');
            }),
            Some(word) => limit.parse(word).and_then(|value| limit.set(which, value)),
        };
        if *letter == b'f' && at < words.len() {
            // What writes more is ended by a signal: that has to be another process.
            shell.builtin_tools = false;
            shell.programs.clear();
        }
        if let Err(errno) = outcome {
            let word = words.get(at).map_or(b"".as_slice(), |word| word);
            let bad = number(word).is_none() && errno == fewer::Errno::INVAL;
            let message = match bad {
                true => [word, b": invalid number"].concat(),
                false => {
                    let name = limit.name();
                    format!("{name}: cannot modify limit: {}", reason(errno)).into_bytes()
                }
            };
            return Ok(shell.builtin_error(words, &message, 1));
        }
    }
    shell.print("ulimit", text.as_bytes())
}

/// What is said about a mask that is not understood.
fn wrong_mask(wrong: WrongMask, word: &[u8], dialect: Dialect) -> Vec<u8> {
    match (dialect, wrong) {
        (Dialect::Posix, WrongMask::Number) => [b"Illegal number: ", word].concat(),
        (Dialect::Posix, _) => [b"Illegal mode: ", word].concat(),
        (Dialect::Ksh, _) => [word, b": bad format"].concat(),
        (Dialect::Bash, WrongMask::Number) => [word, b": octal number out of range"].concat(),
        (Dialect::Bash, WrongMask::Operator(byte)) => {
            [b"`", &[byte][..], b"': invalid symbolic mode operator"].concat()
        }
        (Dialect::Bash, WrongMask::Permission(byte)) => {
            [b"`", &[byte][..], b"': invalid symbolic mode character"].concat()
        }
    }
}
