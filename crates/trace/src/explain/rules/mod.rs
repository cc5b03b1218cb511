//! One file per kind of waste. Each has a type that implements [`Rule`]. `by_file` counts the waste
//! on each file, `databases` look-ups of names, `name_servers` those that servers answer; `prelude`
//! has what rules are written with.
//!
//! A wasted call is counted by one rule. Where two could claim it:
//!
//! | call | rule | rather than |
//! |---|---|---|
//! | on /etc/passwd, /etc/group, nsswitch.conf and their like | owner-lookup | same-stat, reopen |
//! | on /etc/hosts, resolv.conf, services, servers of names | host-lookup | same-stat, reopen |
//! | a missing path, asked for in turn with the same name elsewhere | search-misses | same-stat |
//! | a missing path, asked for again and again by itself | same-stat | search-misses |
//! | a listed directory, looked at in turn with two others | search-misses | same-stat |
//! | a path that was looked at before, in a row with its parents | path-components | same-stat |
//! | `readlink` of what was read before | path-components | same-stat |
//! | `lstat` at the end of such a row from the root | path-components | stat-per-entry |
//! | looks at each part of a path, right before `chdir` to it | chdir-churn | path-components |
//! | a path looked at again more than 3 times, or not soon after | same-stat | double-stat |
//! | a path looked at again soon after, up to 3 times | double-stat | same-stat |
//! | a first look at an entry of a listed directory | stat-per-entry | look-then-do |
//! | a first look at anything else, right before it is opened | look-then-do | double-stat |
//! | all calls on a file that was read before, with the same content | reopen | all others |
//! | all calls on a directory listed before, with the same entries | list-again | all others |
//! | `fstat`, `lseek`, `ioctl` before the first read, TCGETS among them | tty-probe | double-stat |
//! | the first `fstat` of what is opened as a directory and listed | opendir-stat | double-stat |
//! | a further one with the same answer | double-stat | opendir-stat |
//! | `getdents64` that gives nothing behind one that did | getdents-end | small-getdents |
//! | `fchdir` to where the process is already | descriptor-churn | chdir-churn |
//! | on a file that was appended to and closed before | append-per-item | tty-probe, double-stat |
//! | a descriptor moved aside for such a file, and back | append-per-item | descriptor-churn |
//! | a look at a directory made in vain more than once | mkdir-again | same-stat |
//! | on a file that is written whole again, its waits too | rewrite-per-item | sync-per-item |
//! | on a file that is opened again to be locked | lock-per-item | tty-probe, idle-seek |
//! | writes that are each made durable | sync-per-item | small-writes |
//! | on a database of SQLite with many small transactions | sync-per-item | same-stat, ask-again |
//! | reads of blocks that are written next, and those writes | small-copies | small-reads |
//! | a seek back behind a read, so that others find the rest | small-reads | idle-seek |
//! | TCGETS before each read that is put back | small-reads | tty-probe |
//! | a look right before such an opening, made before | reopen, list-again | same-stat |
//! | `lseek` that asks for the position before anything is read | tty-probe | idle-seek |
//! | `readlink` of a descriptor's own link | descriptor-path | path-components |
//! | all between two sleeps that saw what it had seen before | file-poll | all others |

mod append_per_item;
mod ask_again;
mod attribute_churn;
mod busy_poll;
mod by_file;
mod chdir_churn;
mod databases;
mod descriptor_churn;
mod descriptor_path;
mod double_stat;
mod file_poll;
mod getdents_end;
mod host_lookup;
mod idle_seek;
mod list_again;
mod lock_files;
mod lock_per_item;
mod look_then_do;
mod map_per_file;
mod mkdir_again;
mod name_servers;
mod opendir_stat;
mod owner_lookup;
mod path_components;
mod prelude;
mod purposes;
mod reopen;
mod rewrite_per_item;
mod same_stat;
mod search_misses;
mod small_copies;
mod small_getdents;
mod small_reads;
mod small_writes;
mod spawn_per_item;
mod stat_per_entry;
mod statfs_per_item;
mod sync_per_item;
mod tty_probe;
mod xattr_per_entry;

#[cfg(test)]
mod tests;

use super::finding::Finding;
use super::history::{
    Climb, Context, DescriptorSession, DirectoryMove, PathQuestion, ProcessState,
};
use crate::{Call, Class, Process, Registry};

/// One kind of waste: sees what happens, and says in the end what was wasted. What it remembers
/// grows with distinct files, callers and programs, not with calls, and has a limit.
pub(crate) trait Rule: Send {
    /// A process began (`parent` is the process that made it), or became another program.
    fn process_started(&mut self, _process: &Process, _parent: Option<&ProcessState>) {}

