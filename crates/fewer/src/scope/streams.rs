//! The standard streams of a child.

use std::io;

use sys::{AsFile, Descriptor, OwnedFile};

/// What one of a child's standard streams is connected to.
#[derive(Debug)]
pub struct Stdio(pub(super) Connection);

#[derive(Debug)]
pub(super) enum Connection {
    Inherit,
    Null,
    Piped,
    File(Descriptor),
}

impl Stdio {
    /// The same stream of this process; free.
    #[must_use]
    pub fn inherit() -> Stdio {
        Stdio(Connection::Inherit)
    }

    /// /dev/null, which the child opens; on Windows NUL.
    #[must_use]
    pub fn null() -> Stdio {
        Stdio(Connection::Null)
    }

    /// A pipe, whose other end is in the [`Child`](super::Child).
    ///
    /// Price: one `pipe2`, two `close`.
    #[must_use]
    pub fn piped() -> Stdio {
        Stdio(Connection::Piped)
    }

    /// An open file.
    ///
    /// Price: one `close` when the command is dropped.
    #[must_use]
    pub fn from_file(file: impl Into<OwnedFile>) -> Stdio {
        Stdio(Connection::File(Descriptor::from(file.into())))
    }
}

impl From<PipeReader> for Stdio {
    fn from(end: PipeReader) -> Stdio {
        Stdio(Connection::File(end.0))
    }
}

impl From<PipeWriter> for Stdio {
    fn from(end: PipeWriter) -> Stdio {
        Stdio(Connection::File(end.0))
    }
}

impl From<Descriptor> for Stdio {
    fn from(file: Descriptor) -> Stdio {
        Stdio(Connection::File(file))
    }
}

/// The end of a pipe from which a child's output is read. Dropping it costs one `close`.
#[derive(Debug)]
pub struct PipeReader(pub(super) Descriptor);

/// The end of a pipe through which a child's input is written. Dropping it costs one `close`, and
/// ends the child's input.
#[derive(Debug)]
pub struct PipeWriter(pub(super) Descriptor);

impl io::Read for PipeReader {
    /// Price: one `read`.
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        Ok(sys::read(&self.0, block)?)
    }
}

impl io::Write for PipeWriter {
    /// Price: one `write`.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(sys::write(self.0.as_file(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

sys::lend_file!(PipeReader: |it| it.0.as_file());

sys::lend_file!(PipeWriter: |it| it.0.as_file());
