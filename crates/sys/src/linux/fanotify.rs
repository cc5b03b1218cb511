//! fanotify: tells what happens to the names of a whole file system, each with the handle of its
//! directory.

use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

use rustix::event::epoll;

use super::Happened;
use crate::Errno;
use crate::counter::Call;
use crate::unix::{Descriptor, last_error, retry};

/// The longest handle (`MAX_HANDLE_SZ`).
const HANDLE_BYTES: usize = 128;
/// `AT_HANDLE_MNT_ID_UNIQUE`, since Linux 6.12.
const UNIQUE_MOUNT: libc::c_int = 1;

/// The parts of an event have fixed places (linux/fanotify.h).
const METADATA_BYTES: usize = size_of::<libc::fanotify_event_metadata>();
/// Of a part: its kind and length.
const PART_BYTES: usize = size_of::<libc::fanotify_event_info_header>();
/// The file system, and the head of the handle: its length and kind.
const KEY_HEAD_BYTES: usize = 16;

const _: () = {
    // The numbers of what happens are those of inotify: the kernel takes both from one list.
    assert!(
        libc::FAN_CREATE as u32 == libc::IN_CREATE && libc::FAN_MODIFY as u32 == libc::IN_MODIFY
    );
    assert!(
        libc::FAN_DELETE as u32 == libc::IN_DELETE && libc::FAN_ATTRIB as u32 == libc::IN_ATTRIB
    );
    assert!(libc::FAN_MOVED_FROM as u32 == libc::IN_MOVED_FROM);
    assert!(libc::FAN_MOVED_TO as u32 == libc::IN_MOVED_TO);
    assert!(libc::FAN_Q_OVERFLOW as u32 == libc::IN_Q_OVERFLOW);
    assert!(METADATA_BYTES == 24 && PART_BYTES == 4);
};

/// Makes a group that tells of whole file systems: of none yet. Reading from it is `EAGAIN` if
/// there is nothing to tell.
///
/// Price: one `fanotify_init`; one `close` later.
///
/// # Errors
/// The kernel's number: `EPERM` without `CAP_SYS_ADMIN`, which the marks will need (any process may
/// have a group, so it is asked for one with as many marks as it likes), `ENOSYS`, `EINVAL` before
/// Linux 5.9, `EMFILE`.
#[doc(alias = "fanotify_init")]
pub fn new_file_system_watcher() -> Result<Descriptor, Errno> {
    let flags = libc::FAN_CLASS_NOTIF
        | libc::FAN_REPORT_DIR_FID
        | libc::FAN_REPORT_NAME
        | libc::FAN_UNLIMITED_MARKS
        | libc::FAN_CLOEXEC
        | libc::FAN_NONBLOCK;
    retry(Call::FanotifyInit, || {
        // SAFETY: takes numbers only.
        let group = unsafe { libc::fanotify_init(flags, libc::O_RDONLY as libc::c_uint) };
        if group < 0 {
            return Err(last_error());
        }
        // SAFETY: the kernel has just made this descriptor, and nothing else has it.
        Ok(Descriptor::new(unsafe { OwnedFd::from_raw_fd(group) }))
    })
}

/// Tells of the whole file system of an open directory from now on, until the group is closed: of
/// names in directories, and the bytes and metadata of what they lead to.
///
/// Price: one `fanotify_mark`.
///
/// # Errors
/// The kernel's number: `EPERM` without `CAP_SYS_ADMIN`; `ENODEV`, `EXDEV` or `EOPNOTSUPP` for a
/// file system that cannot be told from others or has no handles.
#[doc(alias = "fanotify_mark")]
pub fn watch_file_system(group: &Descriptor, dir: &Descriptor) -> Result<(), Errno> {
    let names = libc::FAN_CREATE | libc::FAN_DELETE | libc::FAN_MOVED_FROM | libc::FAN_MOVED_TO;
    let mask = names | libc::FAN_MODIFY | libc::FAN_ATTRIB | libc::FAN_ONDIR;
    let flags = libc::FAN_MARK_ADD | libc::FAN_MARK_FILESYSTEM;
    let (group, dir) = (group.as_fd().as_raw_fd(), dir.as_fd().as_raw_fd());
    retry(Call::FanotifyMark, || {
        // SAFETY: both descriptors are open for as long as they are lent; no path is passed, which
        // the kernel takes for the open directory itself.
        match unsafe { libc::fanotify_mark(group, flags, mask, dir, std::ptr::null()) } {
            0 => Ok(()),
            _ => Err(last_error()),
        }
    })
}

