//! One open directory: its position in the tree, and what its file system guarantees.

use std::ffi::CStr;
use std::sync::{Mutex, OnceLock, PoisonError};

use sys::{AsFile, At, Descriptor, FileSystem};

use super::mounts::{MountPosition, MountState, MountTree};
use crate::error::Errno;
use crate::identity::Identity;
use crate::late_dir::LateDir;
use crate::scope::Scope;

/// A directory: held open, or closed for a while because the stack is deep, or known from a
/// snapshot and not opened before something needs it, or the scope that roots are relative to.
#[derive(Debug)]
pub(crate) struct Dir {
    pub(crate) late: LateDir,
    location: Location,
}

/// What is known of the position of a directory.
#[derive(Clone, Debug)]
struct Location {
    on: FileSystem,
    /// The device of the root that the walk came from; only known with `one_file_system`.
    device: Option<u64>,
    /// Where it is in relation to mount points: known from its parent, but not for a root or a
    /// followed link.
    place: Option<MountPosition>,
    /// The same for these, looked up when the first directory below is opened.
    looked_up: OnceLock<MountPosition>,
    /// Which directory it is: known for a root and a followed link, otherwise one `statx`, once.
    identity: OnceLock<Identity>,
    /// Whether a directory above it is mounted here, according to the mount table, or at a mount
    /// point that it is below.
    is_loop: bool,
}

/// What is known of the file systems of a tree.
#[derive(Debug)]
pub(crate) struct FileSystems {
    mounts: OnceLock<MountTree>,
    by_device: Mutex<Vec<Mounted>>,
    one_file_system: bool,
    /// Whether the numbers of file systems are wanted, too.
    with_ids: bool,
}

/// What is known of the file system on a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mounted {
    pub(crate) device: u64,
    pub(crate) on: FileSystem,
    /// Its number; 0 if none was wanted.
    pub(crate) id: u64,
}

/// How a directory is reached from the one that it is opened in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReachedBy {
    /// By its own name.
    Name,
    /// As a root or through a link, so it may be anywhere.
    RootOrLink { identity: Identity, follow: bool },
}

impl FileSystems {
    pub(crate) fn new(one_file_system: bool, with_ids: bool) -> FileSystems {
        let (mounts, by_device) = (OnceLock::new(), Mutex::default());
        FileSystems { mounts, by_device, one_file_system, with_ids }
    }

    /// The mount points; `None` if the mount table cannot be read.
    fn mounts(&self) -> Option<&MountTree> {
        let tree = self.mounts.get_or_init(|| match sys::mount_table() {
            Ok(mounts) => MountTree::new(&mounts, sys::firmlinks()),
            Err(_) => MountTree::default(),
        });
        (!tree.is_empty()).then_some(tree)
    }

    /// What is known of the file system on a device.
    pub(crate) fn known(&self, device: u64) -> Option<Mounted> {
        let known = self.by_device.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|mounted| mounted.device == device).copied()
    }

    /// All file systems that were come across.
    pub(crate) fn all(&self) -> Vec<Mounted> {
        self.by_device.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The file system on a device.
    ///
    /// Price: one `fstatfs` per device; two if their numbers are wanted.
    pub(crate) fn on_device(&self, device: u64, dir: &Descriptor) -> Mounted {
        let mut known = self.by_device.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mounted) = known.iter().find(|mounted| mounted.device == device) {
            return *mounted;
        }
        let on = sys::filesystem(dir).unwrap_or(FileSystem::OTHER);
        let id = if self.with_ids { sys::filesystem_id(dir).unwrap_or(0) } else { 0 };
        known.push(Mounted { device, on, id });
        Mounted { device, on, id }
    }
}

impl Dir {
    /// The directory of the scope that roots are relative to. It has no descriptor of its own; no
    /// call.
    pub(crate) fn of_scope(scope: &Scope) -> Dir {
        let location = Location {
            on: FileSystem::OTHER,
            device: None,
            place: Some(MountPosition::Unknown),
            looked_up: OnceLock::new(),
            identity: OnceLock::new(),
            is_loop: false,
        };
        Dir { late: LateDir::of_scope(scope), location }
    }

    fn with_descriptor(descriptor: Descriptor, location: Location) -> Dir {
        Dir { late: LateDir::open(descriptor), location }
    }

    /// A directory that a snapshot knows, by its name in this one, unless it is opened already;
    /// `None` if it is on another device and the walk stays on one.
    ///
    /// Price: none.
    pub(crate) fn known(
        &self,
        name: &CStr,
        identity: Identity,
        descriptor: Option<Descriptor>,
        on: FileSystem,
        file_systems: &FileSystems,
    ) -> Option<Dir> {
        let device = self.location.device;
        if device.is_some_and(|here| here != identity.device) {
            return None;
        }
        let (place, point) = self.step(name, file_systems);
        let location = Location {
            on,
            device,
            place: Some(place),
            looked_up: OnceLock::new(),
            identity: identity.into(),
            is_loop: self.location.is_loop || point == MountState::Loop,
        };
        let late = descriptor.map_or_else(|| LateDir::unopened(identity), LateDir::open);
        Some(Dir { late, location })
    }

