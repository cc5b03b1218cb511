//! `export`, `readonly`, `local`, `declare`, `typeset`, `integer`, `nameref`.

mod list;
mod request;
mod value;

use self::request::{DeclareRequest, Kind};
use self::value::InitialValue;
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::NamedBuiltin;
use crate::program::Argument;
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Shell};

/// Runs one of them; `arguments` are what the words were expanded from, for arrays.
pub(crate) fn run(shell: &mut Shell, words: &[Text], arguments: &[Argument]) -> Flow<i32> {
    let (request, operands) = match request::read(shell, words) {
        Ok(read) => read,
        Err(status) => return shell.special_status(words, status),
    };
    let rules = &shell.profile.builtins.declare;
    if request.kind == Kind::Local && shell.locals_here().is_none() {
        let (text, status) = (rules.local_outside, rules.local_outside_status);
        shell.builtin_error(words, text.as_bytes(), status);
        return shell.special_status(words, status);
    }
    if request.functions {
        return list::functions(shell, words, &request, operands);
    }
    let assigns = request.is_small() && rules.print_assigns;
    if operands.is_empty() || (request.print && !assigns) {
        return list::show(shell, words, &request, operands);
    }
    let mut status = 0;
    for operand in operands {
        match one(shell, words, &request, operand, arguments) {
            Ok(0) => {}
            Ok(bad) => status = bad,
            Err(unwind) => return Err(unwind),
        }
    }
    shell.special_status(words, status)
}

/// One operand: `name`, `name=value`, `name[i]=value`, `-`.
fn one(
    shell: &mut Shell,
    words: &[Text],
    request: &DeclareRequest,
    operand: &[u8],
    arguments: &[Argument],
) -> Flow<i32> {
    if operand == b"-" && request.kind == Kind::Local {
        let options = shell.options;
        if let Some(frame) =
            shell.calls.frames.iter_mut().rev().find(|frame| frame.function.is_some())
        {
            frame.options.get_or_insert(options);
        }
        return Ok(0);
    }
    let mut given = value::read(operand, arguments);
    if !crate::syntax::is_name(given.name) {
        return Ok(not_a_name(shell, words, operand, given.name));
    }
    let slot = shell.slot(given.name);
    // What the words of an array come to is found before a local hides what they are made of.
    let elements = match given.value {
        Some(InitialValue::Array(elements)) => {
            let meant = shell.meant(slot);
            let keyed = request.on.has(Flags::ASSOCIATIVE) || shell.variables.is_associative(meant);
            Some(shell.expand_elements(elements, keyed)?)
        }
        _ => None,
    };
    let here = request.local_in(shell);
    let slot = if here || request.on.has(Flags::REFERENCE) || request.off.has(Flags::REFERENCE) {
        slot
    } else {
        shell.meant(slot)
    };
    if here {
        if shell.variables[slot].flags.has(Flags::READONLY)
            // One of a function that called this one may be hidden.
            && !shell.variables.locals.iter().any(|(name, _)| *name == slot)
            && shell.profile.builtins.declare.readonly_has_no_local
        {
            return Ok(readonly(shell, words, request, slot));
        }
        let given = shell.calls.is_assigned(slot);
        let inherits = request.inherit || given;
        let inherited = inherits.then(|| shell.variables[slot].clone());
        if !shell.is_local_here(slot) {
            shell.make_local(slot);
            if let Some(old) = inherited {
                let variable = &mut shell.variables[slot];
                (variable.value, variable.flags) = (old.value, old.flags);
            }
        }
    }
    if let Some(status) = refused(shell, words, request, slot, &given) {
        return Ok(status);
    }
    if request.global && shell.profile.builtins.declare.reaches_global {
        return globally(shell, request, slot, |shell| {
            give(shell, words, request, slot, &mut given, elements)
        });
    }
    give(shell, words, request, slot, &mut given, elements)
}

/// `-g`: the variable behind all locals of that name.
fn globally(
    shell: &mut Shell,
    _request: &DeclareRequest,
    slot: Slot,
    run: impl FnOnce(&mut Shell) -> Flow<i32>,
) -> Flow<i32> {
    let Some(at) = shell.variables.locals.iter().position(|(name, _)| *name == slot) else {
        return run(shell);
    };
    let subshell = shell.subshells.current();
    shell.variables.exchange_hidden(at, slot, subshell);
    let flow = run(shell);
    shell.variables.exchange_hidden(at, slot, subshell);
    flow
}

