//! `wait`, `kill`, `disown`, `times`.

use sys::NOT_FOUND;

use super::flow::number;
use super::options::{Options, known, no_such_option, no_value, refuse};
use crate::dialect::KillList;
use crate::processes::{explain_signal, list_signals, signal_number};
use crate::run::jobs::{Jobs, Waiting};
use crate::run::limits::Limit;
use crate::run::signals::PIPE;
use crate::run::{Flow, Shell, Unwind};
use crate::{Text, syntax};

pub(crate) fn wait(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut next = false;
    let mut variable = None;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.wait) {
            b'n' => next = true,
            b'f' => {}
            b'p' => match options.value() {
                Some(name) => variable = Some(name),
                None => return Ok(no_value(shell, words, letter)),
            },
            _ => return refuse(shell, words, letter),
        }
    }
    let operands = options.operands();
    if next {
        let numbers: Vec<u32> = operands.iter().filter_map(|word| job(shell, word)).collect();
        return match waited(shell, |jobs, waiting| jobs.wait_for_next(&numbers, waiting)) {
            Ok(Some((process, status))) => {
                if let Some(name) = variable.filter(|name| syntax::is_name(name)) {
                    let number = crate::run::texts::number(i64::from(process));
                    shell.set_target(name, number)?;
                }
                Ok(status)
            }
            Ok(None) => Ok(NOT_FOUND.into()),
            Err(signal) => interrupted(shell, signal),
        };
    }
    if operands.is_empty() {
        return match waited(shell, |jobs, waiting| jobs.wait_for_all(waiting)) {
            Ok(()) => Ok(0),
            Err(signal) => interrupted(shell, signal),
        };
    }
    let mut status = 0;
    for word in operands {
        let Some(process) = job(shell, word) else {
            status = no_job(shell, words, word);
            continue;
        };
        status = match waited(shell, |jobs, waiting| jobs.wait_for(process, waiting)) {
            Ok(Some(status)) => status,
            Ok(None) => {
                if shell.profile.processes.jobs.wait_tells_strangers {
                    let text = format!("pid {process} is not a child of this shell");
                    shell.builtin_error(words, text.as_bytes(), NOT_FOUND.into());
                }
                NOT_FOUND.into()
            }
            Err(signal) => return interrupted(shell, signal),
        };
    }
    Ok(status)
}

/// What `wait` says to a word that is none of the shell's children.
fn no_job(shell: &mut Shell, words: &[Text], word: &Text) -> i32 {
    let jobs = &shell.profile.processes.jobs;
    match number(word) {
        Some(_) | None if word.starts_with(b"%") => {
            let text = match &**word {
                b"%-" => jobs.no_previous_job.of(""),
                _ => jobs.no_such_job.of(word),
            };
            shell.builtin_error(words, &text, jobs.no_such_job_status)
        }
        Some(_) => NOT_FOUND.into(),
        None => {
            let text = jobs.wait_bad_operand.of(word);
            shell.builtin_error(words, &text, shell.profile.failures.status)
        }
    }
}

/// A trapped signal ends `wait`; its action runs next.
fn interrupted(shell: &mut Shell, signal: i32) -> Flow<i32> {
    let status = match shell.profile.processes.jobs.interrupted_wait_is_1 {
        true => 1,
        false => sys::status_of_signal(signal),
    };
    shell.execution.status = status;
    shell.between_commands()?;
    Ok(status)
}

/// The process that a word means: its number, or `%n`.
fn job(shell: &Shell, word: &[u8]) -> Option<u32> {
    if let Some(job) = word.strip_prefix(b"%") {
        let skips_waited = shell.profile.processes.jobs.waited_is_no_current_job;
        let nth = match job {
            b"" | b"+" | b"%" if skips_waited => {
                return shell.processes.jobs.current();
            }
            b"" | b"+" | b"%" => return shell.processes.jobs.last(),
            b"-" => return shell.processes.jobs.previous(skips_waited),
            digits => usize::try_from(number(digits)?).ok()?,
        };
        return shell.processes.jobs.nth(nth);
    }
    u32::try_from(number(word)?).ok()
}

