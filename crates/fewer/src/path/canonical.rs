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
    let start = match (root(path), folder) {
        (Some(_), _) => path.to_vec(),
        (None, Some(folder)) => folder.as_os_str().as_bytes().to_vec(),
        (None, None) => sys::current_dir().unwrap_or_default(),
    };
    // A root without the separator behind it: nothing on Unix.
    let mut top = root(&start).map_or(0, <[u8]>::len);
    let mut out = if root(path).is_some() { start[..top].to_vec() } else { start };
    if out.get(top..) == Some(b"/") {
        out.pop();
    }
    let mut links = 0;
    // The components still to be resolved, the next at the end.
    let mut rest = components(path);
    while let Some(part) = rest.pop() {
        let end = out.len();
        match &*part {
            b"." => continue,
            b".." => {
                let above = out.iter().rposition(|&byte| sys::is_separator(byte));
                out.truncate(above.unwrap_or(0).max(top));
                continue;
            }
            _ => out.extend([b"/", &*part].concat()),
        }
        let link = CString::new(&*out).ok().and_then(|name| sys::read_link(CWD, &name).ok());
        if let Some(target) = link.filter(|_| links < MOST_LINKS) {
            links += 1;
            out.truncate(end);
            if let Some(root) = root(&target) {
                out = root.to_vec();
                top = root.len();
            }
            rest.extend(components(&target));
        }
    }
    if out.len() <= top {
        out.push(b'/');
    }
    PathBuf::from(OsString::from_vec(out))
}

/// The root of an absolute path, without the separator behind it.
fn root(path: &[u8]) -> Option<&[u8]> {
    let (last, root) = path[..sys::root_length(path)].split_last()?;
    Some(if sys::is_separator(*last) { root } else { &path[..=root.len()] })
}

/// The components of a path behind its root, the first at the end.
fn components(path: &[u8]) -> Vec<Box<[u8]>> {
    let names = path[sys::root_length(path)..].rsplit(|&byte| sys::is_separator(byte));
    names.filter(|name| !name.is_empty()).map(Box::from).collect()
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
