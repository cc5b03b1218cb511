//! Walks over a plan and hands every entry to a sink: the disk, or a digest that counts.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat, symlinkat};

use super::dress::Dresser;
use super::names::{Names, Style};
use super::plan::{DirectoryKind, Plan};
use super::random::Random;

/// Takes the entries of a tree, depth first.
pub(crate) trait Sink {
    fn directory(&mut self, name: &str) -> io::Result<()>;
    fn file(&mut self, name: &str) -> io::Result<()>;
    fn link(&mut self, name: &str, target: &str) -> io::Result<()>;
    fn enter(&mut self, name: &str) -> io::Result<()>;
    fn leave(&mut self);
}

/// Hands all that is below the root to `sink`, in an order that depends on the shape alone.
pub(crate) fn write(plan: &Plan, sink: &mut dyn Sink) -> io::Result<()> {
    write_directory(plan, &plan.children(), 0, sink)
}

enum NewEntry<'a> {
    Directory(&'a str),
    File,
    Link,
}

fn write_directory(
    plan: &Plan,
    children: &[Vec<u32>],
    index: u32,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let directory = &plan.directories[index as usize];
    let mut random = Random::new(plan.shape.seed ^ (u64::from(index) << 20));
    let mut names = Names::new();
    let mut entries = Vec::new();
    for &child in &children[index as usize] {
        let name = plan.directories[child as usize].name.as_str();
        names.reserve(name);
        entries.push(NewEntry::Directory(name));
    }
    entries.extend((0..directory.files).map(|_| NewEntry::File));
    entries.extend((0..directory.links).map(|_| NewEntry::Link));
    // The order of making is the order of reading on some file systems: it must favour no engine.
    random.shuffle(&mut entries);
    for entry in &entries {
        let style = style_of(directory.kind, &mut random);
        match entry {
            NewEntry::Directory(name) => sink.directory(name)?,
            NewEntry::File => sink.file(&names.draw(&mut random, style))?,
            NewEntry::Link => {
                let target = random.pick(&["..", "../lib", "missing", "../../share", "main.js"]);
                sink.link(&names.draw(&mut random, style), target)?;
            }
        }
    }
    for &child in &children[index as usize] {
        sink.enter(&plan.directories[child as usize].name)?;
        write_directory(plan, children, child, sink)?;
        sink.leave();
    }
    Ok(())
}

fn style_of(kind: DirectoryKind, random: &mut Random) -> Style {
    match kind {
        DirectoryKind::Hashes => Style::Hash,
        DirectoryKind::Flat if random.once_in(3) => Style::Long,
        _ if random.once_in(40) => Style::Long,
        _ => Style::File,
    }
}

/// Makes the entries on disk, each with one call relative to a held directory.
pub(crate) struct Disk {
    /// The open directories from the root down to the present one.
    held: Vec<OwnedFd>,
    /// Makes the files of trees that are dressed; those of others are empty and all alike.
    dresser: Option<Dresser>,
}

const DIRECTORY: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// Makes a directory, which must not exist, and opens it.
pub(super) fn make_root(root: &Path) -> io::Result<OwnedFd> {
    mkdirat(CWD, root, Mode::from(0o755))?;
    Ok(openat(CWD, root, DIRECTORY, Mode::empty())?)
}

impl Disk {
    /// Makes the root, which must not exist.
    pub(crate) fn new(root: &Path, dresser: Option<Dresser>) -> io::Result<Self> {
        Ok(Disk { held: vec![make_root(root)?], dresser })
    }

    fn here(&self) -> &OwnedFd {
        // The root stays held for as long as the sink lives.
        &self.held[self.held.len() - 1]
    }
}

impl Sink for Disk {
    fn directory(&mut self, name: &str) -> io::Result<()> {
        Ok(mkdirat(self.here(), name, Mode::from(0o755))?)
    }

    fn file(&mut self, name: &str) -> io::Result<()> {
        if let Some(dresser) = &mut self.dresser {
            return dresser.file(&self.held[self.held.len() - 1], name);
        }
        // One call where open and close would be two.
        Ok(mknodat(self.here(), name, FileType::RegularFile, Mode::from(0o644), 0)?)
    }

    fn link(&mut self, name: &str, target: &str) -> io::Result<()> {
        Ok(symlinkat(target, self.here(), name)?)
    }

    fn enter(&mut self, name: &str) -> io::Result<()> {
        self.held.push(openat(self.here(), name, DIRECTORY, Mode::empty())?);
        Ok(())
    }

    fn leave(&mut self) {
        self.held.pop();
    }
}

/// FNV-1a, 64 bits; it begins with 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Hash(pub(crate) u64);

impl Hash {
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Counts, and hashes every name in order: two trees with equal digests are equal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) directories: u64,
    pub(crate) files: u64,
    pub(crate) links: u64,
    pub(crate) depth_most: u64,
    depth: u64,
    pub(crate) hash: Hash,
}

impl Digest {
    fn take(&mut self, what: u8, name: &str) {
        for part in [&[what], name.as_bytes(), &[0]] {
            self.hash.take(part);
        }
    }
}

impl Sink for Digest {
    fn directory(&mut self, name: &str) -> io::Result<()> {
        self.directories += 1;
        self.take(b'd', name);
        Ok(())
    }

    fn file(&mut self, name: &str) -> io::Result<()> {
        self.files += 1;
        self.take(b'f', name);
        Ok(())
    }

    fn link(&mut self, name: &str, target: &str) -> io::Result<()> {
        self.links += 1;
        self.take(b'l', name);
        self.take(b't', target);
        Ok(())
    }

    fn enter(&mut self, name: &str) -> io::Result<()> {
        self.depth += 1;
        self.depth_most = self.depth_most.max(self.depth);
        self.take(b'>', name);
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.take(b'<', "");
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::SHAPES;
    use super::*;

    fn digest(shape: usize) -> Digest {
        let mut digest = Digest::default();
        write(&Plan::new(SHAPES[shape]), &mut digest).expect("a digest does not fail");
        digest
    }

    #[test]
    fn the_small_tree_never_changes() {
        let small = digest(1);
        assert_eq!((small.directories + 1, small.files, small.links), (300, 2_000, 0));
        assert_eq!(small.hash.0, 0x3d12_a77f_1af5_9096, "the shape changed: raise MAKER");
    }

    #[test]
    fn the_big_tree_never_changes() {
        let big = digest(0);
        assert_eq!((big.directories + 1, big.files, big.links), (141_981, 800_205, 144));
        assert_eq!(big.hash.0, 0xbdcd_cec6_8916_8ea5, "the shape changed: raise MAKER");
    }
}
