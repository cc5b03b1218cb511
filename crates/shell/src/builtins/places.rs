//! `cd`, `pwd`, `pushd`, `popd`, `dirs`, `umask`, `ulimit`.

use super::flow::number;
use super::options::{Options, known, refuse};
use crate::Text;
use crate::dialect::PrintDirectory;
use crate::processes::{Limit, Which, WrongMask, octal_mask, parse_mask, symbolic_mask};
use crate::run::state::Undo;
use crate::run::{Flow, Shell};

pub(crate) fn cd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut physical = shell.options.physical();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.cd) {
            b'L' => physical = false,
            b'P' => physical = true,
            b'e' | b'@' => {}
            _ => return refuse(shell, words, letter),
        }
    }
    let operands = options.operands();
    let rules = &shell.profile.files.directories;
    if let [old, new] = operands
        && rules.replaces_part
    {
        return match replaced(shell, old, new) {
            Some(path) => go(shell, words, &path, physical, true),
            None => Ok(shell.builtin_error(words, b"bad substitution", 1)),
        };
    }
    if operands.len() > 1
        && let Some(status) = rules.extra_operand_status
    {
        return Ok(shell.builtin_error(words, b"too many arguments", status));
    }
    let mut show = false;
    let target = match operands.first() {
        None => match shell.get(shell.variables.known.home).map(Text::from_slice) {
            Some(home) => home,
            // Nowhere is here.
            None if rules.unset_home_is_here => Text::new(),
            None => return Ok(shell.builtin_error(words, b"HOME not set", 1)),
        },
        Some(word) if word.as_slice() == b"-" => {
            show = true;
            match shell.get(shell.variables.known.oldpwd).map(Text::from_slice) {
                Some(old) => old,
                None if rules.unset_home_is_here => Text::new(),
                None => return Ok(shell.builtin_error(words, b"OLDPWD not set", 1)),
            }
        }
        Some(word) => word.clone(),
    };
    if target.is_empty() && rules.refuses_empty {
        return Ok(shell.builtin_error(words, b"bad directory", 1));
    }
    go(shell, words, &target, physical, show)
}

/// ksh: the working directory with the first `old` in it made `new`.
fn replaced(shell: &mut Shell, old: &[u8], new: &[u8]) -> Option<Text> {
    let pwd = shell.get(shell.variables.known.pwd)?;
    let at = memchr::memmem::find(pwd, old)?;
    Some([&pwd[..at], new, &pwd[at + old.len()..]].concat().into())
}

