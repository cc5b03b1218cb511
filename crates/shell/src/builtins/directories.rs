//! `cd`, `pwd`.

use std::os::unix::ffi::OsStrExt;

use super::names::wrong_option;
use crate::run::environment::reason;
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

pub(crate) fn cd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let letters = match shell.dialect {
        Dialect::Posix => "LP",
        Dialect::Bash => "LPe@",
        Dialect::Ksh => "LPe",
    };
    let usage = "cd [-L|[-P [-e]] [-@]] [dir]";
    let (physical, at) = match way(shell, words, letters, usage) {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    let rest = &words[at..];
    let mut show = false;
    let target = match (shell.dialect, rest) {
        (Dialect::Bash, [_, _, ..]) => {
            return Ok(shell.builtin_error(words, b"too many arguments", 1));
        }
        (Dialect::Ksh, [_, _, _, ..]) => {
            shell.say(2, b"Usage: cd [-LPe] [directory]\n   Or: cd old new\n");
            return Ok(2);
        }
        (Dialect::Ksh, [old, new]) => {
            show = true;
            match replaced(shell, old, new) {
                Some(path) => path,
                None => return Ok(shell.builtin_error(words, b"bad substitution", 1)),
            }
        }
        (_, []) => match named(shell, shell.own.home) {
            Some(home) => home,
            None => return Ok(shell.builtin_error(words, b"HOME not set", 1)),
        },
        (_, [word, ..]) if word.as_slice() == b"-" => {
            show = true;
            match named(shell, shell.own.oldpwd) {
                Some(old) => old,
                None => return Ok(shell.builtin_error(words, b"OLDPWD not set", 1)),
            }
        }
        (_, [word, ..]) => word.clone(),
    };
    if target.is_empty() && shell.dialect == Dialect::Ksh {
        return Ok(shell.builtin_error(words, b"bad directory", 1));
    }
    go(shell, words, &target, physical, show)
}

/// The value of HOME or OLDPWD. To dash one that is not set is empty.
fn named(shell: &mut Shell, slot: crate::arithmetic::Slot) -> Option<Text> {
    let value = shell.get(slot).map(Text::from_slice);
    value.or_else(|| (shell.dialect == Dialect::Posix).then(Text::new))
}

/// Changes to the directory, with all that is said about it.
fn go(
    shell: &mut Shell,
    words: &[Text],
    target: &[u8],
    physical: bool,
    mut show: bool,
) -> Flow<i32> {
    let searched = shell.get(shell.own.cdpath).is_some();
    if target.is_empty() && !searched {
        // Nothing changes.
        if let Some(here) = shell.get(shell.own.pwd).map(Text::from_slice) {
            shell.set(shell.own.oldpwd, here)?;
        }
    } else if let Err(errno) = change_directory(shell, target, physical, &mut show) {
        let why = reason(errno);
        let text = match shell.dialect {
            Dialect::Bash => [target, b": ", why.as_bytes()].concat(),
            Dialect::Posix => [b"can't cd to ", target].concat(),
            Dialect::Ksh => [target, b": [", why.as_bytes(), b"]"].concat(),
        };
        let status = if shell.dialect == Dialect::Posix { 2 } else { 1 };
        return Ok(shell.builtin_error(words, &text, status));
    }
    if show {
        let pwd = shell.get(shell.own.pwd).map(Text::from_slice).unwrap_or_default();
        let line = [&*pwd, b"\n"].concat();
        return shell.print("cd", &line);
    }
    Ok(0)
}

/// ksh: the working directory with the first `old` in it made `new`.
fn replaced(shell: &mut Shell, old: &[u8], new: &[u8]) -> Option<Text> {
    let pwd = shell.get(shell.own.pwd)?;
    let at = memchr::memmem::find(pwd, old)?;
    Some([&pwd[..at], new, &pwd[at + old.len()..]].concat().into())
}

/// Whether links are to be resolved, and where the operands begin.
fn way(
    shell: &mut Shell,
    words: &[Text],
    letters: &str,
    usage: &str,
) -> Result<(bool, usize), i32> {
    let mut physical = shell.options.physical();
    let mut at = 1;
    while let Some([b'-', option @ ..]) = words.get(at).map(|word| &**word) {
        match option {
            b"" => break,
            b"-" => {
                at += 1;
                break;
            }
            _ => {}
        }
        for letter in option {
            match letter {
                letter if !letters.as_bytes().contains(letter) => {
                    return Err(wrong_option(shell, words, *letter, usage));
                }
                b'L' => physical = false,
                b'P' => physical = true,
                _ => {}
            }
        }
        at += 1;
    }
    Ok((physical, at))
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
    let physical = match way(shell, words, "LP", "pwd [-LP]") {
        Ok((physical, _)) => physical,
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