/// Gives a variable its attributes and its value.
fn give(
    shell: &mut Shell,
    words: &[Text],
    request: &DeclareRequest,
    slot: Slot,
    given: &mut value::Operand,
    elements: Option<crate::run::arrays::Values>,
) -> Flow<i32> {
    let rules = &shell.profile.builtins.declare;
    let old = shell.variables[slot].flags;
    let mut flags = request.flags_from(old);
    if !rules.text_becomes_element && matches!(shell.variables[slot].value, Value::Text(_)) {
        flags = flags.without(Flags::ARRAY);
    }
    // It is calculated once: `i++` counts once.
    let number;
    let mut given = value::Operand { ..*given };
    match number_given(shell, flags, &given) {
        Some(Ok(value)) => {
            number = value;
            given.value = Some(InitialValue::Text(&number));
        }
        Some(Err(message)) => {
            shell.execution.status = shell.builtin_error(words, &message, 1);
            return Err(shell.after_fatal_error());
        }
        None => {}
    }
    let given = &given;
    let row = elements.is_some() || (given.subscript.is_some() && given.value.is_none());
    if row && !shell.variables.is_associative(slot) && !flags.has(Flags::ASSOCIATIVE) {
        flags = if rules.elements_mark_array { flags.with(Flags::ARRAY) } else { flags };
    }
    // What the value is to become must not be refused by what it is to be afterwards.
    let later = Flags(request.on.0 & (Flags::READONLY.0 | Flags::REFERENCE.0));
    shell.set_flags(slot, flags.without(later).with(Flags(old.0 & later.0)));
    shape(shell, slot, flags);
    if request.on.has(Flags::REFERENCE) {
        let status = reference(shell, words, slot, given)?;
        if status == 0 {
            shell.set_flags(slot, flags);
        }
        return Ok(status);
    }
    match (&given.value, elements) {
        (_, Some(values)) => {
            if !request.on.has(Flags::ARRAY) {
                shell.make_keyed(slot, &values, given.append)?;
            }
            shell.set_elements(slot, values, given.append)?;
        }
        (Some(_), None) => {
            let arrays = Flags::ARRAY.with(Flags::ASSOCIATIVE);
            let compounds = !request.is_small() || request.on.has(arrays);
            value::assign(shell, slot, given, compounds)?;
        }
        (None, None) => {
            if !shell.variables.is_set(slot) && rules.valueless_is_declared {
                flags = flags.with(Flags::DECLARED);
            } else if shell.variables.is_set(slot)
                && request.on.has(Flags::INTEGER)
                && rules.integer_recalculates
            {
                let text = shell.get(slot).map(Text::from_slice).unwrap_or_default();
                shell.set(slot, text)?;
            }
        }
    }
    shell.set_flags(slot, flags);
    if request.on.has(Flags::EXPORT.with(Flags::READONLY))
        && shell.profile.calls.export_keeps_assignment
    {
        shell.keep_temporary(slot);
    }
    Ok(0)
}

/// The number that a value has to be, or the message about one that is none.
fn number_given(
    shell: &mut Shell,
    flags: Flags,
    given: &value::Operand,
) -> Option<Result<Text, Vec<u8>>> {
    let Some(InitialValue::Text(text)) = given.value else { return None };
    if !flags.has(Flags::INTEGER) || text.starts_with(b"(") || text.contains(&b'=') {
        return None;
    }
    let number = shell.try_evaluate_text(text);
    Some(number.map(|number| Text::from_slice(number.to_string().as_bytes())))
}

/// `-a`, `-A`: what there is becomes an array.
fn shape(shell: &mut Shell, slot: Slot, flags: Flags) {
    let value = &shell.variables[slot].value;
    if !matches!(value, Value::Text(_))
        || (!shell.profile.builtins.declare.text_becomes_element && !flags.has(Flags::ASSOCIATIVE))
    {
        return;
    }
    if flags.has(Flags::ASSOCIATIVE) {
        shell.save(slot);
        let variable = &mut shell.variables[slot];
        if let Value::Text(text) = std::mem::take(&mut variable.value) {
            let map = [(Text::from_slice(b"0"), text)].into_iter().collect();
            variable.value = Value::Associative(Box::new(map));
        }
    } else if flags.has(Flags::ARRAY) {
        shell.make_indexed(slot);
    }
}

