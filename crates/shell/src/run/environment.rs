//! What is outside of the script: environment, streams, home directories.

use std::ffi::CString;
use std::rc::Rc;

use fewer::Errno;
use fewer::compact;

use super::value::{Flags, Value};
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::program::Node;
use crate::streams::FULL;

impl Shell {
    /// The environment of children: made anew only when a variable in it has changed.
    pub(crate) fn child_environment(&mut self) -> Rc<[CString]> {
        if let Some(environment) = self.variables.environment.known() {
            return environment;
        }
        let mut list = Vec::new();
        self.each_exported(&mut |pair| list.extend(CString::new(pair).ok()));
        self.variables.environment.keep(list)
    }

    /// Each `NAME=VALUE` of the environment.
    pub(crate) fn each_exported(&self, each: &mut dyn FnMut(&[u8])) {
        let mut pair = Vec::new();
        let slots = self.variables.iter();
        let mut exported: Vec<_> =
            slots.filter(|(_, variable)| variable.flags.has(Flags::EXPORT)).collect();
        if let Some(row) = self.profile.values.variables.exports_in_buckets {
            // It makes these two itself, after those that it was given.
            let late = [self.variables.known.pwd, self.variables.known.oldpwd];
            compact::sort_by_key(&mut exported, |(slot, _)| {
                (row(&self.names.name(*slot)), late.contains(slot))
            });
        }
        for (slot, variable) in exported {
            let Some(value) = self.variables.text_of(slot) else { continue };
            if !matches!(variable.value, Value::Text(_))
                && !self.profile.values.variables.exports_arrays
            {
                continue;
            }
            pair.clear();
            pair.extend_from_slice(&self.names.name(slot));
            pair.push(b'=');
            pair.extend_from_slice(value);
            each(&pair);
        }
        for slot in self.functions.exported() {
            let name = self.names.name(slot);
            let Some(body) = self.functions.body(slot, &name) else { continue };
            each(&[b"BASH_FUNC_", &*name, b"%%=() ", &*body].concat());
        }
        for pair in self.variables.environment.unnamed() {
            each(pair);
        }
    }

    /// Functions that come in the environment, where they do.
    pub(crate) fn import_functions(&mut self) {
        if !self.profile.values.variables.imports_functions {
            return;
        }
        let pairs = self.variables.environment.take_unnamed();
        for pair in pairs {
            if let Some(rest) = pair.strip_prefix(b"BASH_FUNC_")
                && let Some(end) = memchr::memmem::find(rest, b"%%=() {")
                && crate::syntax::is_name(&rest[..end])
            {
                let text = [&rest[..end], b" ", &rest[end + 3..]].concat();
                if self.define_function(&text).is_ok() {
                    let slot = self.slot(&rest[..end]);
                    self.functions.mark(slot, Flags::EXPORT, Flags::default());
                }
                continue;
            }
            self.variables.environment.add_unnamed(pair);
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
        let variable = self.variables.get(slot)?;
        if !variable.flags.has(Flags::EXPORT) {
            return None;
        }
        self.variables.text_of(slot).map(<[u8]>::to_vec)
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
        if self.output.last_writer != builtin
            && let Some(found) =
                crate::dialect::builtin_table::find(builtin.as_bytes(), self.profile.dialect)
        {
            self.output.last_writer = found.name;
        }
        match self.write(number, bytes) {
            Ok(()) => Ok(0),
            Err(errno) => self.cannot_write(builtin, number, errno),
        }
    }

    #[cold]
    pub(crate) fn cannot_write(&mut self, builtin: &str, number: u32, errno: Errno) -> Flow<i32> {
        match errno {
            Errno::PIPE if !self.traps.table.ignores(13) => {
                // As if by the signal.
                self.execution.status = 141;
                self.output.broken_pipe = true;
                return Err(Unwind::Exit);
            }
            FULL => {
                let open = self.streams.get(number);
                self.execution.status = 1;
                return Err(self.full(open.as_ref()));
            }
            _ => {}
        }
        let text = (self.profile.messages.cannot_write)(builtin, &errno.to_string());
        self.complain(text.as_bytes());
        Ok(1)
    }

    /// Writes; an error is not reported, because there is nowhere to report it.
    pub(crate) fn say(&mut self, number: u32, bytes: &[u8]) {
        if self.write(number, bytes) == Err(FULL) {
            let open = self.streams.get(number);
            let _ = self.full(open.as_ref());
        }
    }

    /// `~1`, `~+1`, `~-1`: a place of the stack that `pushd` makes, where there is one.
    fn place_in_stack(&mut self, name: &[u8]) -> Option<Text> {
        let from_end = name.first() == Some(&b'-');
        let digits = name.strip_prefix(b"-").or(name.strip_prefix(b"+")).unwrap_or(name);
        if !self.profile.values.variables.directory_stack || !digits.iter().all(u8::is_ascii_digit)
        {
            return None;
        }
        let at: usize = super::texts::parsed(digits)?;
        let stack = self.directory_stack();
        let at = if from_end { stack.len().checked_sub(at + 1)? } else { at };
        stack.get(at).cloned()
    }

    /// What `~` or `~name` stands for.
    pub(crate) fn home_of(&mut self, name: &[u8]) -> Text {
        let own = |shell: &mut Shell, slot| shell.get(slot).map(Text::from_slice);
        let signs = self.profile.values.variables.tilde_signs;
        let found = match name {
            b"" => own(self, self.variables.known.home).or_else(|| {
                let user = sys::own_user();
                sys::home_directory(Err(user)).map(|home| Text::from_slice(&home))
            }),
            b"+" if signs => own(self, self.variables.known.pwd),
            b"-" if signs => own(self, self.variables.known.oldpwd),
            name if self.place_in_stack(name).is_some() => self.place_in_stack(name),
            name => CString::new(name)
                .ok()
                .and_then(|name| sys::home_directory(Ok(&name)))
                .map(|home| Text::from_slice(&home)),
        };
        found.unwrap_or_else(|| [b"~", name].concat().into())
    }
}
