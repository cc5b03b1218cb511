//! Looks at paths: same-stat, double-stat, look-then-do, owner-lookup, path-components,
//! search-misses.

use super::*;
use crate::StackId;
use crate::explain::{Act, Thresholds};

#[test]
fn one_file_looked_at_again_and_again() {
    let stream = Stream::repeated(10_002, |stream, number| {
        stream.stack = 7;
        stream.stat("/etc/localtime", 5);
        stream.stack = 8;
        stream.lstat(&format!("/w/d/f{number}"), number);
    });
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted, finding.made), ("same-stat", 10_001, 20_004));
    assert_eq!(finding.verdict, "`/etc/localtime` was looked at 10,002 times and never changed");
    assert_eq!(finding.callers, [(StackId(7), 10_001)]);
    assert_eq!(finding.examples.len(), 1);
    assert!(finding.remedy.text.contains("tzset"), "{}", finding.remedy.text);
    assert_eq!(finding.spared.iter().map(|spared| spared.count).sum::<u64>(), 10_001);
}

#[test]
fn a_file_that_changes_is_watched_on_purpose() {
    let stream = Stream::repeated(1000, |stream, number| {
        stream.stat("/w/inbox", 5 + number / 500);
        stream.write(1, 100_000);
    });
    assert_eq!(stream.wastes(), []);
    // Nor is a lock that is waited for.
    let mut stream = Stream::repeated(1000, |stream, _| {
        stream.miss("/w/lock");
    });
    stream.stat("/w/lock", 1);
    assert_eq!(stream.wastes(), []);
}

