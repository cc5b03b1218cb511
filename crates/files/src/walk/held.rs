//! One open directory: where it is, and what its file system promises.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Mutex, OnceLock, PoisonError};

use kernel::{At, CWD, Descriptor, Fields, FileSystem};

use super::mounts::{MountTree, Place};
use crate::error::Errno;
use crate::scope::Scope;

/// Which directory it is, however it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

/// A directory: held open, or away (its descriptor given up because the way down is long), or the
/// scope that roots are relative to.
#[derive(Debug)]
pub(crate) struct Dir {
    descriptor: Option<Descriptor>,
    /// What roots are relative to; of no meaning in a directory that has, or had, a descriptor.
    scope: Scope,
    ground: Ground,
}

/// What is known of where a directory lies.
#[derive(Clone, Debug)]
struct Ground {
    on: FileSystem,
    /// The device of the root that the walk came from; only asked for with `one_file_system`.
    device: Option<u64>,
    /// Known from its parent, but for a root or a followed link.
    place: Option<Place>,
    /// For these, found out when the first directory below is opened.
    found: OnceLock<Place>,
    /// Which directory it is: known for a root and a followed link, asked for once elsewhere.
    identity: OnceLock<Identity>,
}

/// What is known of the file systems of a tree.
#[derive(Debug)]
pub(crate) struct Terrain {
    mounts: OnceLock<MountTree>,
    by_device: Mutex<Vec<(u64, FileSystem)>>,
    one_file_system: bool,
}

/// How a directory is reached from the one that it is opened in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// By its own name.
    Below,
    /// As a root or through a link, so it may be anywhere.
    Elsewhere { identity: Identity, follow: bool },
}

impl Terrain {
    pub(crate) fn new(one_file_system: bool) -> Terrain {
        Terrain { mounts: OnceLock::new(), by_device: Mutex::default(), one_file_system }
    }

    /// Without a readable mount table there is no telling a mount point from a directory.
    fn mounts(&self) -> Option<&MountTree> {
        let tree = self.mounts.get_or_init(|| match kernel::mount_table() {
            Ok(mounts) => MountTree::new(&mounts),
            Err(_) => MountTree::default(),
        });
        (!tree.is_empty()).then_some(tree)
    }

    /// The promises of a device's file system: asked for once.
    fn on_device(&self, device: u64, dir: &Descriptor) -> FileSystem {
        let mut known = self.by_device.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, on)) = known.iter().find(|(number, _)| *number == device) {
            return *on;
        }
        let on = kernel::filesystem(dir).unwrap_or(FileSystem::OTHER);
        known.push((device, on));
        on
    }
}

impl Dir {
    /// The directory that roots are relative to: no descriptor of its own, no call.
    pub(crate) fn start(scope: &Scope) -> Dir {
        let ground = Ground {
            on: FileSystem::OTHER,
            device: None,
            place: Some(Place::Lost),
            found: OnceLock::new(),
            identity: OnceLock::new(),
        };
        Dir { descriptor: None, scope: scope.clone(), ground }
    }

