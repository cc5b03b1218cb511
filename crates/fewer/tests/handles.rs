//! Nothing stays open, however a walk, a listing or a reading ends. On Windows handles are counted,
//! of all kinds: of files, threads and what threads wait for.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fewer::walk::Item;
use fewer::{Answer, Lines, List, Order, Walk};

const TIMES: usize = 1000;

#[cfg(windows)]
fn open_now() -> usize {
    sys::open_handles()
}

#[cfg(unix)]
fn open_now() -> usize {
    fs::read_dir("/dev/fd").unwrap().count()
}

/// 20 directories of 5 files, and a chain of ten directories.
fn make_tree(place: &Path) {
    for directory in 0..20 {
        let directory = place.join(format!("d{directory}"));
        fs::create_dir(&directory).unwrap();
        for file in 0..5 {
            fs::write(directory.join(format!("f{file}")), "one\ntwo\nthree\n").unwrap();
        }
    }
    fs::create_dir_all(place.join(["n"; 10].join("/"))).unwrap();
}

/// Does it once, so that what the process keeps is there, and then [`TIMES`] times.
fn leaves_nothing_open(name: &str, mut act: impl FnMut(&Path, usize)) {
    let place = tempfile::tempdir().unwrap();
    make_tree(place.path());
    (0..4).for_each(|number| act(place.path(), number));
    let before = open_now();
    assert!(before > 0);
    (0..TIMES).for_each(|number| act(place.path(), number));
    assert_eq!(open_now(), before, "{name}");
}

/// Walks, stopping after so many entries, and returns how many there were.
fn visit(walk: &Walk, most: usize) -> usize {
    let seen = AtomicUsize::new(0);
    walk.visit(
        || {
            |_: Item<'_>, _: &mut Vec<u8>| match seen.fetch_add(1, Relaxed) + 1 < most {
                true => Answer::Continue,
                false => Answer::Stop,
            }
        },
        |_| Answer::Continue,
    );
    seen.into_inner()
}

/// What is open is counted for the whole process, with the threads of other tests: this is the only
/// one.
#[test]
fn nothing_stays_open() {
    walks_close_what_they_open();
    listings_close_what_they_open();
    lines_close_what_they_open();
}

fn walks_close_what_they_open() {
    leaves_nothing_open("walks", |place, number| {
        let order = if number % 3 == 0 { Order::Sorted } else { Order::Any };
        let walk = Walk::new(place).order(order).threads(1 + number % 2);
        match number % 4 {
            0 => assert_eq!(visit(&walk, usize::MAX), 131),
            // The root, and then what is missing.
            1 => assert_eq!(visit(&Walk::new(place.join("missing")), usize::MAX), 1),
            2 => assert!(visit(&walk, 1 + number % 60) > number % 60),
            _ => assert_eq!(walk.into_iter().take(number % 100).count(), number % 100),
        }
    });
}

fn listings_close_what_they_open() {
    leaves_nothing_open("listings", |place, number| match number % 4 {
        0 => assert_eq!(List::new(place).read().unwrap().rows().count(), 21),
        1 => assert!(List::new(place.join("missing")).read().is_err()),
        2 => assert!(List::new(place.join("d1/f1")).read().is_err()),
        _ => assert_eq!(List::new(place.join("d1")).read().unwrap().rows().count(), 5),
    });
}

fn lines_close_what_they_open() {
    leaves_nothing_open("lines", |place, number| match number % 4 {
        0 => assert_eq!(Lines::open(place.join("d1/f1")).unwrap().count().unwrap().lines(), 3),
        1 => assert!(Lines::open(place.join("missing")).is_err()),
        2 => assert!(Lines::open(place.join("d1")).and_then(|mut it| it.next().map(drop)).is_err()),
        _ => {
            let mut lines = Lines::open(place.join("d2/f2")).unwrap();
            lines.set_read_ahead(true).unwrap();
            assert_eq!(lines.next().unwrap().unwrap().bytes(), b"one");
        }
    });
}
