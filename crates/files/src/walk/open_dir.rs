//! One open directory: where it is, and what its file system promises.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Mutex, OnceLock, PoisonError};

use kernel::{At, CWD, Descriptor, FileSystem};

use super::mounts::{MountTree, Place, Point};
use crate::error::Errno;
use crate::identity::Identity;
use crate::scope::Scope;

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
    /// Whether it is a mount point at which the mount table shows a directory that lies above, or
    /// below such a mount point.
    comes_round: bool,
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
            comes_round: false,
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
        let (place, point) = self.step(name, terrain);
        let (mut on, mut identity) = (self.ground.on, OnceLock::new());
        let in_doubt = place == Place::Lost || !on.is_one_device();
        if point != Point::Plain || (terrain.one_file_system && in_doubt) {
            let found = Identity::of(&descriptor)?;
            if self.ground.device.is_some_and(|here| here != found.device) {
                return Ok(None);
            }
            on = terrain.on_device(found.device, &descriptor);
            identity = found.into();
        } else if place == Place::Lost {
            on = FileSystem::OTHER;
        }
        let (place, device, found) = (Some(place), self.ground.device, OnceLock::new());
        let comes_round = self.ground.comes_round || point == Point::Round;
        let ground = Ground { on, device, place, found, identity, comes_round };
        Ok(Some(Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }))
    }

    /// A directory that was opened by other means; for trees that may span devices.
    ///
    /// Price: one `fstatfs`.
    pub(crate) fn found(descriptor: Descriptor) -> Dir {
        let on = kernel::filesystem(&descriptor).unwrap_or(FileSystem::OTHER);
        let (found, identity) = (OnceLock::new(), OnceLock::new());
        let (device, place, comes_round) = (None, None, false);
        let ground = Ground { on, device, place, found, identity, comes_round };
        Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }
    }

    /// A directory of this identity that was opened by other means.
    ///
    /// Price: one `fstatfs`, once per device.
    pub(crate) fn elsewhere(descriptor: Descriptor, identity: Identity, terrain: &Terrain) -> Dir {
        let on = terrain.on_device(identity.device, &descriptor);
        let device = terrain.one_file_system.then_some(identity.device);
        let (found, identity) = (OnceLock::new(), identity.into());
        let ground = Ground { on, device, place: None, found, identity, comes_round: false };
        Dir { descriptor: Some(descriptor), scope: Scope::start(), ground }
    }

    /// Whether it is one of the directories that the last `depth` names of its path lead through:
    /// then going down into it leads round and round. `path` is its own, from `scope`.
    ///
    /// Price: none, unless the mount table says that it may be; then one `statx` for each of them.
    pub(crate) fn is_mounted_below_itself(&self, scope: &Scope, path: &[u8], depth: usize) -> bool {
        if !self.ground.comes_round {
            return false;
        }
        let Some(identity) = self.identity() else { return false };
        let mut above = path;
        (0..depth).any(|_| {
            let Some(slash) = above.iter().rposition(|&byte| byte == b'/') else { return false };
            above = &above[..slash];
            let name = if above.is_empty() { b"/" } else { above };
            Identity::at(scope.at(), name) == Ok(identity)
        })
    }

    /// The place of the directory `name` in this one, and whether something is mounted on it.
    fn step(&self, name: &CStr, terrain: &Terrain) -> (Place, Point) {
        let Ground { place, found, .. } = &self.ground;
        let here = place.unwrap_or_else(|| *found.get_or_init(|| self.find_place(terrain)));
        match (here, terrain.mounts.get()) {
            (Place::Above(_), Some(tree)) => tree.step(here, name.to_bytes()),
            _ => (here, Point::Plain),
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
