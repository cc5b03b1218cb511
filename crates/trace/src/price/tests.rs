//! What is priced, how, and what is left alone.

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;
use crate::explain::Spared;
use crate::{Event, Language, Name, PathId, Text};

/// Paths by their place, from 1.
fn registry(paths: &[&str]) -> Registry {
    let mut registry = Registry::default();
    for (id, path) in (1..).zip(paths) {
        registry.take(&Event::Path { id: PathId(id), path: Text::from(*path) });
    }
    registry
}

fn call(name: Name, file: u32, moved: u64, failed: bool) -> Act {
    Act::Call { name, file: PathId(file), moved, failed }
}

/// Acts: each call's name, its file, what it moved, and whether it failed.
macro_rules! calls {
    ($($name:ident $file:literal $moved:literal $failed:literal,)+) => {
        vec![$(call(Name::$name, $file, $moved, $failed),)+]
    };
}

fn finding(id: &'static str, acts: &[(Act, u64)]) -> Finding {
    let spared = acts.iter().map(|(act, count)| Spared { act: act.clone(), count: *count });
    Finding {
        id,
        language: Language::Ruby,
        wasted: acts.iter().map(|(_, count)| count).sum(),
        spared: spared.collect(),
        ..Finding::default()
    }
}

/// What acts save, each in nanoseconds, and how that was found out.
fn saved(paths: &[&str], id: &'static str, acts: &[(Act, u64)]) -> (f64, Basis) {
    let thresholds = Thresholds { milliseconds: 0.0, ..Thresholds::default() };
    let findings =
        price(vec![finding(id, acts)], &registry(paths), &thresholds, &Pricing::default());
    let saved = findings[0].saved.unwrap();
    let count: u64 = acts.iter().map(|(_, count)| count).sum();
    (saved.nanoseconds as f64 / count as f64, saved.basis)
}

/// A folder with a file, a link and a directory of 100 entries.
fn folder() -> (tempfile::TempDir, [String; 5]) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["file", "link", "directory", "missing", "fifo"].map(place);
    fs::write(&names[0], vec![b'x'; 300_000]).unwrap();
    symlink("file", &names[1]).unwrap();
    fs::create_dir(&names[2]).unwrap();
    for number in 0..100 {
        fs::write(Path::new(&names[2]).join(format!("entry{number}")), "").unwrap();
    }
    let made = std::process::Command::new("mkfifo").arg(&names[4]).status().unwrap();
    assert!(made.success());
    (folder, names)
}

