//! What a file of budgets and the output of a command need from the file system: each function
//! says which system calls it makes.

use std::ffi::{CStr, CString, OsString};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use fewer::Errno;
use sys::CWD;
use trace::Error;

/// Makes a call on a path. If it fails, the error says that `action` failed: "read", "write to".
pub(crate) fn call_on<T>(
    path: &Path,
    action: &'static str,
    call: impl FnOnce(&CStr) -> Result<T, Errno>,
) -> Result<T, Error> {
    let bytes = path.as_os_str().as_bytes();
    let name = CString::new(bytes).map_err(|_| Errno::INVAL);
    name.and_then(|name| call(&name)).map_err(|errno| Error::new(errno, action, bytes))
}

/// The absolute path of a file without `.`, `..` and links. Price: `openat`, `readlinkat`, `close`.
pub(crate) fn real_path(name: &CStr) -> Result<PathBuf, Errno> {
    let file = sys::open_path(CWD, name)?;
    Ok(OsString::from_vec(path_of(&file)?).into())
}

/// The name under which the kernel knows an open file. Price: one `readlinkat`.
pub(crate) fn path_of(file: impl AsFd) -> Result<Vec<u8>, Errno> {
    let link = CString::new(link_to(file)).map_err(|_| Errno::INVAL)?;
    sys::read_link(CWD, &link)
}

/// The link through which this process and its children find an open file. Makes no call.
pub(crate) fn link_to(file: impl AsFd) -> String {
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}