    /// What names in this directory are relative to.
    pub(crate) fn at(&self) -> At<'_> {
        self.descriptor.as_ref().map_or_else(|| self.scope.at(), AsFd::as_fd)
    }

    pub(crate) fn descriptor(&self) -> Option<&Descriptor> {
        self.descriptor.as_ref()
    }

    /// What its file system promises.
    pub(crate) fn on(&self) -> FileSystem {
        self.ground.on
    }

    /// Opens the directory `name` in this one; `None` if it is on another device and the walk
    /// stays on one.
    ///
    /// Price: one `openat`. A root, a followed link and a mount point cost one `readlinkat` or
    /// `statx` more, once per device one `fstatfs`, and the first of all the mount table.
    pub(crate) fn open(
        &self,
        name: &CStr,
        way: Way,
        terrain: &Terrain,
    ) -> Result<Option<Dir>, Errno> {
        if let Way::Elsewhere { identity, follow } = way {
            // A root decides which device the walk stays on; a link must not leave it.
            if self.ground.device.is_some_and(|here| here != identity.device) {
                return Ok(None);
            }
            return Ok(Some(Dir::elsewhere(
                kernel::open_dir(self.at(), name, follow)?,
                identity,
                terrain,
            )));
        }
        let descriptor = kernel::open_dir(self.at(), name, false)?;
        let (place, is_mount) = self.step(name, terrain);
        let mut on = self.ground.on;
        let in_doubt = place == Place::Lost || !on.is_one_device();
        if is_mount || (terrain.one_file_system && in_doubt) {
            let device = kernel::stat_descriptor(&descriptor, Fields::INODE)?.device();
            if self.ground.device.is_some_and(|here| here != device) {
                return Ok(None);
            }
            on = terrain.on_device(device, &descriptor);
        } else if place == Place::Lost {
            on = FileSystem::OTHER;
        }
        let (found, identity) = (OnceLock::new(), OnceLock::new());
        let (place, device) = (Some(place), self.ground.device);
        let ground = Ground { on, device, place, found, identity };
        Ok(Some(Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }))
    }

    /// A directory that was opened by other means; for trees that may span devices.
    ///
    /// Price: one `fstatfs`.
    pub(crate) fn found(descriptor: Descriptor) -> Dir {
        let on = kernel::filesystem(&descriptor).unwrap_or(FileSystem::OTHER);
        let (found, identity) = (OnceLock::new(), OnceLock::new());
        let ground = Ground { on, device: None, place: None, found, identity };
        Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }
    }

    /// A directory of this identity that was opened by other means.
    ///
    /// Price: one `fstatfs`, once per device.
    pub(crate) fn elsewhere(descriptor: Descriptor, identity: Identity, terrain: &Terrain) -> Dir {
        let on = terrain.on_device(identity.device, &descriptor);
        let device = terrain.one_file_system.then_some(identity.device);
        let ground =
            Ground { on, device, place: None, found: OnceLock::new(), identity: identity.into() };
        Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }
    }

    /// The place of the directory `name` in this one, and whether something is mounted on it.
    fn step(&self, name: &CStr, terrain: &Terrain) -> (Place, bool) {
        let Ground { place, found, .. } = &self.ground;
        let here = place.unwrap_or_else(|| *found.get_or_init(|| self.find_place(terrain)));
        match (here, terrain.mounts.get()) {
            (Place::Above(_), Some(tree)) => tree.step(here, name.to_bytes()),
            _ => (here, false),
        }
    }

    fn find_place(&self, terrain: &Terrain) -> Place {
        let Some(mounts) = terrain.mounts() else { return Place::Lost };
        self.absolute_path().map_or(Place::Lost, |path| mounts.find(&path))
    }

    /// Where it is, from the root directory of the process.
    ///
    /// Price: one `readlinkat`.
    pub(crate) fn absolute_path(&self) -> Option<Vec<u8>> {
        let descriptor = self.descriptor.as_ref()?.as_fd().as_raw_fd();
        let link = CString::new(format!("/proc/self/fd/{descriptor}")).ok()?;
        kernel::read_link(CWD, &link).ok()
    }

    /// Which directory it is; `None` for the starting directory, and if asking fails.
    ///
    /// Price: one `statx` the first time.
    pub(crate) fn identity(&self) -> Option<Identity> {
        if let Some(known) = self.ground.identity.get() {
            return Some(*known);
        }
        let found = Identity::of(self.descriptor.as_ref()?).ok()?;
        Some(*self.ground.identity.get_or_init(|| found))
    }

    /// This directory without its descriptor.
    pub(crate) fn away(&self) -> Dir {
        Dir { descriptor: None, scope: Scope::start(), ground: self.ground.clone() }
    }

    /// This directory with a descriptor opened anew.
    pub(crate) fn back(&self, descriptor: Descriptor) -> Dir {
        Dir { descriptor: Some(descriptor), scope: Scope::start(), ground: self.ground.clone() }
    }
}

impl Identity {
    /// Price: one `statx`.
    pub(crate) fn of(descriptor: &Descriptor) -> Result<Identity, Errno> {
        let stat = kernel::stat_descriptor(descriptor, Fields::INODE)?;
        Ok(Identity { device: stat.device(), inode: stat.inode() })
    }
}
