//! The names that were listed, level by level: what to expect in a folder that was not.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;

use crate::alphabet::Alphabet;

/// So many levels of folders are told apart; below a bucket there are seldom more.
const MOST_LEVELS: usize = 1024;

/// Of more names in a level every second is forgotten.
const MOST_NAMES: usize = 256;

/// Names by the first name of their key and their level: where names of files are hexadecimal,
/// those of the folders above are none of it.
#[derive(Debug, Default)]
pub(crate) struct Names {
    levels: HashMap<(Vec<u8>, usize), Level>,
}

#[derive(Debug, Default)]
struct Level {
    names: BTreeSet<Vec<u8>>,
    characters: BTreeSet<char>,
    /// The folder that a name was in, and whether another was in another one.
    folder: Vec<u8>,
    has_several_folders: bool,
}

impl Names {
    /// Adds the names in a key.
    pub(crate) fn observe(&mut self, key: &[u8]) {
        let mut start = 0;
        for (level, name) in key.split(|&byte| byte == b'/').enumerate() {
            let at = (family(key, level).to_owned(), level);
            if self.levels.len() < MOST_LEVELS || self.levels.contains_key(&at) {
                self.levels.entry(at).or_default().add(&key[..start], name);
            }
            start += name.len() + 1;
        }
    }

    /// The characters of names at a position in a key; a slash is among them if one is there.
    pub(crate) fn alphabet(&self, key: &[u8], from: usize) -> Alphabet {
        let is_slash = key.get(from) == Some(&b'/');
        let level = self.level(key, from + usize::from(is_slash));
        let mut found = level.map(|level| level.characters.clone()).unwrap_or_default();
        if is_slash {
            found.insert('/');
        }
        Alphabet::new(found)
    }

    /// The names to expect in the folder that a position in a key is in, between two names: those
    /// of other folders at this level. `None` if there was no other.
    pub(crate) fn expected<'n>(
        &'n self,
        key: &[u8],
        from: usize,
        after: &'n [u8],
        before: Option<&'n [u8]>,
    ) -> Option<Vec<&'n [u8]>> {
        let level = self.level(key, from).filter(|level| level.has_several_folders)?;
        let names = level.names.range::<[u8], _>((Bound::Excluded(after), Bound::Unbounded));
        let names = names.map(Vec::as_slice);
        let names = names.take_while(|&name| before.is_none_or(|before| name < before));
        Some(names.collect())
    }

    fn level(&self, key: &[u8], from: usize) -> Option<&Level> {
        let above = key.get(..from).unwrap_or(key);
        let level = above.iter().filter(|&&byte| byte == b'/').count();
        self.levels.get(&(family(key, level).to_owned(), level))
    }
}

/// The first name of a key; none for the first names themselves.
fn family(key: &[u8], level: usize) -> &[u8] {
    if level == 0 { &[] } else { key.split(|&byte| byte == b'/').next().unwrap_or_default() }
}

impl Level {
    fn add(&mut self, folder: &[u8], name: &[u8]) {
        if self.names.is_empty() {
            self.folder = folder.to_owned();
        }
        self.has_several_folders |= self.folder != folder;
        if self.names.contains(name) {
            return;
        }
        self.names.insert(name.to_owned());
        self.characters.extend(String::from_utf8_lossy(name).chars());
        if self.names.len() > MOST_NAMES {
            let mut keep = false;
            self.names.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["users/0a/x.jpg", "users/0a/z", "users/c1/y.png", "logs/2024"];

    fn names(keys: &[&str]) -> Names {
        let mut names = Names::default();
        keys.iter().for_each(|key| names.observe(key.as_bytes()));
        names
    }

    fn characters(key: &str, from: usize) -> String {
        let alphabet = names(&KEYS).alphabet(key.as_bytes(), from);
        let all = (1..alphabet.base()).collect();
        alphabet.characters(&all).into_iter().collect()
    }

    #[test]
    fn characters_are_those_of_names_at_their_level() {
        assert_eq!(characters("users/0a/x.jpg", 6), "01ac");
        assert_eq!(characters("users/0a/x.jpg", 5), "/01ac");
        assert_eq!(characters("users/0a/x.jpg", 0), "eglorsu");
        assert_eq!(characters("logs/2023/x", 7), "024");
        assert_eq!(characters("b/c", 7), "");
    }

    #[test]
    fn names_of_other_folders_are_expected_in_one() {
        let names = names(&KEYS);
        let expected = |key: &str, from, after: &'static str, before: Option<&'static str>| {
            let found =
                names.expected(key.as_bytes(), from, after.as_bytes(), before.map(str::as_bytes));
            found.map(|found| {
                found
                    .iter()
                    .map(|name| String::from_utf8_lossy(name).into_owned())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(expected("users/d7/", 9, "x", None).unwrap(), ["x.jpg", "y.png", "z"]);
        assert_eq!(expected("users/d7/", 9, "x.jpg", Some("z")).unwrap(), ["y.png"]);
        assert_eq!(expected("users/d7/", 9, "zz", None).unwrap(), [""; 0]);
        assert_eq!(expected("users/", 6, "", None), None);
    }
}
