//! As many paths in one command as the kernel takes.

use sys::SignalMask;

use super::CommandTemplate;
use crate::error::{Action, Errno, Error};
use crate::scope::ExitStatus;

/// What POSIX leaves for the environment to grow, and more for what the kernel puts beside the
/// arguments: the name of the program, the auxiliary vector.
const SPARE_BYTES: usize = 8 << 10;
/// What the kernel counts for a pointer to an argument: its own pointers, which have 64 bits also
/// where those of this program have 32.
const POINTER_BYTES: usize = 8;

/// A command and the paths that wait for it. It is run when the kernel would not take another path
/// (the limit of `execve` on arguments and environment), or there are as many as wanted, and once
/// more by [`finish`](Batch::finish).
#[derive(Debug)]
pub struct Batch {
    template: CommandTemplate,
    mask: SignalMask,
    most_bytes: usize,
    most_paths: usize,
    /// Each with a NUL at its end.
    paths: Vec<u8>,
    count: usize,
    bytes: usize,
}

impl Batch {
    /// A batch without paths; at most `most_paths` in one command.
    ///
    /// Price: one `prlimit64`.
    #[must_use]
    pub fn new(template: CommandTemplate, most_paths: Option<usize>) -> Batch {
        let (bytes, arguments) = template.fixed_bytes();
        let variables = std::env::vars_os();
        let environment: usize = variables
            .filter(|_| sys::ENVIRONMENT_TAKES_ROOM)
            .map(|(name, value)| name.len() + value.len() + b"=\0".len() + POINTER_BYTES)
            .sum();
        let used = bytes + (arguments + 2) * POINTER_BYTES + environment + SPARE_BYTES;
        Batch {
            most_bytes: sys::argument_limit().saturating_sub(used),
            most_paths: most_paths.unwrap_or(usize::MAX).max(1),
            template,
            mask: sys::signal_mask(),
            paths: Vec::new(),
            count: 0,
            bytes: 0,
        }
    }

    /// Adds a path; if there is no place for it, first runs the command for those before it, and
    /// returns how that ended. The command has the standard streams of this process.
    ///
    /// Price: none, or one child.
    ///
    /// # Errors
    /// As [`Command::status`](crate::Command::status); `E2BIG` for a path that fits in no command,
    /// which is left out.
    pub fn push(&mut self, path: &[u8]) -> Result<Option<ExitStatus>, Error> {
        let argument = self.template.bytes_for(path);
        let bytes = argument + POINTER_BYTES;
        if argument > sys::LONGEST_ARGUMENT || bytes > self.most_bytes {
            return Err(Error::new(Errno::TOOBIG, Action::RUN, path));
        }
        let full = self.bytes + bytes > self.most_bytes || self.count == self.most_paths;
        let status = if full { self.finish() } else { Ok(None) };
        self.paths.extend_from_slice(path);
        self.paths.push(0);
        self.count += 1;
        self.bytes += bytes;
        status
    }

    /// Runs the command for the paths that are left; without any it is not run.
    ///
    /// Price: none, or one child.
    ///
    /// # Errors
    /// As [`Command::status`](crate::Command::status).
    pub fn finish(&mut self) -> Result<Option<ExitStatus>, Error> {
        if self.count == 0 {
            return Ok(None);
        }
        let paths = self.paths.split(|&byte| byte == 0).take(self.count);
        let mut command = self.template.command(paths);
        command.mask = Some(self.mask);
        self.paths.clear();
        (self.count, self.bytes) = (0, 0);
        command.status().map(Some)
    }
}
