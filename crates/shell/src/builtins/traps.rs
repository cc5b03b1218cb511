//! `trap`.

use super::options::{Options, known, refuse, show_usage};
use crate::Text;
use crate::dialect::{BadCondition, ResetWords};
use crate::formats::quote::{self, For};
use crate::processes::{Condition, list_signals};
use crate::run::state::{DEBUG, ERROR, EXIT, RETURN};
use crate::run::{Flow, Shell};

pub(crate) fn trap(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (mut print, mut list) = (false, false);
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.trap) {
            b'p' => print = true,
            b'l' => list = true,
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if list {
        let text = list_signals(shell.profile.dialect);
        return shell.print("trap", text.as_bytes());
    }
    let Some(first) = rest.first() else { return show_all(shell) };
    if print {
        return show(shell, words, rest);
    }
    let is_number = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
    let alone = rest.len() == 1;
    let resets = match shell.profile.processes.traps.resets {
        ResetWords::AloneOrNumber => alone || is_number,
        ResetWords::AloneOrNumberIfKnown => {
            (alone || is_number) && Condition::of(first, shell.profile.dialect).is_some()
        }
        ResetWords::Number => is_number,
    };
    if alone && !resets {
        return no_conditions(shell, words);
    }
    let (action, conditions) = match resets {
        true => (None, rest),
        false if &**first == b"-" => (None, &rest[1..]),
        false => (Some(first.clone()), &rest[1..]),
    };
    let mut status = 0;
    for word in conditions {
        let Some(condition) = Condition::of(word, shell.profile.dialect) else {
            status = 1;
            if !not_known(shell, words, word) {
                break;
            }
            continue;
        };
        if matches!(condition, Condition::Debug | Condition::Key)
            && action.as_ref().is_some_and(|action| !action.is_empty())
        {
            return Err(shell.not_run_here(&["trap … ".as_bytes(), word].concat()));
        }
        shell.set_trap(number_of(condition), action.clone());
    }
    Ok(status)
}

/// What the shell keeps its action under.
fn number_of(condition: Condition) -> i32 {
    match condition {
        Condition::Exit => EXIT,
        Condition::Signal(signal) => i32::from(signal),
        Condition::Error => ERROR,
        Condition::Return => RETURN,
        Condition::Debug | Condition::Key => DEBUG,
    }
}

fn condition_of(number: i32) -> Condition {
    match number {
        EXIT => Condition::Exit,
        ERROR => Condition::Error,
        RETURN => Condition::Return,
        number => u8::try_from(number).map_or(Condition::Debug, Condition::Signal),
    }
}

/// A condition that there is not; whether the next one is looked at.
fn not_known(shell: &mut Shell, words: &[Text], word: &[u8]) -> bool {
    let bad = shell.profile.processes.traps.bad_condition;
    match bad {
        BadCondition::Invalid => {
            let text = shell.profile.processes.jobs.bad_signal.of(word);
            shell.builtin_error(words, &text, 1);
        }
        BadCondition::SaidBare => shell.say(2, &[b"trap: ", word, b": bad trap\n"].concat()),
        BadCondition::Said => {
            shell.builtin_error(words, &[word, b": bad trap"].concat(), 1);
        }
    }
    bad == BadCondition::Invalid
}

fn no_conditions(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if shell.profile.processes.traps.no_conditions_shows_usage {
        return Ok(show_usage(shell, words));
    }
    let status = shell.builtin_error(words, b"condition(s) required", 1);
    shell.special_status(words, status)
}

/// All that is set.
fn show_all(shell: &mut Shell) -> Flow<i32> {
    let rules = &shell.profile.processes.traps;
    let hidden = rules.subshell_hides_actions && shell.traps.table.inherited;
    let ignored: Vec<i32> = match rules.lists_ignored {
        true => (1..=64).filter(|signal| shell.was_ignored(*signal)).collect(),
        false => Vec::new(),
    };
    let mut conditions: Vec<_> = shell
        .traps
        .table
        .actions
        .iter()
        .filter(|(number, action)| (!hidden || action.is_empty()) && !ignored.contains(number))
        .map(|(number, _)| *number)
        .chain(shows_running(shell).then_some(EXIT))
        .chain(ignored.iter().copied())
        .map(condition_of)
        .collect();
    Condition::sort(&mut conditions, shell.profile.dialect);
    let mut out = Vec::new();
    for condition in conditions {
        line(shell, condition, &mut out);
    }
    shell.print("trap", &out)
}

/// Whether the action on EXIT is listed because it runs, and no other was set meanwhile.
fn shows_running(shell: &Shell) -> bool {
    let runs =
        shell.profile.processes.traps.lists_running_exit && shell.traps.exit_action.is_some();
    runs && !shell.traps.table.actions.contains_key(&EXIT)
}

/// The line with which it could be set again.
fn line(shell: &mut Shell, condition: Condition, out: &mut Vec<u8>) {
    let number = number_of(condition);
    let ignored = shell.profile.processes.traps.lists_ignored && shell.was_ignored(number);
    let nothing = ignored.then(Text::new);
    let running =
        shell.traps.exit_action.as_ref().filter(|_| number == EXIT && shows_running(shell));
    let known = shell.traps.table.actions.get(&number);
    let Some(action) = known.or(running).or(nothing.as_ref()) else { return };
    out.extend_from_slice(b"trap -- ");
    quote::quote(action, For::Trap, shell.profile.dialect, shell.expansion.utf8, out);
    out.push(b' ');
    let name = condition.name(shell.profile.dialect);
    let short = if shell.options.posix() { name.strip_prefix("SIG") } else { None };
    out.extend_from_slice(short.unwrap_or(&name).as_bytes());
    out.push(b'\n');
}

/// `trap -p INT`
fn show(shell: &mut Shell, words: &[Text], names: &[Text]) -> Flow<i32> {
    let mut out = Vec::new();
    let mut status = 0;
    for word in names {
        match Condition::of(word, shell.profile.dialect) {
            None => {
                status = 1;
                not_known(shell, words, word);
            }
            Some(condition) if shell.profile.processes.traps.shows_action_alone => {
                if let Some(action) = shell.traps.table.actions.get(&number_of(condition)) {
                    out.extend_from_slice(action);
                    out.push(b'\n');
                }
            }
            Some(condition) => line(shell, condition, &mut out),
        }
    }
    let written = shell.print("trap", &out)?;
    Ok(status.max(written))
}
