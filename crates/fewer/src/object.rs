//! Entries that are no files of this machine: objects in a store, as filters, templates and
//! printers take them.

use sys::{Fields, Kind, Stat, Time};

use crate::entry::{Entry, Name};
use crate::error::Error;
use crate::filter::{Filter, Verdict};
use crate::known::Known;
use crate::late_dir::LateDir;
use crate::scope::Scope;

/// What makes entries of objects: it stands for the directory that they are not in.
#[derive(Debug)]
pub struct Objects {
    nowhere: LateDir,
    scope: Scope,
    /// The length of the address of the folder that the listing begins in.
    root_length: usize,
}

/// An object as a store describes it.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    stat: Stat,
}

impl Object {
    /// The fields that are known of an object. Everything else is refused as not supported.
    pub const FIELDS: [Fields; 3] = [Fields::KIND, Fields::SIZE, Fields::MODIFIED];

    /// The fields that are known of an entry of a tree.
    pub const FIELDS_IN_TREE: [Fields; 4] =
        [Fields::KIND, Fields::SIZE, Fields::MODIFIED, Fields::PERMISSIONS];

    /// Size in bytes, and when it was last written. It is a directory if its key ends in a slash,
    /// and a file otherwise. No call.
    #[must_use]
    pub fn new(address: &[u8], size: u64, modified: Time) -> Object {
        let is_folder = address.ends_with(b"/");
        let kind = if is_folder { Kind::Directory } else { Kind::File };
        Object { stat: Stat::of_object(kind, size, modified) }
    }

    /// A file or directory of a tree: size in bytes, when it was last written, and its twelve
    /// permission bits. No call.
    #[must_use]
    pub fn in_tree(kind: Kind, size: u64, modified: Time, permissions: u16) -> Object {
        Object { stat: Stat::of_object(kind, size, modified).with_permissions(permissions) }
    }

    /// What is known of it; free.
    pub(crate) fn stat(&self) -> Stat {
        self.stat
    }
}

impl Objects {
    /// Makes entries of objects below an address. No call.
    ///
    /// The address is the root: depths count from the last slash in it.
    #[must_use]
    pub fn below(address: &[u8]) -> Objects {
        let scope = Scope::start();
        let root_length = address.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
        Objects { nowhere: LateDir::of_scope(&scope), scope, root_length }
    }

    /// Makes entries of a tree with directories. No call.
    ///
    /// The address is the root, at depth 0 with or without a slash at its end.
    #[must_use]
    pub fn in_tree(address: &[u8]) -> Objects {
        let slash = usize::from(address.last() != Some(&b'/'));
        Objects { root_length: address.len() + slash, ..Objects::below(address) }
    }

    /// The entry of an object. Its address is its path, its depth the number of names below the
    /// root. No call, and none later: whatever is asked of it that is not known is an `EOPNOTSUPP`.
    #[must_use]
    pub fn entry<'e>(&'e self, address: &'e [u8], object: &'e Object) -> Entry<'e> {
        let below = address.get(self.root_length..).unwrap_or_default();
        let names = below.strip_suffix(b"/").unwrap_or(below);
        let slashes = names.iter().filter(|&&byte| byte == b'/').count();
        Entry {
            path: address,
            name: Name::of_root(address),
            kind: object.stat.kind(),
            inode: 0,
            known: Known::of_object(&object.stat),
            depth: if below.is_empty() { 0 } else { slashes + 1 },
            dir: &self.nowhere,
            scope: &self.scope,
            follow: false,
        }
    }

    /// Whether the entry of an object passes a filter, and none of the folders in its address below
    /// the root is hidden or excluded: what a walk would not have entered is left out. No call.
    ///
    /// # Errors
    /// `EOPNOTSUPP` if the filter needs a field that objects do not have.
    pub fn accept(&self, filter: &Filter, entry: &Entry<'_>) -> Result<bool, Error> {
        let verdict = filter.judge(entry)?;
        let passes = verdict == Verdict::Show;
        Ok(passes && !(filter.may_prune() && self.is_below_pruned(filter, entry.path_bytes())))
    }

    /// Whether a walk that meets the entry of a directory enters it: it is neither hidden nor
    /// excluded. No call.
    #[must_use]
    pub fn enters(&self, filter: &Filter, entry: &Entry<'_>) -> bool {
        !filter.prunes(entry)
    }

    fn is_below_pruned(&self, filter: &Filter, address: &[u8]) -> bool {
        let names = address.strip_suffix(b"/").unwrap_or(address);
        let slashes = (self.root_length..names.len()).filter(|&at| names[at] == b'/');
        slashes.into_iter().any(|slash| {
            let folder = Object::new(b"/", 0, Time { seconds: 0, nanoseconds: 0 });
            filter.prunes(&self.entry(&names[..slash], &folder))
        })
    }
}

