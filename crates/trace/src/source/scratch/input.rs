//! The standard input of a command that is run several times: read once, and given to each run.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::sync::Arc;

/// The most that is kept of a file.
const MOST_OF_FILE: usize = 256 << 20;
/// The most that is kept of a pipe: what the kernel lets a pipe of any user hold.
const MOST_OF_PIPE: usize = 1 << 20;

/// What a command reads.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Input {
    /// Nothing: `/dev/null`.
    #[default]
    Nothing,
    /// What was in a file, from where this process stood in it.
    File(Arc<[u8]>),
    /// What came from a pipe or a socket.
    Pipe(Arc<[u8]>),
}

impl Input {
    /// Reads the standard input of this process, to its end.
    ///
    /// # Errors
    /// In words: it is a terminal, it is too long, or it cannot be read.
    pub fn capture() -> Result<Input, String> {
        // SAFETY: what it is wrapped in is not dropped, so the descriptor stays open.
        let mut here = ManuallyDrop::new(unsafe { File::from_raw_fd(libc::STDIN_FILENO) });
        let Ok(about) = here.metadata() else { return Ok(Input::Nothing) };
        let kind = about.file_type();
        if sys::is_terminal(sys::STDIN) {
            return Err("its standard input is a terminal (give it < /dev/null)".to_owned());
        }
        let is_pipe = kind.is_fifo() || kind.is_socket();
        if !is_pipe && !kind.is_file() {
            return Ok(Input::Nothing);
        }
        let most = if is_pipe { MOST_OF_PIPE } else { MOST_OF_FILE };
        let mut bytes = Vec::new();
        let read = (&mut *here).take(most as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("its standard input cannot be read: {error}"))?;
        if bytes.len() > most {
            return Err(format!("its standard input has more than {} MiB", most >> 20));
        }
        Ok(if is_pipe { Input::Pipe(bytes.into()) } else { Input::File(bytes.into()) })
    }

    /// A descriptor to read it from, from its beginning.
    pub(super) fn open(&self) -> io::Result<OwnedFd> {
        match self {
            Input::Nothing => File::open("/dev/null").map(OwnedFd::from),
            Input::File(bytes) => file(bytes),
            Input::Pipe(bytes) => filled(bytes),
        }
    }
}

/// A file in memory.
fn file(bytes: &[u8]) -> io::Result<OwnedFd> {
    // SAFETY: the name ends with a NUL; the descriptor is new, and this process's own.
    let mut file = unsafe {
        match libc::memfd_create(c"input".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => return Err(io::Error::last_os_error()),
            file => File::from_raw_fd(file),
        }
    };
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// A pipe with everything in it, and nothing behind that.
fn filled(bytes: &[u8]) -> io::Result<OwnedFd> {
    let (reader, mut writer) = io::pipe()?;
    let room = i32::try_from(bytes.len().max(1 << 16)).unwrap_or(i32::MAX);
    // SAFETY: plain numbers. Without the room the write would wait for ever.
    unsafe {
        if libc::fcntl(writer.as_raw_fd(), libc::F_SETPIPE_SZ, room) < room {
            return Err(io::Error::last_os_error());
        }
    }
    writer.write_all(bytes)?;
    Ok(reader.into())
}
