//! Operands that are files, read block by block.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::{Descriptor, Errno, Fields, Scope, Stat};

use super::arguments::Operands;
use crate::{Input, Io, Output, ToolError, ToolResult};

/// The size of the first block: the allocator needs no call for it.
const FIRST_BYTES: usize = 64 << 10;
/// The size of the following blocks.
const BLOCK_BYTES: usize = 256 << 10;
/// So much output is collected before it is written.
const OUTPUT_BYTES: usize = 32 << 10;
/// Longer paths are refused by the kernel, but not by a [`Scope`].
const LONGEST_PATH: usize = 4095;

/// Whether a name means the same in this process as in a process of the real tool: the script's
/// descriptors (/dev/fd) and what /proc shows are not the same.
pub(super) fn is_plain(path: &[u8]) -> bool {
    path.len() <= LONGEST_PATH && !path.contains(&0) && !is_of_this_process(path)
}

/// The operands of a tool that reads files: `-`, standard input, if there are none. `None` unless
/// each is [plain](is_plain).
pub(super) fn files(mut operands: Operands<'_>) -> Option<Operands<'_>> {
    if operands.is_empty() {
        operands.push(b"-");
    }
    operands.iter().all(|name| is_plain(name)).then_some(operands)
}

/// Opens what such an operand names; `held` keeps the file open.
///
/// Price: that of [`File::open`]; none for standard input.
pub(super) fn open<'i>(
    name: &[u8],
    opener: Opener<'i>,
    input: &'i mut dyn Input,
    held: &'i mut Option<File<'i>>,
) -> FileResult<&'i mut dyn Input> {
    Ok(if name == b"-" { input } else { held.insert(File::open(opener, name)?) })
}

/// Opens files below a directory, and reads them; only a signal that ends the tool interrupts it
/// while it waits, at a FIFO for instance.
#[derive(Clone, Copy)]
pub(super) struct Opener<'a> {
    pub(super) scope: &'a Scope,
    pub(super) interrupted: &'a dyn Fn() -> bool,
}

impl<'a> Opener<'a> {
    pub(super) fn new(io: &Io<'a>) -> Opener<'a> {
        Opener { scope: io.scope, interrupted: io.interrupted }
    }

    /// Makes a call that may wait, and makes it again unless the signal that came ends the tool.
    fn wait<T>(&self, mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        loop {
            match sys::interruptible(&mut call) {
                Err(Errno::INTR) if !(self.interrupted)() => {}
                done => return done,
            }
        }
    }
}

/// Whether both are of the same file.
pub(crate) fn is_same(a: &Stat, b: &Stat) -> bool {
    a.inode() == b.inode() && a.device() == b.device()
}

/// Writes the collected output once it is large enough.
pub(crate) fn hand_over(out: &mut Vec<u8>, output: &mut dyn Output) -> ToolResult {
    if out.len() >= OUTPUT_BYTES {
        output.write(out)?;
        out.clear();
    }
    Ok(())
}

fn is_of_this_process(path: &[u8]) -> bool {
    let mut before: &[u8] = b"";
    let mut names = path.split(|&byte| byte == b'/').filter(|name| !matches!(*name, b"" | b"."));
    // Most paths are compared with two short words, and that is all.
    names.any(|name| {
        let device =
            before == b"dev" && [&b"fd"[..], b"std", b"tty"].iter().any(|it| name.starts_with(it));
        let process = name == b"proc" && matches!(before, b"" | b"..");
        before = name;
        device || process
    })
}

/// A name as a path. Price: none.
pub(super) fn as_path(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

/// A file that is read in blocks.
pub(super) struct File<'a> {
    file: Descriptor,
    opener: Opener<'a>,
    block: Vec<u8>,
    used: usize,
    blocks: usize,
}

impl<'a> File<'a> {
    /// Opens it.
    ///
    /// Price: one `openat`; one `close` when it is dropped.
    pub(super) fn open(opener: Opener<'a>, name: &[u8]) -> FileResult<File<'a>> {
        let open = || opener.scope.open(as_path(name)).map_err(|error| error.errno());
        let file = opener.wait(open)?;
        Ok(File { file, opener, block: Vec::new(), used: 0, blocks: 0 })
    }

    /// The descriptor, to read from it past the block.
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
            let got = self.opener.wait(|| sys::read_behind(file, block, bytes))?;
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

/// Why a file is not read, or not to its end.
pub(crate) enum FileError {
    /// There is something wrong with this file: the tool says so, and goes on.
    File(Errno),
    /// The tool ends.
    Tool(ToolError),
}

/// What came of reading a file.
pub(crate) type FileResult<T = ()> = Result<T, FileError>;

impl From<ToolError> for FileError {
    fn from(error: ToolError) -> FileError {
        FileError::Tool(error)
    }
}

impl From<Errno> for FileError {
    /// A signal ends the tool; any other number is about the file.
    fn from(errno: Errno) -> FileError {
        if errno == Errno::INTR { ToolError::Stopped.into() } else { FileError::File(errno) }
    }
}

/// Outside, why the tool ends; inside, what is wrong with the file.
pub(crate) fn of_file<T>(result: Result<T, impl Into<FileError>>) -> ToolResult<Result<T, Errno>> {
    match result.map_err(Into::<FileError>::into) {
        Ok(done) => Ok(Ok(done)),
        Err(FileError::File(errno)) => Ok(Err(errno)),
        Err(FileError::Tool(error)) => Err(error),
    }
}

/// Calls `use_block` with everything that is read, block by block.
pub(crate) fn each_block(
    input: &mut dyn Input,
    mut use_block: impl FnMut(&[u8]) -> ToolResult,
) -> FileResult {
    loop {
        let block = input.fill()?;
        if block.is_empty() {
            return Ok(());
        }
        use_block(block)?;
        let used = block.len();
        input.consume(used);
    }
}

/// Calls `line` with each line without its end, and whether it had one. A line within one block is
/// not copied.
pub(super) fn each_line(
    input: &mut dyn Input,
    end: u8,
    mut line: impl FnMut(&[u8], bool) -> ToolResult,
) -> FileResult {
    let mut begun = Vec::new();
    each_block(input, |block| {
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
        Ok(())
    })?;
    if !begun.is_empty() {
        line(&begun, false)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
