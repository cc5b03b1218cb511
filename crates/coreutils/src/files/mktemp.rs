//! `mktemp`

use fewer::{Errno, Fields};

use super::{Work, as_path, in_directory, number, random_name};
use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolError, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"dp:qtu",
    long: &["directory=d", "dry-run=u", "quiet=q"],
    anywhere: true,
};

/// Templates with fewer X in a row are left to the real tool.
const LEAST_PLACES: usize = 3;

/// Makes a file or a directory with a new name.
pub(crate) struct Mktemp {
    /// The path, with an X at each place that is filled.
    template: Vec<u8>,
    /// Where those places are.
    places: std::ops::Range<usize>,
    directory: bool,
    only_name: bool,
}

impl ToolJob for Mktemp {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("mktemp", io);
        self.make_one(&mut work)?;
        Ok(work.status)
    }
}

impl Mktemp {
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Mktemp> {
        let (mut directory, mut only_name, mut for_all, mut parent) = (false, false, false, None);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'd' => directory = true,
                b'p' if value.is_empty() => return None,
                b'p' => parent = Some(value),
                b't' => for_all = true,
                b'u' => only_name = true,
                _ => {}
            }
        }
        let operands = options.operands(io)?;
        let set = || (io.environment)(b"TMPDIR").filter(|value| !value.is_empty());
        let named = parent.map(<[u8]>::to_vec);
        let in_folder = parent.is_some() || for_all || operands.is_empty();
        let name = match *operands {
            [] => b"tmp.XXXXXXXXXX".as_slice(),
            [name] => name,
            _ => return None,
        };
        if in_folder && (name.starts_with(b"/") || for_all && name.contains(&b'/')) {
            return None;
        }
        let template = match in_folder {
            false => name.to_vec(),
            true => {
                let folder = match for_all {
                    true => set().or(named),
                    false => named.or_else(set),
                };
                in_directory(&folder.unwrap_or_else(|| b"/tmp".to_vec()), name)
            }
        };
        let last = memchr::memrchr(b'X', &template)?;
        let first = template[..last].iter().rposition(|&byte| byte != b'X').map_or(0, |it| it + 1);
        let places = first..last + 1;
        let supported = places.len() >= LEAST_PLACES && !template[last..].contains(&b'/');
        supported.then_some(Mktemp { template, places, directory, only_name })
    }

    /// Price: one `mknodat` or `mkdirat`, or one `statx` for a name only; one more for each name
    /// that is taken.
    fn make_one(&self, work: &mut Work) -> ToolResult {
        let mut path = self.template.clone();
        for _ in 0..10_000 {
            path[self.places.clone()].copy_from_slice(&random_name(self.places.len()));
            match self.make(&path, work) {
                Ok(()) => return work.say(&[&path]),
                Err(Errno::EXIST) => {}
                Err(_) => return Err(ToolError::Unsupported),
            }
        }
        Err(ToolError::Unsupported)
    }

    fn make(&self, path: &[u8], work: &Work) -> Result<(), Errno> {
        let (scope, path) = (work.scope(), as_path(path));
        match (self.only_name, self.directory) {
            (true, _) => match scope.stat(path, Fields::KIND).map_err(number) {
                Ok(_) => Err(Errno::EXIST),
                Err(Errno::NOENT) => Ok(()),
                Err(errno) => Err(errno),
            },
            (false, true) => scope.make_directory(path, 0o700).map_err(number),
            (false, false) => scope.make_file(path, 0o600).map_err(number),
        }
    }
}

#[cfg(test)]
mod tests;