    /// The descriptor that names in this directory are relative to; it must be open.
    pub(crate) fn at(&self) -> At<'_> {
        self.late.at()
    }

    pub(crate) fn descriptor(&self) -> Option<&Descriptor> {
        self.late.descriptor()
    }

    /// What its file system guarantees.
    pub(crate) fn file_system(&self) -> FileSystem {
        self.location.on
    }

    /// Opens the directory `name` in this one; `None` if it is on another device and the walk
    /// stays on one.
    ///
    /// Price: one `openat`. A root, a followed link and a mount point cost one `readlinkat` or
    /// `statx` more, once per device one `fstatfs`, and the first of all the mount table.
    pub(crate) fn open(
        &self,
        name: &CStr,
        reached_by: ReachedBy,
        file_systems: &FileSystems,
    ) -> Result<Option<Dir>, Errno> {
        if let ReachedBy::RootOrLink { identity, follow } = reached_by {
            // A root decides which device the walk stays on; a link must not leave it.
            if self.location.device.is_some_and(|here| here != identity.device) {
                return Ok(None);
            }
            return Ok(Some(Dir::with_identity(
                sys::open_dir(self.at(), name, follow)?,
                identity,
                file_systems,
            )));
        }
        let descriptor = sys::open_dir(self.at(), name, false)?;
        let (place, point) = self.step(name, file_systems);
        if point == MountState::SecondPath {
            return Ok(None);
        }
        let (mut on, mut identity) = (self.location.on, OnceLock::new());
        let in_doubt = place == MountPosition::Unknown || !on.is_one_device();
        if point != MountState::NotMounted || (file_systems.one_file_system && in_doubt) {
            let found = Identity::of(&descriptor)?;
            if self.location.device.is_some_and(|here| here != found.device) {
                return Ok(None);
            }
            on = file_systems.on_device(found.device, &descriptor).on;
            identity = found.into();
        } else if place == MountPosition::Unknown {
            on = FileSystem::OTHER;
        }
        let (place, device, looked_up) = (Some(place), self.location.device, OnceLock::new());
        let is_loop = self.location.is_loop || point == MountState::Loop;
        let location = Location { on, device, place, looked_up, identity, is_loop };
        Ok(Some(Dir::with_descriptor(descriptor, location)))
    }

    /// A directory that was opened by other means; for trees that may span devices.
    ///
    /// Price: one `fstatfs`.
    pub(crate) fn opened(descriptor: Descriptor) -> Dir {
        let on = sys::filesystem(&descriptor).unwrap_or(FileSystem::OTHER);
        let (looked_up, identity) = (OnceLock::new(), OnceLock::new());
        let (device, place, is_loop) = (None, None, false);
        let location = Location { on, device, place, looked_up, identity, is_loop };
        Dir::with_descriptor(descriptor, location)
    }

    /// A directory of this identity that was opened by other means.
    ///
    /// Price: one `fstatfs`, once per device.
    pub(crate) fn with_identity(
        descriptor: Descriptor,
        identity: Identity,
        file_systems: &FileSystems,
    ) -> Dir {
        let on = file_systems.on_device(identity.device, &descriptor).on;
        let device = file_systems.one_file_system.then_some(identity.device);
        let (looked_up, identity) = (OnceLock::new(), identity.into());
        let location = Location { on, device, place: None, looked_up, identity, is_loop: false };
        Dir::with_descriptor(descriptor, location)
    }

    /// Whether it is the same as one of the `depth` directories above it: then a walk that enters
    /// it never ends. `path` is its own, from `scope`.
    ///
    /// Price: none, unless the mount table says that it may be; then one `statx` for each of them.
    pub(crate) fn is_mounted_below_itself(&self, scope: &Scope, path: &[u8], depth: usize) -> bool {
        if !self.location.is_loop {
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
    fn step(&self, name: &CStr, file_systems: &FileSystems) -> (MountPosition, MountState) {
        let Location { place, looked_up, .. } = &self.location;
        let here =
            place.unwrap_or_else(|| *looked_up.get_or_init(|| self.find_place(file_systems)));
        match (here, file_systems.mounts.get()) {
            (MountPosition::SomeBelow { .. }, Some(tree)) => tree.step(here, name.to_bytes()),
            _ => (here, MountState::NotMounted),
        }
    }

    fn find_place(&self, file_systems: &FileSystems) -> MountPosition {
        if sys::MOUNT_POINTS_ARE_LINKS {
            return MountPosition::NoneBelow;
        }
        let Some(mounts) = file_systems.mounts() else { return MountPosition::Unknown };
        self.absolute_path().map_or(MountPosition::Unknown, |path| mounts.find(&path))
    }

    /// Its absolute path, from the root directory of the process.
    ///
    /// Price: one `readlinkat`.
    pub(crate) fn absolute_path(&self) -> Option<Vec<u8>> {
        sys::path_of(self.descriptor()?.as_file()).ok()
    }

    /// Which directory it is; `None` for the starting directory, and if the `statx` fails.
    ///
    /// Price: one `statx` the first time.
    pub(crate) fn identity(&self) -> Option<Identity> {
        if let Some(known) = self.location.identity.get() {
            return Some(*known);
        }
        let found = Identity::of(self.descriptor()?).ok()?;
        Some(*self.location.identity.get_or_init(|| found))
    }

    /// This directory without its descriptor.
    pub(crate) fn without_descriptor(&self) -> Dir {
        Dir { late: self.late.closed(), location: self.location.clone() }
    }

    /// This directory with a descriptor opened anew.
    pub(crate) fn reopened(&self, descriptor: Descriptor) -> Dir {
        Dir::with_descriptor(descriptor, self.location.clone())
    }
}
