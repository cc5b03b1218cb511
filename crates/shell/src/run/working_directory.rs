//! The working directory: a scope, and its logical path, which the shell keeps itself.

use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use fewer::path::{join, without_trailing_slashes};
use fewer::{Errno, Scope};

use super::Shell;
use super::texts::as_path;
use super::value::Value;
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::{LostDirectory, LostStart, NoDirectory, OldDirectory, ParentPath};

impl Shell {
    /// Changes to a directory, and sets PWD and OLDPWD.
    ///
    /// Price: `openat`, and `close` when it is left; more for a path with `..` behind a name, and
    /// with `physical`, which asks where it leads.
    pub(crate) fn go_to(&mut self, target: &[u8], physical: bool) -> Result<(), Errno> {
        if self.directory.path.is_empty() && self.profile.files.directories.tells_lost_directory {
            self.say_pathless("chdir", Errno::NOENT);
        }
        let (scope, path) = match physical {
            true => self.physical_way(target)?,
            false => self.way_to(target)?,
        };
        self.directory.scope = scope;
        self.leave_for(&path);
        self.directory.path = path;
        Ok(())
    }

    /// The stack, the working directory first.
    pub(crate) fn directory_stack(&mut self) -> Vec<Text> {
        let here = match self.directory.path.is_empty() {
            true => Text::from_slice(b"<no current directory>"),
            false => self.get(self.variables.known.pwd).map(Text::from_slice).unwrap_or_default(),
        };
        std::iter::once(here).chain(self.directory.stack.iter().rev().cloned()).collect()
    }

    /// Sets OLDPWD and PWD.
    pub(crate) fn leave_for(&mut self, path: &[u8]) {
        let rules = &self.profile.files.directories;
        let old = match rules.old_directory {
            // A `.` would be wherever the next one is.
            OldDirectory::Variable => {
                let unknown = self.directory.path.is_empty();
                self.get(self.variables.known.pwd)
                    .filter(|old| !unknown || *old != b".")
                    .map(Text::from_slice)
            }
            OldDirectory::Known => Some(Text::from_slice(&self.directory.path)),
            OldDirectory::KnownOrDot => Some(self.shown(&self.directory.path)),
        };
        if let Some(old) = old {
            self.set_for_all(self.variables.known.oldpwd, old, rules.exports_old);
        }
        self.set_for_all(self.variables.known.pwd, self.shown(path), rules.exports_new);
    }

    /// The value of PWD for a directory. Where the path is not known it is a `.`, which is true
    /// wherever that is, or empty.
    fn shown(&self, path: &[u8]) -> Text {
        let unknown = path.is_empty() && self.profile.files.directories.lost_is_dot;
        Text::from_slice(if unknown { b"." } else { path })
    }

    fn set_for_all(&mut self, slot: Slot, value: Text, exported: bool) {
        if self.set(slot, value).is_ok() && exported {
            self.variables.export(slot);
        }
    }

    /// `cd -P`
    fn physical_way(&mut self, target: &[u8]) -> Result<(Scope, Rc<[u8]>), Errno> {
        if self.profile.files.directories.physical_takes_names_off {
            // It takes `..` off the names first.
            let (scope, path) = self.way_to(target)?;
            let path = scope.physical().map_or(path, |path| path.as_os_str().as_bytes().into());
            return Ok((scope, path));
        }
        let scope = self.directory.scope.enter(as_path(target)).map_err(|error| error.errno())?;
        let path = self.path_of(&scope, "cd");
        Ok((scope, path))
    }

    fn way_to(&mut self, target: &[u8]) -> Result<(Scope, Rc<[u8]>), Errno> {
        let errno = |error: fewer::Error| error.errno();
        if self.directory.path.is_empty() && !target.starts_with(b"/") {
            return self.way_from_nowhere(target);
        }
        let parent = self.profile.files.directories.parent;
        let path = match parent {
            ParentPath::NamesFromRoot => joined(&joined(b"/", &self.directory.path), target),
            ParentPath::Names | ParentPath::Checked => joined(&self.directory.path, target),
        };
        let whole = match target.starts_with(b"/") {
            true => target.to_vec(),
            false => [&*self.directory.path, b"/", target].concat(),
        };
        let there = match (parent, ups(target)) {
            (ParentPath::NamesFromRoot, Ups::None) => self.directory.scope.enter(as_path(target)),
            // `..` takes the last name off the logical path.
            (_, Ups::None) | (ParentPath::Names | ParentPath::NamesFromRoot, Ups::First) => {
                self.directory.scope.enter(as_path(&path))
            }
            // What a name before a `..` is has to be looked at, or even the directory itself.
            (ParentPath::Checked, Ups::First) | (_, Ups::Behind) => {
                self.directory.scope.enter_logical(as_path(&whole))
            }
        };
        match there {
            Ok(scope) => Ok((scope, path.into())),
            Err(error)
                if self.profile.files.directories.tries_physical && !self.options.posix() =>
            {
                // The path does not lead here any more, or leads through what is not open to us.
                let Ok(scope) = self.directory.scope.enter(as_path(target)) else {
                    return Err(errno(error));
                };
                let path = self.path_of(&scope, "cd");
                Ok((scope, path))
            }
            Err(error) => Err(errno(error)),
        }
    }

