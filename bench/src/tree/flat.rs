//! One directory with nothing but files: what a lister works on.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use super::dress::Dresser;
use super::names::{Names, Style};
use super::random::Random;
use super::write;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    pub(crate) name: &'static str,
    pub(crate) files: u32,
    /// 0: the user who makes it owns them. Only root can give files to others.
    pub(crate) owners: u32,
    pub(crate) seed: u64,
}

pub(crate) const FLATS: &[Flat] = &[
    Flat { name: "flat-100k", files: 100_000, owners: 50, seed: 100_050 },
    Flat { name: "flat-100k-one-owner", files: 100_000, owners: 0, seed: 100_050 },
    Flat { name: "flat-10k", files: 10_000, owners: 0, seed: 10_000 },
    Flat { name: "flat-3", files: 3, owners: 0, seed: 3 },
];

impl Flat {
    /// Its names, in the order of making.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let mut random = Random::new(self.seed);
        let mut names = Names::new();
        let drawn = std::iter::repeat_with(move || {
            let style = if random.once_in(3) { Style::Long } else { Style::File };
            names.draw(&mut random, style)
        });
        // A lister hides these.
        drawn.filter(|name| !name.starts_with('.')).take(self.files as usize)
    }

    /// Makes it; the root must not exist.
    pub(crate) fn make(&self, root: &Path) -> io::Result<()> {
        if self.owners > 0 && !rustix::process::geteuid().is_root() {
            let reason = format!("needs root, to give its files {} owners", self.owners);
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        let root: OwnedFd = write::make_root(root)?;
        // Not the seed of the names: with other owners the names stay the same.
        let mut dresser = Dresser::new(!self.seed, self.owners);
        self.names().try_for_each(|name| dresser.file(&root, &name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::write::Hash;

    #[test]
    fn names_never_change() {
        let hash = |flat: &Flat| {
            let mut hash = Hash::default();
            flat.names().for_each(|name| hash.take(name.as_bytes()));
            hash.0
        };
        assert_eq!(hash(&FLATS[2]), 0x75c8_b792_e264_fa2b, "the names changed: raise MAKER");
    }

    #[test]
    fn owners_do_not_change_the_names() {
        let names = |flat: &Flat| flat.names().take(1_000).collect::<Vec<_>>();
        assert_eq!(names(&FLATS[0]), names(&FLATS[1]));
    }
}