#[test]
fn each_kind_of_waste_has_its_own_threshold() {
    let (_folder, names) = folder();
    let registry = registry(&[&names[1]]);
    let kinds = |settings: &[&str]| -> Vec<&str> {
        let mut thresholds = Thresholds::default();
        settings.iter().for_each(|setting| thresholds.set(setting).unwrap());
        let acts = [(call(Name::Stat, 1, 0, false), 10)];
        let findings = ["same-stat", "double-stat"].map(|id| finding(id, &acts)).to_vec();
        let mut kinds: Vec<&str> = price(findings, &registry, &thresholds, &Pricing::default())
            .iter()
            .map(|finding| finding.id)
            .collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(kinds(&[]), [""; 0]);
    assert_eq!(kinds(&["same-stat.milliseconds=0"]), ["same-stat"]);
    assert_eq!(kinds(&["milliseconds=0", "same-stat.milliseconds=9"]), ["double-stat"]);
}

#[test]
fn what_only_looks_is_done_again() {
    let (_folder, names) = folder();
    let paths = names.each_ref().map(|name| &**name);
    let acts = calls! {
        Stat 1 0 false, Lstat 2 0 false, Newfstatat 4 0 true, Statx 3 0 false, Access 1 0 false,
        Faccessat2 4 0 true, Readlink 2 0 false, Openat 1 0 false, Open 4 0 true,
        Openat 3 0 false, Close 1 0 false, Fstat 1 0 false, Lseek 1 0 false, Ioctl 1 0 false,
        Read 1 1024 false, Pread64 1 0 false, Getdents64 3 0 false, Lgetxattr 1 0 false,
        Llistxattr 1 0 false, Getcwd 0 0 false,
    };
    for act in acts.into_iter().chain([Act::ReadWhole { file: PathId(1) }]) {
        let (each, basis) = saved(&paths, "same-stat", &[(act.clone(), 1000)]);
        assert_eq!(basis, Basis::Replayed, "{act:?}");
        assert!((20.0..5e6).contains(&each), "{act:?}: {each} ns");
    }
    let (owner, basis) = saved(&[], "owner-lookup", &[(Act::LookUpOwner, 100)]);
    assert!(basis == Basis::Replayed && owner > 500.0, "{owner} ns");
}

#[test]
fn what_changes_something_is_calibrated() {
    let (folder, names) = folder();
    let paths = names.each_ref().map(|name| &**name);
    let before = listing(folder.path());
    let acts = calls! {
        Write 1 100 false, Write 0 100 false, Fsync 1 0 false, Fdatasync 1 0 false, Dup 1 0 false,
        Fcntl 1 0 false, Chdir 3 0 false, Fchdir 3 0 false, Unlink 1 0 false, Rename 1 0 false,
        Wait4 0 0 false, Mmap 1 0 false,
    };
    for act in acts.into_iter().chain([Act::Spawn { program: PathId(1) }]) {
        let price = |_| {
            let (each, basis) = saved(&paths, "x", &[(act.clone(), 1000)]);
            assert_eq!(basis, Basis::Calibrated, "{act:?}");
            assert!(each >= 20.0, "{act:?}: {each} ns");
            each
        };
        // A disk, and a program's start, may be slow where all of the machine is busy: not always.
        assert!((0..10).map(price).any(|each| each < 1e9), "{act:?}");
    }
    assert_eq!(listing(folder.path()), before);
    let (spawn, _) = saved(&[], "x", &[(Act::Spawn { program: PathId(0) }, 10)]);
    let (seek, _) = saved(&[], "x", &[(call(Name::Lseek, 0, 0, false), 10)]);
    assert!(spawn > 100.0 * seek, "{spawn} {seek}");
}

fn listing(folder: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<_> =
        entries.map(|entry| (entry.path(), entry.metadata().unwrap().len())).collect();
    names.sort();
    names
}

#[test]
fn what_comes_out_otherwise_is_not_done_again() {
    let (_folder, names) = folder();
    let paths = names.each_ref().map(|name| &**name);
    // The missing one was there, the file was not, the FIFO is no regular file, a link is none.
    let acts = calls! {
        Stat 4 0 false, Stat 1 0 true, Openat 4 0 false, Openat 5 0 false, Openat 5 0 true,
        Read 5 10 false, Close 5 0 false, Readlink 1 0 false, Stat 0 0 false,
    };
    for act in acts.into_iter().chain([Act::ReadWhole { file: PathId(5) }]) {
        let (each, basis) = saved(&paths, "x", &[(act.clone(), 1000)]);
        assert_eq!(basis, Basis::Calibrated, "{act:?}");
        assert!((20.0..5e6).contains(&each), "{act:?}: {each} ns");
    }
    let both = [(call(Name::Stat, 1, 0, false), 10), (call(Name::Dup, 1, 0, false), 10)];
    assert_eq!(saved(&paths, "x", &both).1, Basis::Mixed);
}

#[test]
fn devices_are_not_opened() {
    let one = |file: &str| SampledAct { file: CString::new(file).ok(), moved: 1, failed: false };
    for file in ["/dev/null", "/dev/zero", "/dev/tty", "/proc/kmsg", "/sys/kernel/notes"] {
        for kind in [
            Operation::Open,
            Operation::Read,
            Operation::StatOpen,
            Operation::Whole,
            Operation::Entries,
        ] {
            let mut replay = replay::replay(kind, &[one(file)]).unwrap();
            assert_eq!(replay().acts, 0, "{kind:?} {file}");
        }
    }
    let refused = SampledAct { failed: true, ..one("/dev/null") };
    assert_eq!(replay::replay(Operation::Open, &[refused]).unwrap()().acts, 0);
}

#[test]
fn of_small_reads_only_the_call_is_saved() {
    let (_folder, names) = folder();
    let paths = names.each_ref().map(|name| &**name);
    let reads = [(call(Name::Read, 1, 64 << 10, false), 1000)];
    let whole = saved(&paths, "x", &reads).0;
    let spared = saved(&paths, "small-reads", &reads).0;
    assert!(spared < whole * 0.9, "{spared} of {whole}");
    let blocks = [(call(Name::Getdents64, 3, 0, false), 1000)];
    let end = saved(&paths, "small-getdents", &blocks).0;
    assert!(end < saved(&paths, "x", &blocks).0 * 0.5, "{end}");
}

#[test]
fn the_dearest_comes_first_and_what_saves_little_is_dropped() {
    let (_folder, names) = folder();
    let paths = names.each_ref().map(|name| &**name);
    let stat = |count| [(call(Name::Stat, 1, 0, false), count)];
    let findings = vec![
        finding("little", &stat(1)),
        finding("some", &stat(100_000)),
        finding("much", &stat(1_000_000)),
    ];
    let priced = price(findings, &registry(&paths), &Thresholds::default(), &Pricing::default());
    let ids: Vec<_> = priced.iter().map(|finding| finding.id).collect();
    assert_eq!(ids, ["much", "some"]);
    let [much, some] = [0, 1].map(|at: usize| priced[at].saved.unwrap().nanoseconds as f64);
    assert!((5.0..20.0).contains(&(much / some)), "{much} {some}");
}

#[test]
fn much_is_measured_in_little_time() {
    let (_folder, names) = folder();
    let paths: Vec<String> = (0..5000).map(|n| format!("{}/x{n}", names[2])).collect();
    let registry = registry(&paths.iter().map(|path| &**path).collect::<Vec<_>>());
    let acts: Vec<_> = (1..=5000).map(|id| (call(Name::Stat, id, 0, true), 1)).collect();
    let findings = (0..40).map(|_| finding("x", &acts)).collect();
    let start = Instant::now();
    assert!(!price(findings, &registry, &Thresholds::default(), &Pricing::default()).is_empty());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// 100 looks at a file that is not there, and a table by which each costs 6 microseconds.
fn looks() -> (Vec<Finding>, Table) {
    let looks = finding("same-stat", &[(call(Name::Stat, 1, 0, true), 100)]);
    let dear = include_str!("reference.toml").replace("\nstat = ", "\nstat = 6000 # ");
    (vec![looks], Table::parse(&dear).unwrap())
}

#[test]
fn with_a_table_no_time_of_the_machine_decides() {
    let (looks, table) = looks();
    let registry = registry(&["/no such file"]);
    let worth_reporting = |milliseconds, table: &Table| {
        let thresholds = Thresholds { milliseconds, ..Thresholds::default() };
        let pricing = Pricing { table: Some(table.clone()), ..Pricing::default() };
        price(looks.clone(), &registry, &thresholds, &pricing)
    };
    let saved = worth_reporting(0.599, &table)[0].saved.unwrap();
    assert_eq!(saved, Saved::exactly(600_000, Basis::Given));
    assert_eq!(worth_reporting(0.601, &table), []);
    assert_eq!(worth_reporting(0.1, &Table::reference()), []);
}

#[test]
fn what_is_told_is_decided_by_fixed_prices() {
    let (_, table) = looks();
    let reference = table.price(Operation::Close, &[]);
    let count = (0.5e6 / reference) as u64;
    let worth_reporting = |count| {
        let closes = finding("same-stat", &[(call(Name::Close, 0, 0, false), count)]);
        price(vec![closes], &Registry::default(), &Thresholds::default(), &Pricing::default()).len()
    };
    assert_eq!([worth_reporting(count - 20), worth_reporting(count + 20)], [0, 1]);
}

#[test]
fn nothing_saves_more_than_a_run_takes() {
    let (looks, table) = looks();
    let most = Some(Duration::from_micros(300));
    let findings = [looks.clone(), looks].concat();
    let pricing = Pricing { table: Some(table), most, ..Pricing::default() };
    let thresholds = Thresholds { milliseconds: 0.0, ..Thresholds::default() };
    let saved: Vec<u64> = price(findings, &registry(&["/x"]), &thresholds, &pricing)
        .iter()
        .map(|finding| finding.saved.unwrap().nanoseconds)
        .collect();
    assert_eq!(saved, [150_000, 150_000]);
}

#[test]
fn who_keeps_hands_off_does_not_look_again() {
    let (_folder, names) = folder();
    let stat = vec![finding("x", &[(call(Name::Stat, 1, 0, false), 1000)])];
    let pricing = Pricing { hands_off: true, ..Pricing::default() };
    let thresholds = Thresholds { milliseconds: 0.0, ..Thresholds::default() };
    let priced = price(stat, &registry(&[&names[0]]), &thresholds, &pricing);
    assert_eq!(priced[0].saved.unwrap().basis, Basis::Calibrated);
}
