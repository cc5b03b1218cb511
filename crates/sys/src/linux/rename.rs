//! Other names for files that are there.

use std::ffi::CStr;

use rustix::fs::RenameFlags;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{
    At, Newer, make_directory, make_hard_link, remove_directory, remove_file, retry,
};

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: one `renameat2`. Where that is refused, as by kernels before 3.15, one `renameat`; with
/// `only_new` one `linkat` and one `unlinkat`, for a directory one `linkat`, `mkdirat` and
/// `renameat`; both the first time.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `ENOENT`, `EXDEV` for another file system, `EINVAL`
/// for a directory into itself (or where the file system knows no `only_new`), `EISDIR`, `ENOTDIR`,
/// `ENOTEMPTY`, `EBUSY`, `EACCES`, …; `ENOSYS` or `EPERM` for a file with `only_new` where neither
/// `renameat2` nor hard links are known.
#[doc(alias = "renameat2")]
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    static RENAMEAT2: Newer = Newer::new();
    let flags = if only_new { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
    let newer = || retry(Call::Renameat2, || rustix::fs::renameat_with(from, old, to, new, flags));
    RENAMEAT2.or(newer, || match only_new {
        true => rename_to_new(from, old, to, new),
        false => replace(from, old, to, new),
    })
}

fn replace(from: At<'_>, old: &CStr, to: At<'_>, new: &CStr) -> Result<(), Errno> {
    retry(Call::Renameat, || rustix::fs::renameat(from, old, to, new))
}

/// Nothing that gets the name meanwhile is lost: a link is made only if there is none, and a
/// directory takes the place of an empty one only.
fn rename_to_new(from: At<'_>, old: &CStr, to: At<'_>, new: &CStr) -> Result<(), Errno> {
    match make_hard_link(to, new, from, old) {
        Ok(()) => remove_file(from, old).inspect_err(|_| {
            let _ = remove_file(to, new);
        }),
        // A directory, or a file system without links.
        Err(Errno::PERM) => {
            make_directory(to, new, 0o700)?;
            let renamed = replace(from, old, to, new);
            renamed.map_err(|errno| {
                let _ = remove_directory(to, new);
                if errno == Errno::ISDIR { Errno::PERM } else { errno }
            })
        }
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::fs;

    use super::*;
    use crate::CWD;

    #[test]
    fn without_the_newer_call_nothing_is_replaced_either() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for dir in ["d/inner", "full/x", "empty"] {
            fs::create_dir_all(at(dir)).unwrap();
        }
        fs::write(at("f"), "text").unwrap();
        std::os::unix::fs::symlink("nowhere", at("l")).unwrap();
        let rename = |old: &str, new: &str| {
            let [old, new] =
                [old, new].map(|name| CString::new(at(name).to_str().unwrap()).unwrap());
            rename_to_new(CWD, &old, CWD, &new)
        };
        for there in ["f", "l", "full", "empty"] {
            assert_eq!(rename("d", there), Err(Errno::EXIST), "{there}");
        }
        assert_eq!(rename("f", "empty"), Err(Errno::EXIST));
        assert_eq!(rename("none", "new"), Err(Errno::NOENT));
        assert_eq!(rename("d", "d/inner/new"), Err(Errno::INVAL));
        assert!(!at("d/inner/new").exists());
        for name in ["f", "l", "d"] {
            assert_eq!(rename(name, &format!("{name}-new")), Ok(()), "{name}");
            assert!(fs::symlink_metadata(at(name)).is_err(), "{name}");
        }
        assert_eq!(fs::read(at("f-new")).unwrap(), b"text");
        assert!(fs::symlink_metadata(at("l-new")).unwrap().is_symlink());
        assert!(at("d-new/inner").is_dir());
    }
}