/// SIGBUS and SIGSEGV
const BUS: i32 = 7;
const FAULT: i32 = 11;

/// `disown`: the shell forgets these jobs. (It never sends SIGHUP to jobs.)
pub(crate) fn disown(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut keep = false;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b'h' => keep = true,
            b'a' | b'r' => {
                shell.processes.jobs.disown(None);
                return Ok(0);
            }
            _ => return refuse(shell, words, letter),
        }
    }
    let current = [Text::from_slice(b"%%")];
    let given = options.operands();
    let mut status = 0;
    for word in if given.is_empty() { &current } else { given } {
        let known =
            job(shell, word).filter(|number| shell.processes.jobs.numbers().contains(number));
        match known {
            Some(_) if keep => {}
            Some(number) => shell.processes.jobs.disown(Some(number)),
            None => {
                let name: &[u8] = if given.is_empty() { b"current" } else { word };
                status = shell.builtin_error(words, &[name, b": no such job"].concat(), 1);
            }
        }
    }
    Ok(status)
}

/// The signal that `kill` is to send, and where its operands begin.
fn signal_to_send(shell: &mut Shell, words: &[Text]) -> Result<(i32, usize), i32> {
    let jobs = &shell.profile.processes.jobs;
    let (name, mut at) = match words.get(1).map(|word| &**word) {
        Some(b"-n") if !jobs.kill_has_n => {
            return Err(no_such_option(shell, words, *b"-n"));
        }
        Some([b'-', letter @ (b's' | b'n')])
            if words.len() == 2 && jobs.kill_takes_glued_values =>
        {
            let text = shell.profile.builtins.arguments.no_value.of([*letter]);
            return Err(shell.builtin_error(words, &text, 1));
        }
        Some(b"-s" | b"-n") => (words.get(2).cloned().unwrap_or_default(), 3),
        Some(b"--") => return Ok((15, 2)),
        Some([b'-', name @ ..]) if !name.is_empty() => {
            let glued = match name {
                [b's' | b'n', glued @ ..] if jobs.kill_takes_glued_values => Some(glued),
                _ => None,
            };
            let known = signal_number(name, shell.profile.dialect).is_some();
            let name = glued.filter(|_| !known).unwrap_or(name);
            let more = words.get(2).is_some_and(|word| word.as_slice() == b"--");
            (Text::from_slice(name), 2 + usize::from(more))
        }
        _ => return Ok((15, 1)),
    };
    match signal_number(&name, shell.profile.dialect) {
        Some(number) => {
            at = at.min(words.len());
            Ok((i32::from(number), at))
        }
        None if at == 2 && jobs.kill_bad_letter_is_option => {
            let letter = name.first().copied().unwrap_or(b'-');
            Err(no_such_option(shell, words, [b'-', letter]))
        }
        None => Err(bad_signal(shell, words, &name)),
    }
}