impl Entry<'_> {
    /// Whether it is an object in a store, of which all that is known was told by the store; free.
    #[inline]
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.known.is_all()
    }

    /// The object that it stands for, if it does; free.
    #[must_use]
    pub fn object(&self) -> Option<Object> {
        let stat = self.known.stat(Fields::NONE).filter(|_| self.is_object())?;
        Some(Object { stat })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Names, Size};
    use crate::{Errno, Kinds};

    const NOON: Time = Time { seconds: 1_700_000_000, nanoseconds: 0 };

    /// Name, depth and kind of what an address stands for below a root.
    fn described(root: &str, address: &str) -> (String, usize, Kind) {
        let objects = Objects::below(root.as_bytes());
        let object = Object::new(address.as_bytes(), 7, NOON);
        let entry = objects.entry(address.as_bytes(), &object);
        (entry.name().to_string_lossy().into_owned(), entry.depth(), entry.kind())
    }

    fn passes(filter: &Filter, address: &str) -> bool {
        let objects = Objects::below(b"s3://b/");
        let object = Object::new(address.as_bytes(), 7, NOON);
        objects.accept(filter, &objects.entry(address.as_bytes(), &object)).unwrap()
    }

    #[test]
    fn an_address_has_a_name_and_a_depth_below_the_folder_of_the_prefix() {
        for (root, address, name, depth, kind) in [
            ("s3://b/", "s3://b/a", "a", 1, Kind::File),
            ("s3://b/", "s3://b/a/b.txt", "b.txt", 2, Kind::File),
            ("s3://b/a/", "s3://b/a/b.txt", "b.txt", 1, Kind::File),
            ("s3://b/a/b", "s3://b/a/bc/d", "d", 2, Kind::File),
            ("s3://b/", "s3://b/a/b/", "b", 2, Kind::Directory),
            ("s3://b/a/", "s3://b/a/", "a", 0, Kind::Directory),
            ("s3://b/", "s3://b//", "b", 1, Kind::Directory),
        ] {
            let expected = (name.to_owned(), depth, kind);
            assert_eq!(described(root, address), expected, "{address} below {root}");
        }
    }

    #[test]
    fn in_a_tree_the_root_is_at_depth_0_and_kinds_are_told() {
        for (root, address, name, depth) in [
            ("hdfs://n/a", "hdfs://n/a", "a", 0),
            ("hdfs://n/a/", "hdfs://n/a/", "a", 0),
            ("hdfs://n", "hdfs://n/a", "a", 1),
            ("hdfs://n/", "hdfs://n/a/b", "b", 2),
            ("hdfs://n/a", "hdfs://n/a/b c", "b c", 1),
            ("hdfs://n/a/", "hdfs://n/a/b", "b", 1),
        ] {
            let objects = Objects::in_tree(root.as_bytes());
            let object = Object::in_tree(Kind::Directory, 0, NOON, 0o1750);
            let entry = objects.entry(address.as_bytes(), &object);
            assert_eq!((entry.name_bytes(), entry.depth()), (name.as_bytes(), depth), "{address}");
            assert!(entry.is_dir());
            let known = Object::FIELDS_IN_TREE.into_iter().collect();
            assert_eq!(entry.stat(known).unwrap().permissions(), 0o1750);
        }
    }

    #[test]
    fn filters_see_names_sizes_and_times() {
        let glob = |text| Filter::new().names(Names::new().globs(&[text]).unwrap());
        assert!(passes(&glob("*.txt"), "s3://b/a/b.txt"));
        assert!(!passes(&glob("a"), "s3://b/a/b.txt"));
        assert!(passes(&Filter::new().size("7".parse::<Size>().unwrap()), "s3://b/a"));
        assert!(!passes(&Filter::new().size("+7".parse::<Size>().unwrap()), "s3://b/a"));
        assert!(!passes(&Filter::new().newer(NOON), "s3://b/a"));
        assert!(passes(&Filter::new().kinds(Kinds::NONE.with(Kind::Directory)), "s3://b/a/"));
        assert!(passes(&Filter::new().min_depth(2), "s3://b/a/b"));
    }

    #[test]
    fn what_lies_in_a_folder_that_a_walk_would_not_enter_is_left_out() {
        let hidden = Filter::new().skip_hidden(true);
        assert!(!passes(&hidden, "s3://b/.git/config"));
        assert!(!passes(&hidden, "s3://b/a/.b"));
        assert!(passes(&hidden, "s3://b/a/b."));
        let excluded = |text| Filter::new().names(Names::new().exclude_globs(&[text]).unwrap());
        assert!(!passes(&excluded("tmp"), "s3://b/a/tmp/x/y"));
        assert!(!passes(&excluded("a/tmp"), "s3://b/a/tmp/x/y"));
        assert!(passes(&excluded("a/tmp"), "s3://b/c/a/tmp/x"));
    }

    #[test]
    fn what_is_not_known_is_refused_and_asked_of_nobody() {
        let objects = Objects::below(b"s3://b/");
        let object = Object::new(b"s3://b/a", 7, NOON);
        let entry = objects.entry(b"s3://b/a", &object);
        let asks_nobody = |_| {
            let calls = sys::calls().total();
            assert_eq!(entry.stat(Fields::SIZE).unwrap().size(), 7);
            assert_eq!(entry.stat(Fields::MODIFIED).unwrap().modified(), NOON);
            assert_eq!(entry.stat(Fields::OWNER).unwrap_err().errno(), Errno::OPNOTSUPP);
            assert_eq!(entry.open().unwrap_err().errno(), Errno::OPNOTSUPP);
            assert_eq!(entry.read_link().unwrap_err().errno(), Errno::OPNOTSUPP);
            sys::calls().total() == calls
        };
        // Calls of another test may come between, but not each time.
        assert!((0..1000).any(asks_nobody));
    }
}
