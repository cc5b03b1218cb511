//! Twin trees: in one a tool of ours works, in the other the real one; then they must be the same.

use std::fmt::Debug;
use std::fs::FileTimes;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use crate::tests::compare::{Comparison, words};

/// One tree for each.
pub(crate) struct Twins {
    folder: tempfile::TempDir,
}

impl Twins {
    pub(crate) fn new() -> Twins {
        let twins = Twins { folder: tempfile::tempdir().unwrap() };
        twins.plant("ours");
        twins.plant("real");
        let mut fifos = Command::new("mkfifo");
        fifos.args(["ours/p", "real/p"]).current_dir(twins.folder.path());
        assert!(fifos.status().unwrap().success());
        twins
    }

    fn plant(&self, which: &str) {
        let root = self.folder.path().join(which);
        for directory in ["d", "e/f", "full/x", "full/e", "deep/a/b/c", "ro/d/x", "ns"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        for (file, text) in [
            ("f", "f\n"),
            ("g", "other\n"),
            ("full/f", ""),
            ("full/g", "g"),
            ("e/f/1", "1"),
            ("deep/a/1", "1"),
            ("deep/a/b/2", "2"),
            ("it's", "it"),
            ("n\nl", "n"),
            ("gr\u{fc}n", ""),
            ("-dash", "-"),
            (".hidden", ""),
            ("full/.hidden", ""),
            ("program", "#!"),
            ("ro/f", "ro"),
            ("ro/d/f", "ro"),
            ("ns/f", ""),
            ("secret", "s"),
        ] {
            std::fs::write(root.join(file), text).unwrap();
        }
        for (target, link) in
            [("d", "ld"), ("none", "dang"), ("loop", "loop"), ("f", "lf"), ("../f", "d/up")]
        {
            symlink(target, root.join(link)).unwrap();
        }
        std::fs::hard_link(root.join("f"), root.join("hf")).unwrap();
        for (path, bits) in [("program", 0o4755), ("g", 0o600), ("full", 0o2755), ("e", 0o1777)]
            .into_iter()
            .chain([("ro/f", 0o444), ("ro", 0o555), ("ns", 0o600), ("secret", 0)])
        {
            std::fs::set_permissions(root.join(path), PermissionsExt::from_mode(bits)).unwrap();
        }
        // Not all from the same moment.
        for (path, year) in [("f", 1.5), ("g", 2.0), ("full", 4.0), ("full/g", 0.25)] {
            let file = std::fs::File::open(root.join(path)).unwrap();
            let then = UNIX_EPOCH + Duration::from_secs(1_000_000_000).mul_f64(0.5 + 0.1 * year);
            file.set_times(FileTimes::new().set_accessed(then).set_modified(then)).unwrap();
        }
    }

    pub(crate) fn comparison(&self) -> Comparison {
        Comparison::new().apart(&self.folder.path().join("ours"), &self.folder.path().join("real"))
    }

    /// What there is to see in a tree: kind, permissions, number of names, owner, old times, target
    /// or contents, and path of everything. Whoever looks at contents changes times.
    fn picture(&self, which: &str, contents: bool) -> Vec<String> {
        let (mut lines, mut folders) = (Vec::new(), vec![self.folder.path().join(which)]);
        let root = folders[0].clone();
        while let Some(folder) = folders.pop() {
            // Whoever may not look sees nothing.
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                let Ok(stat) = path.symlink_metadata() else { continue };
                let text = match stat.file_type() {
                    kind if kind.is_dir() => {
                        folders.push(path.clone());
                        Vec::new()
                    }
                    kind if kind.is_file() && !contents => Vec::new(),
                    kind if kind.is_file() => std::fs::read(&path).unwrap_or_default(),
                    _ => path.read_link().unwrap_or_default().into_os_string().into_vec(),
                };
                let old = [stat.accessed(), stat.modified()]
                    .map(|time| time.unwrap().duration_since(UNIX_EPOCH).unwrap())
                    .map(|time| (time.as_secs() < 1_200_000_000).then_some(time));
                let old = if stat.is_file() { old } else { [None, old[1]] };
                lines.push(format!(
                    "{} {:o} {} {} {old:?} {}",
                    path.strip_prefix(&root).unwrap().display(),
                    stat.mode(),
                    stat.nlink(),
                    stat.uid(),
                    text.escape_ascii(),
                ));
            }
        }
        lines.sort();
        lines
    }

    /// Does the same in both; whether the call is supported. If not, nothing is done.
    pub(crate) fn same(&self, tool: &str, arguments: &[impl AsRef<[u8]> + Debug]) -> bool {
        let before = self.picture("ours", false);
        let supported = self.comparison().same(tool, arguments, b"");
        if supported {
            let (ours, real) = (self.picture("ours", true), self.picture("real", true));
            assert_eq!(ours, real, "the trees after {tool} {arguments:?}");
        } else {
            let after = self.picture("ours", false);
            assert_eq!(after, before, "not supported, but changed: {tool} {arguments:?}");
        }
        supported
    }

    /// What is not supported is done by the real one in both.
    pub(crate) fn real_in_both(&self, tool: &str, arguments: &[&str]) {
        for which in ["ours", "real"] {
            let mut command = Command::new(tool);
            command.args(arguments).current_dir(self.folder.path().join(which));
            command.output().unwrap();
        }
    }

    pub(crate) fn ours(&self) -> std::path::PathBuf {
        self.folder.path().join("ours")
    }
}

/// A tool of this name.
pub(crate) struct InTwins(pub(crate) &'static str);

impl InTwins {
    /// Calls it with each of these lines of arguments, in trees of their own. A line that ends in
    /// ` ?` need not be supported; all others must.
    pub(crate) fn same(&self, lines: &[impl AsRef<str>]) {
        for line in lines {
            let twins = Twins::new();
            let (line, may_be_unsupported) = match line.as_ref().strip_suffix(" ?") {
                Some(line) => (line, true),
                None => (line.as_ref(), false),
            };
            let supported = twins.same(self.0, &words(line));
            assert!(supported || may_be_unsupported, "{} {line} is not supported", self.0);
        }
    }
}

/// Whether a path is there, without a look through a link.
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
