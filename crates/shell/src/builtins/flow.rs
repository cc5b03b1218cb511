//! Where the script goes on: `:`, `break`, `continue`, `return`, `exit`, `eval`, `.`, `exec`.

use std::rc::Rc;

use super::options::{Options, known, no_value, refuse};
use crate::Text;
use crate::dialect::{BadLoopCount, MissingFile, StatusOperand};
use crate::run::limits::Limit;
use crate::run::{Flow, Frame, Positional, Shell, Unwind};

pub(crate) fn nothing(_: &mut Shell, _: &[Text]) -> Flow<i32> {
    Ok(0)
}

pub(crate) fn no(_: &mut Shell, _: &[Text]) -> Flow<i32> {
    Ok(1)
}

/// `logout` ends a login shell, which this one never is.
pub(crate) fn logout(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    Ok(shell.builtin_error(words, b"not login shell: use `exit'", 1))
}

/// The number of loops.
fn count(shell: &mut Shell, words: &[Text]) -> Result<u32, i32> {
    let Some(word) = words.get(1) else { return Ok(1) };
    let bad = shell.profile.builtins.flow.bad_loop_count;
    match number(word) {
        Some(count) if count > 0 => Ok(u32::try_from(count).unwrap_or(u32::MAX)),
        Some(_) if bad == BadLoopCount::OutOfRange => {
            shell.builtin_error(words, &[&**word, b": loop count out of range"].concat(), 1);
            Err(1)
        }
        _ if bad == BadLoopCount::NoLabel => {
            let text = [&**word, b": label not implemented"].concat();
            Err(shell.builtin_error(words, &text, 1))
        }
        _ => {
            let status = illegal_number(shell, words, word);
            Err(if bad == BadLoopCount::OutOfRange { 128 } else { status })
        }
    }
}

/// A number as builtins take it.
pub(crate) fn number(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.trim().parse().ok()
}

/// The message about an argument that should be a number.
pub(crate) fn illegal_number(shell: &mut Shell, words: &[Text], word: &[u8]) -> i32 {
    let text = shell.profile.builtins.arguments.not_a_number.of(word);
    shell.builtin_error(words, &text, 2)
}

pub(crate) fn break_loop(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    leave(shell, words, Unwind::Break)
}

pub(crate) fn continue_loop(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    leave(shell, words, Unwind::Continue)
}

/// More words than a number, where they end the commands of the line.
pub(super) fn refuse_more(shell: &mut Shell, words: &[Text]) -> Flow {
    if shell.profile.builtins.arguments.extra_operand_ends_line && words.len() > 2 {
        shell.execution.status = shell.builtin_error(words, b"too many arguments", 1);
        return Err(Unwind::Discard);
    }
    Ok(())
}

fn leave(shell: &mut Shell, words: &[Text], unwind: fn(u32) -> Unwind) -> Flow<i32> {
    let ends_all = shell.profile.builtins.flow.bad_loop_count == BadLoopCount::OutOfRange;
    if shell.execution.loop_depth == 0 {
        if shell.profile.builtins.flow.break_outside_is_told {
            let text = b"only meaningful in a `for', `while', or `until' loop";
            shell.builtin_error(words, text, 0);
            return Ok(0);
        }
        if let Err(status) = count(shell, words) {
            shell.execution.status = status;
            return Err(Unwind::Exit);
        }
        return Ok(0);
    }
    match count(shell, words) {
        Ok(count) => {
            refuse_more(shell, words)?;
            shell.execution.status = 0;
            Err(unwind(count.min(shell.execution.loop_depth)))
        }
        Err(status) if ends_all && status == 1 => {
            shell.execution.status = 1;
            Err(Unwind::Break(shell.execution.loop_depth))
        }
        Err(status) => {
            shell.execution.status = status;
            Err(Unwind::Exit)
        }
    }
}

/// The status that `exit` and `return` were given, or another one.
fn status(shell: &mut Shell, words: &[Text], otherwise: i32) -> Result<i32, i32> {
    let operand = shell.profile.builtins.flow.status_operand;
    match words.get(1) {
        None => Ok(otherwise),
        Some(word) if operand == StatusOperand::Leading => Ok(leading_number(word)),
        Some(word) => match number(word) {
            Some(number) if number >= 0 || operand != StatusOperand::FromZero => Ok(number as i32),
            _ => Err(illegal_number(shell, words, word)),
        },
    }
}

