//! A panic in a function of the caller ends the walk and is passed on; no thread waits for ever.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fewer::walk::Item;
use fewer::{Answer, Lines, Order, Walk};
use scene::in_time;
use scene::tree::{fast_place, grow};

/// Runs `visit` for both orders and several numbers of threads, and expects the panic "on purpose".
fn expect_panic(visit: fn(Walk)) {
    let place = fast_place();
    grow(place.path(), 2500, 2500, 5);
    for order in [Order::Any, Order::Sorted] {
        for threads in [2, 4] {
            let walk = Walk::new(place.path()).order(order).threads(threads);
            let caught = in_time(move || catch_unwind(AssertUnwindSafe(|| visit(walk))));
            let panic = caught.expect_err("the walk ended as if nothing had happened");
            let text = panic.downcast_ref::<&str>();
            assert_eq!(text, Some(&"on purpose"), "{order:?} {threads}");
        }
    }
}

#[test]
fn a_panic_in_a_visitor_on_a_helper_is_passed_on() {
    expect_panic(|walk| {
        let caller = std::thread::current().id();
        let visitor = move |_: Item<'_>, _: &mut Vec<u8>| {
            if std::thread::current().id() != caller {
                panic!("on purpose");
            }
            std::thread::sleep(std::time::Duration::from_micros(20));
            Answer::Continue
        };
        walk.visit(|| visitor, |_| Answer::Continue);
    });
}

#[test]
fn a_panic_in_a_visitor_on_the_calling_thread_is_passed_on() {
    expect_panic(|walk| {
        let (caller, visits) = (std::thread::current().id(), AtomicUsize::new(0));
        let visitor = |_: Item<'_>, _: &mut Vec<u8>| {
            let late = visits.fetch_add(1, Relaxed) > 2000;
            assert!(!late || std::thread::current().id() != caller, "on purpose");
            Answer::Continue
        };
        walk.visit(|| visitor, |_| Answer::Continue);
    });
}

#[test]
fn a_panic_in_making_a_visitor_for_a_helper_is_passed_on() {
    expect_panic(|walk| {
        let made = AtomicUsize::new(0);
        let make = || {
            assert!(made.fetch_add(1, Relaxed) == 0, "on purpose");
            |_: Item<'_>, _: &mut Vec<u8>| Answer::Continue
        };
        walk.visit(make, |_| Answer::Continue);
    });
}

#[test]
fn a_panic_in_the_sink_is_passed_on() {
    expect_panic(|walk| {
        let visitor = |_: Item<'_>, out: &mut Vec<u8>| {
            out.extend_from_slice(&[b'x'; 1000]);
            Answer::Continue
        };
        walk.visit(|| visitor, |_| panic!("on purpose"));
    });
}

/// Blocks are collected in their order: the one of the thread that panics never comes.
#[test]
fn a_panic_in_a_question_during_a_collection_is_passed_on() {
    let text = tempfile::NamedTempFile::new().unwrap();
    text.as_file().set_len(1 << 26).unwrap();
    for threads in [1, 2, 4] {
        let lines = Lines::open(text.path()).unwrap().threads(threads);
        let mut lines = lines.cancel_when(|| panic!("on purpose"));
        // It is asked for the first time when 20 ms are over.
        std::thread::sleep(std::time::Duration::from_millis(50));
        in_time(move || {
            let caught = catch_unwind(AssertUnwindSafe(|| lines.collect().map(drop)));
            let panic = caught.expect_err("nobody asked");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
        });
    }
}
