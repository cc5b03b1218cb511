//! A path without links in it.

use std::ffi::{CString, OsString};
use std::path::{Path, PathBuf};

use sys::{CWD, OsStrExt, OsStringExt};

/// The most links that the kernel follows in one path.
const MOST_LINKS: usize = 40;

/// The absolute path of `path` without `.`, `..` and links in it, relative to `folder`, which must
/// be such a path, or to the working directory. A component that does not exist, may not be looked
/// at or is part of a loop of links stays as it is written.
///
/// Price: one `readlinkat` for each component, those of links included; one `getcwd` for a relative
/// path without a folder.
#[must_use]
pub fn canonical(folder: Option<&Path>, path: &Path) -> PathBuf {
    let path = path.as_os_str().as_bytes();
    let mut out = match (path.first(), folder) {
        (Some(b'/'), _) => Vec::new(),
        (_, Some(folder)) => folder.as_os_str().as_bytes().to_vec(),
        (_, None) => sys::current_dir().unwrap_or_default(),
    };
    if out == b"/" {
        out.clear();
    }
    let mut links = 0;
    // The components still to be resolved, the next at the end.
    let mut rest = components(path);
    while let Some(part) = rest.pop() {
        let end = out.len();
        match &*part {
            b"." => continue,
            b".." => {
                out.truncate(out.iter().rposition(|&byte| byte == b'/').unwrap_or(0));
                continue;
            }
            _ => out.extend([b"/", &*part].concat()),
        }
        let link = CString::new(&*out).ok().and_then(|name| sys::read_link(CWD, &name).ok());
        if let Some(target) = link.filter(|_| links < MOST_LINKS) {
            links += 1;
            out.truncate(if target.first() == Some(&b'/') { 0 } else { end });
            rest.extend(components(&target));
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
    PathBuf::from(OsString::from_vec(out))
}

/// The components of a path, the first at the end.
fn components(path: &[u8]) -> Vec<Box<[u8]>> {
    path.rsplit(|&byte| byte == b'/').filter(|part| !part.is_empty()).map(Box::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_gone_through_and_what_is_missing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        symlink("a/b", root.join("down")).unwrap();
        symlink(&root, root.join("a/b/up")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let found = |path: &str| canonical(Some(&root), Path::new(path));
        assert_eq!(found("down/./../b"), root.join("a/b"));
        assert_eq!(found("down/up/a//b/"), root.join("a/b"));
        assert_eq!(found("missing/../a/none"), root.join("a/none"));
        assert_eq!(found("loop"), root.join("loop"));
        assert_eq!(found("/.."), Path::new("/"));
        assert_eq!(canonical(Some(Path::new("/")), Path::new("x")), Path::new("/x"));
    }
}
