//! A tree in memory, as it was when it was read.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuser::{FileAttr, FileType};

/// A node's number is its inode, the root's is 1.
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

pub(crate) struct Node {
    pub(crate) attributes: FileAttr,
    pub(crate) parent: u64,
    /// Of a directory, in the order in which the source had them.
    pub(crate) children: Vec<(OsString, u64)>,
    by_name: HashMap<OsString, u64>,
    /// Of a symbolic link.
    pub(crate) target: PathBuf,
}

impl Tree {
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Tree { nodes: Vec::new() };
        tree.add(1, root, &root.metadata()?)?;
        let mut waiting = vec![(1, root.to_owned())];
        while let Some((parent, path)) = waiting.pop() {
            for entry in std::fs::read_dir(&path)? {
                let entry = entry?;
                let metadata = entry.metadata()?;
                let number = tree.add(parent, &entry.path(), &metadata)?;
                let above = &mut tree.nodes[parent as usize - 1];
                above.children.push((entry.file_name(), number));
                above.by_name.insert(entry.file_name(), number);
                if metadata.is_dir() {
                    waiting.push((number, entry.path()));
                }
            }
        }
        Ok(tree)
    }

    fn add(&mut self, parent: u64, path: &Path, metadata: &Metadata) -> io::Result<u64> {
        let number = self.nodes.len() as u64 + 1;
        let target = if metadata.is_symlink() { std::fs::read_link(path)? } else { PathBuf::new() };
        self.nodes.push(Node {
            attributes: attributes(number, metadata),
            parent,
            children: Vec::new(),
            by_name: HashMap::new(),
            target,
        });
        Ok(number)
    }

    pub(crate) fn node(&self, number: u64) -> Option<&Node> {
        self.nodes.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    pub(crate) fn child(&self, parent: u64, name: &OsStr) -> Option<&Node> {
        self.node(*self.node(parent)?.by_name.get(name)?)
    }
}

fn attributes(ino: u64, metadata: &Metadata) -> FileAttr {
    FileAttr {
        ino,
        size: metadata.size(),
        blocks: metadata.blocks(),
        atime: time(metadata.atime(), metadata.atime_nsec()),
        mtime: time(metadata.mtime(), metadata.mtime_nsec()),
        ctime: time(metadata.ctime(), metadata.ctime_nsec()),
        crtime: UNIX_EPOCH,
        kind: kind(metadata),
        perm: (metadata.mode() & 0o7777) as u16,
        nlink: metadata.nlink() as u32,
        uid: metadata.uid(),
        gid: metadata.gid(),
        rdev: metadata.rdev() as u32,
        blksize: metadata.blksize() as u32,
        flags: 0,
    }
}

/// Times before 1970 become 1970.
fn time(seconds: i64, nanoseconds: i64) -> SystemTime {
    UNIX_EPOCH + Duration::new(seconds.max(0) as u64, nanoseconds as u32)
}

fn kind(metadata: &Metadata) -> FileType {
    let kind = metadata.file_type();
    match () {
        () if kind.is_dir() => FileType::Directory,
        () if kind.is_symlink() => FileType::Symlink,
        () if kind.is_fifo() => FileType::NamedPipe,
        () if kind.is_socket() => FileType::Socket,
        () if kind.is_block_device() => FileType::BlockDevice,
        () if kind.is_char_device() => FileType::CharDevice,
        () => FileType::RegularFile,
    }
}