/// What tells a directory from all others, of any file system, dead or alive: the identity of its
/// file system, and its handle, as events have them.
pub type DirectoryKey = [u8];

/// What the keys begin with of all directories on the file system that has this
/// [number](super::filesystem_id). Free.
#[must_use]
pub fn file_system_key(file_system: u64) -> [u8; 8] {
    // Two words of 32 bits, the low one first, whatever the order of bytes.
    let [low, high] = [file_system as u32, (file_system >> 32) as u32].map(u32::to_ne_bytes);
    let mut key = [0; 8];
    key[..4].copy_from_slice(&low);
    key[4..].copy_from_slice(&high);
    key
}

/// The handle of a directory, which no other of its file system ever gets.
#[derive(Clone, Debug)]
pub struct DirectoryHandle {
    /// The mount that it was opened in, a number that is not given again.
    pub mount: u64,
    key: [u8; 8 + 8 + HANDLE_BYTES],
    length: usize,
}

impl DirectoryHandle {
    /// The key of this directory on the file system that has this
    /// [number](super::filesystem_id). Free.
    pub fn key(&mut self, file_system: u64) -> &DirectoryKey {
        self.key[..8].copy_from_slice(&file_system_key(file_system));
        &self.key[..self.length]
    }
}

/// The handle of an open directory.
///
/// Price: one `name_to_handle_at`.
///
/// # Errors
/// The kernel's number: `EOPNOTSUPP` if its file system gives none, `EINVAL` before Linux 6.12,
/// which does not number mounts for good.
#[doc(alias = "name_to_handle_at")]
pub fn directory_handle(dir: &Descriptor) -> Result<DirectoryHandle, Errno> {
    #[repr(C)]
    struct Handle {
        length: u32,
        kind: i32,
        bytes: [u8; HANDLE_BYTES],
    }
    let mut handle = Handle { length: HANDLE_BYTES as u32, kind: 0, bytes: [0; HANDLE_BYTES] };
    let mut mount = 0_u64;
    let flags = libc::AT_EMPTY_PATH | libc::AT_HANDLE_FID | UNIQUE_MOUNT;
    retry(Call::NameToHandleAt, || {
        // SAFETY:
        // - the descriptor is open for as long as it is lent, and the path is a C string;
        // - `handle` is laid out as `struct file_handle`, and says how many bytes follow its head;
        // - with `UNIQUE_MOUNT` the kernel writes 64 bits into `mount`, or refuses the flag.
        let done = unsafe {
            libc::syscall(
                libc::SYS_name_to_handle_at,
                dir.as_fd().as_raw_fd(),
                c"".as_ptr(),
                &raw mut handle,
                &raw mut mount,
                flags,
            )
        };
        if done == 0 { Ok(()) } else { Err(last_error()) }
    })?;
    let bytes = handle.bytes.get(..handle.length as usize).ok_or(Errno::IO)?;
    let length = KEY_HEAD_BYTES + bytes.len();
    let mut key = [0; 8 + 8 + HANDLE_BYTES];
    key[8..12].copy_from_slice(&handle.length.to_ne_bytes());
    key[12..16].copy_from_slice(&handle.kind.to_ne_bytes());
    key[16..length].copy_from_slice(bytes);
    Ok(DirectoryHandle { mount, key, length })
}

/// One event of a file system, still inside the block.
#[derive(Clone, Copy, Debug)]
pub struct FileSystemEvent<'b> {
    /// The directory in which it has happened; empty for lost events.
    pub dir: &'b DirectoryKey,
    /// What has happened.
    pub happened: Happened,
    /// The name in the directory; empty if it is about the directory itself.
    pub name: &'b [u8],
}

/// The events of a block that was read from a group. A block that is cut short ends early.
#[derive(Clone, Debug)]
pub struct FileSystemEvents<'b> {
    rest: &'b [u8],
}

impl<'b> FileSystemEvents<'b> {
    /// The events in bytes as the kernel writes them, whatever is in them.
    #[must_use]
    pub fn parse(bytes: &'b [u8]) -> FileSystemEvents<'b> {
        FileSystemEvents { rest: bytes }
    }
}

impl<'b> Iterator for FileSystemEvents<'b> {
    type Item = FileSystemEvent<'b>;

