//! `mkdir`

use fewer::{Errno, Fields};

use super::{Work, as_path, is_directory, number};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolJob, ToolResult, quote};

const OPTIONS: KnownOptions =
    KnownOptions { short: b"pvm:", long: &["parents=p", "verbose=v", "mode=m:"], anywhere: true };

/// Permissions that a directory gets in any case if others are made in it.
const OWNER_MAKES: u32 = 0o300;

/// Makes directories.
pub(crate) struct Mkdir<'a> {
    paths: Operands<'a>,
    parents: bool,
    verbose: bool,
    bits: Option<u32>,
}

impl ToolJob for Mkdir<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("mkdir", io);
        for path in &self.paths {
            self.make(path, &mut work)?;
        }
        Ok(work.status)
    }
}

impl<'a> Mkdir<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Mkdir<'a>> {
        let (mut parents, mut verbose, mut bits) = (false, false, None);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'p' => parents = true,
                b'v' => verbose = true,
                _ => bits = Some(permissions(value)?),
            }
        }
        let paths = options.operands(io)?;
        (!paths.is_empty()).then_some(Mkdir { paths, parents, verbose, bits })
    }

    /// Price: one `mkdirat`. With `-p`, one `statx` for what is there already; one `statx` and two
    /// `mkdirat` for each missing directory above, less one. With `-m` one `statx`, and one
    /// `fchmodat` if the umask takes anything off.
    fn make(&self, path: &[u8], work: &mut Work) -> ToolResult {
        match work.scope().make_directory(as_path(path), self.bits.unwrap_or(0o777)) {
            Ok(()) => self.made(path, work),
            Err(error) => match error.errno() {
                Errno::EXIST if self.parents => is_there(path, work),
                Errno::NOENT if self.parents && !path.is_empty() => self.make_all(path, work),
                errno if self.parents && errno != Errno::NOENT => {
                    work.unsupported()?;
                    let is_none = |above: &&[u8]| {
                        work.look_through(above).is_ok_and(|stat| !is_directory(&stat))
                    };
                    let above = directories_above(path);
                    cannot(above.into_iter().find(is_none).unwrap_or(path), errno, work)
                }
                errno => cannot(path, errno, work),
            },
        }
    }

    fn made(&self, path: &[u8], work: &mut Work) -> ToolResult {
        work.begun = true;
        if let Some(bits) = self.bits {
            self.set(path, bits, work)?;
        }
        self.report(path, work)
    }

    fn report(&self, path: &[u8], work: &mut Work) -> ToolResult {
        match self.verbose {
            true => work.say(&[b"mkdir: created directory ", &work.quoted(path)]),
            false => Ok(()),
        }
    }

    /// Sets permissions that the umask took away; keeps special bits that the parent gave.
    fn set(&self, path: &[u8], bits: u32, work: &mut Work) -> ToolResult {
        let scope = work.scope();
        let set = scope.stat(as_path(path), Fields::PERMISSIONS).and_then(|stat| {
            let has = u32::from(stat.permissions());
            match has & 0o777 == bits {
                true => Ok(()),
                false => scope.set_permissions(as_path(path), has & !0o777 | bits),
            }
        });
        match set {
            Ok(()) => Ok(()),
            Err(error) => {
                let name = quote::in_words(path, work.io.utf8);
                work.fail(&[b"cannot set permissions of ", &name], error.errno())
            }
        }
    }

    /// Finds the deepest directory of the path that exists or can be made, and makes all below it.
    fn make_all(&self, path: &[u8], work: &mut Work) -> ToolResult {
        let above = directories_above(path);
        let scope = work.scope();
        let mut next = above.len();
        let mut made = None;
        while made.is_none() && next > 0 {
            next -= 1;
            match scope.make_directory(as_path(above[next]), 0o777).map_err(number) {
                Ok(()) => made = Some(above[next]),
                Err(Errno::EXIST) => break,
                Err(Errno::NOENT) if next > 0 => {}
                Err(errno) => {
                    work.unsupported()?;
                    return cannot(above[next], errno, work);
                }
            }
        }
        let mut bits = 0;
        if let Some(first) = made {
            bits = self.enter(first, work)?;
        }
        for &directory in above.get(next + 1..).unwrap_or_default() {
            match scope.make_directory(as_path(directory), 0o777).map_err(number) {
                Ok(()) if made.is_none() => {
                    made = Some(directory);
                    bits = self.enter(directory, work)?;
                }
                Ok(()) => {
                    self.report(directory, work)?;
                    if bits != 0 {
                        self.set(directory, bits, work)?;
                    }
                }
                Err(Errno::EXIST) => {}
                Err(errno) => {
                    work.unsupported()?;
                    return cannot(directory, errno, work);
                }
            }
        }
        match scope.make_directory(as_path(path), self.bits.unwrap_or(0o777)).map_err(number) {
            Ok(()) => self.made(path, work),
            Err(Errno::EXIST) => is_there(path, work),
            Err(errno) => {
                work.unsupported()?;
                cannot(path, errno, work)
            }
        }
    }

    /// Looks at the first directory that was made, as the umask may forbid its owner to make more
    /// in it. Returns the permissions that the others must get; 0 if those they have will do.
    fn enter(&self, path: &[u8], work: &mut Work) -> ToolResult<u32> {
        work.begun = true;
        self.report(path, work)?;
        let has = work.scope().stat(as_path(path), Fields::PERMISSIONS);
        let has = has.map_or(OWNER_MAKES, |stat| u32::from(stat.permissions()) & 0o777);
        if has & OWNER_MAKES == OWNER_MAKES {
            return Ok(0);
        }
        let bits = has | OWNER_MAKES;
        self.set(path, bits, work)?;
        Ok(bits)
    }
}

/// Permissions from an octal number; words and special bits are left to the real tool.
fn permissions(text: &[u8]) -> Option<u32> {
    let digits = (1..=4).contains(&text.len()) && text.iter().all(|it| (b'0'..=b'7').contains(it));
    let bits = u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok()?;
    (digits && bits <= 0o777).then_some(bits)
}

/// The paths of all directories above this one, the highest first, as they are written.
fn directories_above(path: &[u8]) -> Vec<&[u8]> {
    let mut ends = Vec::new();
    for place in 1..path.len() {
        if path[place] == b'/' && path[place - 1] != b'/' {
            ends.push(&path[..place]);
        }
    }
    if path.ends_with(b"/") && !path.iter().all(|&byte| byte == b'/') {
        ends.pop();
    }
    ends
}

fn is_there(path: &[u8], work: &mut Work) -> ToolResult {
    match work.look_through(path) {
        Ok(stat) if is_directory(&stat) => Ok(()),
        Ok(_) => cannot(path, Errno::EXIST, work),
        Err(_) => {
            work.unsupported()?;
            cannot(path, Errno::EXIST, work)
        }
    }
}

fn cannot(path: &[u8], errno: Errno, work: &mut Work) -> ToolResult {
    let name = quote::in_words(path, work.io.utf8);
    work.fail(&[b"cannot create directory ", &name], errno)
}

#[cfg(test)]
mod tests;
