//! Repeats acts that only look, on the same files. It opens only regular files and directories, it
//! does not wait, and an act that has another result than in the program is left out.

use std::ffi::{CStr, CString};

use sys::{Buffer, CWD, Descriptor, Errno, Fields, FileSystem};

use super::operation::Operation;
use super::sample::SampledAct;
use super::stopwatch::{Lap, done};

/// The fields that `stat` has.
const ALL: fn() -> Fields = || {
    Fields::KIND
        | Fields::PERMISSIONS
        | Fields::OWNER
        | Fields::SIZE
        | Fields::LINKS
        | Fields::INODE
        | Fields::ALLOCATED
        | Fields::MODIFIED
        | Fields::CHANGED
        | Fields::ACCESSED
};

/// Does all acts of a sequence once, and times them.
pub(super) type TimedAct<'r> = Box<dyn FnMut() -> Lap + 'r>;

/// Files that are held open at a time.
const OPEN: usize = 32;

/// Of a larger file only so much is read; the price of the whole is computed from that.
const WHOLE_BYTES: usize = 4 << 20;

/// How acts of this kind are done again on these files; `None` if doing them would change
/// something. It does no acts if none of them has the same result now as in the program.
pub(super) fn replay(kind: Operation, sequence: &[SampledAct]) -> Option<TimedAct<'static>> {
    match kind {
        Operation::Stat => by_path(sequence, |file| sys::stat(CWD, file, true, ALL()).map(drop)),
        Operation::StatLink => {
            by_path(sequence, |file| sys::stat(CWD, file, false, ALL()).map(drop))
        }
        Operation::Access => by_path(sequence, |file| sys::access(CWD, file)),
        Operation::Link => by_path(sequence, |file| sys::read_link(CWD, file).map(drop)),
        Operation::Attribute => by_path(sequence, |file| attribute(file, true)),
        Operation::AttributeOfLink => by_path(sequence, |file| attribute(file, false)),
        Operation::AttributeNames => {
            by_path(sequence, |file| sys::attribute_names(CWD, file, true).map(drop))
        }
        Operation::AttributeNamesOfLink => {
            by_path(sequence, |file| sys::attribute_names(CWD, file, false).map(drop))
        }
        Operation::Directory => {
            let go = || Lap::of(16, || (0..16).for_each(|_| done(sys::current_dir())));
            Some(Box::new(go) as TimedAct)
        }
        Operation::Open if sequence.iter().all(|one| one.failed) => {
            let harmless: Vec<SampledAct> =
                sequence.iter().filter(|one| is_harmless(one)).cloned().collect();
            by_path(&harmless, open_missing)
        }
        Operation::Open => opening(sequence, true),
        Operation::Close => opening(sequence, false),
        Operation::StatOpen => on_open(sequence, |file| done(sys::stat_descriptor(file, ALL()))),
        Operation::Seek => on_open(sequence, |file| done(sys::position(file))),
        Operation::Terminal => on_open(sequence, |file| done(sys::is_terminal(file))),
        Operation::Read => reading(sequence),
        Operation::Entries => entries(sequence, false),
        Operation::EntriesEnd => entries(sequence, true),
        Operation::Whole => whole(sequence),
        Operation::Owner => owners(),
        Operation::Write
        | Operation::WriteWhole
        | Operation::Replace
        | Operation::Duplicate
        | Operation::Control
        | Operation::Enter
        | Operation::EnterOpen
        | Operation::Sync
        | Operation::Spawn
        | Operation::Other => None,
    }
}

/// Repeats an act on the paths for which it has the same result as in the program.
fn by_path(
    sequence: &[SampledAct],
    act: fn(&CStr) -> Result<(), Errno>,
) -> Option<TimedAct<'static>> {
    let files = alike(sequence, act);
    let go = move || Lap::of(files.len(), || files.iter().for_each(|file| done(act(file))));
    Some(Box::new(go))
}

