//! `basename` and `dirname`.

use super::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolJob, ToolResult};

const BASENAME_OPTIONS: KnownOptions =
    KnownOptions { short: b"as:z", long: &["multiple=a", "suffix=s:", "zero=z"], anywhere: false };

const DIRNAME_OPTIONS: KnownOptions =
    KnownOptions { short: b"z", long: &["zero=z"], anywhere: true };

/// Prints a part of each path.
pub(crate) struct Names<'a> {
    paths: Operands<'a>,
    /// Which part of a path, given the suffix.
    part: for<'p> fn(&'p [u8], &[u8]) -> &'p [u8],
    suffix: &'a [u8],
    end: &'static [u8],
}

impl<'a> Names<'a> {
    pub(crate) fn basename(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Names<'a>> {
        let mut job = Names { paths: Operands::new(), part: base_name, suffix: b"", end: b"\n" };
        let mut many = false;
        let mut options = Arguments::new(&BASENAME_OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b's' => (job.suffix, many) = (value, true),
                b'z' => job.end = b"\0",
                _ => many = true,
            }
        }
        job.paths = options.operands(io)?;
        if !many && job.paths.len() == 2 {
            job.suffix = job.paths.pop()?;
        }
        let count = job.paths.len();
        (count == 1 || many && count > 0).then_some(job)
    }

    pub(crate) fn dirname(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Names<'a>> {
        let mut end: &[u8] = b"\n";
        let mut options = Arguments::new(&DIRNAME_OPTIONS, arguments);
        while options.next()?.is_some() {
            end = b"\0";
        }
        let paths = options.operands(io)?;
        (!paths.is_empty()).then_some(Names { paths, part: directory, suffix: b"", end })
    }
}

impl ToolJob for Names<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        for path in &self.paths {
            io.output.write((self.part)(path, self.suffix))?;
            io.output.write(self.end)?;
        }
        Ok(0)
    }
}

/// The last name of a path, as `basename` prints it: `/` for what is nothing but slashes.
pub(super) fn last_name(path: &[u8]) -> &[u8] {
    let whole = without_slashes(path);
    if whole.is_empty() {
        return &path[..path.len().min(1)];
    }
    &whole[memchr::memrchr(b'/', whole).map_or(0, |slash| slash + 1)..]
}

/// The last name without its suffix, unless it is nothing else, as `basename` prints it.
fn base_name<'p>(path: &'p [u8], suffix: &[u8]) -> &'p [u8] {
    let name = last_name(path);
    match name.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() && !name.starts_with(b"/") => stem,
        _ => name,
    }
}

/// What stands before the last name of a path, as `dirname` prints it.
fn directory<'p>(path: &'p [u8], _suffix: &[u8]) -> &'p [u8] {
    let whole = without_slashes(path);
    match memchr::memrchr(b'/', whole) {
        _ if whole.is_empty() && !path.is_empty() => b"/",
        None => b".",
        Some(slash) => match without_slashes(&whole[..slash]) {
            b"" => b"/",
            above => above,
        },
    }
}

fn without_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    &path[..end]
}

#[cfg(test)]
mod tests;
