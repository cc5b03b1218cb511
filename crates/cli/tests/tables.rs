//! `fewer walk --parquet`, `--arrow`, `--csv`: the file is whole or not there, and errors are rows.
//! What other programs read in it is in `crates/tables/tests`.

#![cfg(all(feature = "tables", unix))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use folder::{Folder, err, expect};

const FLAGS: [&str; 3] = ["--parquet", "--arrow", "--csv"];

/// A folder with a tree `t`.
fn tree() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.0.join("t/d")).unwrap();
    folder.write("t/a,b", "12345");
    folder.write("t/d/new\nline", "");
    folder
}

/// The names in the folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The lines of a table without the columns that are different each time.
fn rows(csv: &str) -> Vec<String> {
    let lines = csv.lines().skip(1);
    lines.map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn csv_has_a_line_of_names_and_a_line_an_entry() {
    let folder = tree();
    let csv = expect(&folder.fewer(&["walk", "t", "--sort", "--csv", "-"]), 0);
    let (head, rest) = csv.split_once('\n').unwrap();
    assert_eq!(
        head,
        "path,path_bytes,name,kind,depth,inode,device,size,allocated,permissions,links,user,\
         group,modified,accessed,changed,created,error"
    );
    assert!(rest.starts_with("t,,t,directory,0,"), "{rest}");
    assert!(rest.contains("\n\"t/a,b\",,\"a,b\",file,1,"), "{rest}");
    assert!(rest.contains("\nt/d,,d,directory,1,"), "{rest}");
    assert!(rest.contains("\n\"t/d/new\nline\",,\"new\nline\",file,2,"), "{rest}");
}

#[test]
fn a_file_has_what_standard_output_has() {
    let folder = tree();
    // Of directories each walk may change the time of access.
    let walk = ["walk", "t", "-t", "f", "--sort"];
    for flag in FLAGS {
        let output = folder.fewer(&[&walk[..], &[flag, "-"]].concat());
        expect(&output, 0);
        let silent = folder.fewer(&[&walk[..], &[flag, "table"]].concat());
        assert_eq!(expect(&silent, 0), "");
        assert!(fs::read(folder.0.join("table")).unwrap() == output.stdout, "{flag}");
    }
    let parquet = folder.fewer(&["walk", "t", "--parquet", "-"]).stdout;
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert_eq!(names(&folder), ["t", "table"]);
}

#[test]
fn filters_and_limits_are_those_of_a_walk() {
    let folder = tree();
    let walk = |words: &[&str]| {
        let words = [&["walk", "t", "--sort", "--csv", "-"], words].concat();
        rows(&expect(&folder.fewer(&words), 0))
    };
    assert_eq!(walk(&["-t", "d"]), ["t,,t", "t/d,,d"]);
    assert_eq!(walk(&["-1"]), ["t,,t"]);
    assert_eq!(walk(&["--size", "5", "-j", "1"]), ["\"t/a,b\","]);
    assert_eq!(walk(&["-E", "d", "-d", "1", "--one-file-system"]), ["t,,t", "\"t/a,b\","]);
}

#[test]
fn a_failure_is_reported_and_is_a_row() {
    let folder = tree();
    let output = folder.fewer(&["walk", "./none", "t/d", "--sort", "--csv", "-"]);
    let csv = expect(&output, 1);
    let message = "cannot access './none': No such file or directory";
    assert_eq!(err(&output), format!("fewer: {message}\n"));
    assert_eq!(csv.lines().nth(1).unwrap(), format!("./none,,,unknown,,,,,,,,,,,,,,{message}"));
    assert!(csv.contains("\nt/d,,d,directory,0,"), "{csv}");
}

#[test]
fn a_table_is_no_row_of_itself() {
    let folder = tree();
    folder.write("table", "old");
    expect(&folder.fewer(&["walk", "--sort", "--csv", "table"]), 0);
    let written = folder.read("table");
    assert!(!written.contains(".new"), "{written}");
    assert!(written.contains("\n./table,,table,file,1,"), "{written}");
    // One name is on two lines.
    assert_eq!(written.lines().count(), 1 + 6 + 2);
}

#[test]
fn an_entry_costs_one_statx() {
    let folder = tree();
    let statx = |words: &[&str]| {
        let output = folder.fewer(&[&["walk", "t", "--calls", "--no-progress"], words].concat());
        expect(&output, 0);
        let text = err(&output);
        let line = text.lines().find(|line| line.ends_with(" statx")).unwrap().to_owned();
        line.trim().split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    for flag in FLAGS {
        let (file, stdout) = (statx(&[flag, "table"]), statx(&[flag, "-"]));
        for number in 0..100 {
            folder.write(&format!("t/{flag}{number}"), "");
        }
        assert_eq!(statx(&[flag, "table"]) - file, 100, "{flag}");
        assert_eq!(statx(&[flag, "-"]) - stdout, 100, "{flag}");
        // The place and the new file.
        assert_eq!(file - stdout, 2, "{flag}");
    }
}

#[test]
fn if_all_failed_the_old_file_stays() {
    let folder = tree();
    folder.write("table", "old");
    for flag in FLAGS {
        let output = folder.fewer(&["walk", "none", flag, "table"]);
        expect(&output, 2);
        assert!(err(&output).starts_with("fewer: cannot access 'none': "), "{}", err(&output));
        assert_eq!(folder.read("table"), "old");
    }
    assert_eq!(names(&folder), ["t", "table"]);
}

#[test]
fn a_place_where_no_file_can_be_is_an_error_before_the_walk() {
    let folder = tree();
    for (place, why) in [
        ("none/table", "No such file or directory"),
        ("t", "Is a directory"),
        ("/dev/null", "Invalid argument"),
    ] {
        let output = folder.fewer(&["walk", "t", "--parquet", place, "--calls"]);
        expect(&output, 2);
        assert!(err(&output).starts_with(&format!("fewer: cannot create '{place}': {why}\n")));
        assert!(!err(&output).contains("getdents"), "{}", err(&output));
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing_behind() {
    let folder = tree();
    let output = folder.fewer(&["walk", "t", "--csv", "-"]);
    let (bytes, full) = (output.stdout.len(), OpenOptions::new().write(true).open("/dev/full"));
    assert!(bytes > 0);
    let output = folder.command(&["walk", "t", "--csv", "-"]).stdout(full.unwrap()).output();
    let output = output.unwrap();
    let message = "fewer: cannot write to 'standard output': No space left on device\n";
    assert_eq!((expect(&output, 2), &*err(&output)), (String::new(), message));
    folder.write("table", "old");
    fs::create_dir(folder.0.join("many")).unwrap();
    for number in 0..300 {
        folder.write(&format!("many/{number}"), "");
    }
    for flag in FLAGS {
        // Of 512 bytes in dash, of 1,024 in others.
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" walk many {flag} table");
        let fewer = env!("CARGO_BIN_EXE_fewer");
        let output = folder.program("sh", &["-c", &script, fewer]).output().unwrap();
        let message = "fewer: cannot write to 'table': File too large\n";
        assert_eq!((expect(&output, 2), &*err(&output)), (String::new(), message), "{flag}");
        assert_eq!(folder.read("table"), "old");
    }
    assert_eq!(names(&folder), ["many", "t", "table"]);
}

#[test]
fn a_reader_that_is_gone_ends_it_without_a_message() {
    let folder = tree();
    for flag in FLAGS {
        let mut fewer = folder.command(&["walk", "t", flag, "-"]);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = fewer.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert_eq!((output.status.signal(), &*err(&output)), (Some(13), ""), "{flag}");
    }
}

/// It ends by the signal, and neither the old file nor the folder has changed.
#[test]
fn ctrl_c_leaves_no_half_file() {
    let folder = tree();
    folder.write("table", "old");
    let words: Vec<&str> = ["walk"].into_iter().chain(["/usr"; 400]).collect();
    for (flag, signal) in [("--parquet", 2), ("--csv", 15), ("--arrow", 1)] {
        let mut fewer = folder.command(&[&words, &[flag, "table"][..]].concat());
        let mut fewer = fewer.stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while names(&folder).len() == 2 {
            assert!(start.elapsed() < Duration::from_secs(60), "no file");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        sys::send(fewer.id().try_into().unwrap(), signal).unwrap();
        assert_eq!(fewer.wait().unwrap().signal(), Some(signal), "{flag}");
        assert_eq!(names(&folder), ["t", "table"]);
        assert_eq!(folder.read("table"), "old");
    }
}

#[test]
fn other_outputs_contradict() {
    let folder = tree();
    for flag in FLAGS {
        for other in [
            &["--json"][..],
            &["-0"],
            &["--count"],
            &["--summary"],
            &["--format", "{}"],
            &["--printf", "%p"],
            &["--hyperlink"],
            &["-x", "echo"],
            &["-X", "echo"],
            &[if flag == "--csv" { "--parquet" } else { "--csv" }, "other"],
        ] {
            let output = folder.fewer(&[&["walk", "t", flag, "table"], other].concat());
            expect(&output, 2);
            assert!(err(&output).contains(flag), "{}", err(&output));
            assert!(err(&output).contains("cannot be used with"), "{}", err(&output));
        }
    }
    assert_eq!(names(&folder), ["t"]);
}
