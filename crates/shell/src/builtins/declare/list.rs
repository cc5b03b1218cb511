//! What `declare -p` and its like print.

use std::rc::Rc;

use super::asked::{Asked, Kind};
use crate::arithmetic::Slot;
use crate::formats::quote::{self, For};
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

/// Attributes that make a variable one although it has no value.
const DECLARING: Flags = Flags(
    Flags::EXPORT.0
        | Flags::READONLY.0
        | Flags::INTEGER.0
        | Flags::UPPER.0
        | Flags::LOWER.0
        | Flags::CAPITAL.0
        | Flags::REFERENCE.0
        | Flags::ARRAY.0
        | Flags::ASSOCIATIVE.0
        | Flags::TRACED.0
        | Flags::DECLARED.0,
);

/// Lists variables, all or those that are named.
pub(super) fn show(shell: &mut Shell, words: &[Text], asked: &Asked, names: &[Text]) -> Flow<i32> {
    let name = String::from_utf8_lossy(&words[0]).into_owned();
    let mut out = Vec::new();
    let mut status = 0;
    let small = matches!(asked.kind, Kind::Export | Kind::Readonly);
    if names.is_empty() || (small && shell.dialect == Dialect::Posix) {
        all(shell, asked, &mut out);
        if !asked.any && asked.kind == Kind::Declare && shell.dialect == Dialect::Bash {
            super::super::set::functions(shell, &mut out);
        }
        return shell.print(&name, &out);
    }
    for operand in names {
        let slot = shell.names.find(operand).filter(|slot| shell.is_known(*slot));
        match slot {
            Some(slot) => declaration(shell, slot, &mut out),
            None if shell.dialect == Dialect::Bash => {
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

fn all(shell: &mut Shell, asked: &Asked, out: &mut Vec<u8>) {
    let wanted = match asked.kind {
        // `export -n` shows what `export` does.
        Kind::Export => Flags::EXPORT,
        _ => asked.on.with(asked.off),
    };
    let locals = (asked.kind == Kind::Local).then(|| shell.locals_here().unwrap_or_default());
    for slot in listed(shell) {
        let flags = shell.effective_flags(slot);
        if locals.as_ref().is_some_and(|locals| !locals.contains(&slot)) {
            continue;
        }
        let arrays = Flags::ARRAY.with(Flags::ASSOCIATIVE);
        let matches = match asked.kind {
            Kind::Readonly if asked.on.has(arrays) => {
                flags.has(Flags::READONLY) && flags.has(Flags(asked.on.0 & arrays.0))
            }
            _ => wanted.0 == 0 || flags.has(wanted),
        };
        if !matches {
            continue;
        }
        match (shell.dialect, asked.kind) {
            (Dialect::Bash, Kind::Declare) if !asked.any => {
                super::super::set::assignment(shell, slot, out);
            }
            (Dialect::Bash, Kind::Export | Kind::Readonly) if shell.options.posix() => {
                posix_line(shell, asked.kind, slot, out);
            }
            (Dialect::Bash, _) => declaration(shell, slot, out),
            (Dialect::Posix, kind) => {
                let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
                out.extend_from_slice(word);
                plain(shell, slot, out);
            }
            (Dialect::Ksh, kind) => ksh_line(shell, asked, kind, slot, out),
        }
    }
}

/// bash's `export -p` and `readonly -p` once it is to be as POSIX has it.
fn posix_line(shell: &mut Shell, kind: Kind, slot: Slot, out: &mut Vec<u8>) {
    let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
    out.extend_from_slice(word);
    let flags = shell.effective_flags(slot);
    for (flag, letter) in [(Flags::ARRAY, b'a'), (Flags::ASSOCIATIVE, b'A')] {
        if flags.has(flag) {
            out.extend_from_slice(&[b'-', letter, b' ']);
        }
    }
    named_value(shell, slot, out);
}

fn ksh_line(shell: &mut Shell, asked: &Asked, kind: Kind, slot: Slot, out: &mut Vec<u8>) {
    let small = matches!(kind, Kind::Export | Kind::Readonly);
    if small && asked.print {
        let word: &[u8] = if kind == Kind::Export { b"export " } else { b"readonly " };
        out.extend_from_slice(word);
        return plain(shell, slot, out);
    }
    if asked.print {
        return declaration(shell, slot, out);
    }
    if asked.names_only {
        out.extend_from_slice(&shell.names.name(slot));
        return out.push(b'\n');
    }
    if small || asked.any {
        return plain(shell, slot, out);
    }
    let flags = shell.effective_flags(slot);
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
    if shell.is_set(slot) || shell.variables[slot.0 as usize].flags.has(Flags::COMPUTED) {
        out.push(b'=');
        value(shell, slot, out);
    }
    out.push(b'\n');
}

/// All variables that there are, by name.
pub(crate) fn listed(shell: &Shell) -> Vec<Slot> {
    let mut slots: Vec<_> = (0..shell.variables.len())
        .map(|index| Slot(u32::try_from(index).unwrap_or(0)))
        .filter(|slot| shell.is_known(*slot) && !shell.names.name(*slot).starts_with(b"\0"))
        .collect();
    slots.sort_by_key(|slot| shell.names.name(*slot));
    slots
}

impl Shell {
    /// Whether there is such a variable, with or without a value.
    pub(crate) fn is_known(&self, slot: Slot) -> bool {
        let Some(variable) = self.variables.get(slot.0 as usize) else { return false };
        !matches!(variable.value, Value::Unset)
            || variable.flags.has(DECLARING)
            || variable.flags.has(Flags::COMPUTED)
    }

    /// Its attributes, with what its value makes of it.
    pub(crate) fn effective_flags(&self, slot: Slot) -> Flags {
        let variable = &self.variables[slot.0 as usize];
        match variable.value {
            Value::Indexed(_) => variable.flags.with(Flags::ARRAY),
            Value::Associative(_) => variable.flags.with(Flags::ASSOCIATIVE).without(Flags::ARRAY),
            _ => variable.flags,
        }
    }
}

/// The letters of a variable's attributes, without `-`.
pub(crate) fn attributes_of(shell: &Shell, slot: Slot) -> Vec<u8> {
    let flags = shell.effective_flags(slot);
    let order: &[(Flags, u8)] = match shell.dialect {
        Dialect::Ksh => &[
            (Flags::REFERENCE, b'n'),
            (Flags::EXPORT, b'x'),
            (Flags::READONLY, b'r'),
            (Flags::ARRAY, b'a'),
            (Flags::ASSOCIATIVE, b'A'),
            (Flags::LOWER, b'l'),
            (Flags::UPPER, b'u'),
            (Flags::INTEGER, b'i'),
        ],
        _ => &[
            (Flags::ARRAY, b'a'),
            (Flags::ASSOCIATIVE, b'A'),
            (Flags::INTEGER, b'i'),
            (Flags::REFERENCE, b'n'),
            (Flags::READONLY, b'r'),
            (Flags::TRACED, b't'),
            (Flags::EXPORT, b'x'),
            (Flags::CAPITAL, b'c'),
            (Flags::LOWER, b'l'),
            (Flags::UPPER, b'u'),
        ],
    };
    order.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, letter)| *letter).collect()
}

/// The line of `declare -p` or `typeset -p` for a variable.
pub(crate) fn declaration(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    shell.compute(slot);
    let letters = attributes_of(shell, slot);
    let set = shell.is_set(slot);
    match shell.dialect {
        Dialect::Ksh => {
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

/// `name=value`, the end of a line.
fn named_value(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    let set = shell.is_set(slot);
    out.extend_from_slice(&shell.names.name(slot));
    if set {
        out.push(b'=');
        value(shell, slot, out);
    } else if shell.dialect == Dialect::Ksh && shell.is_associative(slot) {
        out.extend_from_slice(b"=()");
    }
    out.push(b'\n');
}

/// A value as a listing shows it.
fn value(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    shell.compute(slot);
    let variable = &shell.variables[slot.0 as usize];
    match &variable.value {
        Value::Unset => {}
        Value::Text(text) => {
            quote::quote(text, For::Declare, shell.dialect, shell.utf8, out);
        }
        Value::Indexed(_) | Value::Associative(_) => element_list(shell, slot, For::Declare, out),
    }
}

/// `([0]="a" [1]="b")`
pub(crate) fn element_list(shell: &Shell, slot: Slot, purpose: For, out: &mut Vec<u8>) {
    let (dialect, utf8) = (shell.dialect, shell.utf8);
    out.push(b'(');
    let mut separator: &[u8] = b"";
    match &shell.variables[slot.0 as usize].value {
        Value::Indexed(array) => {
            let whole = dialect == Dialect::Ksh && array.end() == array.count() as u64;
            for (index, text) in array.iter() {
                out.extend_from_slice(separator);
                separator = b" ";
                if !whole {
                    out.extend_from_slice(format!("[{index}]=").as_bytes());
                }
                quote::quote(text, purpose, dialect, utf8, out);
            }
        }
        Value::Associative(map) => {
            for (key, text) in shell.order(map) {
                out.extend_from_slice(separator);
                separator = b" ";
                out.push(b'[');
                match dialect {
                    Dialect::Ksh => quote::quote(key, purpose, dialect, utf8, out),
                    _ => quote::key(key, utf8, out),
                }
                out.extend_from_slice(b"]=");
                quote::quote(text, purpose, dialect, utf8, out);
            }
            if dialect == Dialect::Bash && !map.is_empty() {
                out.push(b' ');
            }
        }
        _ => {}
    }
    out.push(b')');
}

/// `declare -f`, `declare -F`, `export -f`, `readonly -f`
pub(super) fn functions(
    shell: &mut Shell,
    words: &[Text],
    asked: &Asked,
    names: &[Text],
) -> Flow<i32> {
    let name = String::from_utf8_lossy(&words[0]).into_owned();
    let mut out = Vec::new();
    let mut status = 0;
    if names.is_empty() {
        for slot in shell.function_slots() {
            let function = shell.names.name(slot);
            match (shell.dialect, asked.names_only) {
                (Dialect::Bash, true) => {
                    let letters = shell.function_letters(slot);
                    out.extend_from_slice(format!("declare -f{letters} ").as_bytes());
                }
                (Dialect::Ksh, true) => {}
                _ => {
                    shell.function_text(slot, &mut out);
                    continue;
                }
            }
            out.extend_from_slice(&function);
            let keyword = shell.functions[slot.0 as usize].as_ref().is_some_and(|f| f.keyword);
            if shell.dialect == Dialect::Ksh && !keyword {
                out.extend_from_slice(b"()");
            }
            out.push(b'\n');
        }
        return shell.print(&name, &out);
    }
    for operand in names {
        let slot = shell
            .names
            .find(operand)
            .filter(|slot| shell.functions.get(slot.0 as usize).is_some_and(Option::is_some));
        let Some(slot) = slot else {
            status = 1;
            if matches!(asked.kind, Kind::Export | Kind::Readonly) {
                shell.builtin_error(words, &[&**operand, b": not a function"].concat(), 1);
            }
            continue;
        };
        if matches!(asked.kind, Kind::Export | Kind::Readonly) || asked.on.0 != 0 {
            shell.mark_function(slot, asked.on, asked.off);
        } else if asked.names_only {
            out.extend_from_slice(operand);
            out.push(b'\n');
        } else {
            shell.function_text(slot, &mut out);
        }
    }
    let written = shell.print(&name, &out)?;
    Ok(status.max(written))
}

impl Shell {
    /// The functions that there are, by name.
    pub(crate) fn function_slots(&self) -> Vec<Slot> {
        let mut slots: Vec<_> = (0..self.functions.len())
            .filter(|index| self.functions[*index].is_some())
            .map(|index| Slot(u32::try_from(index).unwrap_or(0)))
            .collect();
        slots.sort_by_key(|slot| self.names.name(*slot));
        slots
    }

    /// The letters of a function's attributes.
    fn function_letters(&self, slot: Slot) -> &'static str {
        let readonly = self.readonly_functions.contains(&slot);
        match (readonly, self.exported_functions.contains(&slot)) {
            (true, true) => "rx",
            (true, false) => "r",
            (false, true) => "x",
            (false, false) => "",
        }
    }

    /// A function as `declare -f` and `typeset -f` print it.
    pub(crate) fn function_text(&self, slot: Slot, out: &mut Vec<u8>) {
        let Some(Some(function)) = self.functions.get(slot.0 as usize) else { return };
        out.extend_from_slice(&function.source.source);
        // ksh has the token behind it as well.
        if self.dialect != Dialect::Ksh {
            out.push(b'\n');
        }
    }

    /// `export -f`, `readonly -f`
    pub(crate) fn mark_function(&mut self, slot: Slot, on: Flags, off: Flags) {
        if on.has(Flags::READONLY) {
            Rc::make_mut(&mut self.readonly_functions).insert(slot);
        }
        if on.has(Flags::EXPORT) {
            Rc::make_mut(&mut self.exported_functions).insert(slot);
            self.environment = None;
        }
        if off.has(Flags::EXPORT) {
            Rc::make_mut(&mut self.exported_functions).remove(&slot);
            self.environment = None;
        }
    }
}
