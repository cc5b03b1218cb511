//! Operands that are files, read block by block; what is said if they cannot be.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) use fewer::reason;
use fewer::{Descriptor, Errno, Fields, Scope, Stat};

use super::arguments::Operands;
use super::{Broken, Input, Output, quote};

/// The first block: memory for it needs no call of its own.
const FIRST_BYTES: usize = 64 << 10;
/// Blocks of files that are larger than the first.
const BLOCK_BYTES: usize = 256 << 10;
/// Longer paths are refused by the kernel, but not by a [`Scope`].
const LONGEST_PATH: usize = 4095;

/// Whether a name means for a tool here what it means for the real one: the descriptors of a script
/// are not those of this process, nor is what /proc says of it.
pub(super) fn is_plain(path: &[u8]) -> bool {
    path.len() <= LONGEST_PATH && !path.contains(&0) && !is_of_this_process(path)
}

/// The operands of what reads files: `-`, standard input, if there are none. `None` unless each is
/// [plain](is_plain).
pub(super) fn files(mut operands: Operands<'_>) -> Option<Operands<'_>> {
    if operands.is_empty() {
        operands.push(b"-");
    }
    operands.iter().all(|name| is_plain(name)).then_some(operands)
}

/// What such an operand stands for: `held` keeps the file open.
///
/// Price: that of [`File::open`]; none for standard input.
pub(super) fn open<'i>(
    name: &[u8],
    place: Place<'i>,
    input: &'i mut dyn Input,
    held: &'i mut Option<File<'i>>,
) -> Result<Result<&'i mut dyn Input, Errno>, Broken> {
    match name {
        b"-" => Ok(Ok(input)),
        _ => match File::open(place, name)? {
            Ok(file) => Ok(Ok(held.insert(file))),
            Err(errno) => Ok(Err(errno)),
        },
    }
}

/// Where names lead from, and what ends waiting for what is there: a FIFO.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) scope: &'a Scope,
    pub(super) interrupted: &'a dyn Fn() -> bool,
}

impl Place<'_> {
    /// Runs what may wait; only a signal that ends the tool ends it.
    fn wait<T>(&self, mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        loop {
            match sys::interruptible(&mut call) {
                Err(Errno::INTR) if !(self.interrupted)() => {}
                done => return done,
            }
        }
    }
}

fn is_of_this_process(path: &[u8]) -> bool {
    let mut before: &[u8] = b"";
    let mut names = path.split(|&byte| byte == b'/').filter(|name| !matches!(*name, b"" | b"."));
    // Most paths are compared with two short words, and that is all.
    names.any(|name| {
        let device =
            before == b"dev" && [&b"fd"[..], b"std", b"tty"].iter().any(|it| name.starts_with(it));
        let process = name == b"proc" && (before.is_empty() && path[0] == b'/' || before == b"..");
        before = name;
        device || process
    })
}

/// A name as the standard library has it; free.
pub(super) fn as_path(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

/// A file that is read.
pub(super) struct File<'a> {
    file: Descriptor,
    place: Place<'a>,
    block: Vec<u8>,
    used: usize,
    blocks: usize,
}

impl<'a> File<'a> {
    /// Opens it.
    ///
    /// Price: one `openat`; one `close` when it is dropped.
    pub(super) fn open(place: Place<'a>, name: &[u8]) -> Result<Result<File<'a>, Errno>, Broken> {
        let open = || place.scope.open(as_path(name)).map_err(|error| error.errno());
        match place.wait(open) {
            Ok(file) => Ok(Ok(File { file, place, block: Vec::new(), used: 0, blocks: 0 })),
            Err(errno) => failed(errno),
        }
    }

    /// Where to read from without a block in between.
    pub(super) fn descriptor(&self) -> &Descriptor {
        &self.file
    }
}

impl Input for File<'_> {
    /// Price: one `read` if nothing is left.
    fn fill(&mut self) -> Result<&[u8], Errno> {
        if self.used == self.block.len() {
            self.block.clear();
            self.used = 0;
            let bytes = if self.blocks == 0 { FIRST_BYTES } else { BLOCK_BYTES };
            let (file, block) = (&self.file, &mut self.block);
            let got = self.place.wait(|| sys::read_behind(file, block, bytes))?;
            self.blocks += usize::from(got == FIRST_BYTES);
        }
        Ok(&self.block[self.used..])
    }