/// The attribute that is asked for the most: ls asks for it with every file.
fn attribute(file: &CStr, follow: bool) -> Result<(), Errno> {
    match sys::attribute_length(file, c"security.selinux", follow) {
        // Most files have none: that is an answer, too.
        Ok(_) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// The files with which `act` fails or succeeds as it did for the program.
fn alike(sequence: &[SampledAct], act: fn(&CStr) -> Result<(), Errno>) -> Vec<CString> {
    let is_alike =
        |one: &&SampledAct| one.file.as_ref().is_some_and(|file| act(file).is_err() == one.failed);
    sequence.iter().filter(is_alike).filter_map(|one| one.file.clone()).collect()
}

/// Opens a file that could not be opened.
fn open_missing(file: &CStr) -> Result<(), Errno> {
    sys::open_at_once(CWD, file).map(drop)
}

/// What a path leads to, if it is a regular file or a directory: nothing else is opened.
fn plain(file: &CStr) -> Option<(sys::Kind, u64)> {
    // Reading one of these may wait, or take something away.
    let takes = file.to_bytes().starts_with(b"/sys/") || file == c"/proc/kmsg";
    let stat = sys::stat(CWD, file, true, Fields::KIND | Fields::SIZE).ok()?;
    let is_plain = matches!(stat.kind(), sys::Kind::File | sys::Kind::Directory);
    (is_plain && !takes).then(|| (stat.kind(), stat.size()))
}

/// Opens what is plain.
fn open(file: &CStr) -> Option<Descriptor> {
    plain(file)?;
    sys::open_at_once(CWD, file).ok()
}

/// Whether opening does no harm: it is plain, or there is nothing.
fn is_harmless(one: &SampledAct) -> bool {
    let is_there = |file| sys::stat(CWD, file, true, Fields::KIND).is_ok();
    one.file.as_ref().is_some_and(|file| plain(file).is_some() || !is_there(file))
}

/// The plain files of a sequence, each one once, and what of them was asked for.
fn distinct(sequence: &[SampledAct]) -> Vec<(CString, sys::Kind, u64, usize)> {
    let mut files: Vec<(&CString, usize)> = Vec::new();
    for one in sequence.iter().filter(|one| !one.failed) {
        if let Some(file) = &one.file
            && files.len() < OPEN
            && !files.iter().any(|(known, _)| *known == file)
        {
            files.push((file, one.moved));
        }
    }
    let plain = |(file, moved): (&CString, usize)| {
        plain(file).map(|(kind, size)| (file.clone(), kind, size, moved))
    };
    files.into_iter().filter_map(plain).collect()
}

/// Opens files and closes them again; the time of one or of the other.
fn opening(sequence: &[SampledAct], is_open: bool) -> Option<TimedAct<'static>> {
    let named = sequence.iter().filter(|one| !one.failed).filter_map(|one| one.file.clone());
    let files: Vec<CString> = named.filter(|file| open(file).is_some()).collect();
    let go = move || {
        let mut sum = Lap::default();
        for files in files.chunks(OPEN) {
            let mut held = Vec::with_capacity(OPEN);
            let opened = files.iter().map(|file| sys::open_at_once(CWD, file));
            let lap = Lap::of(files.len(), || held.extend(opened.filter_map(Result::ok)));
            let closed = Lap::of(held.len(), || held.clear());
            sum.add(if is_open { lap } else { closed });
        }
        sum
    };
    Some(Box::new(go))
}

/// Does something with open files.
fn on_open(sequence: &[SampledAct], act: fn(&Descriptor)) -> Option<TimedAct<'static>> {
    const TIMES: usize = 8;
    let files = distinct(sequence).into_iter();
    let files = files.filter_map(|(file, ..)| sys::open_at_once(CWD, &file).ok());
    let files: Vec<Descriptor> = files.collect();
    let go = move || {
        Lap::of(TIMES * files.len(), || (0..TIMES).for_each(|_| files.iter().for_each(act)))
    };
    Some(Box::new(go))
}

