//! `name`, `name=value`, `name[i]+=value`, `name=( … )` as arguments.

use crate::Text;
use crate::arithmetic::Slot;
use crate::program::{Argument, Element, Node, Value as Assigned};
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Shell};

/// What is given to a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum InitialValue<'a> {
    Text(&'a [u8]),
    Array(&'a [Element]),
}

/// An operand taken apart.
#[derive(Debug)]
pub(super) struct Operand<'a> {
    pub(super) name: &'a [u8],
    pub(super) subscript: Option<&'a [u8]>,
    pub(super) append: bool,
    pub(super) value: Option<InitialValue<'a>>,
}

/// Takes an operand apart; arrays are in the arguments.
pub(super) fn read<'a>(operand: &'a [u8], arguments: &'a [Argument]) -> Operand<'a> {
    let equals = equals(operand);
    let (left, right) = match equals {
        Some(at) => (&operand[..at], Some(&operand[at + 1..])),
        None => (operand, None),
    };
    let (left, append) = match left.strip_suffix(b"+") {
        Some(left) if right.is_some() => (left, true),
        _ => (left, false),
    };
    let (name, subscript) = match memchr::memchr(b'[', left) {
        Some(open) if left.last() == Some(&b']') => {
            (&left[..open], Some(&left[open + 1..left.len() - 1]))
        }
        _ => (left, None),
    };
    let value = right
        .map(|text| array(text, arguments).map_or(InitialValue::Text(text), InitialValue::Array));
    Operand { name, subscript, append, value }
}

/// Where the `=` is: not one in a subscript.
fn equals(operand: &[u8]) -> Option<usize> {
    let first = memchr::memchr(b'=', operand)?;
    let open = memchr::memchr(b'[', &operand[..first]);
    if open.is_none() {
        return Some(first);
    }
    let close = operand.windows(2).position(|pair| pair == b"]=").map(|at| at + 1);
    let append = operand.windows(3).position(|three| three == b"]+=").map(|at| at + 2);
    match (close, append) {
        (Some(close), Some(append)) => Some(close.min(append)),
        (close, append) => close.or(append).or(Some(first)),
    }
}

fn array<'a>(text: &[u8], arguments: &'a [Argument]) -> Option<&'a [Element]> {
    let digits = text.strip_prefix(&[0])?;
    let index: usize = crate::run::texts::parsed(digits)?;
    match arguments.get(index)? {
        Argument::Assignment(assignment) => match &assignment.value {
            Assigned::Array(elements) => Some(elements),
            Assigned::Word(_) => None,
        },
        Argument::Word(_) => None,
    }
}

/// Assigns a text.
///
/// With `compounds`, `(1 2)` may be a list for an array.
pub(super) fn assign(shell: &mut Shell, slot: Slot, given: &Operand, compounds: bool) -> Flow {
    let Some(InitialValue::Text(text)) = given.value else { return Ok(()) };
    if let Some(subscript) = given.subscript {
        return shell.set_text_subscript(slot, subscript, Text::from_slice(text), given.append);
    }
    let variable = &shell.variables[slot];
    let is_array = matches!(variable.value, Value::Indexed(_) | Value::Associative(_))
        || variable.flags.has(Flags::ARRAY.with(Flags::ASSOCIATIVE));
    if is_array
        && compounds
        && text.starts_with(b"(")
        && text.ends_with(b")")
        && shell.profile.builtins.declare.reads_text_as_elements
    {
        return compound(shell, slot, given, text);
    }
    if given.append {
        return shell.append(slot, Text::from_slice(text));
    }
    shell.set(slot, Text::from_slice(text))
}

/// bash: `declare -a "a=(1 2)"`, read as if it were in the script.
fn compound(shell: &mut Shell, slot: Slot, given: &Operand, text: &[u8]) -> Flow {
    let source = [given.name, b"=", text].concat();
    let lowered = shell.lower(&source)?;
    if let [Node::Assign(assignments, _)] = &*lowered.block.nodes
        && let [assignment] = &**assignments
        && let Assigned::Array(elements) = &assignment.value
    {
        return shell.set_array(slot, elements, given.append);
    }
    shell.set(slot, Text::from_slice(text))
}
