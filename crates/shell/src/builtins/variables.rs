//! `unset`, `shift`, `let`.

use super::flow::{illegal_number, number};
use super::options::{Options, known, no_such_option, refuse, show_usage};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::{ManyShifts, ShiftOperand};
use crate::run::value::{Flags, Indexed, Value};
use crate::run::{Flow, Shell, Unwind};

pub(crate) use super::getopts::getopts;

pub(crate) fn let_all(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let rest = match words.get(1) {
        Some(first) if first.as_slice() == b"--" => &words[2..],
        _ => &words[1..],
    };
    if rest.is_empty() {
        if shell.profile.builtins.arguments.let_needs_expression {
            return Ok(shell.builtin_error(words, b"expression expected", 1));
        }
        return Ok(show_usage(shell, words));
    }
    let mut value = 0;
    for word in rest {
        value = match shell.try_evaluate_text(word) {
            Ok(value) => value,
            Err(message) => {
                if !message.is_empty() {
                    shell.builtin_error(words, &message, 1);
                }
                let unset = std::mem::take(&mut shell.expansion.unset_in_arithmetic);
                if unset && shell.profile.failures.unset_ends_shell {
                    shell.execution.status = 1;
                    return Err(Unwind::Exit);
                }
                return Ok(1);
            }
        };
    }
    Ok(i32::from(value == 0))
}

pub(crate) fn shift(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut rest = &words[1..];
    if !shell.profile.builtins.arguments.dashes_end_no_options
        && let Some(first) = rest.first()
        && first.as_slice() == b"--"
    {
        rest = &rest[1..];
    }
    let there = shell.calls.positional.all().len();
    let count = match rest.first() {
        None => 1,
        Some(word) => match amount(shell, words, word)? {
            Ok(count) => count,
            Err(status) => return shell.special_status(words, status),
        },
    };
    if rest.len() > 1 && shell.profile.builtins.arguments.extra_operand_ends_line {
        shell.execution.status = shell.builtin_error(words, b"too many arguments", 1);
        return Err(Unwind::Discard);
    }
    match usize::try_from(count) {
        Ok(count) if count <= there => {
            shell.calls.positional.shift(count);
            Ok(0)
        }
        Err(_) if shell.profile.builtins.arguments.shift_operand == ShiftOperand::AnyNumber => {
            let text = [count.to_string().as_bytes(), b": shift count out of range"].concat();
            Ok(shell.builtin_error(words, &text, 1))
        }
        _ => too_many(shell, words, rest.first().map_or(b"(null)", |word| word)),
    }
}

/// How far to shift.
fn amount(shell: &mut Shell, words: &[Text], word: &[u8]) -> Flow<Result<i64, i32>> {
    let plain = number(word);
    Ok(match (shell.profile.builtins.arguments.shift_operand, plain) {
        (ShiftOperand::Number, Some(count)) if count < 0 => Err(illegal_number(shell, words, word)),
        (ShiftOperand::Expression, Some(count)) if count < 0 => {
            Err(no_such_option(shell, words, [b'-', word[1]]))
        }
        (_, Some(count)) => Ok(count),
        (ShiftOperand::Expression, None) => Ok(shell.evaluate_text(word)?),
        (ShiftOperand::Number, None) => Err(illegal_number(shell, words, word)),
        (ShiftOperand::AnyNumber, None) => {
            let text = shell.profile.builtins.arguments.not_a_number.of(word);
            Err(shell.builtin_error(words, &text, 1))
        }
    })
}

fn too_many(shell: &mut Shell, words: &[Text], count: &[u8]) -> Flow<i32> {
    let status = match shell.profile.builtins.arguments.shift_many {
        ManyShifts::Silent => {
            if shell.options.shift_verbose() {
                shell.builtin_error(words, &[count, b": shift count out of range"].concat(), 1);
            }
            1
        }
        ManyShifts::Error => shell.builtin_error(words, b"can't shift that many", 2),
        ManyShifts::BadNumber => shell.builtin_error(words, &[count, b": bad number"].concat(), 1),
    };
    shell.special_status(words, status)
}

/// What `unset` is to take away.
#[derive(Clone, Copy, Default)]
struct UnsetOptions {
    functions: bool,
    variables: bool,
    reference: bool,
}

pub(crate) fn unset(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut request = UnsetOptions::default();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.unset) {
            b'f' => request.functions = true,
            b'v' => request.variables = true,
            b'n' => request.reference = true,
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if rest.is_empty() && shell.profile.builtins.arguments.unset_needs_name {
        let status = show_usage(shell, words);
        return shell.special_status(words, status);
    }
    let mut status = 0;
    for operand in rest {
        match unset_one(shell, words, request, operand)? {
            0 => {}
            bad => status = bad,
        }
    }
    if shell.profile.builtins.arguments.unset_failure_exits {
        return shell.special_status(words, status);
    }
    Ok(status)
}