/// Changes to the directory, with all that is said about it.
fn go(
    shell: &mut Shell,
    words: &[Text],
    target: &[u8],
    physical: bool,
    mut show: bool,
) -> Flow<i32> {
    let searched = shell.get(shell.variables.known.cdpath).is_some();
    let there = match target.is_empty() && !searched {
        true => {
            if shell.directory.path.is_empty() && shell.profile.files.directories.checks_empty {
                shell.say_pathless("cd", fewer::Errno::NOENT);
            }
            shell.leave_for(&shell.directory.path.clone());
            Ok(())
        }
        false => change_directory(shell, target, physical, &mut show),
    };
    match there {
        Ok(()) => {}
        Err(errno) => {
            let text = (shell.profile.files.directories.cannot_change)(target, &errno.to_string());
            return Ok(shell.builtin_error(words, &text, shell.profile.failures.status));
        }
    }
    if show {
        let pwd = shell.get(shell.variables.known.pwd).map(Text::from_slice).unwrap_or_default();
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
    if relative && let Some(path) = shell.get(shell.variables.known.cdpath).map(Text::from_slice) {
        for directory in path.split(|byte| *byte == b':') {
            let candidate = match directory {
                b"" => Text::from_slice(target),
                b"/" if shell.profile.files.directories.root_joins_plainly => {
                    [b"/", target].concat().into()
                }
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
    let mut physical = shell.options.physical();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b'P' => physical = true,
            b'L' => physical = false,
            _ => return refuse(shell, words, letter),
        }
    }
    let print = shell.profile.files.directories.print;
    let path = match physical {
        _ if print == PrintDirectory::Checked => shell.directory.path_that_leads_here(physical),
        false if print == PrintDirectory::Known || !shell.directory.path.is_empty() => {
            Ok(shell.directory.path.to_vec())
        }
        _ => {
            shell.directory.scope.physical().map(|path| path.into_os_string().into_encoded_bytes())
        }
    };
    match (path, print) {
        (Ok(path), _) => shell.print("pwd", &[&path, b"\n".as_slice()].concat()),
        (Err(error), PrintDirectory::Checked) => {
            let why = error.errno();
            let text = format!("cannot determine present working directory [{why}]");
            Ok(shell.builtin_error(words, text.as_bytes(), 1))
        }
        (Err(error), PrintDirectory::KnownOrAsked) => {
            shell.say_pathless("pwd", error.errno());
            Ok(1)
        }
        (Err(error), PrintDirectory::Known) => {
            shell.say_pathless("pwd", error.errno());
            shell.print("pwd", b"\n")
        }
    }
}

pub(crate) fn umask(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut symbolic = false;
    let mut again = false;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.umask) {
            b'S' => symbolic = true,
            b'p' => again = true,
            _ => return refuse(shell, words, letter),
        }
    }
    let Some(word) = options.operands().first() else {
        let mask = shell.builtins.umask.get();
        let mut text = match symbolic {
            true => symbolic_mask(mask),
            false => octal_mask(mask),
        };
        if again {
            text = format!("umask {}{text}", if symbolic { "-S " } else { "" });
        }
        return shell.print("umask", format!("{text}\n").as_bytes());
    };
    let now = shell.builtins.umask.get();
    match parse_mask(word, now, shell.profile.dialect) {
        Ok(mask) => {
            shell.subshells.note(Undo::Umask(now));
            shell.builtins.umask.set(mask);
            if symbolic && shell.profile.processes.limits.shows_new_mask {
                return shell.print("umask", format!("{}\n", symbolic_mask(mask)).as_bytes());
            }
            Ok(0)
        }
        Err(wrong) => {
            let limits = &shell.profile.processes.limits;
            let text = match wrong {
                WrongMask::Number => limits.bad_mask_number.of(word),
                WrongMask::Operator(byte) => (limits.bad_mask_operator)(word, byte),
                WrongMask::Permission(byte) => (limits.bad_mask_permission)(word, byte),
            };
            Ok(shell.builtin_error(words, &text, shell.profile.failures.status))
        }
    }
}

pub(crate) fn ulimit(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if !shell.processes.owns_process {
        // They are those of the whole process.
        return Ok(shell.builtin_error(words, b"the process is not the script's own", 2));
    }
    let mut which = Which::Both;
    let mut limits = Vec::new();
    let mut all = false;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b'H' => which = Which::Hard,
            b'S' => which = Which::Soft,
            b'a' => all = true,
            letter => match Limit::of(letter, shell.profile.dialect) {
                Some(limit) => limits.push(limit),
                None => return refuse(shell, words, letter),
            },
        }
    }
    let given = options.operands().first();
    let shown = if which == Which::Both { Which::Soft } else { which };
    if all {
        let lines = Limit::all(shell.profile.dialect).filter_map(|limit| limit.line(shown).ok());
        let text: String = lines.collect();
        return shell.print("ulimit", text.as_bytes());
    }
    if limits.is_empty() {
        limits.extend(Limit::of(b'f', shell.profile.dialect));
    }
    if given.is_some() {
        // What was written before is under the limits of before.
        shell.streams.settle();
    }
    let mut text = String::new();
    for limit in &limits {
        let outcome = match given {
            None => limit.value(shown).map(|value| {
                let line = match limits.len() {
                    1 => value + "\n",
                    _ => limit.line(shown).unwrap_or(value),
                };
                text.push_str(&line);
            }),
            Some(word) => limit.parse(word).and_then(|value| limit.set(which, value)),
        };
        if given.is_some() && limit.letter() == b'n' && which != Which::Hard && outcome.is_ok() {
            shell.streams.allow_numbers(limit.now().unwrap_or(u64::MAX));
        }
        if given.is_some() && limit.letter() == b'f' {
            // What writes more is ended by a signal: that has to be another process.
            shell.caches.programs.do_tools(false);
        }
        if let Err(errno) = outcome {
            let word = given.map_or(b"".as_slice(), |word| word);
            let bad = number(word).is_none() && errno == fewer::Errno::INVAL;
            let message = match bad {
                true => (shell.profile.builtins.arguments.bad_limit)(word),
                false => {
                    let name = limit.name();
                    format!("{name}: cannot modify limit: {errno}").into_bytes()
                }
            };
            return Ok(shell.builtin_error(words, &message, shell.profile.failures.status));
        }
    }
    shell.print("ulimit", text.as_bytes())
}