    fn next(&mut self) -> Option<FileSystemEvent<'b>> {
        // struct fanotify_event_metadata: 32 bits of length of all, 8 of version, 8 reserved, 16 of
        // its own length, 64 of mask, descriptor, process; then the parts.
        let event = first_event(self.rest);
        self.rest = event.map_or(&[], |event| &self.rest[event.len()..]);
        let event = event?;
        let mask = u64::from_ne_bytes(*event.get(8..)?.first_chunk()?);
        let happened = Happened::from_bits(mask as u32);
        let parts = event.get(usize::from(half_word(event, 6)?)..)?;
        let (dir, name) = Parts(parts).find_map(directory_and_name).unwrap_or_default();
        Some(FileSystemEvent { dir, happened, name })
    }
}

/// The first event of a block, if it is whole and of the version that is understood.
fn first_event(block: &[u8]) -> Option<&[u8]> {
    let event = block.get(..word(block, 0)? as usize)?;
    let own = usize::from(half_word(event, 6)?);
    let is_known = event.get(4) == Some(&libc::FANOTIFY_METADATA_VERSION);
    (is_known && METADATA_BYTES <= own && own <= event.len()).then_some(event)
}

/// What is behind the fixed part of an event, part by part, each with its head.
struct Parts<'b>(&'b [u8]);

impl<'b> Iterator for Parts<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let length = usize::from(half_word(self.0, 2)?);
        let (part, rest) = self.0.split_at_checked(length.max(PART_BYTES))?;
        self.0 = rest;
        Some(part)
    }
}

/// What a part of an event says of the directory: its key, and the name in it.
fn directory_and_name(part: &[u8]) -> Option<(&DirectoryKey, &[u8])> {
    let has_name = match *part.first()? {
        libc::FAN_EVENT_INFO_TYPE_DFID_NAME => true,
        libc::FAN_EVENT_INFO_TYPE_DFID => false,
        _ => return None,
    };
    // The file system, the length of the handle, its kind, the handle; a name that ends with NUL.
    let body = part.get(PART_BYTES..)?;
    let length = KEY_HEAD_BYTES.checked_add(word(body, 8)? as usize)?;
    let (key, behind) = body.split_at_checked(length)?;
    let end = behind.iter().position(|&byte| byte == 0).unwrap_or(behind.len());
    // The kernel gives a directory itself the name that it has in itself.
    let name = &behind[..end];
    Some((key, if has_name && name != b"." { name } else { b"" }))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_ne_bytes(*word))
}

fn half_word(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|half| u16::from_ne_bytes(*half))
}