#[test]
fn what_the_program_itself_changed_is_looked_at_with_reason() {
    let stream = Stream::repeated(500, |stream, _| {
        stream.stat("/w/made", 0);
        let file = stream.path("/w/made");
        let call = stream.call("unlink", "/w/made", 0);
        call.path = file;
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_missing_file_is_asked_for_again_and_again() {
    let stream = Stream::repeated(300, |stream, number| {
        stream.open_miss("/etc/app.conf");
        stream.lstat(&format!("/w/d/f{number}"), number);
    });
    stream.found("same-stat", 299, "`/etc/app.conf` was looked for 300 times and was never there");
}

#[test]
fn many_files_are_one_finding_and_one_that_stands_out_another() {
    let stream = Stream::repeated(10, |stream, _| {
        for number in 0..100 {
            stream.stat(&format!("/w/x{number}/f"), number + 1);
        }
        for _ in 0..120 {
            stream.stat("/w/often", 9);
        }
    });
    let findings = stream.findings();
    let said: Vec<_> = findings.iter().map(|finding| (finding.wasted, &*finding.verdict)).collect();
    assert_eq!(said[0], (1199, "`/w/often` was looked at 1,200 times and never changed"));
    assert_eq!(said[1].0, 900);
    assert!(said[1].1.starts_with("100 files were looked at 1,000 times"), "{}", said[1].1);
    assert_eq!(said.len(), 2);
}

#[test]
fn questions_that_differ_are_not_the_same() {
    let stream = Stream::repeated(500, |stream, number| {
        let path = format!("/w/x/f{number}");
        stream.stat(&path, 1);
        stream.write(1, 99_999);
        stream.lstat(&path, 2);
        stream.write(1, 99_999);
        stream.access(&path);
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn two_looks_in_a_row() {
    let stream = Stream::repeated(200, |stream, number| {
        let path = format!("/w/x/f{number}.py");
        stream.stat(&path, number + 1);
        stream.stat(&path, number + 1);
        stream.write(1, 99_999);
    });
    let finding = stream.found("double-stat", 200, "200 files, `/w/x/f …");
    assert_eq!(finding.examples.len(), 3);
}

#[test]
fn fstat_twice_with_nothing_in_between() {
    let stream = Stream::repeated(200, |stream, number| {
        let fd = stream.open(&format!("/w/x/f{number}"));
        stream.fstat(fd, number + 1);
        stream.fstat(fd, number + 1);
        stream.read(fd, 65536, 100, number);
        stream.close(fd);
    });
    assert_eq!(stream.wastes(), [("double-stat", 200)]);
    // After the read it shows whether the file changed meanwhile, which tar needs to know.
    let stream = Stream::repeated(200, |stream, number| {
        let fd = stream.open(&format!("/w/x/f{number}"));
        stream.fstat(fd, number + 1);
        stream.read(fd, 65536, 100, number);
        stream.fstat(fd, number + 1);
        stream.close(fd);
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_look_right_before_opening() {
    let stream = Stream::repeated(150, |stream, number| {
        let path = format!("/w/x/f{number}");
        stream.access(&path);
        let fd = stream.open(&path);
        stream.read(fd, 65536, 100, 1);
        stream.close(fd);
    });
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("look-then-do", 150));
    // Opened without a look.
    let stream = Stream::repeated(150, |stream, number| {
        let fd = stream.open(&format!("/w/x/f{number}"));
        stream.read(fd, 65536, 100, 1);
        stream.close(fd);
        stream.open_miss(&format!("/w/y/{number}"));
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_look_that_decides_something_else_is_no_waste() {
    let stream = Stream::repeated(150, |stream, number| {
        stream.stat(&format!("/w/x/f{number}"), 1);
        let fd = stream.open(&format!("/w/y/f{number}"));
        stream.read(fd, 65536, 100, 1);
        stream.close(fd);
    });
    assert_eq!(stream.wastes(), []);
    // An entry of a listed directory is looked at for its kind: a copy of a tree.
    let mut stream = Stream::of("/bin/cp", crate::Language::C, &["cp", "-r", "d", "e"]);
    stream.list("/w/d", &names(150));
    for name in names(150) {
        let path = format!("/w/d/{name}");
        stream.lstat(&path, 1);
        let fd = stream.open(&path);
        stream.fstat(fd, 1);
        stream.read(fd, 131_072, 100, 1);
        stream.close(fd);
    }
    assert_eq!(stream.wastes(), []);
}

/// One `getpwuid` of the C library.
fn look_up(stream: &mut Stream, metadata: u64) {
    stream.stack = 1;
    stream.stat("/etc/nsswitch.conf", 3);
    stream.stack = 2;
    let fd = stream.open("/etc/passwd");
    stream.stack = 3;
    stream.fstat(fd, metadata);
    stream.on("lseek", fd, [0, 0], 0);
    stream.read(fd, 4096, 1221, 4);
    stream.close(fd);
}

#[test]
fn owners_are_looked_up_for_every_entry() {
    let stream = Stream::repeated(1000, |stream, number| {
        stream.lstat(&format!("/w/x/f{number}"), number + 1);
        look_up(stream, 9);
    });
    // 999 look-ups of 6 calls, and a first look at nsswitch.conf for each.
    let finding = stream.found(
        "owner-lookup",
        999 * 6,
        "to look up owners, `/etc/passwd` was opened and read 1,000 times anew",
    );
    assert_eq!(finding.callers, [(StackId(2), 999 * 6)]);
    assert_eq!(finding.spared.len(), 1);
    assert_eq!((&finding.spared[0].act, finding.spared[0].count), (&Act::LookUpOwner, 999));
}

#[test]
fn owners_looked_up_once_or_anew_after_a_change_are_no_waste() {
    let mut stream = Stream::new();
    look_up(&mut stream, 9);
    assert_eq!(stream.wastes(), []);
    let stream = Stream::repeated(200, |stream, number| {
        look_up(stream, number + 1);
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn every_component_is_read_as_a_link_for_every_file() {
    let stream = Stream::repeated(500, |stream, number| {
        for path in ["/home", "/home/me", "/home/me/tree"] {
            stream.readlink(path);
        }
        stream.readlink(&format!("/home/me/tree/f{number}"));
    });
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("path-components", 3 * 499));
    assert!(finding.verdict.contains("read as links 1,497 times"), "{}", finding.verdict);
}

#[test]
fn components_looked_at_in_a_row_are_path_components_and_not_same_stat() {
    let stream = Stream::repeated(100, |stream, number| {
        for path in ["/home", "/home/me", "/home/me/tree"] {
            stream.lstat(path, 5);
        }
        stream.lstat(&format!("/home/me/tree/f{number}"), number + 1);
    });
    assert_eq!(stream.wastes(), [("path-components", 3 * 99)]);
    // Resolved once.
    let mut stream = Stream::new();
    for path in ["/home", "/home/me", "/home/me/tree"] {
        stream.readlink(path);
    }
    for number in 0..100 {
        stream.lstat(&format!("/home/me/tree/f{number}"), number + 1);
    }
    assert_eq!(stream.wastes(), []);
    // A link that changes is read anew with reason.
    let stream = Stream::repeated(100, |stream, number| {
        stream.call("readlink", "/w/current", 5).answer = number + 1;
        let events = stream.events.len() - 1;
        if let crate::Event::Call(call) = &mut stream.events[events] {
            call.path = call.file;
        }
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn one_name_is_looked_for_in_place_after_place() {
    let stream = Stream::repeated(20, |stream, library| {
        for place in 0..24 {
            stream.open_miss(&format!("/nix/p{place}/lib{library}.so.1"));
        }
        let fd = stream.open(&format!("/nix/p24/lib{library}.so.1"));
        stream.read(fd, 832, 832, library);
        stream.close(fd);
    });
    stream.found(
        "search-misses",
        480,
        "480 looks went to places that had not what was looked for, in 20 searches: `lib0.so.1` \
         in 24 places",
    );
    // Found at once.
    let stream = Stream::repeated(480, |stream, library| {
        let fd = stream.open(&format!("/nix/p24/lib{library}.so.1"));
        stream.close(fd);
    });
    assert_eq!(stream.wastes(), []);
    // Different names that are missing are no search: each is asked for once, for a reason.
    let stream = Stream::repeated(480, |stream, number| {
        stream.miss(&format!("/w/out/o{number}"));
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn the_same_search_again_and_again_is_a_search() {
    let stream = Stream::repeated(100, |stream, _| {
        for place in 0..10 {
            stream.miss(&format!("/p{place}/tool"));
        }
        stream.stat("/usr/bin/tool", 1);
        stream.write(1, 70_000);
    });
    let wastes = stream.wastes();
    assert_eq!(wastes, [("search-misses", 1000), ("same-stat", 99)]);
}

#[test]
fn a_search_of_what_becomes_the_program_belongs_to_its_start() {
    let mut stream = Stream::new();
    for child in 2..100 {
        stream.begin(child, 1, "/bin/prog", &["prog"]);
        stream.process = child;
        for place in 0..10 {
            stream.call("execve", &format!("/p{place}/tool"), ENOENT);
        }
        stream.begin(child, 1, "/usr/bin/tool", &["tool"]);
        stream.end(child);
        stream.process = 1;
    }
    assert!(stream.findings().iter().all(|finding| finding.id != "search-misses"));
}

#[test]
fn places_that_are_looked_at_in_turn_are_a_search() {
    let mut stream = Stream::repeated(30, |stream, place| {
        stream.list(&format!("/p/{place}"), &names(3));
    });
    for module in 0..300 {
        for place in 0..=module % 30 {
            stream.stat(&format!("/p/{place}"), place + 1);
        }
        let fd = stream.open(&format!("/p/{}/m{module}.py", module % 30));
        stream.read(fd, 99_999, 20, module + 1);
        stream.close(fd);
    }
    // 10 rounds of 1 + 2 + … + 30 looks; the first at each place is needed.
    stream.found("search-misses", 10 * 465 - 30, "30 places to search were looked at again …");
}

#[test]
fn thresholds_decide_what_is_worth_a_word() {
    let stream = Stream::repeated(60, |stream, _| {
        stream.stat("/etc/localtime", 5);
        stream.write(1, 70_000);
    });
    let mut thresholds = Thresholds::default();
    assert_eq!(stream.findings_beyond(&thresholds), []);
    thresholds.set("same-stat.calls=50").unwrap();
    assert_eq!(stream.findings_beyond(&thresholds).len(), 1);
    thresholds.set("share=0.6").unwrap();
    assert_eq!(stream.findings_beyond(&thresholds), []);
}

#[test]
fn a_loader_looks_for_a_library_and_for_the_place_in_turn() {
    let stream = Stream::repeated(100, |stream, place| {
        stream.open_miss(&format!("/p{place}/hwcaps/v3/libx.so.6"));
        stream.miss(&format!("/p{place}/hwcaps/v3"));
        stream.open_miss(&format!("/p{place}/libx.so.6"));
        stream.stat(&format!("/p{place}"), 5);
    });
    assert_eq!(stream.wastes(), [("search-misses", 300)]);
}

#[test]
fn two_looks_in_a_row_for_different_fields_are_one_too_many() {
    let stream = Stream::repeated(200, |stream, number| {
        for fields in [3, 0xfff] {
            let call = stream.stat(&format!("/w/x/f{number}"), fields);
            call.name = crate::Name::Statx;
            call.arguments[2] = 0;
            call.arguments[3] = fields;
        }
        stream.write(1, 99_999);
    });
    assert_eq!(stream.wastes(), [("double-stat", 200)]);
}

#[test]
fn a_file_that_some_directories_have_is_not_searched_for() {
    let mut stream = Stream::repeated(200, |stream, place| {
        stream.miss(&format!("/w/d{place}/version"));
    });
    assert_eq!(stream.wastes(), []);
    // The same places for another name are a list of places.
    for name in 0..5 {
        for place in 0..200 {
            stream.miss(&format!("/w/d{place}/name{name}"));
        }
    }
    assert_eq!(stream.wastes(), [("search-misses", 1200)]);
}

#[test]
fn what_says_something_about_a_directory_is_not_searched_for() {
    for name in [".gitignore", ".git", "package.json", "pyvenv.cfg"] {
        let stream = Stream::repeated(300, |stream, number| {
            stream.open_miss(&format!("/w/d{number}/{name}"));
        });
        assert_eq!(stream.wastes(), [], "{name}");
    }
    // Nor is a root on the way up, whatever stands there.
    let stream = Stream::repeated(100, |stream, number| {
        for place in ["/w/a/b/c", "/w/a/b", "/w/a", "/w"] {
            stream.open_miss(&format!("{place}/root{number}"));
        }
    });
    assert_eq!(stream.wastes(), []);
    // But for folders of modules.
    let mut stream = Stream::new();
    for place in ["/w/a/b/c", "/w/a/b", "/w/a", "/w"] {
        stream.open_miss(&format!("{place}/node_modules"));
    }
    assert_eq!(stream.wastes(), [("search-misses", 4)]);
    // The same places in another order are a list of places.
    let stream = Stream::repeated(100, |stream, number| {
        for place in ["/w/a", "/w/a/b/c", "/w/a/b", "/w"] {
            stream.open_miss(&format!("{place}/name{number}"));
        }
    });
    assert_eq!(stream.wastes(), [("search-misses", 400)]);
}

#[test]
fn a_search_has_the_remedy_of_what_is_searched_for() {
    for (name, executable, remedy) in [
        ("libx.so.1", false, "set-rpath"),
        ("prog.mo", false, "LC_ALL=C"),
        ("tool", true, "PATH=/usr/bin"),
        ("header.h", false, "remember(name"),
    ] {
        let mut stream = Stream::repeated(10, |stream, number| {
            let path = format!("/w/place{number}/{name}");
            if executable {
                let call = stream.access(&path);
                (call.result, call.answer, call.arguments[2]) = (ENOENT, 0, 1);
            } else {
                stream.open_miss(&path);
            }
        });
        for number in 0..10 {
            stream.open_miss(&format!("/w/place{number}/other"));
        }
        let finding = stream.only();
        assert_eq!((finding.id, finding.wasted), ("search-misses", 20));
        assert!(finding.remedy.snippet.contains(remedy), "{name}: {}", finding.remedy.snippet);
    }
}