pub(crate) fn kill(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if let Some(b"-l" | b"-L") = words.get(1).map(|word| &**word) {
        return list(shell, words);
    }
    let (signal, at) = match signal_to_send(shell, words) {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    let operands = words.get(at..).unwrap_or_default();
    if operands.is_empty() {
        let text = b"usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... \
                     or kill -l [sigspec]";
        if shell.profile.processes.jobs.kill_usage_is_bare {
            shell.say(2, &[b"kill: ", text.as_slice(), b"\n"].concat());
            return Ok(2);
        }
        return Ok(shell.builtin_error(words, text, 2));
    }
    shell.streams.settle();
    let mut status = 0;
    for word in operands {
        let process = match word.strip_prefix(b"%") {
            Some(_) => job(shell, word).map(i64::from),
            None => number(word),
        };
        let Some(process) = process.and_then(|number| i32::try_from(number).ok()) else {
            let jobs = &shell.profile.processes.jobs;
            let is_job = word.starts_with(b"%");
            let text = if is_job { jobs.kill_bad_job } else { jobs.kill_bad_process }.of(word);
            status = shell.builtin_error(words, &text, shell.profile.failures.status);
            continue;
        };
        if let Some(unwind) = not_to_be_signalled(shell, process) {
            return Err(unwind);
        }
        // Rust's own start has a handler for faults, which takes the first one sent for its own.
        if matches!(signal, PIPE | BUS | FAULT) && shell.is_ended_by(signal, process) {
            shell.traps.fatal_signal = Some(signal);
            shell.execution.status = sys::status_of_signal(signal);
            return Err(Unwind::Stop);
        }
        if shell.processes.owns_process && process == sys::own_number() && signal > 0 {
            shell.traps.sent_to_self |= 1 << (signal - 1);
        }
        if let Err(errno) = shell.processes.jobs.send(process, signal) {
            let text = (shell.profile.processes.jobs.kill_failed)(process, &errno.to_string());
            status = shell.builtin_error(words, text.as_bytes(), 1);
        }
    }
    Ok(status)
}

fn bad_signal(shell: &mut Shell, words: &[Text], name: &[u8]) -> i32 {
    let text = shell.profile.processes.jobs.bad_signal.of(name);
    shell.builtin_error(words, &text, shell.profile.failures.status)
}

fn list(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let list = shell.profile.processes.jobs.kill_list;
    let in_columns = &*words[1] == b"-L";
    if in_columns && list == KillList::One {
        return Ok(no_such_option(shell, words, *b"-L"));
    }
    if words.len() == 2 {
        let mut text = list_signals(shell.profile.dialect);
        if in_columns && list == KillList::AnyInColumns {
            text = columns(&text);
        }
        return shell.print("kill", text.as_bytes());
    }
    let mut out = String::new();
    let all = if list == KillList::One { 3 } else { words.len() };
    for word in &words[2..all] {
        match explain_signal(word, shell.profile.dialect) {
            Some(text) => {
                out.push_str(&text);
            }
            None if list == KillList::One => {
                let why: &[u8] = match number(word) {
                    Some(_) => b"invalid signal number or exit status: ",
                    None => b"Illegal number: ",
                };
                let text = [why, &**word].concat();
                return Ok(shell.builtin_error(words, &text, 2));
            }
            None => {
                let word = word.clone();
                return Ok(bad_signal(shell, words, &word));
            }
        }
    }
    shell.print("kill", out.as_bytes())
}

/// ksh's `kill -L`: five columns, filled one after the other.
fn columns(names: &str) -> String {
    let names: Vec<&str> = names.lines().collect();
    let rows = names.len().div_ceil(5);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for number in (row..names.len()).step_by(rows) {
            line += &format!("{:2}) {:<10}", number + 1, names[number]);
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

pub(crate) fn times(shell: &mut Shell, _: &[Text]) -> Flow<i32> {
    let mut out = String::new();
    let digits = shell.profile.builtins.arguments.times_digits;
    for times in sys::times() {
        let show = |time: std::time::Duration| {
            let minutes = time.as_secs() / 60;
            let seconds = time.as_secs_f64() - minutes as f64 * 60.0;
            format!("{minutes}m{seconds:.digits$}s")
        };
        out.push_str(&format!("{} {}\n", show(times.user), show(times.system)));
    }
    shell.print("times", out.as_bytes())
}

/// Waits for children of the shell.
fn waited<T>(shell: &mut Shell, wait: impl FnOnce(&mut Jobs, &Waiting) -> T) -> T {
    let waiting = Waiting {
        streams: &shell.streams,
        dialect: shell.profile.dialect,
        owns_process: shell.processes.owns_process,
        depth: shell.subshells.depth(),
    };
    wait(&mut shell.processes.jobs, &waiting)
}

/// A script in another program's process sends signals to its own children only.
fn not_to_be_signalled(shell: &mut Shell, process: i32) -> Option<Unwind> {
    let number = u32::try_from(process).unwrap_or(0);
    if shell.processes.owns_process || shell.processes.jobs.numbers().contains(&number) {
        return None;
    }
    let text = format!("kill: {process}: not a child of this script");
    Some(shell.reached(Limit::Processes, text.as_bytes()))
}
