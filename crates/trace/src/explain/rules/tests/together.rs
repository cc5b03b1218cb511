//! All rules together: a call is wasted once, order does not matter, nothing makes them panic, and
//! the manual knows them all.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::explain::{Explainer, Thresholds, clean};
use crate::{Call, Event, Language, Name, PathId, Registry, StackId};

#[test]
fn a_clean_program_is_told_why() {
    let stream = Stream::script(4, "stat /w/config 3; write@1 70000");
    let thresholds = Thresholds::default();
    let (mut registry, mut explainer) = (Registry::default(), Explainer::default());
    for event in &stream.events {
        registry.take(event);
        explainer.see(event, &registry);
    }
    assert_eq!(explainer.findings(&registry, &thresholds), []);
    assert_eq!(
        clean(explainer.below(), &thresholds),
        "the largest waste is 3 calls, below 100 calls (double-stat: `/w/config` was \
         looked at again 3 times, right after a look)"
    );
    assert_eq!(clean(None, &thresholds), "there is no waste among them");
}

#[test]
fn calls_of_a_python_file_read_again_belong_to_one_rule() {
    let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3"]);
    stream.repeat(
        50,
        "stat /w/config 3; open /w/config; fstat 3; ioctl 0x5401 1 = ENOTTY; lseek 0 1 = 0; \
         fstat 3; read 4096 100 4; read 4096 0 0; close",
    );
    let wastes: BTreeMap<_, _> = stream.wastes().into_iter().collect();
    let total: u64 = wastes.values().sum();
    // Each round but the first has 8 calls and a look; the first has a look.
    assert_eq!(wastes["reopen"], 49 * 9);
    assert_eq!(total, 49 * 9 + 1, "{wastes:?}");
}

#[test]
fn marks_of_a_directory_listed_again_are_counted_once() {
    let stream = Stream::script(
        50,
        "open /w/d; fstat 3; fcntl 3 0 = 0; fcntl 2 1 = 0; getdents64 1 32768 = 500; close",
    );
    // Those of the first time are too few to be a loop.
    assert_eq!(stream.wastes(), [("list-again", 49 * 6)]);
}

#[test]
fn every_rule_is_in_the_manual_and_the_other_way_round() {
    let manual = include_str!("../../../../../../docs/why.md");
    let headings: Vec<&str> = manual.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let ids = crate::explain::rules::ids();
    assert_eq!(&headings[headings.len() - ids.len()..], ids);
}

#[test]
fn names_that_are_no_text_are_told_and_kept() {
    let mut stream = Stream::new();
    stream
        .events
        .push(Event::Path { id: PathId(900), path: crate::Text(b"/w/\xff\x1b[2J\n"[..].into()) });
    for _ in 0..200 {
        let call = stream.call("stat", "", 0);
        (call.file, call.path, call.answer) = (PathId(900), PathId(900), 1);
    }
    let finding = stream.only();
    assert_eq!(finding.wasted, 199);
    assert_eq!(finding.examples[0].file, PathId(900));
}

/// A process that does a bit of everything.
fn act(stream: &mut Stream, process: u32, seed: u64) {
    stream.process = process;
    for round in 0..6 {
        stream.stat(&format!("/w/same{seed}"), 5);
        stream.miss(&format!("/w/p{round}/tool"));
        let fd = stream.open(&format!("/w/f{}", round % 2));
        stream.read(fd, 1024, 1024, 7);
        stream.read(fd, 1024, 1024, 7);
        stream.close(fd);
        stream.call("getcwd", "/w", 3);
    }
    stream.list("/w/d", &names(4));
    for name in names(4) {
        stream.lstat(&format!("/w/d/{name}"), 5);
    }
}

fn processes(order: &[u32]) -> Vec<(&'static str, String, u64)> {
    let mut stream = Stream::new();
    // Numbers of paths do not depend on the order.
    for number in 0..4 {
        act(&mut stream, 1, number);
    }
    stream.process = 1;
    for process in 2..6 {
        stream.begin(process, 1, &format!("/bin/p{process}"), &["p"]);
    }
    for process in order {
        act(&mut stream, *process, u64::from(*process % 4));
    }
    let findings = stream.findings();
    let all = findings.into_iter().map(|it| (it.id, it.verdict, it.wasted));
    all.collect()
}

#[test]
fn the_order_of_independent_processes_does_not_matter() {
    let expected = processes(&[2, 3, 4, 5]);
    assert!(expected.len() > 4, "{expected:#?}");
    for order in [[5, 4, 3, 2], [3, 5, 2, 4]] {
        assert_eq!(processes(&order), expected);
    }
}

fn any_call() -> impl Strategy<Value = Call> {
    let names = prop::sample::select(Name::ALL.to_vec());
    let arguments = prop::array::uniform6(prop_oneof![0..12u64, any::<u64>()]);
    let numbers = (0..9u32, 0..9u32, 0..9u32, 1..4u32, 0..3u32);
    let results = prop_oneof![-110..20i64, any::<i64>()];
    (names, arguments, numbers, results, 0..3u64, any::<u64>()).prop_map(
        |(name, arguments, (path, file, second, process, stack), result, answer, moved)| Call {
            name,
            arguments,
            path: PathId(path),
            file: PathId(file),
            second: PathId(second),
            process,
            thread: process,
            stack: StackId(stack),
            result,
            answer,
            moved: moved % 100_000,
            ..Call::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_stream_makes_them_panic_and_no_call_is_wasted_twice(
        calls in prop::collection::vec((any_call(), 0..40u8), 0..400),
    ) {
        let mut stream = Stream::new();
        for path in ["/", "/etc/passwd", "/w/a", "/w/a/b", "/w/a/b/c.x", "/q/c.y", "pipe:[1]"] {
            stream.path(path);
        }
        for (call, kind) in calls {
            let process = call.process;
            match kind {
                0 => stream.begin(process, process ^ 1, "/bin/prog", &["prog"]),
                1 => stream.end(process),
                _ => stream.events.push(Event::Call(call)),
            }
        }
        let first = stream.findings();
        prop_assert_eq!(&first, &stream.findings());
        let wasted: u64 = first.iter().map(|finding| finding.wasted).sum();
        let made = stream.events.iter().filter(|event| matches!(event, Event::Call(_))).count();
        prop_assert!(wasted <= made as u64, "{} of {}: {:#?}", wasted, made, first);
        for finding in &first {
            let callers: u64 = finding.callers.iter().map(|(_, count)| count).sum();
            prop_assert_eq!(callers, finding.wasted, "{}", finding.id);
            prop_assert!(finding.examples.len() <= 3);
            prop_assert!(finding.spared.len() <= 33);
        }
    }
}