    fn consume(&mut self, bytes: usize) {
        self.used = (self.used + bytes).min(self.block.len());
    }

    fn stat(&self) -> Option<Stat> {
        sys::stat_descriptor(&self.file, Fields::KIND | Fields::SIZE | Fields::INODE).ok()
    }
}

/// Writes `tool: name: reason` to standard error.
pub(super) fn complain(
    errors: &mut dyn Output,
    utf8: bool,
    tool: &str,
    name: &[u8],
    errno: Errno,
) -> Result<(), Broken> {
    let name = quote::for_colon(name, utf8);
    let reason = reason(errno);
    say(errors, &[tool.as_bytes(), b": ", &name, b": ", reason.as_bytes(), b"\n"])
}

/// Writes a message to standard error in one go. That it cannot be written is nobody's business.
pub(super) fn say(errors: &mut dyn Output, parts: &[&[u8]]) -> Result<(), Broken> {
    match errors.write(&parts.concat()) {
        Err(Broken::Output(_)) | Ok(()) => Ok(()),
        Err(broken) => Err(broken),
    }
}

/// What a call that failed means: a signal ends the tool, anything else is told.
pub(super) fn failed<T>(errno: Errno) -> Result<Result<T, Errno>, Broken> {
    if errno == Errno::INTR { Err(Broken::Stopped) } else { Ok(Err(errno)) }
}

/// Hands over one line after the other, without what ends it, and whether anything did. Lines that
/// lie within a block are not copied.
pub(super) fn each_line(
    input: &mut dyn Input,
    end: u8,
    mut line: impl FnMut(&[u8], bool) -> Result<(), Broken>,
) -> Result<Result<(), Errno>, Broken> {
    let mut begun = Vec::new();
    loop {
        let block = match input.fill() {
            Ok(b"") => break,
            Ok(block) => block,
            Err(errno) => return failed(errno),
        };
        let mut at = 0;
        for stop in memchr::memchr_iter(end, block) {
            if begun.is_empty() {
                line(&block[at..stop], true)?;
            } else {
                begun.extend_from_slice(&block[at..stop]);
                line(&begun, true)?;
                begun.clear();
            }
            at = stop + 1;
        }
        begun.extend_from_slice(&block[at..]);
        let used = block.len();
        input.consume(used);
    }
    if !begun.is_empty() {
        line(&begun, false)?;
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use fewer::Scope;

    use super::{File, Input, Place, is_plain};

    #[test]
    fn a_file_is_used_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("a");
        let text: Vec<u8> = (0..=255).cycle().take(700_000).collect();
        std::fs::write(&name, &text).unwrap();
        let place = Place { scope: &Scope::start(), interrupted: &|| false };
        let opened = File::open(place, name.as_os_str().as_encoded_bytes());
        let mut file = opened.ok().unwrap().unwrap();
        let mut read = Vec::new();
        loop {
            let block = file.fill().unwrap();
            if block.is_empty() {
                break;
            }
            let used = block.len().min(10_001);
            read.extend_from_slice(&block[..used]);
            file.consume(used);
        }
        assert!(read == text);
    }

    #[test]
    fn what_is_of_this_process_is_not_the_scripts() {
        for name in [
            "/dev/stdin",
            "/dev/fd/3",
            "//dev/./stdout",
            "dev/tty",
            "/proc/self/fd",
            "../proc/1",
            "/./proc/x",
            "../../dev/stderr",
        ] {
            assert!(!is_plain(name.as_bytes()), "{name}");
        }
        for name in ["", "-", "/", "/dev/null", "x", "fd/3", "src/proc/x", "proc", "/usr/dev"] {
            assert!(is_plain(name.as_bytes()), "{name}");
        }
        assert!(!is_plain(&[b'x'; 5000]) && !is_plain(b"a\0"));
    }
}
