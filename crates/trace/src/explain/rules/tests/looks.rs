//! Looks at paths: same-stat, double-stat, look-then-do, owner-lookup, path-components,
//! search-misses.

use super::script::O_DIRECTORY;
use super::*;
use crate::explain::{Act, Thresholds};
use crate::{Language, StackId};

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
    let stream = Stream::script(1000, "no-stat /w/lock").then(1, "stat /w/lock 1");
    assert_eq!(stream.wastes(), []);
}

/// A watch may end in the middle of a look, and a signal may come: that is no other answer.
#[test]
fn a_look_that_was_interrupted_says_nothing_of_the_file() {
    const EINTR: i64 = -4;
    let mut stream = Stream::script(1000, "stat /etc/localtime 5");
    stream.stat("/etc/localtime", 0).result = EINTR;
    stream.found("same-stat", 999, "`/etc/localtime` was looked at 1,000 times and never changed");
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
    let stream = Stream::script(300, "no-open /etc/app.conf; lstat /w/d/f# #");
    stream.found("same-stat", 299, "`/etc/app.conf` was looked for 300 times and was never there");
}

#[test]
fn many_files_are_one_finding_and_one_that_stands_out_another() {
    let stream = (0..10).fold(Stream::new(), |stream, _| {
        stream.then(100, "stat /w/x#/f #+1").then(120, "stat /w/often 9")
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
    let stream = Stream::script(
        500,
        "stat /w/x/f# 1; write@1 99999; lstat /w/x/f# 2; write@1 99999; access /w/x/f#",
    );
    assert_eq!(stream.wastes(), []);
}

#[test]
fn two_looks_in_a_row() {
    let stream = Stream::script(200, "stat /w/x/f#.py #+1; stat /w/x/f#.py #+1; write@1 99999");
    let finding = stream.found("double-stat", 200, "200 files, `/w/x/f …");
    assert_eq!(finding.examples.len(), 3);
}

#[test]
fn fstat_twice_with_nothing_in_between() {
    let stream = Stream::script(200, "open /w/x/f#; fstat #+1; fstat #+1; read 65536 100 #; close");
    assert_eq!(stream.wastes(), [("double-stat", 200)]);
    // After the read it shows whether the file changed meanwhile, which tar needs to know.
    let stream = Stream::script(200, "open /w/x/f#; fstat #+1; read 65536 100 #; fstat #+1; close");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_look_right_before_opening() {
    let stream = Stream::script(150, "access /w/x/f#; open /w/x/f#; read 65536 100 1; close");
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("look-then-do", 150));
    // Opened without a look.
    let stream = Stream::script(150, "open /w/x/f#; read 65536 100 1; close; no-open /w/y/#");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn other_threads_do_not_come_between_a_look_and_an_opening() {
    let rounds = |stream: &mut Stream, round: u64| {
        stream.access(&format!("/w/x/f{round}"));
        for other in 0..5 {
            stream.open_at(FDCWD, &format!("/w/y/{round}-{other}"), 0);
            stream.last().thread = 2;
            stream.close(stream.opened);
            stream.last().thread = 2;
        }
        stream.repeat(1, &format!("open /w/x/f{round}; read 65536 100 1; close"));
    };
    assert_eq!(Stream::repeated(150, rounds).wastes(), [("look-then-do", 150)]);
}

#[test]
fn a_pool_looks_and_opens_in_different_threads() {
    let of = |language, opener: u32| {
        let mut stream = Stream::of("/bin/prog", language, &["prog"]);
        for round in 0..150 {
            stream.access(&format!("/w/x/f{round}"));
            stream.repeat(1, "clock_nanosleep = 0; clock_nanosleep = 0; clock_nanosleep = 0");
            stream.open(&format!("/w/x/f{round}"));
            stream.last().thread = opener;
            stream.close(stream.opened);
        }
        stream.wastes()
    };
    assert_eq!(of(Language::Node, 2), [("look-then-do", 150)]);
    // The thread of the script itself does something else in between, as others do.
    assert_eq!(of(Language::Node, 1), []);
    assert_eq!(of(Language::C, 2), []);
}

#[test]
fn what_lisps_open_asks_by_itself_is_no_waste() {
    let of = |file: &str| {
        let mut stream = Stream::of("/usr/bin/sbcl", Language::Lisp, &["sbcl"]);
        stream.stack = 9;
        stream.repeat(150, "access /w/x/f#; open /w/x/f#; read 65536 9 1; close");
        stream.frames(9, &[("OPEN", file), ("TAGS", "/w/tags.lisp")]);
        stream.wastes()
    };
    assert_eq!(of("SYS:SRC;CODE;FD-STREAM.LISP"), []);
    assert_eq!(of("/w/files.lisp"), [("look-then-do", 150)]);
}

#[test]
fn an_entry_that_is_asked_for_access_is_not_asked_for_its_kind() {
    let mut stream = Stream::new();
    stream.list("/w/d", &names(150));
    for name in names(150) {
        stream.repeat(1, &format!("access /w/d/{name}; open /w/d/{name}; read 65536 9 1; close"));
    }
    assert_eq!(stream.wastes(), [("look-then-do", 150)]);
}

#[test]
fn a_look_that_decides_something_else_is_no_waste() {
    let stream = Stream::script(150, "stat /w/x/f# 1; open /w/y/f#; read 65536 100 1; close");
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
fn hosts_are_looked_up_for_every_request() {
    let ask = |stream: &mut Stream, file: &str, answer: u64| {
        stream.stat("/etc/nsswitch.conf", 3);
        stream.stat("/etc/resolv.conf", 4);
        let fd = stream.open(file);
        stream.fstat(fd, answer);
        stream.read(fd, 4096, 49, answer);
        stream.close(fd);
    };
    let stream = Stream::repeated(200, |stream, _| ask(stream, "/etc/hosts", 5));
    // 199 look-ups of 6 calls.
    stream.found(
        "host-lookup",
        199 * 6,
        "to look up hosts or services, `/etc/hosts` was opened and read 200 times anew",
    );
    let stream = Stream::repeated(200, |stream, number| ask(stream, "/etc/hosts", number + 1));
    assert_eq!(stream.wastes(), []);
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
    let steps = "readlink /home; readlink /home/me; readlink /home/me/tree; \
                 readlink /home/me/tree/f#";
    let finding = Stream::script(500, steps).only();
    // The file itself is no link, which need not be asked once its directory is resolved.
    assert_eq!((finding.id, finding.wasted), ("path-components", 4 * 499));
    assert!(finding.verdict.contains("read as links 1,996 times"), "{}", finding.verdict);
    let stream = Stream::repeated(500, |stream, number| {
        for path in ["/home", "/home/me", "/home/me/tree"] {
            stream.readlink(path);
        }
        let path = format!("/home/me/tree/f{number}");
        stream.readlink(&path).result = 9;
    });
    assert_eq!(stream.wastes(), [("path-components", 3 * 499)]);
}

#[test]
fn components_looked_at_in_a_row_are_path_components_and_not_same_stat() {
    let steps = "lstat /home 5; lstat /home/me 5; lstat /home/me/tree 5; \
                 lstat /home/me/tree/f# #+1";
    assert_eq!(Stream::script(100, steps).wastes(), [("path-components", 4 * 99)]);
    // Not from the root: the last look may be for the file.
    let steps = steps.strip_prefix("lstat /home 5; ").unwrap();
    assert_eq!(Stream::script(100, steps).wastes(), [("path-components", 2 * 99)]);
    // What is below a directory that was not asked about before.
    let steps = "lstat /home 5; lstat /home/me 5; lstat /home/me/d# #+1; lstat /home/me/d#/f 7";
    assert_eq!(Stream::script(100, steps).wastes(), [("path-components", 2 * 99)]);
    // Resolved once.
    let stream = Stream::script(1, "readlink /home; readlink /home/me; readlink /home/me/tree");
    assert_eq!(stream.then(100, "lstat /home/me/tree/f# #+1").wastes(), []);
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
    let stream = (0..20).fold(Stream::new(), |stream, library| {
        let found = format!("open /nix/p24/lib{library}.so.1; read 832 832 {library}; close");
        stream.then(24, &format!("no-open /nix/p#/lib{library}.so.1")).then(1, &found)
    });
    stream.found(
        "search-misses",
        480,
        "480 looks went to places that had not what was looked for, in 20 searches: `lib0.so.1` \
         in 24 places",
    );
    // Found at once.
    assert_eq!(Stream::script(480, "open /nix/p24/lib#.so.1; close").wastes(), []);
    // Different names that are missing are no search: each is asked for once, for a reason.
    assert_eq!(Stream::script(480, "no-stat /w/out/o#").wastes(), []);
}

#[test]
fn the_same_search_again_and_again_is_a_search() {
    let stream = (0..100).fold(Stream::new(), |stream, _| {
        stream.then(10, "no-stat /p#/tool").then(1, "stat /usr/bin/tool 1; write@1 70000")
    });
    assert_eq!(stream.wastes(), [("search-misses", 1000), ("same-stat", 99)]);
}

#[test]
fn a_search_of_what_becomes_the_program_belongs_to_its_start() {
    let mut stream = Stream::new();
    for child in 2..100 {
        stream.begin(child, 1, "/bin/prog", &["prog"]);
        stream.process = child;
        stream.repeat(10, "execve /p#/tool = ENOENT");
        stream.begin(child, 1, "/usr/bin/tool", &["tool"]);
        stream.end(child);
        stream.process = 1;
    }
    assert!(stream.findings().iter().all(|finding| finding.id != "search-misses"));
}

#[test]
fn places_that_are_looked_at_in_turn_are_a_search() {
    let mut stream = Stream::script(30, "list /p/# 3");
    for module in 0..300 {
        let place = module % 30;
        stream.repeat(place + 1, "stat /p/# #+1");
        let read = format!("open /p/{place}/m{module}.py; read 99999 20 {}; close", module + 1);
        stream.repeat(1, &read);
    }
    // 10 rounds of 1 + 2 + … + 30 looks; the first at each place is needed.
    stream.found("search-misses", 10 * 465 - 30, "30 places to search were looked at again …");
}

#[test]
fn the_places_where_python_looks_in_any_case_are_no_search() {
    let of = |places: u64| {
        let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3", "x.py"]);
        stream.repeat(places, "list /p/# 3");
        for module in 0..300 {
            stream.repeat(places, "stat /p/# #+1");
            let read = format!("open /p/0/m{module}.py; read 99999 20 {module}; close");
            stream.repeat(1, &read);
        }
        stream.wastes()
    };
    assert_eq!(of(5), []);
    assert_eq!(of(9), [("search-misses", 299 * 9)]);
}

#[test]
fn a_question_about_each_directory_is_no_search_though_there_are_some() {
    let mut stream = Stream::script(100, "no-stat /w/d#/modules");
    for name in 0..50 {
        stream.repeat(10, &format!("no-stat /p#/name{name}"));
    }
    assert_eq!(stream.wastes(), [("search-misses", 500)]);
    // Nor if it is asked by opening it as a directory.
    let mut stream = Stream::new();
    for number in 0..100 {
        let call = stream.open_miss(&format!("/w/d{number}/modules"));
        call.arguments[2] = O_DIRECTORY;
    }
    assert_eq!(stream.wastes(), []);
    let compiler = Stream::of("/usr/lib/gcc/cc1plus", Language::Cpp, &["cc1plus"]);
    let headers = (0..50)
        .fold(compiler, |stream, name| stream.then(10, &format!("no-open /p#/name{name}.h")));
    assert_eq!(headers.wastes(), []);
}

#[test]
fn thresholds_decide_what_is_worth_a_word() {
    let stream = Stream::script(60, "stat /etc/localtime 5; write@1 70000");
    let mut thresholds = Thresholds::default();
    assert_eq!(stream.findings_beyond(&thresholds), []);
    thresholds.set("same-stat.calls=50").unwrap();
    assert_eq!(stream.findings_beyond(&thresholds).len(), 1);
    thresholds.set("share=0.6").unwrap();
    assert_eq!(stream.findings_beyond(&thresholds), []);
}

#[test]
fn a_loader_looks_for_a_library_and_for_the_place_in_turn() {
    let stream = Stream::script(
        100,
        "no-open /p#/hwcaps/v3/libx.so.6; no-stat /p#/hwcaps/v3; no-open /p#/libx.so.6; \
         stat /p# 5",
    );
    assert_eq!(stream.wastes(), [("search-misses", 300)]);
}

#[test]
fn a_loader_asks_for_each_folder_in_which_it_missed_a_library() {
    let folders = (0..10).map(|it| format!("no-open /p#/v{it}/libx.so.6; no-stat /p#/v{it}; "));
    let round = format!("{}no-open /p#/libx.so.6; stat /p# 5", folders.collect::<String>());
    let stream = Stream::script(12, &round);
    let verdict = "252 looks went to places that had not what was looked for, in 1 search: \
                   `libx.so.6` in 132 places";
    stream.found("search-misses", 12 * 21, verdict);
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
    let mut stream = Stream::script(200, "no-stat /w/d#/version");
    assert_eq!(stream.wastes(), []);
    // The same places for another name are a list of places.
    for name in 0..5 {
        stream.repeat(200, &format!("no-stat /w/d#/name{name}"));
    }
    assert_eq!(stream.wastes(), [("search-misses", 1200)]);
}

#[test]
fn what_says_something_about_a_directory_is_not_searched_for() {
    for name in [".gitignore", ".git", "package.json", "pyvenv.cfg"] {
        let stream = Stream::script(300, &format!("no-open /w/d#/{name}"));
        assert_eq!(stream.wastes(), [], "{name}");
    }
    // Nor is a root on the way up, whatever stands there.
    let steps =
        "no-open /w/a/b/c/root#; no-open /w/a/b/root#; no-open /w/a/root#; no-open /w/root#";
    assert_eq!(Stream::script(100, steps).wastes(), []);
    // But for folders of modules.
    let steps = "no-open /w/a/b/c/node_modules; no-open /w/a/b/node_modules; \
                 no-open /w/a/node_modules; no-open /w/node_modules";
    assert_eq!(Stream::script(1, steps).wastes(), [("search-misses", 4)]);
    // The same places in another order are a list of places.
    let steps =
        "no-open /w/a/name#; no-open /w/a/b/c/name#; no-open /w/a/b/name#; no-open /w/name#";
    assert_eq!(Stream::script(100, steps).wastes(), [("search-misses", 400)]);
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
        stream.repeat(10, "no-open /w/place#/other");
        let finding = stream.only();
        assert_eq!((finding.id, finding.wasted), ("search-misses", 20));
        assert!(finding.remedy.snippet.contains(remedy), "{name}: {}", finding.remedy.snippet);
    }
}

#[test]
fn what_a_library_asked_before_it_calls_back_is_new_to_the_program() {
    let find = ("File::Find::_find_dir", "/usr/share/perl/5.36.0/File/Find.pm");
    let stream = |questions: &[&str]| {
        let mut stream = Stream::of("/usr/bin/perl", Language::Perl, &["perl", "-e", "x"]);
        stream.frames(1, &[find, ("main", "/w/tool.pl")]);
        stream.frames(2, &[("main::look", "/w/tool.pl"), find, ("main", "/w/tool.pl")]);
        for file in 0..100 {
            stream.stack = 1;
            stream.lstat(&format!("/w/f{file}"), 100 + file);
            stream.stack = 2;
            questions
                .iter()
                .for_each(|it| stream.repeat(1, &format!("{it} /w/f{file} {}", 100 + file)));
        }
        stream
    };
    assert_eq!(stream(&["stat"]).wastes(), []);
    assert_eq!(stream(&["lstat"]).wastes(), []);
    assert_eq!(stream(&["stat", "stat", "stat"]).wastes(), [("double-stat", 200)]);
}
