//! Lists down a tree where a call takes long: threads read ahead, and what comes out is the same.
//! The caller's function on names sleeps, as a call to a slow file system does. What is expected
//! comes from GNU ls.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

use fewer::list::Lists;
use fewer::{Fields, Kinds, List};
use scene::child;
use scene::library_threads::LibraryThreads;
use sys::{Call, Calls, calls};

/// The counters and the threads are those of the process, so one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So many directories in a directory, two levels deep, with two files in each.
fn tree(each: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (a, b) in (0..each).flat_map(|a| (0..each).map(move |b| (a, b))) {
        let path = folder.path().join(format!("d{a}/e{b}"));
        fs::create_dir_all(&path).unwrap();
        File::create(path.join("f")).unwrap();
        File::create(path.join("g")).unwrap();
    }
    folder
}

/// The threads that have looked at names.
type Threads = Arc<Mutex<HashSet<ThreadId>>>;

/// A list in which each name takes a while.
fn list(path: &Path, each_name: Duration) -> (List, Threads) {
    let threads = Threads::default();
    let seen = Arc::clone(&threads);
    let list = List::new(path).stat(Kinds::ALL, Fields::SIZE).keep(move |_| {
        seen.lock().unwrap().insert(std::thread::current().id());
        if !each_name.is_zero() {
            std::thread::sleep(each_name);
        }
        true
    });
    (list, threads)
}

/// As `ls -1AR` prints it.
fn text(lists: Lists) -> String {
    let mut text = String::new();
    for (path, listing) in lists {
        writeln!(text, "{}:", path.display()).unwrap();
        for row in listing.unwrap().rows() {
            assert!(row.stat().is_some());
            writeln!(text, "{}", row.name().display()).unwrap();
        }
        text.push('\n');
    }
    text
}

fn ls(path: &Path) -> String {
    let ls = Command::new("ls").arg("-1AR").arg(path).env("LC_ALL", "C").output().unwrap();
    String::from_utf8(ls.stdout).unwrap() + "\n"
}

fn cost<T>(work: impl FnOnce() -> T) -> (T, Calls) {
    let before = calls();
    let done = work();
    (done, calls().since(&before))
}

const SLOW: Duration = Duration::from_micros(500);

#[test]
fn slow_storage_is_read_ahead_in_the_same_order_by_the_same_calls() {
    let _alone = alone();
    let folder = tree(18);
    let ((quick, by), quick_calls) = cost(|| {
        let (list, by) = list(folder.path(), Duration::ZERO);
        (text(list.below()), by)
    });
    assert_eq!(by.lock().unwrap().len(), 1, "nothing is waited for");
    let ((slow, by), slow_calls) = cost(|| {
        let (list, by) = list(folder.path(), SLOW);
        (text(list.below()), by)
    });
    assert!(by.lock().unwrap().len() >= 4, "{:?}", by.lock().unwrap().len());
    assert_eq!(slow, ls(folder.path()));
    assert_eq!(quick, slow);
    for call in [Call::Getdents64, Call::Statx] {
        assert_eq!(slow_calls.of(call), quick_calls.of(call), "{call:?}");
    }
    // How many processors may be used is looked up in a few files.
    let more = slow_calls.of(Call::Openat) - quick_calls.of(Call::Openat);
    assert!(more <= 6, "{more}");
}

#[test]
fn one_thread_reads_alone_if_it_is_to() {
    let _alone = alone();
    let folder = tree(6);
    let (list, by) = list(folder.path(), SLOW);
    assert_eq!(text(list.threads(1).below()), ls(folder.path()));
    assert_eq!(by.lock().unwrap().len(), 1);
}

#[test]
fn no_thread_outlives_the_lists() {
    let _alone = alone();
    let folder = tree(18);
    let threads = LibraryThreads::of_this_thread();
    let (list, by) = list(folder.path(), SLOW);
    let mut lists = list.below();
    while by.lock().unwrap().len() < 2 {
        assert!(lists.next().is_some(), "no other thread was started");
    }
    drop(lists);
    assert!(threads.have_ended());
}

/// Whether the calling thread waits for the others already or is still busy when they panic.
#[test]
fn a_panic_of_another_thread_is_passed_on() {
    let _alone = alone();
    let folder = tree(18);
    let path = folder.path().to_owned();
    scene::in_time(move || {
        let threads = LibraryThreads::of_this_thread();
        for slow in [SLOW, 4 * SLOW].repeat(6) {
            let caller = std::thread::current().id();
            let list = List::new(&path).keep(move |_| {
                if std::thread::current().id() != caller {
                    std::panic::resume_unwind(Box::new("on purpose"));
                }
                std::thread::sleep(slow);
                true
            });
            let caught = catch_unwind(AssertUnwindSafe(|| list.below().count()));
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"on purpose"));
            assert!(threads.have_ended());
        }
    });
}

#[test]
fn what_is_read_ahead_is_bounded() {
    let _alone = alone();
    let folder = tree(10);
    for number in 0..40 {
        let path = folder.path().join(format!("z{number}"));
        fs::create_dir(&path).unwrap();
        (0..2000).for_each(|f| drop(File::create(path.join(f.to_string())).unwrap()));
    }
    let names = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&names);
    // Slow for long enough for the others to be started.
    let list = List::new(folder.path()).threads(4).keep(move |_| {
        if count.fetch_add(1, Relaxed) < 300 {
            std::thread::sleep(SLOW);
        }
        true
    });
    let mut lists = list.below();
    let taken: usize = lists.by_ref().take(60).map(|(_, listing)| listing.unwrap().len()).sum();
    let mut before = 0;
    while before < names.load(Relaxed) {
        before = names.load(Relaxed);
        std::thread::sleep(Duration::from_millis(200));
    }
    let ahead = before - taken;
    assert!((2000..=(32 << 10) + 4 * 1024).contains(&ahead), "{ahead} names are held");
    assert_eq!(lists.count(), 1 + 10 + 100 + 40 - 60);
}

#[test]
fn few_descriptors_are_enough() {
    let Some(folder) = child::folder() else {
        let folder = tree(18);
        // Standard streams, what the test itself holds, and a few for the lists.
        let wrapper = child::with_descriptors(10);
        let wrapper: Vec<&str> = wrapper.iter().map(String::as_str).collect();
        return child::run(&wrapper, "few_descriptors_are_enough", folder.path());
    };
    let (list, by) = list(&folder, SLOW);
    let listed = text(list.below());
    assert!(by.lock().unwrap().len() >= 2, "threads were started");
    assert_eq!(listed, ls(&folder));
}
