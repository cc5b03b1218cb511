//! The working directory: a scope, and its logical path, which the shell keeps itself.

use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use fewer::{Errno, Scope};

use super::Shell;
use super::external::as_path;
use super::value::{Flags, Value};
use crate::arithmetic::Slot;
use crate::{Dialect, Text};

impl Shell {
    /// Changes to a directory, and sets PWD and OLDPWD.
    ///
    /// Price: `openat`, and `close` when it is left; more for a path with `..` behind a name, and
    /// with
    /// `physical`, which asks where it leads.
    pub(crate) fn go_to(&mut self, target: &[u8], physical: bool) -> Result<(), Errno> {
        let (scope, path) = self.way_to(target, physical)?;
        self.scope = scope;
        self.leave_for(Text::from_slice(&path));
        self.here = path;
        Ok(())
    }

    /// Sets OLDPWD and PWD; bash believes the script what PWD was.
    pub(crate) fn leave_for(&mut self, path: Text) {
        let old = match self.dialect {
            Dialect::Bash => self.get(self.own.pwd).map(Text::from_slice),
            Dialect::Posix | Dialect::Ksh => Some(Text::from_slice(&self.here)),
        };
        if let Some(old) = old {
            self.set_for_all(self.own.oldpwd, old, self.dialect != Dialect::Ksh);
        }
        self.set_for_all(self.own.pwd, path, self.dialect == Dialect::Posix);
    }

    fn set_for_all(&mut self, slot: Slot, value: Text, exported: bool) {
        if self.set(slot, value).is_ok() && exported {
            let variable = &mut self.variables[slot.0 as usize];
            variable.flags = variable.flags.with(Flags::EXPORT);
            self.environment = None;
        }
    }

    fn way_to(&self, target: &[u8], physical: bool) -> Result<(Scope, Rc<[u8]>), Errno> {
        let errno = |error: fewer::Error| error.errno();
        if physical {
            let scope = match self.dialect {
                // It takes `..` off the names first.
                Dialect::Ksh => self.way_to(target, false)?.0,
                _ => self.scope.enter(as_path(target)).map_err(errno)?,
            };
            let path = scope.physical().map_err(errno)?;
            return Ok((scope, path.as_os_str().as_bytes().into()));
        }
        let path = joined(&self.here, target);
        let scope = match ups(target) {
            Ups::None => self.scope.enter(as_path(target)),
            // `..` takes the last name off the logical path.
            Ups::First => self.scope.enter(as_path(&path)),
            // What a name before a `..` is has to be looked at.
            Ups::Behind => self.scope.enter_logical(as_path(target)),
        };
        Ok((scope.map_err(errno)?, path.into()))
    }

    /// PWD, if it is right, or what the kernel says.
    pub(crate) fn find_own_directory(&mut self) {
        let Ok(path) = self.scope.logical() else { return };
        let path = path.as_os_str().as_bytes();
        self.here = path.into();
        let variable = &mut self.variables[self.own.pwd.0 as usize];
        variable.value = Value::Text(Text::from_slice(path));
        variable.flags = variable.flags.with(Flags::EXPORT);
        self.environment = None;
    }
}

/// Where the `..` of a path are.
#[derive(Debug, PartialEq, Eq)]
enum Ups {
    None,
    /// Before all names, of a relative path.
    First,
    Behind,
}

fn ups(path: &[u8]) -> Ups {
    let mut answer = Ups::None;
    let mut named = path.starts_with(b"/");
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." if named => return Ups::Behind,
            b".." => answer = Ups::First,
            _ => named = true,
        }
    }
    answer
}

/// A path as seen from an absolute one, without `.`, `..` and empty names.
fn joined(base: &[u8], path: &[u8]) -> Vec<u8> {
    let mut out = if path.starts_with(b"/") { Vec::new() } else { base.to_vec() };
    if out == b"/" {
        out.clear();
    }
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => out.truncate(out.iter().rposition(|byte| *byte == b'/').unwrap_or(0)),
            name => {
                out.push(b'/');
                out.extend_from_slice(name);
            }
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_another() {
        let of = |base: &str, path: &str| {
            String::from_utf8(joined(base.as_bytes(), path.as_bytes())).unwrap()
        };
        assert_eq!(of("/a/b", "c"), "/a/b/c");
        assert_eq!(of("/a/b", "../c/./d//"), "/a/c/d");
        assert_eq!(of("/a/b", "../../.."), "/");
        assert_eq!(of("/", "x"), "/x");
        assert_eq!(of("/a", "/"), "/");
    }

    #[test]
    fn ups_are_before_or_behind_names() {
        assert_eq!(ups(b"a/b"), Ups::None);
        assert_eq!(ups(b"../../a"), Ups::First);
        assert_eq!(ups(b"./.."), Ups::First);
        assert_eq!(ups(b"a/.."), Ups::Behind);
        assert_eq!(ups(b"/.."), Ups::Behind);
    }
}
