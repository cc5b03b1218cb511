//! file-poll, and what it leaves to other rules.

use super::stream::Stream;
use crate::Language;
use crate::explain::Thresholds;

fn sleep(stream: &mut Stream) {
    stream.call("clock_nanosleep", "", 0);
}

/// So many rounds of these steps, each with a sleep behind it.
fn passes(times: u64, steps: &str) -> Stream {
    Stream::repeated(times, |stream, _| {
        stream.repeat(1, steps);
        sleep(stream);
    })
}

#[test]
fn a_missing_file_is_waited_for() {
    // The look in the first two rounds is needed to know what was there.
    let stream = passes(200, "no-stat /w/done");
    stream.found(
        "file-poll",
        2 * 198,
        "`/w/done` was polled: looked at 198 times with a sleep in between and unchanged",
    );
}

#[test]
fn a_directory_is_listed_until_it_changes() {
    let steps = "opendir /w/in; fstat 5; list /w/in 3; close";
    let mut stream = passes(100, steps);
    assert_eq!(stream.wastes().len(), 1, "{:?}", stream.wastes());
    let before = stream.wastes()[0].1;
    // A round with a new entry is needed, the one behind it sees the same again.
    for _ in 0..2 {
        stream.repeat(1, "opendir /w/in; fstat 6; list /w/in 4; close");
        sleep(&mut stream);
    }
    let each = before / 98;
    assert_eq!(stream.wastes(), [("file-poll", before + each)]);
}

#[test]
fn the_answer_may_change_now_and_then() {
    let stream = Stream::repeated(300, |stream, round| {
        stream.stat("/w/conf", 1 + round / 30);
        sleep(stream);
    });
    // Ten answers, each needed once; and the first round.
    assert_eq!(stream.wastes(), [("file-poll", 2 * (300 - 11))]);
}

#[test]
fn whatever_sleeps_ends_a_round() {
    let sleeps: &[(&str, [u64; 6])] = &[
        ("poll", [0, 0, 5, 0, 0, 0]),
        ("ppoll", [1, 1, 2, 0, 0, 0]),
        ("pselect6", [0, 0, 0, 0, 1, 0]),
        ("epoll_pwait", [9, 1, 8, 5, 0, 0]),
    ];
    for (name, arguments) in sleeps {
        let stream = Stream::repeated(200, |stream, _| {
            stream.miss("/w/done");
            stream.call(name, "", 0).arguments = *arguments;
        });
        assert_eq!(stream.wastes(), [("file-poll", 2 * 198)], "{name}");
    }
}

#[test]
fn a_sleep_that_is_not_watched_ends_a_round() {
    // Only the looks are calls that were seen.
    let polls = |program: &str, language| {
        let mut stream = Stream::of(program, language, &["prog"]);
        for _ in 0..200 {
            stream.miss("/w/done");
            stream.sleep_unseen();
        }
        stream.wastes()
    };
    assert_eq!(polls("/usr/bin/java", Language::Java), [("file-poll", 198)]);
    // These wait so for the lock of the interpreter.
    assert_eq!(polls("/usr/bin/python3.11", Language::Python), [("same-stat", 199)]);
}

#[test]
fn other_threads_work_meanwhile() {
    let stream = Stream::repeated(200, |stream, round| {
        stream.miss("/w/settings").thread = 2;
        stream.repeat(1, "write@1 70000");
        stream.call("clock_nanosleep", "", 0).thread = 2;
        if round % 3 == 0 {
            stream.call("clock_nanosleep", "", 0).thread = 1;
        }
    });
    assert_eq!(stream.wastes(), [("file-poll", 2 * 198)]);
    // Threads of a scheduler look for it while another one waits for events.
    let stream = Stream::repeated(200, |stream, round| {
        stream.miss("/w/settings").thread = 10 + u32::try_from(round % 4).unwrap();
        stream.call("epoll_pwait", "", 0).arguments = [9, 1, 8, 50, 0, 0];
    });
    assert_eq!(stream.wastes(), [("file-poll", 2 * 198)]);
}

#[test]
fn a_shell_sleeps_through_a_program() {
    let mut stream = Stream::new();
    for round in 0..100 {
        let child = 100 + round;
        stream.miss("/w/done");
        stream.call("clone", "", i64::from(child));
        stream.begin(child, 1, "/bin/prog", &["prog"]);
        stream.begin(child, 1, "/usr/bin/sleep", &["sleep", "1"]);
        stream.end(child);
    }
    let polls: Vec<_> = stream.wastes().into_iter().filter(|it| it.0 == "file-poll").collect();
    assert_eq!(polls, [("file-poll", 2 * 98)]);
}

/// A shell may be told of the process that it has made only when that has begun to sleep.
#[test]
fn a_sleep_may_begin_before_the_shell_knows_of_it() {
    let mut stream = Stream::new();
    for round in 0..100 {
        let child = 100 + round;
        stream.miss("/w/done");
        if round % 2 == 0 {
            stream.call("vfork", "", i64::from(child));
        }
        stream.begin(child, 1, "/bin/prog", &["prog"]);
        stream.begin(child, 1, "/usr/bin/sleep", &["sleep", "1"]);
        if round % 2 == 1 {
            stream.call("vfork", "", i64::from(child));
        }
        stream.end(child);
    }
    let polls: Vec<_> = stream.wastes().into_iter().filter(|it| it.0 == "file-poll").collect();
    assert_eq!(polls.iter().map(|(_, wasted)| *wasted).collect::<Vec<_>>(), [2 * 98]);
}

/// Another program is started in each round, which may do the work.
#[test]
fn a_shell_that_starts_another_program_may_not_poll() {
    let mut stream = Stream::new();
    for round in 0..100 {
        stream.miss("/w/done");
        for (nth, program) in [(0, "/usr/bin/work"), (1, "/usr/bin/sleep")] {
            let child = 100 + 2 * round + nth;
            stream.call("clone", "", i64::from(child));
            stream.begin(child, 1, "/bin/prog", &["prog"]);
            stream.begin(child, 1, program, &[program]);
            stream.end(child);
        }
    }
    assert!(stream.wastes().iter().all(|(id, _)| *id != "file-poll"));
}

#[test]
fn sleeps_between_items_are_no_polling() {
    // Another file each time; a file that is written to; a record that comes; few tries.
    let stream = passes(300, "stat /w/f 5; open /w/log 1; write 10; close");
    assert!(stream.wastes().iter().all(|it| it.0 != "file-poll"), "{:?}", stream.wastes());
    let other_files = Stream::repeated(300, |stream, round| {
        stream.stat(&format!("/w/f{round}"), round + 1);
        sleep(stream);
    });
    assert_eq!(other_files.wastes(), []);
    let tries = Stream::repeated(8, |stream, _| {
        stream.open_miss("/w/f");
        sleep(stream);
    });
    assert_eq!(tries.wastes(), []);
    let start = passes(24, "no-stat /w/socket");
    assert_eq!(start.findings_beyond(&Thresholds::default()), []);
    // Only sleeps, and looks that the C library makes.
    let clock = passes(300, "stat /etc/localtime 5");
    assert!(clock.wastes().iter().all(|it| it.0 != "file-poll"), "{:?}", clock.wastes());
}

#[test]
fn without_a_sleep_it_is_no_polling() {
    let stream = Stream::repeated(200, |stream, _| {
        stream.miss("/w/f");
    });
    assert!(stream.wastes().iter().all(|it| it.0 != "file-poll"));
}
