//! The file that the agent and the tracer have mapped both.
//!
//! The program may write over all of it, so nothing in it is trusted: what is read is checked
//! against the sizes that this process knows, and addresses in it are never followed here.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

use ::agent::layout;

/// The mapping.
#[derive(Debug)]
pub(super) struct Memory(NonNull<u8>);

impl Memory {
    /// Makes an empty file as large as it has to be, and maps it.
    pub(super) fn new(file: &File) -> io::Result<Memory> {
        file.set_len(layout::SIZE as u64)?;
        let (fd, rights) = (file.as_raw_fd(), libc::PROT_READ | libc::PROT_WRITE);
        // Nobody can shorten it any more, so that no access here ends with SIGBUS.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: plain numbers; the mapping is new, and belongs to what is returned.
        let memory = unsafe {
            if libc::fcntl(fd, libc::F_ADD_SEALS, seals) != 0 {
                return Err(io::Error::last_os_error());
            }
            libc::mmap(ptr::null_mut(), layout::SIZE, rights, libc::MAP_SHARED, fd, 0)
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Memory(NonNull::new(memory.cast()).ok_or(io::ErrorKind::InvalidData)?))
    }

    /// A word of the mapping; the offset is one of the layout's.
    pub(super) fn word(&self, offset: usize) -> &AtomicU64 {
        assert!(offset + 8 <= layout::SIZE && offset.is_multiple_of(8));
        // SAFETY: the word lies in the mapping, which lives as long as this, and is aligned. Other
        // processes write there, too: hence an atomic.
        unsafe { &*self.0.as_ptr().add(offset).cast::<AtomicU64>() }
    }

    pub(super) fn put(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= layout::SIZE);
        // SAFETY: as many bytes lie in the mapping, and no reference to them is held; `bytes` is
        // this process's own memory.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.as_ptr().add(offset), bytes.len());
        }
    }

    pub(super) fn get(&self, offset: usize, length: usize, to: &mut Vec<u8>) {
        assert!(offset.checked_add(length).is_some_and(|end| end <= layout::SIZE));
        to.clear();
        to.reserve(length);
        // SAFETY: as many bytes lie in the mapping, and in the spare room of `to`; they are
        // initialised then. If the program writes at the same time they are whatever it writes.
        unsafe {
            ptr::copy_nonoverlapping(self.0.as_ptr().add(offset), to.as_mut_ptr(), length);
            to.set_len(length);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nothing borrows from it any more.
        unsafe { libc::munmap(self.0.as_ptr().cast(), layout::SIZE) };
    }
}
