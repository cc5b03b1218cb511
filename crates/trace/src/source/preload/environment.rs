//! The environment that a call of `execve` hands over: read from the calling process, and put there
//! anew with a variable changed.

use crate::source::memory;
use crate::source::ptrace::Pid;

/// A list of more texts than this is left alone.
const MOST: usize = 1 << 14;

/// Below the stack pointer a function may use so much without saying so (the red zone).
const RED_ZONE: u64 = 128;

/// The variables of an environment: where each lies, and its text.
pub(super) struct Environment {
    variables: Vec<(u64, Vec<u8>)>,
}

/// The texts of a list of pointers that ends with a null pointer.
pub(super) fn texts(process: Pid, list: u64) -> Option<Vec<Vec<u8>>> {
    Some(pointed(process, list)?.into_iter().map(|(_, text)| text).collect())
}

fn pointed(process: Pid, list: u64) -> Option<Vec<(u64, Vec<u8>)>> {
    let mut block = Vec::new();
    let mut found = Vec::new();
    if list == 0 {
        return Some(found);
    }
    while found.len() < MOST {
        let place = list.checked_add(8 * found.len() as u64)?;
        let pointer = u64::from_ne_bytes(memory::array(process, place)?);
        if pointer == 0 {
            return Some(found);
        }
        // A text that is longer than any path is of no interest here.
        let text = memory::text(process, pointer, &mut block).unwrap_or_default().to_vec();
        found.push((pointer, text));
    }
    None
}

impl Environment {
    /// Reads it. `None` if it cannot be read.
    pub(super) fn read(process: Pid, list: u64) -> Option<Environment> {
        Some(Environment { variables: pointed(process, list)? })
    }

    /// The value of a variable.
    pub(super) fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let mut texts = self.variables.iter().map(|(_, text)| text.as_slice());
        texts.find_map(|text| text.strip_prefix(name)?.strip_prefix(b"="))
    }

    /// Writes a list with a variable as it is to be below the stack of a process that waits in
    /// `execve`: nothing is there that is still needed. The address of the list.
    pub(super) fn with(&self, process: Pid, name: &[u8], variable: &[u8], sp: u64) -> Option<u64> {
        let is_it = |text: &[u8]| text.strip_prefix(name).is_some_and(|it| it.starts_with(b"="));
        let others = self.variables.iter().filter(|(_, text)| !is_it(text));
        let mut pointers: Vec<u64> = others.map(|(pointer, _)| *pointer).collect();
        let length = (variable.len() as u64 + 8) & !7;
        let text = (sp.checked_sub(RED_ZONE + length)?) & !15;
        pointers.extend([text, 0]);
        let list = text.checked_sub(8 * pointers.len() as u64)? & !15;
        let mut bytes: Vec<u8> = pointers.iter().flat_map(|it| it.to_ne_bytes()).collect();
        bytes.resize(usize::try_from(text - list).ok()?, 0);
        bytes.extend_from_slice(variable);
        bytes.push(0);
        memory::write(process, list, &bytes).ok()?;
        Some(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_added_or_replaced() {
        let this = std::process::id().cast_signed();
        let texts_of = |all: &[&std::ffi::CStr], variable: &[u8]| {
            let mut list: Vec<u64> = all.iter().map(|text| text.as_ptr() as u64).collect();
            list.push(0);
            let environment = Environment::read(this, list.as_ptr() as u64).unwrap();
            let stack = vec![0u8; 4096];
            let sp = stack.as_ptr() as u64 + 4096;
            let list = environment.with(this, b"X", variable, sp).unwrap();
            assert!(list >= stack.as_ptr() as u64 && list.is_multiple_of(8));
            let texts = texts(this, list).unwrap();
            texts.into_iter().map(|text| String::from_utf8(text).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(texts_of(&[c"A=1", c"XY=2"], b"X=new"), ["A=1", "XY=2", "X=new"]);
        assert_eq!(texts_of(&[c"A=1", c"X=2", c"B="], b"X=new 2"), ["A=1", "B=", "X=new 2"]);
        assert_eq!(texts_of(&[], b"X="), ["X="]);
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let this = std::process::id().cast_signed();
        assert!(Environment::read(this, 8).is_none());
        let empty = Environment::read(this, 0).unwrap();
        assert_eq!(empty.value(b"X"), None);
        assert_eq!(empty.with(this, b"X", b"X=1", 64), None);
        assert_eq!(empty.with(this, b"X", b"X=1", 4096), None);
    }
}