    /// Whether [`call`](Rule::call) is for calls of a class. It is asked once.
    fn sees(&self, _class: Class) -> bool {
        false
    }

    /// A call was made, of a class that this rule sees.
    fn call(&mut self, _call: &Call, _context: Context) {}

    /// A call asked about a path.
    fn path_asked(&mut self, _call: &Call, _asked: PathQuestion, _context: Context) {}

    /// Components of a path were asked about again, one after the other.
    fn components_asked_again(&mut self, _climb: &Climb, _context: Context) {}

    /// A name was not found in several places.
    fn search_ended(&mut self, _calls: &[Call], _context: Context) {}

    /// A descriptor was closed.
    fn descriptor_closed(&mut self, _session: &DescriptorSession, _context: Context) {}

    /// A call set the working directory.
    fn directory_changed(&mut self, _call: &Call, _to: &DirectoryMove, _context: Context) {}

    /// A process ended or became another program (`replaced`).
    fn process_gone(&mut self, _context: Context, _replaced: bool) {}

    /// A process ended at that time, having taken so much of the processor's, with the children
    /// that it waited for.
    fn process_ended(&mut self, _process: u32, _at: u64, _processor: u64) {}

    /// Says what was wasted. `registry` knows the names of frames and programs by now.
    fn findings(&mut self, registry: &Registry) -> Vec<Finding>;
}

/// All rules with the ids of their findings, in the order of `docs/why.md`.
pub(crate) fn all() -> Vec<(&'static str, Box<dyn Rule>)> {
    fn rule<R: Rule + Default + 'static>(id: &'static str) -> (&'static str, Box<dyn Rule>) {
        (id, Box::<R>::default())
    }
    vec![
        rule::<same_stat::SameStat>(same_stat::ID),
        rule::<owner_lookup::OwnerLookup>(owner_lookup::ID),
        rule::<host_lookup::HostLookup>(host_lookup::ID),
        rule::<stat_per_entry::StatPerEntry>(stat_per_entry::ID),
        rule::<path_components::PathComponents>(path_components::ID),
        rule::<search_misses::SearchMisses>(search_misses::ID),
        rule::<small_reads::SmallReads>(small_reads::ID),
        rule::<small_writes::SmallWrites>(small_writes::ID),
        rule::<reopen::Reopen>(reopen::ID),
        rule::<list_again::ListAgain>(list_again::ID),
        rule::<descriptor_churn::DescriptorChurn>(descriptor_churn::ID),
        rule::<chdir_churn::ChdirChurn>(chdir_churn::ID),
        rule::<look_then_do::LookThenDo>(look_then_do::ID),
        rule::<double_stat::DoubleStat>(double_stat::ID),
        rule::<small_getdents::SmallGetdents>(small_getdents::ID),
        rule::<getdents_end::GetdentsEnd>(getdents_end::ID),
        rule::<opendir_stat::OpendirStat>(opendir_stat::ID),
        rule::<xattr_per_entry::XattrPerEntry>(xattr_per_entry::ID),
        rule::<tty_probe::TtyProbe>(tty_probe::ID),
        rule::<spawn_per_item::SpawnPerItem>(spawn_per_item::ID),
        rule::<sync_per_item::SyncPerItem>(sync_per_item::ID),
        rule::<append_per_item::AppendPerItem>(append_per_item::ID),
        rule::<rewrite_per_item::RewritePerItem>(rewrite_per_item::ID),
        rule::<mkdir_again::MkdirAgain>(mkdir_again::ID),
        rule::<idle_seek::IdleSeek>(idle_seek::ID),
        rule::<small_copies::SmallCopies>(small_copies::ID),
        rule::<lock_per_item::LockPerItem>(lock_per_item::ID),
        rule::<statfs_per_item::StatfsPerItem>(statfs_per_item::ID),
        rule::<attribute_churn::AttributeChurn>(attribute_churn::ID),
        rule::<map_per_file::MapPerFile>(map_per_file::ID),
        rule::<descriptor_path::DescriptorPath>(descriptor_path::ID),
        rule::<ask_again::AskAgain>(ask_again::ID),
        rule::<busy_poll::BusyPoll>(busy_poll::ID),
        rule::<file_poll::FilePoll>(file_poll::ID),
    ]
}

/// The ids of all rules, which are those of findings.
#[must_use]
pub fn ids() -> Vec<&'static str> {
    all().into_iter().map(|(id, _)| id).collect()
}
