//! Which places of a search path of the environment are never used.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustc_hash::FxHashMap;

use crate::watch::EventSink;
use crate::{Event, PathId, Registry};

/// The variables that are lists of places, between colons.
const VARIABLES: [&str; 11] = [
    "PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "RUBYLIB", "NODE_PATH", "GOPATH",
    "CLASSPATH", "MANPATH", "XDG_DATA_DIRS", "GUILE_LOAD_PATH",
];

/// A place of a variable.
#[derive(Debug)]
struct Place {
    variable: usize,
    path: Vec<u8>,
    found: u64,
    missed: u64,
}

/// An event sink that counts, for each place, what was found and not found there.
#[derive(Debug)]
pub struct Searches {
    places: Vec<Place>,
    known: FxHashMap<PathId, Option<usize>>,
}

impl Default for Searches {
    fn default() -> Searches {
        let places = VARIABLES.iter().enumerate().flat_map(|(variable, name)| {
            let value = std::env::var_os(name).unwrap_or_default().into_vec();
            let parts: Vec<Vec<u8>> =
                value.split(|byte| *byte == b':').map(<[u8]>::to_vec).collect();
            parts.into_iter().map(move |path| Place { variable, path, found: 0, missed: 0 })
        });
        Searches { places: places.collect(), known: FxHashMap::default() }
    }
}

impl EventSink for Searches {
    fn event(&mut self, event: &Event, registry: &Registry) {
        let Event::Call(call) = event else { return };
        let places = &mut self.places;
        let place = *self.known.entry(call.file).or_insert_with(|| {
            let path = registry.path(call.file);
            let lies_in = |place: &Place| {
                let rest = path.strip_prefix(&*place.path);
                place.path.starts_with(b"/") && rest.is_some_and(|rest| rest.starts_with(b"/"))
            };
            let all = places.iter().enumerate().filter(|(_, place)| lies_in(place));
            all.max_by_key(|(_, place)| place.path.len()).map(|(at, _)| at)
        });
        let Some(place) = place.and_then(|at| places.get_mut(at)) else { return };
        match call.succeeded() {
            true => place.found += 1,
            false => place.missed += 1,
        }
    }
}

impl Searches {
    /// For each variable with places where something was looked for and nothing was found: its
    /// value without these.
    #[must_use]
    pub fn shorter(&self) -> Vec<(OsString, Option<OsString>)> {
        let mut out = Vec::new();
        for (variable, name) in VARIABLES.iter().enumerate() {
            let all: Vec<&Place> =
                self.places.iter().filter(|place| place.variable == variable).collect();
            let used: Vec<&[u8]> = all
                .iter()
                .filter(|place| place.missed == 0 || place.found > 0)
                .map(|place| &*place.path)
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
        let place = |path: &str| Place { variable: 0, path: path.into(), found: 0, missed: 0 };
        let places = ["/a", "/b", "/b/c", "/never"].map(place).into();
        let mut searches = Searches { places, known: FxHashMap::default() };
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
