//! Variables as they are listed, so that they could be set again.

use fewer::compact;

use super::Shell;
use super::arrays::order;
use super::value::{Flags, Value};
use crate::arithmetic::Slot;
use crate::dialect::DeclarationStyle;
use crate::formats::quote::{self, For};

/// All variables that there are, by name.
pub(crate) fn listed(shell: &Shell) -> Vec<Slot> {
    let slots = shell.variables.iter().map(|(slot, _)| slot);
    let mut slots: Vec<_> = slots
        .filter(|slot| shell.variables.is_declared(*slot))
        .filter(|slot| !shell.names.name(*slot).starts_with(b"\0"))
        .collect();
    compact::sort_by_key(&mut slots, |slot| shell.names.name(*slot));
    slots
}

/// The letters of a variable's attributes, without `-`.
pub(crate) fn attributes_of(shell: &Shell, slot: Slot) -> Vec<u8> {
    let flags = shell.variables.effective_flags(slot);
    let order: &[(Flags, u8)] = match shell.profile.builtins.declare.style {
        DeclarationStyle::Typeset => &[
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

/// `([0]="a" [1]="b")`
pub(crate) fn element_list(shell: &Shell, slot: Slot, purpose: For, out: &mut Vec<u8>) {
    let (dialect, utf8) = (shell.profile.dialect, shell.expansion.utf8);
    let style = shell.profile.builtins.declare.style;
    out.push(b'(');
    let mut separator: &[u8] = b"";
    match &shell.variables[slot].value {
        Value::Indexed(array) => {
            let whole = style == DeclarationStyle::Typeset && array.end() == array.count() as u64;
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
            for (key, text) in order(map, shell.profile.dialect) {
                out.extend_from_slice(separator);
                separator = b" ";
                out.push(b'[');
                match style {
                    DeclarationStyle::Typeset => quote::quote(key, purpose, dialect, utf8, out),
                    _ => quote::key(key, utf8, out),
                }
                out.extend_from_slice(b"]=");
                quote::quote(text, purpose, dialect, utf8, out);
            }
            if style == DeclarationStyle::Declare && !map.is_empty() {
                out.push(b' ');
            }
        }
        _ => {}
    }
    out.push(b')');
}
