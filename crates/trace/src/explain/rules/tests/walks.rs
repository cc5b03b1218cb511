//! Directories: stat-per-entry, xattr-per-entry, small-getdents, getdents-end, opendir-stat,
//! chdir-churn.

use super::*;
use crate::{Event, FrameId, Language, Location, PathId, StackId};

/// A tree of directories with files, walked by full path: every entry is looked at.
fn walk(stream: &mut Stream, root: &str, deep: usize) {
    let mut entries = names(20);
    if deep > 0 {
        entries.push("below".to_owned());
    }
    stream.list(root, &entries);
    for name in &entries {
        stream.lstat(&format!("{root}/{name}"), 3);
    }
    if deep > 0 {
        walk(stream, &format!("{root}/below"), deep - 1);
    }
}

#[test]
fn every_entry_is_looked_at_to_find_the_directories() {
    let mut stream = Stream::of("/usr/bin/osicat", Language::Lisp, &["osicat"]);
    walk(&mut stream, "/w/tree", 9);
    let finding = stream
        .found("stat-per-entry", 209, "209 entries of 10 directories were looked at one by one …");
    assert_eq!(finding.callers, [(StackId(7), 209)]);
    // The twin: kinds from the directory.
    let mut stream = Stream::of("/usr/bin/osicat", Language::Lisp, &["osicat"]);
    let mut root = "/w/tree".to_owned();
    for _ in 0..10 {
        stream.list(&root, &names(20));
        root += "/below";
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn metadata_that_is_printed_was_asked_for() {
    let mut stream = Stream::new();
    walk(&mut stream, "/w/tree", 9);
    stream.have(1, "/w/out");
    stream.write(1, 209 * 70);
    assert_eq!(stream.wastes(), []);
    // Names alone say the opposite.
    let mut stream = Stream::new();
    stream.list("/w/d", &names(300));
    let mut bytes = 0;
    for name in names(300) {
        stream.lstat(&format!("/w/d/{name}"), 3);
        bytes += name.len() as u64 + 1;
    }
    stream.have(1, "/w/out");
    stream.write(1, bytes);
    assert_eq!(stream.wastes(), [("stat-per-entry", 300)]);
}

#[test]
fn one_directory_whose_sizes_are_added_up_is_no_waste() {
    let mut stream = Stream::new();
    stream.list("/w/d", &names(300));
    for name in names(300) {
        stream.stat(&format!("/w/d/{name}"), 3);
    }
    stream.have(1, "/w/out");
    stream.write(1, 8);
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_function_that_wants_the_kind_gives_itself_away() {
    for (function, wasted) in [("os.path.isdir", 300), ("os.path.getsize", 0)] {
        let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3"]);
        let (id, module) = (FrameId(1), PathId::NONE);
        stream.events.push(Event::Frame { id, module, address: 1, process: 1 });
        let frames = vec![id];
        stream.events.push(Event::Stack { id: StackId(7), frames, truncated: false });
        stream.list("/w/d", &names(300));
        for name in names(300) {
            stream.stat(&format!("/w/d/{name}"), 3);
        }
        let location = Location { function: function.to_owned(), ..Location::default() };
        stream.events.push(Event::Locations { frame: id, locations: vec![location] });
        assert_eq!(stream.findings().iter().map(|it| it.wasted).sum::<u64>(), wasted, "{function}");
    }
}

/// The files are read afterwards, so that the calls alone do not say what was wanted.
#[test]
fn a_source_text_says_what_is_wanted() {
    for (only_kind, wasted) in [(Some(true), 300), (Some(false), 0), (None, 0)] {
        let mut stream = Stream::new();
        let frame = FrameId(1);
        let (module, process) = (PathId::NONE, 1);
        stream.events.push(Event::Frame { id: frame, module, address: 1, process });
        let frames = vec![frame];
        stream.events.push(Event::Stack { id: StackId(7), frames, truncated: false });
        stream.list("/w/d", &names(300));
        for name in names(300) {
            stream.stat(&format!("/w/d/{name}"), 3);
        }
        for name in names(300) {
            let file = stream.open(&format!("/w/d/{name}"));
            stream.close(file);
        }
        let said = only_kind.map(|only_kind| Event::Wanted { frame, only_kind });
        stream.events.extend(said);
        let found = stream.findings();
        let found = found.iter().filter(|it| it.id == "stat-per-entry");
        assert_eq!(found.map(|it| it.wasted).sum::<u64>(), wasted, "{only_kind:?}");
    }
}

/// A tree whose directories are asked about from stack 7, or known from the listing, and whose
/// files from stack 8; each once more where `twice`.
fn sizes(asks_directories: bool, twice: bool) -> Stream {
    let mut stream = Stream::new();
    let mut root = "/w/tree".to_owned();
    for _ in 0..10 {
        let mut entries = names(20);
        entries.push("below".to_owned());
        stream.list(&root, &entries);
        stream.stack = 8;
        for name in names(20) {
            stream.stat(&format!("{root}/{name}"), 3);
            if twice {
                stream.stat(&format!("{root}/{name}"), 3);
            }
        }
        root += "/below";
        stream.stack = 7;
        if asks_directories {
            stream.lstat(&root, 3);
        }
    }
    stream.list(&root, &names(1));
    stream
}

#[test]
fn where_directories_are_known_a_look_at_files_is_for_something_else() {
    // os.walk, which knows the kinds, and st_size of each file; with a look of its own at links.
    assert_eq!(sizes(false, false).wastes(), []);
    assert_eq!(sizes(true, false).wastes(), [("stat-per-entry", 10)]);
    // A look at all of them from one place finds the directories.
    let mut stream = sizes(true, false);
    for event in &mut stream.events {
        if let Event::Call(call) = event {
            call.stack = StackId(7);
        }
    }
    assert_eq!(stream.wastes(), [("stat-per-entry", 210)]);
}

/// A directory that is listed by a program of this language, and whose entries are each looked at
/// from stack 7, where these functions are; the first look may be at the path itself.
fn looked_at(language: Language, functions: &[&str], looks: &[&str]) -> Stream {
    let mut stream = Stream::of("/w/prog", language, &["prog"]);
    for (id, function) in (1..).zip(functions) {
        let (id, module) = (FrameId(id), PathId::NONE);
        stream.events.push(Event::Frame { id, module, address: 1, process: 1 });
        let location = Location { function: (*function).into(), file: String::new(), line: 0 };
        stream.events.push(Event::Locations { frame: id, locations: vec![location] });
    }
    let frames = (1..).take(1).map(FrameId).collect();
    stream.events.push(Event::Stack { id: StackId(7), frames, truncated: false });
    stream.list("/w/d", &names(300));
    for name in names(300) {
        for look in looks {
            let path = format!("/w/d/{name}");
            match *look {
                "lstat" => stream.lstat(&path, 3),
                _ => stream.stat(&path, 3),
            };
        }
    }
    stream
}

#[test]
fn several_looks_for_the_kind_are_all_spared_where_the_listing_gives_it() {
    let kind = ["std::filesystem::is_directory"];
    let wastes = |language| looked_at(language, &kind, &["stat", "stat", "stat"]).wastes();
    let mut both = wastes(Language::Cpp);
    both.sort_unstable();
    assert_eq!(both, [("double-stat", 600), ("stat-per-entry", 300)]);
    assert_eq!(wastes(Language::Ruby), [("double-stat", 600)]);
}

#[test]
fn java_hands_the_kind_to_nobody_and_its_find_what_it_asked() {
    let walk = "java.nio.file.FileTreeIterator.hasNext";
    let wastes = |functions: &[&str]| looked_at(Language::Java, functions, &["lstat"]).wastes();
    assert_eq!(wastes(&[walk]), [("stat-per-entry", 300)]);
    assert_eq!(wastes(&[walk, "java.nio.file.Files.find"]), []);
    assert_eq!(wastes(&["java.nio.file.Files.readAttributes"]), []);
    assert_eq!(wastes(&["java.io.UnixFileSystem.getBooleanAttributes"]), []);
}

#[test]
fn javas_walk_is_no_waste_where_it_leads_to_work() {
    let walk = ["java.nio.file.FileTreeIterator.hasNext"];
    let read_after = |files: usize| {
        let mut stream = looked_at(Language::Java, &walk, &["lstat"]);
        for name in names(files) {
            stream.repeat(1, &format!("open /w/d/{name}; read 8192 100; close"));
        }
        stream.wastes()
    };
    assert_eq!(read_after(31), []);
    assert_eq!(read_after(30), [("stat-per-entry", 300)]);
}

#[test]
fn what_javas_walk_asked_need_not_be_asked_again() {
    let again = |functions: &[&str]| {
        let mut stream = looked_at(Language::Java, functions, &["lstat"]);
        let location = Location { function: "Main.isFile".into(), ..Location::default() };
        let (id, module, frame) = (FrameId(9), PathId::NONE, FrameId(9));
        stream.events.push(Event::Frame { id, module, address: 9, process: 1 });
        stream.events.push(Event::Locations { frame, locations: vec![location] });
        let (id, frames) = (StackId(9), vec![frame]);
        stream.events.push(Event::Stack { id, frames, truncated: false });
        stream.stack = 9;
        for name in names(300) {
            // With other fields: isRegularFile wants the mode alone.
            let call = stream.call("statx", &format!("/w/d/{name}"), 0);
            (call.path, call.answer, call.arguments[3]) = (call.file, 4, 3);
        }
        stream
    };
    again(&["java.nio.file.FileTreeWalker.visit"]).found(
        "stat-per-entry",
        300,
        "300 entries of a directory were looked at again, though the walk had just asked about \
         each; `/w/d` has the most",
    );
    assert_eq!(again(&["Main.list"]).wastes(), []);
}

#[test]
fn a_look_at_what_a_path_leads_to_right_behind_one_at_itself_is_the_second() {
    let idiom = ["java.nio.file.FileTreeIterator.hasNext"];
    let stream = looked_at(Language::Java, &idiom, &["lstat", "stat"]);
    assert_eq!(stream.wastes(), [("double-stat", 300)]);
    // A link has another answer than what it leads to.
    let mut stream = Stream::new();
    for name in names(300) {
        stream.lstat(&format!("/w/d/{name}"), 3);
        stream.stat(&format!("/w/d/{name}"), 4);
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn whoever_looks_twice_wants_more_than_the_kind() {
    let wastes = sizes(true, true).wastes();
    assert_eq!(wastes, [("double-stat", 200)]);
}

#[test]
fn whoever_picks_fields_or_holds_the_directory_wants_the_answer() {
    // GNU ls -l: a few fields by statx.
    let mut stream = Stream::new();
    walk(&mut stream, "/w/tree", 9);
    for event in &mut stream.events {
        if let Event::Call(call) = event
            && call.name == crate::Name::Newfstatat
        {
            call.name = crate::Name::Statx;
            call.arguments[3] = 0x25e;
        }
    }
    assert_eq!(stream.wastes(), []);
    // find -size, du: relative to the directory.
    let mut stream = Stream::new();
    let fd = stream.open("/w/tree");
    stream.on("getdents64", fd, [1, 32768], 48 + 300 * 32);
    for name in names(300) {
        stream.lstat_at(fd, &name, 3);
    }
    stream.close(fd);
    assert_eq!(stream.wastes(), []);
}

#[test]
fn programs_that_tell_metadata_are_asked_for_it() {
    for words in [&["du", "tree"][..], &["busybox", "du"], &["busybox", "find", "-size", "+1"]] {
        let mut stream = Stream::of("/bin/busybox", Language::C, words);
        walk(&mut stream, "/w/tree", 9);
        assert_eq!(stream.wastes(), [], "{words:?}");
    }
    let mut stream = Stream::of("/bin/busybox", Language::C, &["busybox", "find", "tree"]);
    walk(&mut stream, "/w/tree", 9);
    assert_eq!(stream.wastes(), [("stat-per-entry", 209)]);
}

#[test]
fn files_that_are_used_afterwards_were_looked_at_for_more() {
    let mut stream = Stream::new();
    walk(&mut stream, "/w/tree", 2);
    for name in names(20) {
        let path = stream.path(&format!("/w/tree/{name}"));
        stream.call("unlink", &format!("/w/tree/{name}"), 0).path = path;
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn what_keeps_attributes_has_to_ask_for_them() {
    let copy = "fgetxattr /w/f# = ENODATA; fsetxattr /w/g# = 0";
    assert_eq!(Stream::script(300, copy).wastes(), []);
}

#[test]
fn attributes_are_asked_of_every_file_and_there_are_none() {
    let stream = Stream::script(300, "lgetxattr /w/f# = ENODATA; getxattr /w/f# = ENODATA");
    stream.found(
        "xattr-per-entry", 600,
        "300 files were asked for extended attributes 600 times, and had none",
    );
}

#[test]
fn attributes_that_are_there_or_asked_for_are_no_waste() {
    let stream = Stream::repeated(300, |stream, number| {
        stream.call(
            "lgetxattr",
            &format!("/w/f{number}"),
            if number % 4 == 0 { 20 } else { ENODATA },
        );
    });
    assert_eq!(stream.wastes(), []);
    for words in
        [&["getfacl", "-R", "d"][..], &["tar", "--xattrs", "cf", "x"], &["cp", "-a", "d", "e"]]
    {
        let stream = Stream::of("/bin/x", Language::C, words);
        let stream = stream.then(300, "lgetxattr /w/f# = ENODATA");
        assert_eq!(stream.wastes(), [], "{words:?}");
    }
}

#[test]
fn a_large_directory_is_read_with_a_small_buffer() {
    for (buffer, wasted) in [(2048, 470), (8192, 110), (32768, 0), (262_144, 0)] {
        let bytes: u64 = 30_720 * 32;
        let block = bytes.min(buffer);
        let stream = Stream::script(1, "open /w/large");
        let stream = stream.then(bytes / block, &format!("getdents64 1 {buffer} = {block}"));
        let found: u64 = stream.then(1, "close").wastes().iter().map(|(_, wasted)| wasted).sum();
        let expected = if wasted == 0 { 0 } else { bytes / buffer - bytes.div_ceil(65536) };
        assert_eq!(found, expected, "{buffer}");
        assert!(found.abs_diff(wasted) <= 10);
    }
    // Many small directories fit into any buffer.
    let stream = Stream::script(300, "open /w/d#; getdents64 1 2048 = 500; close");
    assert_eq!(stream.wastes(), []);
}

/// 300 directories below `/w/d` as fd walks them: `asks` what they are, and reads `ends`.
fn listed(asks: bool, ends: bool) -> Stream {
    let asks = if asks { "fstat #+1; " } else { "" };
    let ends = if ends { "getdents64 1 32768 = 0; " } else { "" };
    let steps = format!("opendir /w/d/#; {asks}getdents64 1 32768 = 500; {ends}close");
    Stream::script(300, &steps)
}

#[test]
fn directories_are_read_once_more_at_their_end_and_asked_what_they_are() {
    let finding = listed(false, true).found(
        "getdents-end",
        300,
        "300 directories, `/w/d/233` among them, were read once more after their last entry, \
         and gave nothing",
    );
    assert_eq!(finding.examples.len(), 3);
    assert!(finding.careful.contains("only where the file system marks the end"));
    listed(true, false).found(
        "opendir-stat",
        300,
        "300 directories, `/w/d/233` among them, were asked what they are right after they were \
         opened as directories",
    );
    assert_eq!(listed(true, true).wastes(), [("getdents-end", 300), ("opendir-stat", 300)]);
    // The twin.
    assert_eq!(listed(false, false).wastes(), []);
    // Where a runtime lists, its user cannot read the records.
    for (program, language) in [
        ("/usr/bin/python3", Language::Python),
        ("/usr/bin/ruby3.1", Language::Ruby),
        ("/usr/bin/tclsh8.6", Language::C),
        ("/w/walk", Language::Go),
    ] {
        let mut stream = Stream::of(program, language, &["walk"]);
        stream.repeat(
            300,
            "opendir /w/d/#; fstat #+1; getdents64 1 32768 = 500; getdents64 1 32768 = 0; close",
        );
        assert_eq!(stream.wastes(), [], "{program}");
    }
}

#[test]
fn a_directory_that_is_empty_or_gone_or_not_listed_has_nothing_to_spare() {
    let stream = Stream::repeated(300, |stream, number| {
        // A removed directory gives nothing at once.
        stream.repeat(1, &format!("opendir /w/gone/{number}; getdents64 1 32768 = 0; close"));
        // A directory that is held to look things up in, and compared.
        stream.repeat(1, &format!("opendir /w/held/{number}; fstat {}", number + 1));
        stream.lstat_at(stream.opened, "name", number + 1);
        stream.repeat(1, "close");
        // Whatever it was, it was not opened as a directory.
        let any = format!("open /w/any/{number}; fstat {}; getdents64 1 32768 = 500", number + 1);
        stream.repeat(1, &format!("{any}; close"));
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn of_a_look_by_path_and_one_behind_the_opening_one_is_left() {
    let stream = Stream::script(
        300,
        "stat /w/d/# #+1; opendir /w/d/#; fstat #+1; getdents64 1 32768 = 500; close",
    );
    assert_eq!(stream.wastes(), [("look-then-do", 300)]);
}

#[test]
fn the_directory_is_changed_there_and_back() {
    let stream = Stream::script(100, "chdir /w/d# = 0; stat /w/d#/x 1; chdir /w/d#/.. = 0");
    stream.found("chdir-churn", 200, "the working directory was changed there and back 100 times");
}

#[test]
fn children_need_the_directory_and_a_way_down_comes_not_back() {
    let stream = Stream::repeated(100, |stream, number| {
        stream.call("chdir", &format!("/w/d{number}"), 0);
        stream.begin(2 + number as u32, 1, "/bin/prog", &["prog"]);
        stream.call("chdir", "/w", 0);
    });
    assert!(stream.findings().iter().all(|finding| finding.id != "chdir-churn"));
    assert_eq!(Stream::script(100, "chdir /w/d# = 0").wastes(), []);
}

/// What bash does for `cd`.
#[test]
fn the_looks_of_a_shell_go_with_its_way() {
    let there = "stat /w 1; stat /w/t 2; stat /w/t/d# 3; chdir /w/t/d# = 0";
    let round = format!("{there}; no-stat /w/t/d#/version; stat /w 1; chdir /w = 0");
    // A look at each directory for the first time is a part of the way, too.
    Stream::script(100, &round).found(
        "chdir-churn",
        600,
        "the working directory was changed there and back 100 times, and the parts of the path \
         cost 400 looks",
    );
    // What is needed needs its looks; others are not on the way.
    assert_eq!(Stream::script(100, there).wastes(), []);
    let elsewhere = there.replace("chdir /w/t/d#", "chdir /w/u/d#");
    assert_eq!(Stream::script(100, &elsewhere).wastes(), [("path-components", 198)]);
}

#[test]
fn the_directory_is_asked_for_though_nothing_moved() {
    assert_eq!(Stream::script(100, "getcwd /w = 3; stat /w/x# 1").wastes(), [("chdir-churn", 99)]);
    assert_eq!(Stream::script(100, "chdir /w/d# = 0; getcwd /w/d# = 3").wastes(), []);
}

#[test]
fn what_a_library_asks_the_directory_for_is_its_own_matter() {
    let asked_by = |functions: &[(&str, &str)]| {
        let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3", "a.py"]);
        stream.frames(90, functions);
        for number in 0..100 {
            stream.call("getcwd", "/w", 3).stack = StackId(90);
            stream.stat(&format!("/w/x{number}"), 1);
        }
        stream.wastes()
    };
    let whole = ("abspath", "<frozen posixpath>");
    let own = ("deliver", "/home/a/mail.py");
    assert_eq!(asked_by(&[whole, own]), [("chdir-churn", 99)]);
    assert_eq!(asked_by(&[("cwd", "/usr/lib/python3.13/pathlib/_local.py"), own]).len(), 1);
    let temporary = ("mkstemp", "/usr/lib/python3.12/tempfile.py");
    assert_eq!(asked_by(&[whole, temporary, own]), []);
    let relative = [("expand_filepath_with_mode", ""), ("_php_stream_fopen", ""), own];
    assert_eq!(asked_by(&relative), []);
}

#[test]
fn the_way_back_is_asked_for_before_every_move() {
    let stream = Stream::script(100, "getcwd /w = 3; chdir /w/d# = 0; chdir /w = 0");
    assert_eq!(stream.wastes(), [("chdir-churn", 300)]);
}

#[test]
fn a_directory_is_listed_again_and_again() {
    let round = "opendir /w/d; fstat 3; getdents64 1 32768 = 500; getdents64 1 32768 = 0; close";
    let findings = Stream::script(50, round).findings();
    assert_eq!((findings[0].id, findings[0].wasted), ("list-again", 49 * 5));
    assert_eq!(findings[0].verdict, "`/w/d` was listed 50 times with the same entries");
    // What the first listing wastes is left to others.
    assert!(findings[1..].iter().all(|finding| finding.wasted == 1), "{findings:#?}");
    // Go does not ask what it opens: the entries themselves are known.
    let mut stream = Stream::new();
    for round in 0..100 {
        let fd = stream.open_at(-100, "/w/d", 0o20_0000);
        stream.on("getdents64", fd, [1, 32768], 500).answer = 1 + round / 50;
        stream.close(fd);
    }
    // It was changed once.
    assert_eq!(stream.wastes(), [("list-again", 98 * 3)]);
}

#[test]
fn a_directory_that_changes_and_others_are_listed_once_each() {
    for steps in [
        "opendir /w/d; fstat #+1; getdents64 1 32768 = 500; close",
        "opendir /w/d#; fstat 3; getdents64 1 32768 = 500; close",
        // Twice.
        "opendir /w/d#; fstat 3; getdents64 1 32768 = 500; close; opendir /w/d#; fstat 3; \
         getdents64 1 32768 = 500; close",
        // Without an answer nothing is known.
        "opendir /w/d; getdents64 1 32768 = 500; close",
    ] {
        let stream = Stream::script(50, steps);
        assert!(stream.wastes().iter().all(|(id, _)| *id != "list-again"), "{steps}");
    }
}
