//! Programs: where they were found, and which of them are done here.

use std::collections::HashMap;
use std::rc::Rc;

use coreutils::Tool;
use fewer::{Fields, Kind, Scope};

use crate::Text;
use crate::run::texts::as_path;

/// Where a command's name was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: Text,
    /// The tool that is done here, if that is the system's own.
    pub(crate) tool: Option<&'static Tool>,
    /// How often it was called.
    pub(crate) hits: std::cell::Cell<u32>,
}

/// Where the system keeps its own tools.
const STANDARD: [&[u8]; 2] = [b"/usr/bin", b"/bin"];

/// Where programs were found, until PATH changes.
#[derive(Debug)]
pub(crate) struct Programs {
    found: HashMap<Box<[u8]>, Rc<Found>>,
    /// Whether standard tools are done here where that is possible.
    does_tools: bool,
}

impl Default for Programs {
    fn default() -> Programs {
        Programs { found: HashMap::new(), does_tools: true }
    }
}

impl Programs {
    /// Where a program was found before.
    pub(crate) fn known(&self, name: &[u8]) -> Option<&Rc<Found>> {
        self.found.get(name)
    }

    /// All that were found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &Rc<Found>)> {
        self.found.iter().map(|(name, found)| (&**name, found))
    }

    /// Keeps where a program was found. Gives what was known before.
    pub(crate) fn keep(&mut self, name: &[u8], found: Rc<Found>) -> Option<Rc<Found>> {
        self.found.insert(name.into(), found)
    }

    /// Forgets one; false if it was not known.
    pub(crate) fn forget(&mut self, name: &[u8]) -> bool {
        self.found.remove(name).is_some()
    }

    pub(crate) fn forget_all(&mut self) {
        self.found.clear();
    }

    /// Whether standard tools are done here from now on; what was found said so.
    pub(crate) fn do_tools(&mut self, does_tools: bool) {
        self.does_tools = does_tools;
        self.found.clear();
    }

    /// The program of that name where the system keeps its own, for `command -p`.
    pub(crate) fn find_standard(&self, scope: &Scope, name: &[u8]) -> Option<Rc<Found>> {
        if name.contains(&b'/') {
            return None;
        }
        self.find_in(scope, b"/usr/bin:/bin:/usr/sbin:/sbin", name).map(Rc::new)
    }

    /// A tool that is called by its full path: `/usr/bin/sed`, as `configure` does.
    pub(crate) fn standard_at(
        &self,
        scope: &Scope,
        directory: &[u8],
        name: &[u8],
    ) -> Option<Found> {
        if !STANDARD.contains(&directory) || coreutils::find(name).is_none() {
            return None;
        }
        self.find_in(scope, directory, name)
    }

    /// The program of that name in one of these directories.
    ///
    /// Price: one `statx` for each directory up to the one that has it.
    pub(crate) fn find_in(&self, scope: &Scope, path: &[u8], name: &[u8]) -> Option<Found> {
        let mut denied = None;
        for candidate in fewer::path::program_paths(name, path) {
            let candidate = Text::from_vec(candidate);
            let wanted = Fields::KIND | Fields::PERMISSIONS;
            let Ok(stat) = scope.stat_target(as_path(&candidate), wanted) else {
                continue;
            };
            if stat.kind() != Kind::File {
                continue;
            }
            if stat.permissions() & 0o111 == 0 {
                denied.get_or_insert(candidate);
                continue;
            }
            let tool = self.tool_at(scope, name, &candidate);
            return Some(Found { path: candidate, tool, hits: Default::default() });
        }
        denied.map(|path| Found { path, tool: None, hits: Default::default() })
    }

    /// The tool, if what was found is the system's standard one: not another box of tools under its
    /// name.
    fn tool_at(&self, scope: &Scope, name: &[u8], path: &[u8]) -> Option<&'static Tool> {
        let directory = memchr::memrchr(b'/', path).map(|slash| &path[..slash]);
        if !self.does_tools || !directory.is_some_and(|it| STANDARD.contains(&it)) {
            return None;
        }
        let tool = coreutils::find(name)?;
        match scope.read_link(as_path(path)) {
            Ok(_) => None,
            Err(_) => Some(tool),
        }
    }
}