/// The number that a word begins with, 0 if none does.
fn leading_number(word: &[u8]) -> i32 {
    let sign = usize::from(word.starts_with(b"-"));
    let digits = word[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    number(&word[..sign + digits]).map_or(0, |number| number as i32)
}

pub(crate) fn return_from(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let flow = &shell.profile.builtins.flow;
    if words.get(1).is_none_or(|word| number(word).is_some()) {
        refuse_more(shell, words)?;
    }
    if shell.calls.frames.is_empty() && flow.return_needs_function {
        let text = b"can only `return' from a function or sourced script";
        return Ok(shell.builtin_error(words, text, 2));
    }
    // Out of a trap; out of a function in it only where that makes no difference.
    let depth = shell.calls.frames.len();
    let before = shell
        .traps
        .interrupted
        .filter(|(_, frames)| flow.return_sees_outer_trap || *frames == depth);
    shell.traps.status_before_return = shell.execution.status;
    match status(shell, words, before.map_or(shell.execution.status, |(status, _)| status)) {
        Ok(status) => {
            // Only a process has to do with a byte.
            shell.execution.status = if flow.return_is_byte { status & 0xff } else { status };
            Err(Unwind::Return)
        }
        Err(status) => {
            shell.execution.status = status;
            Err(if flow.bad_return_returns { Unwind::Return } else { Unwind::Exit })
        }
    }
}

pub(crate) fn exit(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let remembers =
        shell.profile.builtins.flow.exit_sees_any_trap || shell.traps.exit_action.is_some();
    let before = shell.traps.interrupted.filter(|_| remembers);
    let otherwise = before.map_or(shell.execution.status, |(status, _)| status);
    let status = match status(shell, words, otherwise) {
        Ok(status) if !shell.profile.builtins.flow.exit_is_byte => status,
        Ok(status) => {
            refuse_more(shell, words)?;
            status & 0xff
        }
        Err(status) => status,
    };
    shell.execution.status = status;
    if shell.profile.calls.exit_trap_runs_inside && !shell.calls.frames.is_empty() {
        // What is trapped still sees the function's own variables.
        shell.run_exit_trap()?;
    }
    Err(Unwind::Exit)
}

pub(crate) fn eval(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let profile = shell.profile;
    let rest = match words.get(1) {
        Some(first)
            if first.as_slice() == b"--" && !profile.builtins.arguments.dashes_end_no_options =>
        {
            &words[2..]
        }
        _ => &words[1..],
    };
    if let [first, ..] = rest
        && let [b'-', letter @ (b'!'..=b',' | b'.'..=b'~'), ..] = **first
        && profile.builtins.flow.eval_has_options
        && words.len() == rest.len() + 1
    {
        return refuse(shell, words, letter);
    }
    let text = match rest {
        [] => return Ok(0),
        [one] => one.clone(),
        several => several.iter().map(|word| &**word).collect::<Vec<_>>().join(&b' ').into(),
    };
    let soft = std::mem::take(&mut shell.builtins.under_command);
    shell.tracing.nested += u32::from(profile.trace.nests);
    shell.execution.text_was_unreadable = false;
    let reader = shell.execution.text_reader.replace(words[0].clone());
    let flow = shell.evaluate_script_at(&text, shell.execution.line);
    shell.execution.text_reader = reader;
    shell.tracing.nested -= u32::from(profile.trace.nests);
    shell.builtins.under_command = soft;
    if forgives_what_it_read(shell) {
        return Ok(shell.execution.status);
    }
    flow?;
    Ok(shell.execution.status)
}

/// Whether a text could not be read, and the shell goes on.
fn forgives_what_it_read(shell: &mut Shell) -> bool {
    let unreadable = std::mem::take(&mut shell.execution.text_was_unreadable);
    unreadable && !shell.profile.failures.unreadable_text_exits && !shell.options.posix()
}

/// The frame of a file that is read where `script` runs.
fn frame_of_file(shell: &Shell, script: Rc<[u8]>) -> Frame {
    Frame {
        function: None,
        locals: shell.variables.locals.len(),
        subshell: shell.subshells.current(),
        called_on: shell.execution.line,
        file: Some(script),
        own_scope: false,
        options: None,
        assigned: Vec::new(),
    }
}

/// `. file` and `source file`
pub(crate) fn source(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let profile = shell.profile;
    let rules = &profile.builtins.flow;
    let rest = match words.get(1) {
        Some(first) if first.as_slice() == b"--" => &words[2..],
        _ => &words[1..],
    };
    let Some(name) = rest.first() else {
        if rules.dot_needs_file {
            shell.builtin_error(words, b"filename argument required", 2);
            return Ok(2);
        }
        return Ok(0);
    };
    let path = shell.source_path(name);
    let mut bytes = match shell.file_bytes(&path)? {
        Ok(bytes) => bytes,
        Err(fewer::Errno::ISDIR) if rules.directory_is_empty_file && name.contains(&b'/') => vec![],
        Err(errno) => return cannot_source(shell, words, name, errno),
    };
    if rules.drops_nul {
        bytes.retain(|byte| *byte != 0); // as if they were not there
    }
    let soft = std::mem::take(&mut shell.builtins.under_command);
    shell.execution.text_was_unreadable = false;
    let positional = (rest.len() > 1 && rules.dot_takes_arguments).then(|| {
        std::mem::replace(&mut shell.calls.positional, Positional::new(rest[1..].to_vec()))
    });
    let script = std::mem::replace(&mut shell.origin.name, Rc::from(&**name));
    if profile.calls.names_reader_script {
        shell.origin.name = script.clone();
    }
    let frame = frame_of_file(shell, script.clone());
    shell.calls.frames.push(frame);
    let line = shell.execution.line;
    let flow = if shell.calls.frames.len() >= shell.limits.depth {
        shell.execution.status = 1;
        let text = [&**name, b": files are nested too deep"].concat();
        Err(shell.reached(Limit::Depth, &text))
    } else {
        shell.tracing.nested += u32::from(profile.trace.nests);
        shell.execution.text_was_unreadable = false;
        let reader = shell.execution.text_reader.replace(name.clone());
        let flow = shell.run_file(&bytes);
        shell.execution.text_reader = reader;
        shell.tracing.nested -= u32::from(profile.trace.nests);
        if rules.has_return_trap { shell.run_return_trap(flow) } else { flow }
    };
    shell.execution.line = line;
    shell.calls.frames.pop();
    shell.origin.name = script;
    if let Some(positional) = positional {
        let in_function = shell.calls.frames.iter().any(|frame| frame.function.is_some());
        let stays = rules.set_in_file_stays && shell.calls.positional.are_by_set();
        if in_function || !stays {
            shell.calls.positional = positional;
        }
    }
    shell.builtins.under_command = soft;
    if forgives_what_it_read(shell) {
        return Ok(shell.execution.status);
    }
    match flow {
        Ok(()) | Err(Unwind::Return) if rules.dot_status_is_byte => {
            Ok(shell.execution.status & 0xff)
        }
        Ok(()) | Err(Unwind::Return) => Ok(shell.execution.status),
        Err(other) => Err(other),
    }
}

fn cannot_source(shell: &mut Shell, words: &[Text], name: &[u8], errno: fewer::Errno) -> Flow<i32> {
    let reason = errno.to_string();
    match shell.profile.builtins.flow.missing_file {
        MissingFile::Plain => {
            shell.complain(&[name, b": ", reason.as_bytes()].concat());
            let status = 1;
            if shell.options.posix() {
                shell.execution.status = status;
                return Err(Unwind::Exit);
            }
            Ok(status)
        }
        MissingFile::NotFound => {
            let text: Vec<u8> = if name.contains(&b'/') {
                [b"cannot open ", name, b": No such file"].concat()
            } else {
                [name, b": not found"].concat()
            };
            shell.builtin_error(words, &text, 2);
            shell.special_status(words, 2)
        }
        MissingFile::CannotOpen => {
            let text = [name, b": cannot open [", reason.as_bytes(), b"]"].concat();
            shell.builtin_error(words, &text, 1);
            shell.special_status(words, 1)
        }
    }
}

/// `exec`: the redirections stay; a program takes the shell's place.
pub(crate) fn exec(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut options = Options::new(words);
    let mut name = None;
    let mut clear = false;
    while let Some(letter) = options.next() {
        let Some(letters) = shell.profile.builtins.letters.exec else {
            return shell.exec(&words[1..], None, false);
        };
        match known(letter, letters) {
            b'c' => clear = true,
            b'l' => name = Some(None),
            b'a' => match options.value() {
                Some(value) => name = Some(Some(Text::from_slice(value))),
                None => return Ok(no_value(shell, words, letter)),
            },
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if rest.is_empty() {
        return Ok(0);
    }
    shell.exec(rest, name, clear)
}
