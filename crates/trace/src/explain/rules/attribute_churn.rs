//! Mode, owner or times of a file set to what they are, or again and again.

use super::prelude::*;

pub(super) const ID: &str = "attribute-churn";

/// Files whose attributes are known.
const MOST: usize = 1 << 16;
/// Programs that were asked to set attributes.
const SETS: &[&[u8]] = &[
    b"tar", b"bsdtar", b"cp", b"mv", b"rsync", b"install", b"chmod", b"chown", b"chgrp", b"touch",
    b"dpkg", b"dpkg-deb", b"rpm", b"unzip", b"cpio", b"pax", b"ar", b"scp", b"sftp", b"git",
];

/// What was set to what it is.
const OWNED: &str = "the owner of {what} was set to that of the process that had created it";
const NOW: &str = "the times of {what} were set to now right after it was written";

/// What is set.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
enum Attribute {
    Mode,
    Owner,
    Times,
}

/// Attributes that were set in vain.
#[derive(Default)]
pub(crate) struct AttributeChurn {
    /// What a process set an attribute of a file to.
    known: FxHashMap<(u32, PathId, Attribute), u64>,
    /// The file that each thread has just created.
    created: FxHashMap<u32, PathId>,
    /// The file that each thread created last, whatever it did since.
    newest: FxHashMap<u32, PathId>,
    /// The file that each thread has just written to.
    written: FxHashMap<u32, PathId>,
    /// Who each process is: its users and groups, as it asked for them.
    owners: FxHashMap<u32, (FxHashSet<u32>, FxHashSet<u32>)>,
    again: ByFile,
    after_creation: ByFile,
    /// Owners set to that of the process, and times set to now behind a write.
    as_it_is: [ByFile; 2],
}

impl Rule for AttributeChurn {
    fn sees(&self, class: Class) -> bool {
        use Class::{Clock, Fcntl, Ioctl, Random, Seek, Stat};
        !matches!(class, Stat | Seek | Ioctl | Fcntl | Clock | Random)
    }

    fn call(&mut self, call: &Call, context: Context) {
        let class = call.name.class();
        if class != Class::Change {
            return self.other(call, class);
        }
        let created = self.created.remove(&call.thread).filter(|file| *file == call.file);
        let written = self.written.remove(&call.thread).filter(|file| *file == call.file);
        let Some((attribute, value)) = attribute(call) else {
            return self.forget(call);
        };
        let program = context.process.program;
        let is_asked_for = SETS.contains(&base_name(context.registry.path(program)));
        if !call.succeeded() || !call.file.is_some() || is_asked_for {
            return;
        }
        let key = (call.process, call.file, attribute);
        let before = self.known.get(&key).copied();
        if before.is_some() || self.known.len() < MOST {
            self.known.insert(key, value);
        }
        // Which times are set lies in memory: the last ones would do.
        let is_again = before == Some(value) || before.is_some() && attribute == Attribute::Times;
        let wastes = match (is_again, created) {
            (true, _) => &mut self.again,
            (false, Some(_)) if attribute == Attribute::Mode => &mut self.after_creation,
            _ if attribute == Attribute::Owner && self.is_owner(call, value) => {
                &mut self.as_it_is[0]
            }
            _ if written.is_some() && sets_now(call) => &mut self.as_it_is[1],
            _ => return,
        };
        let waste = wastes.of(program, call.file);
        waste.times += 1;
        waste.tally.count(call, 1);
        // The way to the file and its inode is most of it.
        let (name, file) = (Name::Access, call.file);
        waste.tally.spare(Act::Call { name, file, moved: 0, failed: false }, 1);
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.known.retain(|(process, ..), _| *process != context.process.id);
        self.owners.remove(&context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let again = self.again.whole(registry);
        let created = self.after_creation.whole(registry);
        let again = again.iter().map(|group| {
            let (what, times) = (group.subject("file", registry), words::times(group.waste.times));

            let (set, was) = set(group);
            let verdict = format!("the {set} of {what} {was} set {times} more than needed");
            group.finding(ID, None, verdict, registry)
        });
        let created = created.iter().map(|group| {
            let what = group.subject("file", registry);
            let verdict = format!(
                "the mode of {what} was set right after it was created, {}",
                words::times(group.waste.times)
            );
            group.finding(ID, Some("created"), verdict, registry)
        });
        let [owned, now] = &mut self.as_it_is;
        let (owned, now) = (owned.whole(registry), now.whole(registry));
        let as_it_is = owned.iter().map(|group| (group, OWNED));
        let as_it_is = as_it_is.chain(now.iter().map(|group| (group, NOW)));
        let as_it_is = as_it_is.map(|(group, set)| {
            let what = group.subject("file", registry);
            let verdict = set.replace("{what}", &what);
            let verdict = format!("{verdict}, {}", words::times(group.waste.times));
            group.finding(ID, Some("as-it-is"), verdict, registry)
        });
        again.chain(created).chain(as_it_is).collect()
    }
}

impl AttributeChurn {
    /// A call that sets no attribute.
    fn other(&mut self, call: &Call, class: Class) {
        const O_CREAT: i32 = 0o100;
        const O_EXCL: i32 = 0o200;
        self.note_written(call, class);
        match class {
            Class::Open => {
                self.created.remove(&call.thread);
                let flags = match call.name {
                    Name::Open => call.int(1),
                    Name::Openat => call.int(2),
                    _ => 0,
                };
                if flags & O_CREAT == 0 || !call.succeeded() {
                    return;
                }
                self.forget(call);
                if self.newest.len() < MOST {
                    self.newest.insert(call.thread, call.file);
                }
                // With O_EXCL it is often `mkstemp`, which cannot be told a mode.
                if flags & O_EXCL == 0 && self.created.len() < MOST {
                    self.created.insert(call.thread, call.file);
                }
            }
            Class::Write | Class::Copy | Class::Resize => {
                self.created.remove(&call.thread);
                self.known.remove(&(call.process, call.file, Attribute::Times));
            }
            // A stream asks what it has before it is used.
            Class::Stat | Class::Seek | Class::Ioctl | Class::Fcntl => {}
            Class::Identity => self.note_owner(call),
            Class::Clock | Class::Random => {}
            _ => drop(self.created.remove(&call.thread)),
        }
    }

