//! Reading and writing a tracee's memory: one call each, whatever the length.

use std::io;

use super::ptrace::{self, Pid};

/// Memory is there or not in pieces of this size (or a multiple of it).
const PAGE: u64 = 4096;

/// Longest path that the kernel takes, with its NUL.
const PATH_MAX: usize = libc::PATH_MAX as usize;

/// How much is read of a path at first. Most are shorter.
const GUESS: usize = 256;

/// A kernel takes this many ranges in one call (`IOV_MAX`).
const RANGES: usize = 1024;

/// Reads what can be read from `address` on, at most as much as `block` holds. How much it was.
pub(crate) fn read(process: Pid, address: u64, block: &mut [u8]) -> io::Result<usize> {
    // The kernel copies whole iovecs or nothing where a page is missing: one up to the end of the
    // first page, one for the rest.
    let first = block.len().min((PAGE - address % PAGE) as usize);
    let (length, rest) = (block.len(), block.len() - first);
    let local = libc::iovec { iov_base: block.as_mut_ptr().cast(), iov_len: length };
    let remote = [
        libc::iovec { iov_base: address as *mut _, iov_len: first },
        libc::iovec { iov_base: address.wrapping_add(first as u64) as *mut _, iov_len: rest },
    ];
    let pieces = if rest == 0 { 1 } else { 2 };
    // SAFETY:
    // - The local iovec is `block`, which this function alone has borrowed; bytes may be anything.
    // - There are `pieces` (1 or 2) remote iovecs at `remote`. What they point to is checked by
    //   the kernel, in the other process.
    let read =
        unsafe { libc::process_vm_readv(process, &raw const local, 1, remote.as_ptr(), pieces, 0) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}

/// Reads ranges (address, length) of a process's memory one behind the other into `bytes`, which
/// becomes as long as what could be read. One call for 1,024 ranges.
pub(crate) fn ranges(process: Pid, ranges: &[(u64, usize)], bytes: &mut Vec<u8>) {
    bytes.clear();
    for some in ranges.chunks(RANGES) {
        let wanted: usize = some.iter().map(|range| range.1).sum();
        let before = bytes.len();
        bytes.reserve(wanted);
        let remote: Vec<libc::iovec> = some.iter().map(|&(at, length)| part(at, length)).collect();
        let local = part(bytes.spare_capacity_mut().as_mut_ptr() as u64, wanted);
        // SAFETY:
        // - `local` is one range: the spare capacity of `bytes`, of which `wanted` bytes were
        //   reserved. The kernel writes there and nowhere else.
        // - `remote` are addresses in the other process; the kernel checks them.
        let read = unsafe {
            libc::process_vm_readv(
                process,
                &raw const local,
                1,
                remote.as_ptr(),
                remote.len() as u64,
                0,
            )
        };
        let read = usize::try_from(read).unwrap_or(0).min(wanted);
        // SAFETY: the kernel has written `read` bytes from the old end on.
        unsafe { bytes.set_len(before + read) };
        if read < wanted {
            break;
        }
    }
}

fn part(at: u64, length: usize) -> libc::iovec {
    libc::iovec { iov_base: at as *mut libc::c_void, iov_len: length }
}

/// Writes to a tracee's memory: all of it, or it is an error.
pub(crate) fn write(process: Pid, address: u64, bytes: &[u8]) -> io::Result<()> {
    let local = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: bytes.len() };
    // SAFETY: the kernel only reads the local iovec, which is `bytes`; it checks the other one.
    let written =
        unsafe { libc::process_vm_writev(process, &raw const local, 1, &raw const remote, 1, 0) };
    match usize::try_from(written) {
        Ok(written) if written == bytes.len() => Ok(()),
        Ok(_) => Err(io::Error::from_raw_os_error(libc::EFAULT)),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Writes to a stopped thread's code, in whole words: what lies around the bytes stays.
pub(crate) fn write_code(thread: Pid, address: u64, bytes: &[u8]) -> io::Result<()> {
    let before = (address % 8) as usize;
    let begin = address - before as u64;
    let mut words = vec![0; (before + bytes.len()).next_multiple_of(8)];
    if read(thread, begin, &mut words)? != words.len() {
        return Err(io::Error::from_raw_os_error(libc::EFAULT));
    }
    words[before..before + bytes.len()].copy_from_slice(bytes);
    for (at, word) in (begin..).step_by(8).zip(words.as_chunks().0) {
        ptrace::poke(thread, at, u64::from_ne_bytes(*word))?;
    }
    Ok(())
}

/// Fills an array, or nothing.
pub(crate) fn array<const N: usize>(process: Pid, address: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    (read(process, address, &mut bytes).ok()? == N).then_some(bytes)
}

/// The bytes up to a NUL from `address` on: a path. `None` if it cannot be read, or does not end
/// where the longest path would. `block` is used over and over.
pub(crate) fn text(process: Pid, address: u64, block: &mut Vec<u8>) -> Option<&[u8]> {
    if address == 0 {
        return None;
    }
    block.resize(PATH_MAX, 0);
    let mut have = 0;
    let mut want = GUESS;
    while have < PATH_MAX {
        let from = address.wrapping_add(have as u64);
        let read = read(process, from, &mut block[have..want]).ok()?;
        let end = have + read;
        if let Some(nul) = memchr::memchr(0, &block[have..end]) {
            return Some(&block[..have + nul]);
        }
        if read == 0 {
            return None;
        }
        (have, want) = (end, PATH_MAX);
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_come_one_behind_the_other() {
        let (a, b) = (*b"0123456789", *b"abcdef");
        let mut bytes = Vec::new();
        let ranges =
            [(a.as_ptr() as u64 + 2, 3), (b.as_ptr() as u64, 6), (0, 4), (a.as_ptr() as u64, 1)];
        super::ranges(std::process::id().cast_signed(), &ranges, &mut bytes);
        assert_eq!(bytes, b"234abcdef");
    }
}
