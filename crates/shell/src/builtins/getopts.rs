//! `getopts`.

use crate::run::value::Flags;
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

/// What one step found.
enum Step {
    /// No more options.
    End,
    Option {
        name: Text,
        argument: Option<Text>,
    },
    Unknown(u8),
    Missing(u8),
}

/// Where it is: the number of the word, and the letter in it (0: the word is not begun).
#[derive(Clone, Copy)]
struct At {
    word: usize,
    letter: usize,
}

pub(crate) fn getopts(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let rest = match words.get(1) {
        Some(first) if first.as_slice() == b"--" => &words[2..],
        _ => &words[1..],
    };
    let [spec, name, arguments @ ..] = rest else { return wrong_use(shell, words) };
    let positional = shell.positional.clone();
    let arguments = if arguments.is_empty() { positional.all() } else { arguments };
    let mut at = At { word: shell.getopts_at.0, letter: shell.getopts_at.1 };
    let step = next(spec, arguments, &mut at, shell.dialect);
    if !crate::syntax::is_name(name) {
        return not_a_name(shell, words, name);
    }
    let silent = spec.strip_prefix(b"+").unwrap_or(spec).first() == Some(&b':');
    let (value, argument, status) = match step {
        Step::End => (Text::from_slice(b"?"), None, 1),
        Step::Option { name, argument } => (name, argument, 0),
        Step::Unknown(letter) => {
            if !silent {
                complain(shell, letter, b"illegal option");
            }
            (Text::from_slice(b"?"), silent.then(|| Text::from_slice(&[letter])), 0)
        }
        Step::Missing(letter) => {
            if !silent {
                complain(shell, letter, b"option requires an argument");
            }
            let value: &[u8] = if silent { b":" } else { b"?" };
            (Text::from_slice(value), silent.then(|| Text::from_slice(&[letter])), 0)
        }
    };
    store(shell, words, value, argument, (name, status), at)
}

/// Puts what was found into the variables.
fn store(
    shell: &mut Shell,
    words: &[Text],
    value: Text,
    argument: Option<Text>,
    (name, status): (&[u8], i32),
    at: At,
) -> Flow<i32> {
    let optarg = shell.own.optarg;
    match argument {
        Some(argument) => shell.set(optarg, argument)?,
        // dash: empty after an option without one, as it was at the end.
        None if shell.dialect == Dialect::Posix && status == 0 && &*value != b"?" => {
            shell.set(optarg, Text::new())?;
        }
        None if shell.dialect == Dialect::Posix && status != 0 => {}
        None => shell.unset(optarg)?,
    }
    // dash counts a word when it is begun.
    let begun = shell.dialect == Dialect::Posix && at.letter > 0;
    let index = at.word + usize::from(begun);
    let optind = shell.own.optind;
    let number = crate::run::texts::number(i64::try_from(index).unwrap_or(i64::MAX));
    if shell.text_of(optind) != Some(&number) {
        shell.set(optind, number)?;
    }
    shell.getopts_at = (at.word, at.letter);
    let slot = shell.slot(name);
    if shell.variables[slot.0 as usize].flags.has(Flags::READONLY) {
        if shell.dialect == Dialect::Posix {
            shell.builtin_error(words, &[name, b": is read only"].concat(), 2);
        } else {
            let _ = shell.refuse_readonly(slot);
        }
        return Ok(2);
    }
    shell.set(slot, value)?;
    Ok(status)
}

/// One step.
fn next(spec: &[u8], arguments: &[Text], at: &mut At, dialect: Dialect) -> Step {
    let word = |index: usize| arguments.get(index.wrapping_sub(1));
    let plus = dialect == Dialect::Ksh && spec.first() == Some(&b'+');
    let Some(mut current) = word(at.word) else {
        at.letter = 0;
        return Step::End;
    };
    if at.letter >= current.len() && at.letter > 0 {
        *at = At { word: at.word + 1, letter: 0 };
        match word(at.word) {
            Some(word) => current = word,
            None => return Step::End,
        }
    }
    let signed = current.first() == Some(&b'-') || (plus && current.first() == Some(&b'+'));
    if at.letter == 0 {
        if &**current == b"--" {
            at.word += 1;
            return Step::End;
        }
        if !signed || current.len() == 1 {
            return Step::End;
        }
        at.letter = 1;
    }
    let letter = current[at.letter];
    at.letter += 1;
    let rest = &current[at.letter..];
    let known = match memchr::memchr(letter, spec) {
        Some(found) if letter != b':' && !(plus && letter == b'+') => Some(found),
        _ => None,
    };
    let takes = known.is_some_and(|found| {
        spec.get(found + 1) == Some(&b':')
            || (dialect == Dialect::Ksh && spec.get(found + 1) == Some(&b'#'))
    });
    if !takes && rest.is_empty() {
        *at = At { word: at.word + 1, letter: 0 };
    }
    if known.is_none() {
        return Step::Unknown(letter);
    }
    let name = match current[0] {
        b'+' => Text::from_slice(&[b'+', letter]),
        _ => Text::from_slice(&[letter]),
    };
    if !takes {
        return Step::Option { name, argument: None };
    }
    let argument = match rest.is_empty() {
        false => Some(Text::from_slice(rest)),
        true => {
            at.word += 1;
            word(at.word).cloned()
        }
    };
    at.letter = 0;
    match argument {
        Some(argument) => {
            at.word += 1;
            Step::Option { name, argument: Some(argument) }
        }
        None => Step::Missing(letter),
    }
}

/// The message about an option.
fn complain(shell: &mut Shell, letter: u8, what: &[u8]) {
    let missing = what.starts_with(b"option");
    let letter = &[letter][..];
    let zero = Text::from_slice(&shell.zero);
    let text: Vec<u8> = match shell.dialect {
        Dialect::Bash => {
            let quiet = shell.get_named(b"OPTERR").is_some_and(|value| value == b"0");
            if quiet {
                return;
            }
            [&*zero, b": ", what, b" -- ", letter, b"\n"].concat()
        }
        Dialect::Posix if missing => [b"No arg for -", letter, b" option\n"].concat(),
        Dialect::Posix => [b"Illegal option -", letter, b"\n"].concat(),
        Dialect::Ksh if missing => [&*zero, b": -", letter, b": argument expected\n"].concat(),
        Dialect::Ksh => [&*zero, b": -", letter, b": unknown option\n"].concat(),
    };
    shell.say(2, &text);
}

fn wrong_use(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    match shell.dialect {
        Dialect::Bash => shell.say(2, b"getopts: usage: getopts optstring name [arg ...]\n"),
        Dialect::Posix => {
            shell.builtin_error(words, b"Usage: getopts optstring var [arg...]", 2);
        }
        Dialect::Ksh => shell.say(
            2,
            b"Usage: getopts [-a name] optstring name [args...]
 Help: getopts [ --help | --man ] 2>&1\n",
        ),
    }
    Ok(2)
}

fn not_a_name(shell: &mut Shell, words: &[Text], name: &[u8]) -> Flow<i32> {
    match shell.dialect {
        Dialect::Bash => {
            let text = [b"`", name, b"': not a valid identifier"].concat();
            Ok(shell.builtin_error(words, &text, 1))
        }
        Dialect::Posix => {
            Ok(shell.builtin_error(words, &[name, b": bad variable name"].concat(), 2))
        }
        Dialect::Ksh => {
            shell.complain(&[name, b": invalid variable name"].concat());
            Ok(1)
        }
    }
}
