//! The working directory.

use std::rc::Rc;

use fewer::Scope;

use crate::Text;
use crate::run::texts::as_path;

/// The working directory, which is the shell's own and not the process's.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    pub(crate) scope: Scope,
    /// Its logical path; empty if nothing knows it.
    pub(crate) path: Rc<[u8]>,
    /// `pushd`'s directories, the top last.
    pub(crate) stack: Vec<Text>,
}

impl Default for Directory {
    fn default() -> Directory {
        Directory { scope: Scope::start(), path: Rc::from([]), stack: Vec::new() }
    }
}

impl Directory {
    /// The path that the shell knows, if it leads here; else what the kernel says.
    ///
    /// Price: two `statx`; with `physical` what the kernel asks for its path.
    pub(crate) fn path_that_leads_here(&self, physical: bool) -> Result<Vec<u8>, fewer::Error> {
        let inode = |path: &[u8]| {
            let stat = self.scope.stat_target(as_path(path), fewer::Fields::INODE)?;
            Ok((stat.device(), stat.inode()))
        };
        let is_here = inode(&self.path)? == inode(b".")?;
        match physical || !is_here {
            false => Ok(self.path.to_vec()),
            true if is_here => Ok(self.scope.physical()?.into_os_string().into_encoded_bytes()),
            true => Err(fewer::Error::new(fewer::Errno::NOENT, "find", &self.path)),
        }
    }
}
