//! What is outside of the script: environment, streams, home directories.

use std::ffi::CString;
use std::rc::Rc;

use fewer::Errno;

use super::messages::reason;
use super::value::{Flags, Value};
use super::{Flow, Shell, Unwind};
use crate::arithmetic::Slot;
use crate::program::Node;
use crate::streams::FULL;
use crate::{Dialect, Text};

impl Shell {
    /// The environment of children: made anew only when a variable in it has changed.
    pub(crate) fn child_environment(&mut self) -> Rc<[CString]> {
        if let Some(environment) = &self.environment {
            return environment.clone();
        }
        let mut list = Vec::new();
        self.each_exported(&mut |pair| list.extend(CString::new(pair).ok()));
        let environment: Rc<[CString]> = list.into();
        self.environment = Some(environment.clone());
        environment
    }

    /// Each `NAME=VALUE` of the environment.
    pub(crate) fn each_exported(&self, each: &mut dyn FnMut(&[u8])) {
        let mut pair = Vec::new();
        let slots = (0..).map(Slot).zip(&self.variables);
        let mut exported: Vec<_> =
            slots.filter(|(_, variable)| variable.flags.has(Flags::EXPORT)).collect();
        if self.dialect == Dialect::Posix {
            // It makes these two itself, after those that it was given.
            let late = [self.own.pwd, self.own.oldpwd];
            let row = |slot: Slot| super::texts::dash_bucket(&self.names.name(slot), 39);
            exported.sort_by_cached_key(|(slot, _)| (row(*slot), late.contains(slot)));
        }
        for (slot, variable) in exported {
            let Some(value) = self.text_of(slot) else { continue };
            if !matches!(variable.value, Value::Text(_)) && self.dialect == Dialect::Bash {
                continue; // arrays are not exported
            }
            pair.clear();
            pair.extend_from_slice(&self.names.name(slot));
            pair.push(b'=');
            pair.extend_from_slice(value);
            each(&pair);
        }
        for slot in &*self.exported_functions {
            let Some(body) = self.function_body(*slot) else { continue };
            let name = self.names.name(*slot);
            each(&[b"BASH_FUNC_", &*name, b"%%=() ", &*body].concat());
        }
        for pair in &self.strange_environment {
            each(pair);
        }
    }

    /// The body of a function as children read it, in braces.
    fn function_body(&self, slot: Slot) -> Option<Vec<u8>> {
        let function = self.functions.get(slot.0 as usize)?.as_ref()?;
        let name = self.names.name(slot);
        let mut text = function.source.source.trim_ascii_start();
        if function.keyword {
            text = text.strip_prefix(b"function")?.trim_ascii_start();
        }
        text = text.strip_prefix(&*name)?.trim_ascii_start();
        if let Some(rest) = text.strip_prefix(b"(")
            && let Some(rest) = rest.trim_ascii_start().strip_prefix(b")")
        {
            text = rest.trim_ascii_start();
        }
        match text.starts_with(b"{") {
            true => Some(text.to_vec()),
            false => Some([b"{ ", text, b"\n}"].concat()),
        }
    }

    /// bash: functions that come in the environment.
    pub(crate) fn import_functions(&mut self) {
        if self.dialect != Dialect::Bash {
            return;
        }
        let pairs = std::mem::take(&mut self.strange_environment);
        for pair in pairs {
            if let Some(rest) = pair.strip_prefix(b"BASH_FUNC_")
                && let Some(end) = memchr::memmem::find(rest, b"%%=() {")
                && crate::syntax::is_name(&rest[..end])
            {
                let text = [&rest[..end], b" ", &rest[end + 3..]].concat();
                if self.define_function(&text).is_ok() {
                    let slot = self.slot(&rest[..end]);
                    Rc::make_mut(&mut self.exported_functions).insert(slot);
                }
                continue;
            }
            self.strange_environment.push(pair);
        }
    }

    /// Runs a text that is one definition and nothing else.
    fn define_function(&mut self, text: &[u8]) -> Flow {
        let lowered = self.lower(text)?;
        match &*lowered.block.nodes {
            [Node::Define(function)] => self.define(function),
            _ => Ok(()),
        }
    }