/// `-n`: the name that it stands for.
fn reference(shell: &mut Shell, words: &[Text], slot: Slot, given: &value::Operand) -> Flow<i32> {
    if let Some(InitialValue::Array(_)) = given.value
        && shell.profile.builtins.declare.checks_conversion
    {
        let text = [given.name, b": reference variable cannot be an array"].concat();
        return Ok(shell.builtin_error(words, &text, 1));
    }
    let Some(InitialValue::Text(target)) = given.value else { return Ok(0) };
    let base = memchr::memchr(b'[', target).map_or(target, |open| &target[..open]);
    if !crate::syntax::is_name(base) {
        let text = match target.is_empty() {
            true => shell.profile.messages.not_a_name.of(target),
            false => shell.profile.builtins.declare.bad_reference.of(target),
        };
        return Ok(shell.builtin_error(words, &text, 1));
    }
    if base == given.name && shell.profile.values.variables.circular_references {
        if shell.locals_here().is_none() {
            let text = [given.name, b": nameref variable self references not allowed"].concat();
            return Ok(shell.builtin_error(words, &text, 1));
        }
        let text = [b"warning: ", given.name, b": circular name reference"].concat();
        shell.builtin_error(words, &text, 0);
        if base.len() < target.len() || !shell.refer_to_outer(slot) {
            let what = [&*words[0], b" -n ", given.name, b"=", target].concat();
            return Err(shell.not_run_here(&what));
        }
    }
    if !shell.profile.values.variables.circular_references && leads_to(shell, base, given.name) {
        let text = [given.name, b": invalid self reference"].concat();
        return Ok(shell.builtin_error(words, &text, 1));
    }
    shell.set_plainly(slot, Text::from_slice(target))?;
    Ok(0)
}

/// Whether a name is that one, or refers to it.
fn leads_to(shell: &mut Shell, name: &[u8], to: &[u8]) -> bool {
    let mut name = Text::from_slice(name);
    for _ in 0..16 {
        if *name == *to {
            return true;
        }
        let slot = shell.slot(&name);
        if !shell.variables[slot].flags.has(Flags::REFERENCE) {
            return false;
        }
        let next = shell.variables.text_of(slot).map(Text::from_slice);
        let Some(next) = next else { return false };
        name = next;
    }
    false
}

/// Why it is not done, told; with the status.
fn refused(
    shell: &mut Shell,
    words: &[Text],
    request: &DeclareRequest,
    slot: Slot,
    given: &value::Operand,
) -> Option<i32> {
    let variable = &shell.variables[slot];
    let flags = variable.flags;
    if flags.has(Flags::READONLY) && (given.value.is_some() || request.off.has(Flags::READONLY)) {
        return Some(readonly(shell, words, request, slot));
    }
    if !shell.profile.builtins.declare.checks_conversion {
        return None;
    }
    let keyed = shell.variables.is_associative(slot);
    let row = matches!(variable.value, Value::Indexed(_)) || flags.has(Flags::ARRAY);
    let reason: &[u8] =
        if request.on.has(Flags::ASSOCIATIVE) && (row || request.on.has(Flags::ARRAY)) {
            if row {
                b"cannot convert indexed to associative array"
            } else {
                b"cannot convert associative to indexed array"
            }
        } else if request.on.has(Flags::ARRAY) && keyed {
            b"cannot convert associative to indexed array"
        } else if (request.off.has(Flags::ARRAY) && row)
            || (request.off.has(Flags::ASSOCIATIVE) && keyed)
        {
            b"cannot destroy array variables in this way"
        } else {
            return None;
        };
    let text = [given.name, b": ", reason].concat();
    Some(shell.builtin_error(words, &text, 1))
}

/// The message about a variable that may not be changed.
fn readonly(shell: &mut Shell, words: &[Text], request: &DeclareRequest, slot: Slot) -> i32 {
    let text = shell.profile.messages.read_only.of(shell.names.name(slot));
    let alone = match shell.profile.builtins.declare.readonly_names_builtin {
        NamedBuiltin::Always => false,
        NamedBuiltin::Declares => request.is_small(),
        NamedBuiltin::TakesOff => !request.off.has(Flags::READONLY),
    };
    if alone {
        shell.complain(&text);
        return 1;
    }
    shell.builtin_error(words, &text, shell.profile.failures.status)
}

fn not_a_name(shell: &mut Shell, words: &[Text], operand: &[u8], name: &[u8]) -> i32 {
    let operand = operand.split(|byte| *byte == 0).next().unwrap_or(operand);
    let profile = shell.profile;
    let text = match &*words[0] {
        b"export" | b"readonly" => profile.messages.export_not_a_name,
        _ => profile.messages.not_a_name,
    };
    let text = text.of(if profile.builtins.declare.bad_name_is_operand { operand } else { name });
    shell.builtin_error(words, &text, shell.profile.failures.status)
}
