//! What `declare -p` and its like print.

use super::request::{DeclareRequest, Kind};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::DeclarationStyle;
use crate::formats::quote::{self, For};
use crate::run::listing::{attributes_of, element_list, listed};
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Shell};

/// Lists variables, all or those that are named.
pub(super) fn show(
    shell: &mut Shell,
    words: &[Text],
    request: &DeclareRequest,
    names: &[Text],
) -> Flow<i32> {
    let name = String::from_utf8_lossy(&words[0]).into_owned();
    let mut out = Vec::new();
    let mut status = 0;
    let small = matches!(request.kind, Kind::Export | Kind::Readonly);
    if names.is_empty() || (small && !shell.profile.builtins.declare.print_assigns) {
        all(shell, request, &mut out);
        if !request.any && request.kind == Kind::Declare && shell.profile.set.lists_functions {
            super::super::set::functions(shell, &mut out);
        }
        return shell.print(&name, &out);
    }
    for operand in names {
        let slot = shell.names.find(operand).filter(|slot| shell.variables.is_declared(*slot));
        match slot {
            Some(slot) => declaration(shell, slot, &mut out),
            None if shell.profile.builtins.declare.print_finds_unknown => {
                shell.print(&name, &out)?;
                out.clear();
                let text = [&**operand, b": not found"].concat();
                status = shell.builtin_error(words, &text, 1);
            }
            None => {}
        }
    }
    let written = shell.print(&name, &out)?;
    Ok(status.max(written))
}

fn all(shell: &mut Shell, request: &DeclareRequest, out: &mut Vec<u8>) {
    let wanted = match request.kind {
        // `export -n` shows what `export` does.
        Kind::Export => Flags::EXPORT,
        _ => request.on.with(request.off),
    };
    let locals = (request.kind == Kind::Local).then(|| shell.locals_here().unwrap_or_default());
    for slot in listed(shell) {
        let flags = shell.variables.effective_flags(slot);
        if locals.as_ref().is_some_and(|locals| !locals.contains(&slot)) {
            continue;
        }
        let arrays = Flags::ARRAY.with(Flags::ASSOCIATIVE);
        let matches = match request.kind {
            Kind::Readonly if request.on.has(arrays) => {
                flags.has(Flags::READONLY) && flags.has(Flags(request.on.0 & arrays.0))
            }
            _ => wanted.0 == 0 || flags.has(wanted),
        };
        if !matches {
            continue;
        }
        match (shell.profile.builtins.declare.style, request.kind) {
            (DeclarationStyle::Declare, Kind::Declare) if !request.any => {
                super::super::set::assignment(shell, slot, out);
            }
            (DeclarationStyle::Declare, Kind::Export | Kind::Readonly) if shell.options.posix() => {
                posix_line(shell, request.kind, slot, out);
            }
            (DeclarationStyle::Declare, _) => declaration(shell, slot, out),
            (DeclarationStyle::Export, kind) => {
                let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
                out.extend_from_slice(word);
                plain(shell, slot, out);
            }
            (DeclarationStyle::Typeset, kind) => ksh_line(shell, request, kind, slot, out),
        }
    }
}

/// bash's `export -p` and `readonly -p` once it is to be as POSIX has it.
fn posix_line(shell: &mut Shell, kind: Kind, slot: Slot, out: &mut Vec<u8>) {
    let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
    out.extend_from_slice(word);
    let flags = shell.variables.effective_flags(slot);
    for (flag, letter) in [(Flags::ARRAY, b'a'), (Flags::ASSOCIATIVE, b'A')] {
        if flags.has(flag) {
            out.extend_from_slice(&[b'-', letter, b' ']);
        }
    }
    named_value(shell, slot, out);
}

fn ksh_line(
    shell: &mut Shell,
    request: &DeclareRequest,
    kind: Kind,
    slot: Slot,
    out: &mut Vec<u8>,
) {
    let small = matches!(kind, Kind::Export | Kind::Readonly);
    if small && request.print {
        let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
        out.extend_from_slice(word);
        return plain(shell, slot, out);
    }
    if request.print {
        return declaration(shell, slot, out);
    }
    if request.names_only {
        out.extend_from_slice(&shell.names.name(slot));
        return out.push(b'\n');
    }
    if small || request.any {
        return plain(shell, slot, out);
    }
    let flags = shell.variables.effective_flags(slot);
    let words: [(Flags, &[u8]); 7] = [
        (Flags::REFERENCE, b"nameref "),
        (Flags::EXPORT, b"export "),
        (Flags::READONLY, b"readonly "),
        (Flags::ARRAY, b"indexed array "),
        (Flags::ASSOCIATIVE, b"associative array "),
        (Flags::UPPER, b"toupper "),
        (Flags::LOWER, b"tolower "),
    ];
    let start = out.len();
    let long = flags.has(Flags::INTEGER) && flags.has(Flags::LOWER);
    for (flag, word) in words {
        if flags.has(flag) {
            out.extend_from_slice(if long && flag == Flags::LOWER { b"long " } else { word });
        }
    }
    if flags.has(Flags::INTEGER) {
        out.extend_from_slice(b"integer ");
    }
    if out.len() > start {
        out.extend_from_slice(&shell.names.name(slot));
        out.push(b'\n');
    }
}