fn unset_one(
    shell: &mut Shell,
    words: &[Text],
    request: UnsetOptions,
    operand: &[u8],
) -> Flow<i32> {
    if request.functions {
        return unset_function(shell, words, operand);
    }
    if let Some(open) = memchr::memchr(b'[', operand)
        && operand.last() == Some(&b']')
        && crate::syntax::is_name(&operand[..open])
        && shell.profile.values.arrays.exist
    {
        let slot = shell.slot(&operand[..open]);
        let slot = shell.meant(slot);
        return unset_element(shell, words, slot, &operand[open + 1..operand.len() - 1]);
    }
    if !crate::syntax::is_name(operand) {
        let rules = &shell.profile.builtins.arguments;
        if rules.unset_takes_functions && !request.variables {
            return unset_function(shell, words, operand);
        }
        if rules.unset_ignores_dotted && operand.starts_with(b".") {
            return Ok(0);
        }
        let text = shell.profile.messages.not_a_name.of(operand);
        return Ok(shell.builtin_error(words, &text, shell.profile.failures.status));
    }
    if shell.profile.values.variables.optind_must_be_number && operand == b"OPTIND" {
        // It would be no number.
        return Ok(shell.builtin_error(words, b"Illegal number: ", 2));
    }
    let slot = shell.slot(operand);
    let slot = if request.reference { slot } else { shell.meant(slot) };
    // A reference to an element.
    if !request.reference
        && shell.variables[slot].flags.has(Flags::REFERENCE)
        && let Some(element) = shell.variables.text_of(slot).map(Text::from_slice)
        && element.contains(&b'[')
    {
        return unset_one(shell, words, request, &element);
    }
    if !request.variables
        && !request.reference
        && shell.profile.builtins.arguments.unset_takes_functions
        && !shell.variables.is_declared(slot)
        && shell.functions.has(slot)
    {
        shell.set_function(slot, None);
        return Ok(0);
    }
    if shell.variables[slot].flags.has(Flags::READONLY) {
        return refuse_readonly(shell, words, slot);
    }
    shell.unset(slot)?;
    Ok(0)
}

fn unset_function(shell: &mut Shell, words: &[Text], name: &[u8]) -> Flow<i32> {
    let slot = shell.names.find(name);
    shell.make_room();
    match slot {
        Some(slot) if shell.functions.has(slot) => {
            if shell.functions.is_readonly(slot) {
                let text = [name, b": cannot unset: readonly function"].concat();
                return Ok(shell.builtin_error(words, &text, 1));
            }
            shell.set_function(slot, None);
            Ok(0)
        }
        _ => Ok(0),
    }
}

fn refuse_readonly(shell: &mut Shell, words: &[Text], slot: Slot) -> Flow<i32> {
    let name = shell.names.name(slot);
    let text = shell.profile.messages.unset_read_only.of(name);
    let status = shell.builtin_error(words, &text, shell.profile.failures.status);
    match shell.profile.builtins.arguments.unset_failure_exits {
        true => shell.special_status(words, status),
        false => Ok(status),
    }
}

/// `unset 'a[i]'`
fn unset_element(shell: &mut Shell, words: &[Text], slot: Slot, subscript: &[u8]) -> Flow<i32> {
    if shell.variables[slot].flags.has(Flags::READONLY) {
        return refuse_readonly(shell, words, slot);
    }
    if shell.variables.is_associative(slot) {
        shell.save(slot);
        let removed = match &mut shell.variables[slot].value {
            Value::Associative(map) => map.shift_remove(subscript).is_some(),
            _ => false,
        };
        return Ok(i32::from(!removed && shell.profile.values.arrays.unset_missing_key_fails));
    }
    let all = subscript == b"@" || subscript == b"*";
    if all && shell.profile.values.arrays.unset_all_elements {
        shell.save(slot);
        let variable = &mut shell.variables[slot];
        match variable.value {
            Value::Indexed(_) => variable.value = Value::Indexed(Box::default()),
            Value::Text(_) => {
                let name = shell.names.name(slot);
                let text = [&*name, b": not an array variable"].concat();
                return Ok(shell.builtin_error(words, &text, 1));
            }
            _ => shell.unset(slot)?,
        }
        return Ok(0);
    }
    let index = match shell.try_evaluate_text(subscript) {
        Ok(index) => index,
        Err(message) if shell.profile.values.arrays.unset_bad_subscript_fails_builtin => {
            return Ok(shell.builtin_error(words, &message, 1));
        }
        Err(message) => return shell.fail_command(&message),
    };
    let end = match &shell.variables[slot].value {
        Value::Unset => return Ok(0),
        Value::Text(_) => {
            if index == 0 {
                shell.unset(slot)?;
                return Ok(0);
            }
            if shell.profile.values.arrays.unset_needs_array {
                let name = shell.names.name(slot);
                let text = [&*name, b": not an array variable"].concat();
                return Ok(shell.builtin_error(words, &text, 1));
            }
            return Ok(0);
        }
        Value::Indexed(array) => array.end(),
        Value::Associative(_) => 0,
    };
    let from = if index < 0 { i64::try_from(end).unwrap_or(i64::MAX) + index } else { index };
    let Ok(at) = u64::try_from(from) else {
        let name = shell.names.name(slot);
        let text = (shell.profile.values.arrays.unset_out_of_range)(&name, subscript);
        return Ok(shell.builtin_error(words, &text, 1));
    };
    shell.subshells.save_element(&mut shell.variables, slot, at);
    if let Value::Indexed(array) = &mut shell.variables[slot].value {
        Indexed::put(array, at, None);
    }
    shell.changed(slot);
    Ok(0)
}