    /// From a directory whose path is not known: only the kernel can tell where its `..` leads.
    fn way_from_nowhere(&mut self, target: &[u8]) -> Result<(Scope, Rc<[u8]>), Errno> {
        let errno = |error: fewer::Error| error.errno();
        let scope = self.directory.scope.enter(as_path(target)).map_err(errno)?;
        let path = match (self.profile.files.directories.from_lost, scope.physical()) {
            (_, Ok(path)) => path.as_os_str().as_bytes().into(),
            (LostDirectory::Silent, Err(_)) => Rc::from([]),
            (LostDirectory::Told, Err(error)) => {
                self.say_pathless("cd", error.errno());
                Rc::from([])
            }
            (LostDirectory::Error, Err(error)) => return Err(error.errno()),
        };
        Ok((scope, path))
    }

    /// What the kernel says; if it knows no path, a message, and nothing.
    fn path_of(&mut self, scope: &Scope, command: &str) -> Rc<[u8]> {
        match scope.physical() {
            Ok(path) => path.as_os_str().as_bytes().into(),
            Err(error) => {
                self.say_pathless(command, error.errno());
                Rc::from([])
            }
        }
    }

    /// What is said of a directory that has no path.
    pub(crate) fn say_pathless(&mut self, command: &str, errno: Errno) {
        let why = errno.to_string();
        let text = match self.profile.messages.no_directory {
            NoDirectory::Bare => format!(
                "{command}: error retrieving current directory: getcwd: cannot access parent \
                 directories: {why}\n"
            ),
            NoDirectory::Placed => {
                return self.complain(format!("{command}: getcwd() failed: {why}").as_bytes());
            }
        };
        self.say(2, text.as_bytes());
    }

    /// PWD, if it is right, or what the kernel says. Where that knows no path none is made up.
    pub(crate) fn find_own_directory(&mut self) {
        let path: Rc<[u8]> = match self.directory.scope.logical() {
            Ok(path) => path.as_os_str().as_bytes().into(),
            Err(error) => {
                let path = self.last_known_path();
                let at_start = self.profile.files.directories.at_start;
                match at_start {
                    // It does not know its own name yet.
                    LostStart::ToldUnnamed => {
                        let text = format!("sh: 0: getcwd() failed: {}\n", error.errno());
                        self.say(2, text.as_bytes());
                    }
                    LostStart::Told => self.say_pathless("shell-init", error.errno()),
                    LostStart::Believed => self.directory.path = path.clone(),
                }
                if at_start != LostStart::ToldUnnamed {
                    let shown = self.shown(&path);
                    let pwd = self.variables.known.pwd;
                    self.variables[pwd].value = Value::Text(shown);
                    return;
                }
                Rc::from([])
            }
        };
        let pwd = self.variables.known.pwd;
        self.variables[pwd].value = Value::Text(Text::from_slice(&path));
        self.variables.export(pwd);
        self.directory.path = match self.profile.files.directories.starts_with_tidy_path {
            true => joined(b"/", &path).into(),
            false => path,
        };
    }

    /// PWD, if it may have been the path of this directory, which is gone: if what it says is above
    /// it is. Empty if not.
    ///
    /// Price: two `statx`.
    fn last_known_path(&mut self) -> Rc<[u8]> {
        let path = self.get(self.variables.known.pwd).unwrap_or_default().to_vec();
        let identity = |path: &[u8]| {
            let stat =
                self.directory.scope.stat_target(as_path(path), fewer::Fields::INODE).ok()?;
            Some((stat.device(), stat.inode()))
        };
        let above = path.iter().rposition(|byte| *byte == b'/').map(|at| &path[..at.max(1)]);
        let plain = path.starts_with(b"/") && joined(b"/", &path) == path;
        match above.filter(|_| plain).and_then(identity) {
            Some(above) if Some(above) == identity(b"..") => path.into(),
            _ => Rc::from([]),
        }
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

/// A path as seen from an absolute one, without `.`, `..` and empty names. The base stays as it is,
/// but for slashes at its end.
fn joined(base: &[u8], path: &[u8]) -> Vec<u8> {
    let mut out = join(without_trailing_slashes(base).to_vec(), path);
    // Two slashes at the beginning, and no more, stay two.
    if path.starts_with(b"//") && !path.starts_with(b"///") {
        out.insert(0, b'/');
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
        assert_eq!(of("/a/b//", ".."), "/a");
        assert_eq!(of("//", "c"), "/c");
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
