//! The mounts and files that a scratch copy is made of, one step after the other, in a child that
//! may not ask for memory.

use std::ffi::{CStr, CString};
use std::mem::{size_of, zeroed};
use std::ptr;
use std::sync::Arc;

/// What a directory is to look like.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Looks {
    pub(super) mode: libc::mode_t,
    pub(super) user: libc::uid_t,
    pub(super) group: libc::gid_t,
    /// The time of its last change: seconds, nanoseconds.
    pub(super) changed: (i64, i64),
}

/// One step. Paths are those of the scratch: `/old` is what was there before, `/new` what the
/// command will see.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// A directory; the command sees it as it was if `looks` is set behind its contents.
    Directory(CString),
    /// A symbolic link with this target.
    Link { target: CString, place: CString },
    /// A file with these contents.
    File { place: CString, bytes: Arc<[u8]> },
    /// What a directory looks like, once it has all that is in it.
    Looks { place: CString, looks: Looks },
    /// A copy-on-write view.
    View { options: CString, place: CString },
    /// A tree with all that is mounted in it, or a file, that nothing can write to.
    ReadOnly { source: CString, place: CString },
    /// A device that harms nothing.
    Device { source: CString, place: CString },
    /// The processes of the scratch, and no others.
    Processes(CString),
}

/// What may be seen of the settings of the kernel, but not written to.
const SETTINGS: [&CStr; 5] = [
    c"/new/proc/sys", c"/new/proc/sysrq-trigger", c"/new/proc/irq", c"/new/proc/bus",
    c"/new/proc/fs",
];

/// The attributes of mounts that `mount_setattr` takes (linux/mount.h).
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    namespace: u64,
}

const READ_ONLY: u64 = 1;
const RECURSIVE: libc::c_uint = 0x8000;

impl Step {
    /// Does it. Returns an errno if that was refused. Asks for no memory and takes no lock.
    pub(super) fn perform(&self) -> Result<(), i32> {
        // SAFETY: all paths and options end with a NUL and outlive the calls; the kernel writes to
        // nothing that is handed over here.
        unsafe {
            match self {
                Step::Directory(place) => match libc::mkdir(place.as_ptr(), 0o755) {
                    -1 if errno() != libc::EEXIST => Err(errno()),
                    _ => Ok(()),
                },
                Step::Link { target, place } => {
                    done(libc::symlink(target.as_ptr(), place.as_ptr()))
                }
                Step::File { place, bytes } => write(place, bytes),
                Step::Looks { place, looks } => {
                    dress(place, looks);
                    Ok(())
                }
                Step::View { options, place } => {
                    let view = c"overlay".as_ptr();
                    let options = options.as_ptr().cast();
                    done(libc::mount(view, place.as_ptr(), view, 0, options))
                }
                Step::ReadOnly { source, place } => read_only(source, place),
                Step::Device { source, place } => {
                    write(place, &[])?;
                    bind(source, place)
                }
                Step::Processes(place) => processes(place),
            }
        }
    }
}

/// The errno of the call that has just failed.
pub(super) fn errno() -> i32 {
    // SAFETY: the thread has one.
    unsafe { *libc::__errno_location() }
}

/// What a call returned that returns 0 if it succeeds.
pub(super) fn done(result: libc::c_int) -> Result<(), i32> {
    if result == 0 { Ok(()) } else { Err(errno()) }
}

fn write(place: &CStr, bytes: &[u8]) -> Result<(), i32> {
    // SAFETY: the path ends with a NUL; the bytes outlive the calls; the descriptor is this
    // function's own.
    unsafe {
        let file = libc::open(place.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL, 0o644);
        if file == -1 {
            return Err(errno());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            match libc::write(file, rest.as_ptr().cast(), rest.len()) {
                -1 => return Err(errno()),
                size => rest = &rest[size.unsigned_abs()..],
            }
        }
        libc::close(file);
    }
    Ok(())
}

/// Makes a directory look as the one that it stands for. A user who is not root cannot give it to
/// another one; then its mode says what that user may do with the one that it stands for.
fn dress(place: &CStr, looks: &Looks) {
    // SAFETY: the path ends with a NUL; the kernel reads two times.
    unsafe {
        let is_given = libc::chown(place.as_ptr(), looks.user, looks.group) == 0;
        let of_others = looks.mode & 0o7;
        let mode = match is_given {
            true => looks.mode,
            false => looks.mode & 0o7000 | of_others << 6 | of_others << 3 | of_others,
        };
        libc::chmod(place.as_ptr(), mode);
        let changed = libc::timespec { tv_sec: looks.changed.0, tv_nsec: looks.changed.1 };
        libc::utimensat(libc::AT_FDCWD, place.as_ptr(), [changed; 2].as_ptr(), 0);
    }
}

fn bind(source: &CStr, place: &CStr) -> Result<(), i32> {
    let how = libc::MS_BIND | libc::MS_REC;
    // SAFETY: the paths end with a NUL.
    done(unsafe { libc::mount(source.as_ptr(), place.as_ptr(), ptr::null(), how, ptr::null()) })
}

fn read_only(source: &CStr, place: &CStr) -> Result<(), i32> {
    bind(source, place)?;
    let attributes = Attributes { set: READ_ONLY, clear: 0, propagation: 0, namespace: 0 };
    // SAFETY: the path ends with a NUL; the kernel reads as many bytes as it is told.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            place.as_ptr(),
            RECURSIVE,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(errno()) }
}

fn processes(place: &CStr) -> Result<(), i32> {
    let kind = c"proc".as_ptr();
    let how = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    // SAFETY: the texts end with a NUL; all zeros is a `stat`.
    unsafe {
        done(libc::mount(kind, place.as_ptr(), kind, how, ptr::null()))?;
        for setting in SETTINGS {
            let mut about: libc::stat = zeroed();
            if libc::stat(setting.as_ptr(), &raw mut about) == 0 {
                read_only(setting, setting)?;
            }
        }
    }
    Ok(())
}