/// `name=value` or `name`.
fn plain(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    out.extend_from_slice(&shell.names.name(slot));
    if shell.variables.is_set(slot) || shell.variables[slot].flags.has(Flags::COMPUTED) {
        out.push(b'=');
        value(shell, slot, out);
    }
    out.push(b'\n');
}

/// The line of `declare -p` or `typeset -p` for a variable.
pub(crate) fn declaration(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    shell.compute(slot);
    let letters = attributes_of(shell, slot);
    let set = shell.variables.is_set(slot);
    match shell.profile.builtins.declare.style {
        DeclarationStyle::Typeset => {
            if letters.is_empty() && !set {
                return;
            }
            if !letters.is_empty() {
                out.extend_from_slice(b"typeset ");
            }
            for letter in letters {
                out.extend_from_slice(&[b'-', letter, b' ']);
            }
        }
        _ => {
            out.extend_from_slice(b"declare -");
            out.extend_from_slice(if letters.is_empty() { b"-" } else { &letters });
            out.push(b' ');
        }
    }
    named_value(shell, slot, out);
}

/// Whether variables are listed as ksh's `typeset` does.
fn is_typeset(shell: &Shell) -> bool {
    shell.profile.builtins.declare.style == DeclarationStyle::Typeset
}

/// `name=value`, the end of a line.
fn named_value(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    let set = shell.variables.is_set(slot);
    out.extend_from_slice(&shell.names.name(slot));
    if set {
        out.push(b'=');
        value(shell, slot, out);
    } else if is_typeset(shell) && shell.variables.is_associative(slot) {
        out.extend_from_slice(b"=()");
    }
    out.push(b'\n');
}

/// A value as a listing shows it.
fn value(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    shell.compute(slot);
    let variable = &shell.variables[slot];
    match &variable.value {
        Value::Unset => {}
        Value::Text(text) => {
            quote::quote(text, For::Declare, shell.profile.dialect, shell.expansion.utf8, out);
        }
        Value::Indexed(_) | Value::Associative(_) => element_list(shell, slot, For::Declare, out),
    }
}

/// `declare -f`, `declare -F`, `export -f`, `readonly -f`
pub(super) fn functions(
    shell: &mut Shell,
    words: &[Text],
    request: &DeclareRequest,
    names: &[Text],
) -> Flow<i32> {
    let name = String::from_utf8_lossy(&words[0]).into_owned();
    let mut out = Vec::new();
    let mut status = 0;
    if names.is_empty() {
        for slot in shell.functions.sorted(&shell.names) {
            let function = shell.names.name(slot);
            match (shell.profile.builtins.declare.style, request.names_only) {
                (DeclarationStyle::Declare, true) => {
                    let letters = shell.functions.letters(slot);
                    out.extend_from_slice(format!("declare -f{letters} ").as_bytes());
                }
                (DeclarationStyle::Typeset, true) => {}
                _ => {
                    super::super::set::function(shell, slot, &mut out);
                    continue;
                }
            }
            out.extend_from_slice(&function);
            let keyword = shell.functions.get(slot).is_some_and(|f| f.keyword);
            if is_typeset(shell) && !keyword {
                out.extend_from_slice(b"()");
            }
            out.push(b'\n');
        }
        return shell.print(&name, &out);
    }
    for operand in names {
        let slot = shell.names.find(operand).filter(|slot| shell.functions.has(*slot));
        let Some(slot) = slot else {
            status = 1;
            if matches!(request.kind, Kind::Export | Kind::Readonly) {
                shell.builtin_error(words, &[&**operand, b": not a function"].concat(), 1);
            }
            continue;
        };
        if matches!(request.kind, Kind::Export | Kind::Readonly) || request.on.0 != 0 {
            if shell.functions.mark(slot, request.on, request.off) {
                shell.variables.environment.forget();
            }
        } else if request.names_only {
            out.extend_from_slice(operand);
            out.push(b'\n');
        } else {
            super::super::set::function(shell, slot, &mut out);
        }
    }
    let written = shell.print(&name, &out)?;
    Ok(status.max(written))
}
