//! Renaming, for systems and kernels that have no call to rename only to a new name.

use std::ffi::CStr;

use super::{At, retry};
#[cfg(not(target_os = "macos"))]
use super::{make_directory, make_hard_link, remove_directory, remove_file};
use crate::Errno;
use crate::counter::Call;

/// Renames a file or a directory; one that has the name already is replaced.
///
/// Price: one `renameat`.
pub(crate) fn rename_over(from: At<'_>, old: &CStr, to: At<'_>, new: &CStr) -> Result<(), Errno> {
    retry(Call::Renameat, || rustix::fs::renameat(from, old, to, new))
}

/// Renames a file or a directory if nothing has the new name. Nothing that gets it meanwhile is
/// lost: a link is made only if there is none, and a directory takes only an empty one's place.
///
/// Price: one `linkat` and one `unlinkat`; for a directory one `linkat`, `mkdirat` and `renameat`.
#[cfg(not(target_os = "macos"))]
pub(crate) fn rename_to_new(from: At<'_>, old: &CStr, to: At<'_>, new: &CStr) -> Result<(), Errno> {
    match make_hard_link(to, new, from, old) {
        Ok(()) => remove_file(from, old).inspect_err(|_| {
            let _ = remove_file(to, new);
        }),
        // A directory, or a file system without links.
        Err(Errno::PERM) => {
            make_directory(to, new, 0o700)?;
            let renamed = rename_over(from, old, to, new);
            renamed.map_err(|errno| {
                let _ = remove_directory(to, new);
                if errno == Errno::ISDIR { Errno::PERM } else { errno }
            })
        }
        Err(errno) => Err(errno),
    }
}

#[cfg(all(test, not(target_os = "macos")))]
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
