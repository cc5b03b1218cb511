//! Reading and writing: small-reads, small-writes, reopen, tty-probe, sync-per-item.

use super::*;
use crate::explain::Act;
use crate::{Event, FrameId, Language, Location, Name, StackId};

#[test]
fn a_well_known_program_is_told_its_options() {
    let remedy = |program| {
        let mut stream = Stream::of(program, Language::C, &["dd"]);
        stream.repeat(1, "open /w/big");
        stream.repeat(300, "read 512 512 #+1");
        stream.repeat(1, "close");
        stream.only().remedy
    };
    assert_eq!(remedy("/usr/bin/dd").snippet, "dd bs=1M if=\"$from\" of=\"$to\"");
    assert!(!remedy("/usr/bin/ddd").snippet.contains("bs="));
}

#[test]
fn what_wakes_a_loop_is_no_pipe() {
    // The descriptor is handed to an epoll before it is written to.
    let mut stream = Stream::new();
    stream.have(9, "anon_inode:[eventfd]");
    stream.call("epoll_ctl", "", 0).arguments = [8, 1, 9, 0, 0, 0];
    for _ in 0..200 {
        stream.write(9, 8);
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_large_file_read_by_the_kilobyte() {
    let stream = Stream::script(1, "open /w/log").then(1024, "read 1024 1024 11");
    let stream = stream.then(1, "read 1024 0 0; close");
    let finding = stream.found(
        "small-reads",
        1024 - 16,
        "`/w/log` was read 1,024 times, at most 1,024 bytes at a time, where 16 would do",
    );
    assert_eq!(finding.spared.iter().map(|spared| spared.count).sum::<u64>(), 1008);
    // Another file that is read in larger pieces, if with little gain, is none of its business.
    let stream = Stream::script(1, "open /w/log").then(1024, "read 1024 1024 11").then(1, "close");
    let stream = stream.then(1, "open /w/b; read 4096 4096 5; read 4096 4096 5; close");
    let verdict = &stream.findings()[0].verdict;
    assert!(verdict.contains("`/w/log` was read 1,024 times, at most 1,024 bytes"), "{verdict}");
    let stream = Stream::script(1, "open /w/log").then(8, "read 131072 131072 11");
    assert_eq!(stream.then(1, "read 131072 0 0; close").wastes(), []);
}

#[test]
fn small_files_and_scattered_reads_are_no_waste() {
    let stream = Stream::script(500, "open /w/f#; read 4096 4096 11; read 4096 0 0; close");
    assert_eq!(stream.wastes(), []);
    // A database looks here and there: the reads are needed, not the seeks.
    let mut stream = Stream::new();
    let fd = stream.open("/w/db");
    for page in (0..2000).rev() {
        stream.on("lseek", fd, [page * 4096, 0], (page * 4096).cast_signed());
        stream.read(fd, 4096, 4096, page);
    }
    stream.close(fd);
    assert_eq!(stream.wastes(), [("idle-seek", 2000)]);
    // One that says where.
    let mut stream = Stream::new();
    let fd = stream.open("/w/db");
    for page in 0..2000 {
        stream.on("pread64", fd, [1, 4096], 4096).moved = page;
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_device_and_a_pipe_are_read_as_they_come() {
    for (name, asked) in [("/dev/i2c-1", 2), ("/proc/stat", 1024), ("pipe:[7]", 1)] {
        let stream = Stream::script(1, &format!("have@5 {name}"));
        let stream = stream.then(1000, &format!("read@5 {asked} {asked} 0"));
        assert_eq!(stream.wastes(), [], "{name}");
    }
}

#[test]
fn a_shell_reads_byte_by_byte() {
    for name in ["pipe:[7]", "/w/lines"] {
        let mut stream = Stream::of("/bin/dash", Language::Shell, &["dash"]);
        stream.have(0, name);
        let stream = stream.then(1092, "read@0 1 1 5").then(1, "read@0 1 0 0");
        let finding = stream.only();
        assert_eq!((finding.id, finding.wasted), ("small-reads", 1091));
        assert!(finding.verdict.contains("1,092 times, one byte"), "{}", finding.verdict);
        assert!(finding.remedy.snippet.contains("mapfile"));
    }
}

#[test]
fn a_shell_reads_a_block_and_goes_back() {
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    let fd = stream.open("/w/lines");
    for line in 1..=300 {
        stream.on("lseek", fd, [0, 1], (line - 1) * 4);
        let rest = 1200 - u64::try_from(line - 1).unwrap() * 4;
        stream.read(fd, 4096, rest, 5);
        stream.on("lseek", fd, [(rest - 4).wrapping_neg(), 1], line * 4);
    }
    stream.close(fd);
    // Two seeks for each line, the first one excepted, which comes before anything is read.
    assert_eq!(stream.wastes(), [("small-reads", 299 + 2 * 300 - 1)]);
}

#[test]
fn a_shell_asks_before_each_block_whether_it_is_a_terminal() {
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    let fd = stream.open("/w/lines");
    for line in 1..=300 {
        stream.on("ioctl", fd, [0x5401, 1], -25);
        let rest = 1200 - u64::try_from(line - 1).unwrap() * 4;
        stream.read(fd, 4096, rest, 5);
        stream.on("lseek", fd, [(rest - 4).wrapping_neg(), 1], line * 4);
    }
    stream.close(fd);
    assert_eq!(stream.wastes(), [("small-reads", 299 + 300 + 299)]);
}

#[test]
fn a_line_at_a_time_is_written() {
    let stream = Stream::script(1, "have@1 /w/out").then(5000, "write@1 20");
    stream.found(
        "small-writes",
        4998,
        "`/w/out` was written to 5,000 times, about 20 bytes at a time, where 2 would do",
    );
    let stream = Stream::script(1, "have@1 /w/out; write@1 65536; write@1 34464");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn somebody_waits_for_each_line() {
    for name in ["/dev/pts/1", "/dev/tty", "socket:[5]"] {
        let stream = Stream::script(1, &format!("have@1 {name}")).then(500, "write@1 20");
        assert_eq!(stream.wastes(), [], "{name}");
    }
    // An answer for each question that comes in.
    let stream = Stream::script(1, "have@0 pipe:[1]; have@1 pipe:[2]");
    assert_eq!(stream.then(500, "read@0 4096 30 0; write@1 20").wastes(), []);
    // Standard error.
    let stream = Stream::script(1, "have@2 /w/errors").then(500, "write@2 20");
    assert_eq!(stream.wastes(), []);
    // A log.
    let stream = Stream::script(1, "open /w/log 0o2001").then(500, "write 20");
    assert_eq!(stream.wastes(), []);
}

/// A transaction of SQLite as strace shows it, with 3 waits for the disk.
const TRANSACTION: &str = "fcntl@3 6 = 0; fcntl@3 6 = 0; fcntl@3 6 = 0; no-stat /w/db-journal; \
    pread64@3 1 16 = 16; no-stat /w/db-wal; fcntl@3 6 = 0; getpid = 1; open /w/db-journal 0o102; \
    fstat@4 7; geteuid = 0; pwrite64@4 1 512 = 512; pwrite64@4 1 4 = 4; pwrite64@4 1 4096 = 4096; \
    fcntl@3 6 = 0; fcntl@3 6 = 0; pwrite64@4 1 4 = 4; pread64@4 1 8 = 0; fdatasync@4 = 0; \
    opendir /w; fdatasync@5; close@5; pwrite64@4 1 12 = 12; pwrite64@3 1 4096 = 4096; \
    pwrite64@3 1 4096 = 4096; fdatasync@3 = 0; close@4; unlink /w/db-journal = 0; fcntl@3 6 = 0; \
    fcntl@3 6 = 0; fcntl@3 6 = 0";

#[test]
fn each_row_is_a_transaction() {
    let steps = TRANSACTION.split("; ").count() as u64;
    let stream = Stream::script(1, "open /w/db 2").then(50, TRANSACTION);
    // All but the first, of whose 3 waits one is taken to be enough.
    assert_eq!(stream.wastes(), [("sync-per-item", 49 * steps + 2)]);
    // A few are no habit; of those that write much only the waits are counted, and the directory.
    let stream = Stream::script(1, "open /w/db 2").then(9, TRANSACTION);
    let waits = |rounds: u64| 3 * rounds - 1 + 2 * (rounds - 1);
    assert_eq!(stream.wastes()[0], ("sync-per-item", waits(9)));
    let much = format!("{TRANSACTION}; {}", ["pwrite64@3 1 4096 = 4096"; 200].join("; "));
    let stream = Stream::script(1, "open /w/db 2").then(50, &much);
    assert_eq!(stream.wastes()[0], ("sync-per-item", waits(50)));
}

#[test]
fn what_wakes_a_thread_is_no_small_write() {
    // An event counter, with a name and without.
    for counter in ["have@5 anon_inode:[eventfd]", "have@4 /w/other"] {
        assert_eq!(Stream::script(1, counter).then(500, "write@5 8").wastes(), [], "{counter}");
    }
    // Tokens that are taken back, as those of make.
    let tokens = Stream::script(1, "have@3 pipe:[7]; have@4 pipe:[7]").then(500, "write@4 1");
    assert_eq!(tokens.then(500, "read@3 1 1 0").wastes(), []);
    let bytes = Stream::script(1, "have@3 pipe:[6]; have@4 pipe:[7]").then(500, "write@4 1");
    assert_eq!(bytes.then(500, "read@3 1 1 0").wastes(), [("small-writes", 499)]);
}

#[test]
fn what_is_written_here_and_there_is_in_no_block() {
    let write_at = |each: i64| {
        let mut stream = Stream::new();
        let fd = stream.open_at(-100, "/w/archive", 1);
        for header in 1..=500 {
            stream.on("lseek", fd, [0; 2], header * each);
            stream.repeat(1, "write 20; write 20");
        }
        stream.close(fd);
        stream.findings().into_iter().find(|finding| finding.id == "small-writes")
    };
    // Two writes in a row could be one, wherever they are.
    assert_eq!(write_at(70_000).map(|finding| finding.wasted), Some(500));
    assert_eq!(write_at(0).map(|finding| finding.wasted), Some(500));
    // The position is where it was: one block.
    assert_eq!(write_at(40).map(|finding| finding.wasted), Some(999));
}

#[test]
fn another_process_may_do_something_at_any_time() {
    let round = |file: &str| format!("open {file}; read 1024 90 7; read 1024 0 0; close");
    assert_eq!(Stream::script(100, &round("/proc/77/stat")).wastes(), []);
    assert_eq!(Stream::script(100, &round("/proc/1/stat")).wastes(), [("reopen", 396)]);
    assert_eq!(Stream::script(100, &round("/proc/cpuinfo")).wastes(), [("reopen", 396)]);
}

#[test]
fn a_few_transactions_are_no_loop() {
    let files = |times: u64| {
        let stream = Stream::script(1, "have@3 /w/db; have@4 /w/db-journal; have@5 /w");
        stream.then(times, "write@3 4096; fsync@3; write@4 512; fsync@4; fsync@5").wastes()
    };
    assert_eq!(files(5), []);
    // 120 waits but the first, and of 20,480 bytes in 40 small writes those that 3 blocks spare.
    assert_eq!(files(40), [("sync-per-item", 119 + 37)]);
}

#[test]
fn each_item_is_made_durable() {
    let stream = Stream::script(1, "open /w/journal 1").then(50, "write 20; fsync");
    let finding = stream.then(1, "close").found(
        "sync-per-item",
        49 + 49,
        "the disk was waited for 50 times, after 20 bytes each: `/w/journal`; without that, 49 \
         writes fewer would do",
    );
    let spared = |name| {
        let of = |act: &Act| matches!(act, Act::Call { name: it, .. } if *it == name);
        finding.spared.iter().filter(|it| of(&it.act)).map(|it| it.count).sum::<u64>()
    };
    assert_eq!((spared(Name::Fsync), spared(Name::Write)), (49, 49));
    // Once behind the loop; once per megabyte.
    let stream = Stream::script(1, "open /w/journal 1").then(50, "write 3000");
    assert_eq!(stream.then(1, "fsync").wastes(), []);
    let stream = Stream::script(1, "open /w/journal 1").then(50, "write 2097152; fsync");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn one_file_is_read_again_and_again() {
    let stream =
        Stream::script(100, "open /w/config; fstat 8; read 65536 300 9; read 65536 0 0; close");
    let finding = stream.found(
        "reopen",
        99 * 5,
        "`/w/config` was opened, read and closed 100 times with the same content",
    );
    let file = finding.examples[0].file;
    assert_eq!((&finding.spared[0].act, finding.spared[0].count), (&Act::ReadWhole { file }, 99));
}

#[test]
fn looks_right_before_it_is_read_again_go_with_that() {
    let read = "open /w/config; fstat 8; read 65536 300 9; close";
    for (before, looks) in
        [("access /w/config", 1), ("access /w/config; stat /w/config 8; stat /w/config 8", 3)]
    {
        let wastes = Stream::script(100, &format!("{before}; {read}")).wastes();
        assert_eq!(wastes[0], ("reopen", 99 * (4 + looks)), "{before}");
        // The looks of the first round are no habit.
        assert!(wastes[1..].iter().all(|(_, wasted)| *wasted <= 2), "{before}: {wastes:?}");
    }
    // Something else comes between.
    let wastes = Stream::script(100, &format!("access /w/config; stat /w/x# 1; {read}")).wastes();
    assert_eq!(wastes, [("reopen", 99 * 4), ("same-stat", 99)]);
    // What is read is another thing each time.
    let read = "open /w/config; fstat #+1; read 65536 300 #+9; close";
    let wastes = Stream::script(100, &format!("access /w/config; {read}")).wastes();
    assert_eq!(wastes[0], ("same-stat", 99));
}

#[test]
fn a_file_that_changes_is_read_anew_with_reason() {
    for (metadata, content) in [("#+9", "9"), ("8", "#+10")] {
        let steps = format!("open /w/config; fstat {metadata}; read 65536 300 {content}; close");
        assert_eq!(Stream::script(99, &steps).wastes(), []);
    }
    // Kept open.
    let mut stream = Stream::new();
    let fd = stream.open("/w/config");
    for number in 0..100 {
        stream.on("pread64", fd, [1, 300], 300).answer = number;
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn every_file_is_asked_whether_it_is_a_terminal() {
    let read = "open /w/f#; fstat #+1; ioctl 0x5401 1 = ENOTTY; lseek 0 1 = 0; \
                read 8192 100 #+1; read 8192 0 0; close";
    assert_eq!(Stream::script(2000, read).wastes(), [("tty-probe", 8000)]);
    // A few hundred files are opened as the language opens them.
    assert_eq!(Stream::script(600, read).wastes(), []);
    // A file that is made has to be opened somehow.
    let made = "open /w/f# 577; fstat #+1; ioctl 0x5401 1 = ENOTTY; lseek 0 1 = 0; write 9; close";
    assert_eq!(Stream::script(500, made).wastes(), []);
    // fstat alone answers the size.
    assert_eq!(Stream::script(100, "open /w/f#; fstat #+1; read 101 100 #+1; close").wastes(), []);
    // Standard output is asked once.
    let stream = Stream::script(1, "have@1 /w/out; fstat@1 1; ioctl@1 0x5401 1 = ENOTTY");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn one_descriptor_is_asked_again_and_again_whether_it_is_a_terminal() {
    let stream = Stream::script(1, "have@1 /w/out");
    let stream = stream.then(100, "ioctl@1 0x5401 1 = ENOTTY; write@1 70000");
    assert_eq!(stream.wastes(), [("tty-probe", 99)]);
    // Another file behind the same number is another question.
    let stream = Stream::script(100, "have@3 /w/f#; ioctl@3 0x5401 1 = ENOTTY; close@3");
    assert_eq!(stream.wastes(), []);
}

/// Names the functions on the one stack, innermost first.
fn name_functions(stream: &mut Stream, module: &str, functions: &[&str]) {
    let module = stream.path(module);
    let ids = 1..=u32::try_from(functions.len()).unwrap();
    for (id, function) in ids.clone().map(FrameId).zip(functions) {
        stream.events.push(Event::Frame { id, module, address: 1, process: 1 });
        let location = Location { function: (*function).to_owned(), ..Location::default() };
        stream.events.push(Event::Locations { frame: id, locations: vec![location] });
    }
    let frames = ids.map(FrameId).collect();
    stream.events.push(Event::Stack { id: StackId(7), frames, truncated: false });
}

#[test]
fn what_python_imports_before_the_script_is_the_interpreters_own() {
    for (script, is_interpreters) in [("", true), ("/w/tool.py", false), ("<string>", false)] {
        let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3"]);
        name_functions(&mut stream, "/usr/bin/python3", &["stat64", "_path_stat", "main"]);
        for (id, file) in [(2, "<frozen importlib._bootstrap_external>"), (3, script)] {
            let location = Location { function: "f".into(), file: file.into(), line: 1 };
            stream.events.push(Event::Locations { frame: FrameId(id), locations: vec![location] });
        }
        stream.repeat(300, "stat /w/lib 3");
        let text = stream.only().remedy.text;
        assert_eq!(text.starts_with("The interpreter does this"), is_interpreters, "{script}");
    }
}

#[test]
fn what_was_asked_again_is_to_be_remembered() {
    let stream = Stream::script(100, "getcwd /w = 3; stat /w/x# 1");
    assert!(stream.only().remedy.text.starts_with("Ask once and remember"));
    let mut stream = Stream::new();
    stream.have(1, "/w/out");
    stream.repeat(100, "ioctl@1 0x5401 1 = ENOTTY; write@1 99999");
    let finding = stream.only();
    assert_eq!(
        finding.verdict,
        "`/w/out` was asked again 99 times whether it is a terminal, with the same answer"
    );
    assert!(finding.remedy.text.starts_with("Ask once and remember"));
}

#[test]
fn who_has_no_stream_is_not_told_to_give_it_a_buffer() {
    for (language, functions, snippet) in [
        (Language::C, &["read", "main"][..], "read(fd, block, sizeof block)"),
        (Language::C, &[], "read(fd, block, sizeof block)"),
        (Language::C, &["read", "_IO_file_underflow", "fgets", "main"], "setvbuf"),
        (Language::Cpp, &["read", "load()"], "read(fd, block, sizeof block)"),
        (Language::Cpp, &["read", "fread", "load()"], "setvbuf"),
        (Language::Cpp, &["read", "std::basic_filebuf<char>::underflow()"], "pubsetbuf"),
        (Language::Rust, &["read", "main"], "BufReader"),
        // Node's own OpenSSL reads certificates; a script asks through node::fs.
        (Language::Node, &["read", "fgets", "file_gets", "main"], "setvbuf"),
        (Language::Node, &["read", "uv__fs_read", "node::fs::Read"], "createReadStream"),
    ] {
        let mut stream = Stream::of("/bin/prog", language, &["prog"]);
        name_functions(&mut stream, "/bin/prog", functions);
        let fd = stream.open("/w/file");
        stream.repeat(300, "read 1024 1024 7");
        stream.close(fd);
        let remedy = stream.only().remedy;
        assert!(remedy.snippet.contains(snippet), "{functions:?}: {}", remedy.snippet);
        let is_interpreters = functions.contains(&"file_gets");
        assert_eq!(
            remedy.text.starts_with("The interpreter does this for itself"),
            is_interpreters
        );
    }
    for (functions, snippet) in [
        (&["write", "main"][..], "write_all(fd, block, used)"),
        (&["write", "_IO_new_file_write", "fwrite", "main"], "setvbuf(stdout"),
        (&["write", "_IO_new_file_write", "fflush", "main"], "no fflush(stdout)"),
    ] {
        let mut stream = Stream::new();
        name_functions(&mut stream, "/bin/prog", functions);
        stream.have(1, "/w/out");
        stream.repeat(300, "write@1 70");
        let remedy = stream.only().remedy;
        assert!(remedy.snippet.contains(snippet), "{functions:?}: {}", remedy.snippet);
    }
}

#[test]
fn writes_go_together_where_waits_kept_them_apart() {
    // What is to be changed are the waits, though more calls are writes.
    let mut stream = Stream::script(1, "open /w/journal 1");
    for _ in 0..50 {
        stream.stack = 7;
        stream.repeat(1, "write 10; write 10");
        stream.stack = 8;
        stream.repeat(1, "fdatasync");
    }
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("sync-per-item", 49 + 99));
    assert_eq!(finding.callers, [(StackId(8), 49), (StackId(7), 99)]);
    // Each elsewhere in the file: a block for each.
    let stream =
        Stream::script(1, "open /w/base 2").then(50, "lseek 4096 1 = 4096; write 20; fsync");
    assert_eq!(stream.wastes(), [("idle-seek", 50), ("sync-per-item", 49)]);
    // The end of a log is written line by line in C, by the streams of Python in blocks.
    let log = |language| {
        let stream = Stream::of("/usr/bin/tool", language, &["tool"]);
        stream.then(1, "open /w/log 0o2101").then(50, "write 20; fsync").wastes()
    };
    assert_eq!(log(Language::C), [("sync-per-item", 49)]);
    assert_eq!(log(Language::Python), [("sync-per-item", 98)]);
}

#[test]
fn each_file_and_its_directory_are_made_durable() {
    let file = "open /w/f# 0o101; write 20; fsync; close";
    let stream = Stream::script(100, &format!("{file}; opendir /w; fsync; close"));
    // 200 waits but the first; the directory is opened and closed but once.
    let finding = stream.found(
        "sync-per-item",
        199 + 2 * 99,
        "the disk was waited for 200 times, after 9 bytes each: 100 files, `/w` the most",
    );
    assert!(finding.remedy.text.contains("syncfs"), "{}", finding.remedy.text);
    // All are written, then each is synced once: that is one wait for each, too.
    let stream = Stream::script(100, "open /w/f# 0o101; write 20; close");
    assert_eq!(stream.then(1, "opendir /w; syncfs; close").wastes(), []);
}