    /// Remembers what a thread has just written to, for as long as it does nothing else.
    fn note_written(&mut self, call: &Call, class: Class) {
        match class {
            Class::Write if call.result > 0 && self.written.len() < MOST => {
                self.written.insert(call.thread, call.file);
            }
            Class::Close | Class::Sync | Class::Stat | Class::Seek | Class::Ioctl => {}
            Class::Fcntl | Class::Identity | Class::Clock | Class::Random => {}
            _ => drop(self.written.remove(&call.thread)),
        }
    }

    /// Remembers who a process is.
    fn note_owner(&mut self, call: &Call) {
        let Ok(number) = u32::try_from(call.result) else { return };
        let is_user = match call.name {
            Name::Getuid | Name::Geteuid => true,
            Name::Getgid | Name::Getegid => false,
            _ => return,
        };
        if self.owners.len() < MOST || self.owners.contains_key(&call.process) {
            let (users, groups) = self.owners.entry(call.process).or_default();
            if is_user { users } else { groups }.insert(number);
        }
    }

    /// Whether the owner that is set is that of the process, on the file that it created last.
    fn is_owner(&self, call: &Call, value: u64) -> bool {
        const UNCHANGED: u32 = u32::MAX;
        let Some((users, groups)) = self.owners.get(&call.process) else { return false };
        let (user, group) = ((value >> 32) as u32, value as u32);
        self.newest.get(&call.thread) == Some(&call.file)
            && (user == UNCHANGED || users.contains(&user))
            && (group == UNCHANGED || groups.contains(&group))
    }

    fn forget(&mut self, call: &Call) {
        if self.known.is_empty() {
            return;
        }
        for file in [call.file, call.second] {
            for attribute in [Attribute::Mode, Attribute::Owner, Attribute::Times] {
                self.known.remove(&(call.process, file, attribute));
            }
        }
    }
}

/// What a call sets, and to what.
fn attribute(call: &Call) -> Option<(Attribute, u64)> {
    let both = |at: usize| (call.arguments[at] << 32) | (call.arguments[at + 1] & 0xffff_ffff);
    Some(match call.name {
        Name::Chmod | Name::Fchmod => (Attribute::Mode, call.arguments[1]),
        Name::Fchmodat | Name::Fchmodat2 => (Attribute::Mode, call.arguments[2]),
        Name::Chown | Name::Fchown | Name::Lchown => (Attribute::Owner, both(1)),
        Name::Fchownat => (Attribute::Owner, both(2)),
        Name::Utime | Name::Utimes | Name::Futimesat | Name::Utimensat => (Attribute::Times, 0),
        _ => return None,
    })
}

/// Whether times are set to now, which a write has just done: no others are given.
fn sets_now(call: &Call) -> bool {
    match call.name {
        Name::Utime | Name::Utimes => call.arguments[1] == 0,
        Name::Futimesat | Name::Utimensat => call.arguments[2] == 0,
        _ => false,
    }
}

/// What was set, and its verb, by the first example.
fn set(group: &Group) -> (&'static str, &'static str) {
    let first = group.waste.tally.examples().first().and_then(attribute);
    match first.map(|(attribute, _)| attribute) {
        Some(Attribute::Owner) => ("owner", "was"),
        Some(Attribute::Times) => ("times", "were"),
        _ => ("mode", "was"),
    }
}
