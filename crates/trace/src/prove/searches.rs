//! Which folders of a search path of the environment are never used.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustc_hash::FxHashMap;

use crate::watch::EventSink;
use crate::{Event, PathId, Registry};

/// The variables that are lists of folders, between colons.
const VARIABLES: [&str; 11] = [
    "PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "RUBYLIB", "NODE_PATH", "GOPATH",
    "CLASSPATH", "MANPATH", "XDG_DATA_DIRS", "GUILE_LOAD_PATH",
];

/// A folder of a variable.
#[derive(Debug)]
struct Folder {
    variable: usize,
    path: Vec<u8>,
    found: u64,
    missed: u64,
}

/// An event sink that counts, for each folder, what was found and not found there.
#[derive(Debug)]
pub(super) struct Searches {
    folders: Vec<Folder>,
    known: FxHashMap<PathId, Option<usize>>,
}

impl Default for Searches {
    fn default() -> Searches {
        let folders = VARIABLES.iter().enumerate().flat_map(|(variable, name)| {
            let value = std::env::var_os(name).unwrap_or_default().into_vec();
            let parts: Vec<Vec<u8>> =
                value.split(|byte| *byte == b':').map(<[u8]>::to_vec).collect();
            parts.into_iter().map(move |path| Folder { variable, path, found: 0, missed: 0 })
        });
        Searches { folders: folders.collect(), known: FxHashMap::default() }
    }
}

impl EventSink for Searches {
    fn event(&mut self, event: &Event, registry: &Registry) {
        let Event::Call(call) = event else { return };
        let folders = &mut self.folders;
        let folder = *self.known.entry(call.file).or_insert_with(|| {
            let path = registry.path(call.file);
            let lies_in = |folder: &Folder| {
                let rest = path.strip_prefix(&*folder.path);
                folder.path.starts_with(b"/") && rest.is_some_and(|rest| rest.starts_with(b"/"))
            };
            let all = folders.iter().enumerate().filter(|(_, folder)| lies_in(folder));
            all.max_by_key(|(_, folder)| folder.path.len()).map(|(at, _)| at)
        });
        let Some(folder) = folder.and_then(|at| folders.get_mut(at)) else { return };
        match call.succeeded() {
            true => folder.found += 1,
            false => folder.missed += 1,
        }
    }
}

impl Searches {
    /// For each variable with folders where something was looked for and nothing was found: its
    /// value without these.
    #[must_use]
    pub(super) fn shorter(&self) -> Vec<(OsString, Option<OsString>)> {
        let mut out = Vec::new();
        for (variable, name) in VARIABLES.iter().enumerate() {
            let all: Vec<&Folder> =
                self.folders.iter().filter(|folder| folder.variable == variable).collect();
            let used: Vec<&[u8]> = all
                .iter()
                .filter(|folder| folder.missed == 0 || folder.found > 0)
                .map(|folder| &*folder.path)
                .collect();
            if used.len() < all.len() {
                let value = OsStr::from_bytes(&used.join(&b':')).to_owned();
                out.push((name.into(), Some(value).filter(|value| !value.is_empty())));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Text};

    #[test]
    fn places_where_nothing_is_found_are_left_out() {
        let folder = |path: &str| Folder { variable: 0, path: path.into(), found: 0, missed: 0 };
        let folders = ["/a", "/b", "/b/c", "/never"].map(folder).into();
        let mut searches = Searches { folders, known: FxHashMap::default() };
        let mut registry = Registry::default();
        for (id, path, result) in
            [(1, "/a/x", -2), (2, "/b/x", -2), (3, "/b/c/x", 0), (4, "/b/x/y", -2), (5, "/ab", 0)]
        {
            registry.take(&Event::Path { id: PathId(id), path: Text::from(path) });
            let call = Call { file: PathId(id), result, ..Call::default() };
            searches.event(&Event::Call(call), &registry);
        }
        // Nothing was looked for in the last one, so nothing is known of it.
        assert_eq!(searches.shorter(), [("PATH".into(), Some("/b/c:/never".into()))]);
    }
}