/// Makes a descriptor that can be read when one of two can be.
///
/// Price: one `epoll_create1`, two `epoll_ctl`; one `close` later.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "epoll_create1")]
pub fn either_readable(one: &Descriptor, other: &Descriptor) -> Result<Descriptor, Errno> {
    let both = retry(Call::EpollCreate1, || epoll::create(epoll::CreateFlags::CLOEXEC))?;
    for watched in [one, other] {
        let data = epoll::EventData::new_u64(0);
        let flags = epoll::EventFlags::IN;
        retry(Call::EpollCtl, || epoll::add(&both, watched.as_fd(), data, flags))?;
    }
    Ok(Descriptor::new(both))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;
    use crate::linux::filesystem_id;
    use crate::unix::{CWD, open_dir, read};

    /// An event as the kernel writes it: its parts, each with its kind.
    fn event(mask: u64, parts: &[(u8, &[u8])]) -> Vec<u8> {
        let mut behind = Vec::new();
        for (kind, body) in parts {
            behind.extend([*kind, 0]);
            behind.extend(((PART_BYTES + body.len()) as u16).to_ne_bytes());
            behind.extend_from_slice(body);
        }
        let mut event = ((METADATA_BYTES + behind.len()) as u32).to_ne_bytes().to_vec();
        event.extend([libc::FANOTIFY_METADATA_VERSION, 0]);
        event.extend((METADATA_BYTES as u16).to_ne_bytes());
        event.extend(mask.to_ne_bytes());
        event.extend([(-1_i32).to_ne_bytes(), 7_i32.to_ne_bytes()].concat());
        event.extend(behind);
        event
    }

    fn body(handle: &[u8], name: &[u8]) -> Vec<u8> {
        let length = (handle.len() as u32).to_ne_bytes();
        [b"filesyst", &length[..], b"kind", handle, name].concat()
    }

    #[test]
    fn events_are_read_one_behind_the_other_and_a_torn_one_is_left() {
        let (named, itself) = (body(b"12345678", b"name\0\0"), body(b"1234", b".\0"));
        let whole = [
            event(libc::FAN_CREATE | libc::FAN_ONDIR, &[(1, b"other"), (2, &named)]),
            event(libc::FAN_ATTRIB, &[(2, &itself)]),
            event(libc::FAN_Q_OVERFLOW, &[]),
        ];
        let ends: Vec<usize> = (1..=3).map(|count| whole[..count].concat().len()).collect();
        let whole = whole.concat();
        for cut in 0..=whole.len() {
            let events = FileSystemEvents::parse(&whole[..cut]).count();
            assert_eq!(events, ends.iter().filter(|&&end| end <= cut).count(), "{cut}");
        }
        let events: Vec<_> = FileSystemEvents::parse(&whole).collect();
        assert_eq!((events[0].dir, events[0].name), (&named[..24], &b"name"[..]));
        assert!(events[0].happened.any_of(Happened::CREATED));
        assert!(events[1].dir == &itself[..20] && events[1].name.is_empty());
        assert!(events[1].happened.any_of(Happened::METADATA));
        assert!(events[2].dir.is_empty() && events[2].happened.any_of(Happened::OVERFLOW));
    }

    #[test]
    fn lengths_that_lie_name_no_directory() {
        let mut long = body(b"1234", b"name\0");
        long[8..12].copy_from_slice(&u32::MAX.to_ne_bytes());
        let bytes = event(libc::FAN_CREATE, &[(2, &long)]);
        assert!(FileSystemEvents::parse(&bytes).all(|event| event.dir.is_empty()));
        let good = event(libc::FAN_CREATE, &[(2, &body(b"1234", b"name\0"))]);
        // The length of all, of the metadata, of the part; and a version that is not known.
        for (at, byte) in [(0, 0), (0, 23), (1, 1), (6, 0), (7, 1), (4, 2)] {
            let mut bad = good.clone();
            bad[at] = byte;
            assert_eq!(FileSystemEvents::parse(&bad).count(), 0, "{at} {byte}");
        }
        for length in [0, 3, 200] {
            let mut bad = good.clone();
            bad[26] = length;
            assert!(FileSystemEvents::parse(&bad).all(|event| event.dir.is_empty()), "{length}");
        }
    }

    #[test]
    fn what_happens_in_a_directory_comes_with_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = std::ffi::CString::new(folder.path().to_str().unwrap()).unwrap();
        let dir = open_dir(CWD, &path, true).unwrap();
        let group = match new_file_system_watcher() {
            Ok(group) => group,
            Err(errno) => return println!("skipped: no fanotify here: {errno:?}"),
        };
        if let Err(errno) = watch_file_system(&group, &dir) {
            return println!("skipped: no file system can be watched here: {errno:?}");
        }
        let mut handle = match directory_handle(&dir) {
            Ok(handle) => handle,
            Err(errno) => return println!("skipped: no handles here: {errno:?}"),
        };
        fs::create_dir(folder.path().join("new")).unwrap();
        let key = handle.key(filesystem_id(&dir).unwrap());
        let mut block = vec![0; 1 << 16];
        while let Ok(filled) = read(&group, &mut block) {
            let mut events = FileSystemEvents::parse(&block[..filled]);
            if let Some(event) = events.find(|event| event.dir == key) {
                assert!(event.name == b"new" && event.happened.any_of(Happened::CREATED));
                return;
            }
        }
        panic!("nothing was told");
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            prop_assert!(FileSystemEvents::parse(&bytes).count() * METADATA_BYTES <= bytes.len());
        }

        /// As above, with one byte of a whole event changed: most lengths are right then.
        #[test]
        fn any_byte_may_be_wrong(at in 0_usize..120, byte: u8) {
            let one = event(libc::FAN_CREATE, &[(2, &body(b"12345678", b"name\0\0\0\0"))]);
            let mut both = [one.clone(), one].concat();
            let length = both.len();
            both[at % length] = byte;
            let told: usize = FileSystemEvents::parse(&both)
                .map(|event| event.dir.len() + event.name.len())
                .sum();
            prop_assert!(told <= length);
        }
    }
}