    /// The value of an exported variable.
    pub(crate) fn environment_value(&self, name: &[u8]) -> Option<Vec<u8>> {
        let slot = self.names.find(name)?;
        let variable = self.variables.get(slot.0 as usize)?;
        if !variable.flags.has(Flags::EXPORT) {
            return None;
        }
        self.text_of(slot).map(<[u8]>::to_vec)
    }

    /// Writes to one of the script's descriptors; an error ends or fails the command.
    pub(crate) fn write(&mut self, number: u32, bytes: &[u8]) -> Result<(), Errno> {
        match self.streams.get(number) {
            Some(open) => open.write(bytes),
            None => Err(Errno::BADF),
        }
    }

    /// Writes what a builtin has to say, and gives its status.
    pub(crate) fn print(&mut self, builtin: &str, bytes: &[u8]) -> Flow<i32> {
        self.print_to(builtin, 1, bytes)
    }

    pub(crate) fn print_to(&mut self, builtin: &str, number: u32, bytes: &[u8]) -> Flow<i32> {
        if self.wrote != builtin
            && let Some(found) = crate::builtins::find(builtin.as_bytes(), self.dialect)
        {
            self.wrote = found.name;
        }
        match self.write(number, bytes) {
            Ok(()) => Ok(0),
            Err(errno) => self.cannot_write(builtin, number, errno),
        }
    }

    #[cold]
    pub(crate) fn cannot_write(&mut self, builtin: &str, number: u32, errno: Errno) -> Flow<i32> {
        match errno {
            Errno::PIPE if !self.traps.ignores(13) => {
                // As if by the signal.
                self.status = 141;
                self.broken_pipe = true;
                return Err(Unwind::Exit);
            }
            FULL => {
                let open = self.streams.get(number);
                self.status = 1;
                return Err(self.full(open.as_ref()));
            }
            _ => {}
        }
        let reason = reason(errno);
        let text = match self.dialect {
            Dialect::Posix => format!("{builtin}: I/O error"),
            Dialect::Bash => format!("{builtin}: write error: {reason}"),
            Dialect::Ksh => format!("{builtin}: write to 1 failed [{reason}]"),
        };
        self.complain(text.as_bytes());
        Ok(1)
    }

    /// Writes where nobody can be told if it fails.
    pub(crate) fn say(&mut self, number: u32, bytes: &[u8]) {
        if self.write(number, bytes) == Err(FULL) {
            let open = self.streams.get(number);
            let _ = self.full(open.as_ref());
        }
    }

    /// bash: `~1`, `~+1`, `~-1`, a place of the stack that `pushd` makes.
    fn place_in_stack(&mut self, name: &[u8]) -> Option<Text> {
        let from_end = name.first() == Some(&b'-');
        let digits = name.strip_prefix(b"-").or(name.strip_prefix(b"+")).unwrap_or(name);
        if self.dialect != Dialect::Bash || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let at: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let stack = self.directory_stack();
        let at = if from_end { stack.len().checked_sub(at + 1)? } else { at };
        stack.get(at).cloned()
    }

    /// What `~` or `~name` stands for.
    pub(crate) fn home_of(&mut self, name: &[u8]) -> Text {
        let own = |shell: &mut Shell, slot| shell.get(slot).map(Text::from_slice);
        let found = match name {
            b"" => own(self, self.own.home).or_else(|| {
                let user = sys::own_user();
                sys::home_directory(Err(user)).map(|home| Text::from_slice(&home))
            }),
            b"+" if self.dialect != Dialect::Posix => own(self, self.own.pwd),
            b"-" if self.dialect != Dialect::Posix => own(self, self.own.oldpwd),
            name if self.place_in_stack(name).is_some() => self.place_in_stack(name),
            name => CString::new(name)
                .ok()
                .and_then(|name| sys::home_directory(Ok(&name)))
                .map(|home| Text::from_slice(&home)),
        };
        found.unwrap_or_else(|| [b"~", name].concat().into())
    }
}