/// Reads files from their beginning to their end and over again, as many bytes at a time as the
/// program got.
fn reading(sequence: &[SampledAct]) -> Option<TimedAct<'static>> {
    const READS: usize = 64;
    const LARGEST: usize = 16 << 20;
    let plain = distinct(sequence).into_iter().filter(|file| file.1 == sys::Kind::File);
    let opened = plain.filter_map(|(file, _, size, moved)| {
        sys::open_at_once(CWD, &file).ok().map(|open| (open, size, moved.min(LARGEST)))
    });
    let mut files: Vec<_> = opened.map(|(open, size, moved)| (open, size, moved, 0)).collect();
    let mut block = Vec::new();
    let mut read = move |(file, size, moved, offset): &mut (Descriptor, u64, usize, u64)| {
        block.clear();
        if *moved == 0 {
            return done(sys::pread_behind(&*file, &mut block, 1, *size));
        }
        let got = sys::pread_behind(&*file, &mut block, *moved, *offset).unwrap_or(0);
        *offset = if got < *moved { 0 } else { *offset + got as u64 };
    };
    let go = move || {
        let acts = READS * files.len();
        Lap::of(acts, || files.iter_mut().for_each(|file| (0..READS).for_each(|_| read(file))))
    };
    Some(Box::new(go))
}

/// Reads directories: block by block from the beginning, or what comes behind the last block.
fn entries(sequence: &[SampledAct], only_end: bool) -> Option<TimedAct<'static>> {
    const ENDS: usize = 16;
    let directories = distinct(sequence).into_iter();
    let directories = directories.filter(|file| file.1 == sys::Kind::Directory);
    let open = |(file, ..): (CString, _, _, _)| sys::open_dir(CWD, &file, true).ok();
    let directories: Vec<Descriptor> = directories.filter_map(open).collect();
    let mut buffer = Buffer::new(ENTRIES_BYTES);
    let mut read = move |directory: &Descriptor| {
        let entries = sys::read_entries(directory, &mut buffer, FileSystem::OTHER);
        entries.is_ok_and(|mut entries| entries.next().is_some())
    };
    let go = move || {
        let mut sum = Lap::default();
        for directory in &directories {
            let mut blocks = 1;
            if only_end {
                while read(directory) {}
                sum.add(Lap::of(ENDS, || (0..ENDS).for_each(|_| done(read(directory)))));
                continue;
            }
            if sys::seek(directory, 0).is_err() {
                continue;
            }
            let whole = Lap::of(0, || {
                while read(directory) {
                    blocks += 1
                }
            });
            sum.add(Lap { acts: blocks, time: whole.time });
        }
        sum
    };
    Some(Box::new(go))
}

/// What the C library reads at a time.
const ENTRIES_BYTES: usize = 32 << 10;

/// Reads files whole.
fn whole(sequence: &[SampledAct]) -> Option<TimedAct<'static>> {
    const BLOCK: usize = 64 << 10;
    let files = distinct(sequence).into_iter();
    let files: Vec<_> = files.filter(|file| file.1 == sys::Kind::File).collect();
    let mut block = vec![0; BLOCK];
    let mut read = move |file: &CStr| {
        let Ok(file) = sys::open_at_once(CWD, file) else { return };
        let mut sum = 0;
        while sum < WHOLE_BYTES {
            match sys::read(&file, &mut block) {
                Ok(got) if got > 0 => sum += got,
                _ => return,
            }
        }
    };
    let go = move || {
        let mut sum = Lap::default();
        for (file, _, size, _) in &files {
            let lap = Lap::of(1, || read(file));
            let times = (*size as f64 / WHOLE_BYTES as f64).max(1.0);
            sum.add(Lap { acts: 1, time: lap.time.mul_f64(times) });
        }
        sum
    };
    Some(Box::new(go))
}

/// Asks the C library for the name of the user who runs this: most files that a program looks at
/// belong to that user.
fn owners() -> Option<TimedAct<'static>> {
    const TIMES: usize = 4;
    let own = sys::stat(CWD, c"/proc/self", true, Fields::OWNER).map_or(0, |stat| stat.user());
    let ask = move |_| done(sys::user_name(own));
    let go = move || Lap::of(TIMES, || (0..TIMES).for_each(ask));
    sys::NAME_SERVICES.then(|| Box::new(go) as TimedAct)
}
