//! `getopts`.

use super::options::show_usage;
use crate::Text;
use crate::dialect::Usage;
use crate::formats::getopts::{Argument, Found, Getopts};
use crate::run::value::Flags;
use crate::run::{Flow, Shell};

pub(crate) fn getopts(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let rest = match words.get(1) {
        Some(first) if first.as_slice() == b"--" => &words[2..],
        _ => &words[1..],
    };
    let [spec, name, arguments @ ..] = rest else { return wrong_use(shell, words) };
    let positional = shell.calls.positional.clone();
    let arguments = if arguments.is_empty() { positional.all() } else { arguments };
    let mut step = shell.builtins.getopts;
    let found = step.next(spec, arguments, shell.profile.dialect);
    if !crate::syntax::is_name(name) {
        return not_a_name(shell, words, name);
    }
    if let Some(message) = &found.message {
        complain(shell, message);
    }
    store(shell, words, name, found, step)
}

/// Puts what was found into the variables.
fn store(shell: &mut Shell, words: &[Text], name: &[u8], found: Found, step: Getopts) -> Flow<i32> {
    let optarg = shell.variables.known.optarg;
    match found.argument {
        Argument::Set(argument) => shell.set(optarg, Text::from_vec(argument))?,
        Argument::Unset => shell.unset(optarg)?,
        Argument::Keep => {}
    }
    let optind = shell.variables.known.optind;
    let number = crate::run::texts::number(i64::try_from(found.index).unwrap_or(i64::MAX));
    if shell.variables.text_of(optind) != Some(&number) {
        shell.set(optind, number)?;
    }
    // Behind the assignment, which begins anew.
    shell.builtins.getopts = step;
    let slot = shell.slot(name);
    if shell.variables[slot].flags.has(Flags::READONLY) {
        if shell.profile.builtins.read.getopts_names_itself {
            let text = shell.profile.messages.read_only.of(name);
            shell.builtin_error(words, &text, 2);
        } else {
            let _ = shell.refuse_readonly(slot);
        }
        return Ok(2);
    }
    shell.set(slot, Text::from_vec(found.name))?;
    Ok(i32::from(found.end))
}

/// The message about an option.
fn complain(shell: &mut Shell, message: &[u8]) {
    let quiet = shell.profile.builtins.read.getopts_can_be_quiet
        && shell.get_named(b"OPTERR").is_some_and(|value| value == b"0");
    if quiet {
        return;
    }
    let zero = shell.origin.zero.clone();
    let place: &[&[u8]] =
        if shell.profile.builtins.read.getopts_names_script { &[&*zero, b": "] } else { &[] };
    shell.say(2, &[&place.concat(), message, b"\n"].concat());
}

fn wrong_use(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    Ok(match shell.profile.builtins.arguments.usage {
        Usage::None => shell.builtin_error(words, b"Usage: getopts optstring var [arg...]", 2),
        Usage::Line | Usage::Paragraph => show_usage(shell, words),
    })
}

fn not_a_name(shell: &mut Shell, words: &[Text], name: &[u8]) -> Flow<i32> {
    let text = shell.profile.messages.not_a_name.of(name);
    if shell.profile.builtins.read.getopts_bad_name_is_plain {
        shell.complain(&text);
        return Ok(shell.profile.failures.status);
    }
    Ok(shell.builtin_error(words, &text, shell.profile.failures.status))
}
