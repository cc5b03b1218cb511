//! `fewer ls s3://…`, against a server that answers as S3 does.

#![cfg(all(feature = "stores", feature = "ls"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

/// Keys that a disk could not have are among them.
const KEYS: [&str; 12] = [
    ".git/config", "//", "a", "a/", "a//b", "a/b/c.gz", "a/b/d.txt", "ab/e.gz", "new\nline",
    "only/deep/er/f", "top", "x/",
];

fn server_of(keys: &[&str]) -> Replay {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    Replay::start(Keys::listed(keys), Faults::default()).unwrap()
}

fn ls(server: &Replay, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("ls").args(words).env_clear().env("TZ", "UTC").stdin(Stdio::null());
    command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    command.output().unwrap()
}

/// What is printed of these keys; nothing went wrong.
fn printed(words: &[&str]) -> String {
    let output = ls(&server_of(&KEYS), words);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn one_level_has_objects_and_folders() {
    let first = "/\na\na/\nab/\nnew\nline\nonly/\ntop\nx/\n";
    assert_eq!(printed(&["s3://b"]), first);
    assert_eq!(printed(&["s3://b/", "-1"]), first);
    assert_eq!(printed(&["s3://b", "-A"]), format!(".git/\n{first}"));
    assert_eq!(printed(&["s3://b", "-a"]), format!(".git/\n{first}"));
    assert_eq!(printed(&["s3://b", "-r"]), "x/\ntop\nonly/\nnew\nline\nab/\na/\na\n/\n");
    assert_eq!(
        printed(&["s3://b", "--zero"]),
        first.replace('\n', "\0").replacen("w\0l", "w\nl", 1)
    );
}

#[test]
fn a_prefix_lists_what_begins_with_it() {
    // The object that is the folder itself is not in it, as a directory is not.
    assert_eq!(printed(&["s3://b/a/"]), "/\nb/\n");
    assert_eq!(printed(&["s3://b/a"]), "a\na/\nab/\n");
    assert_eq!(printed(&["s3://b/a/b/"]), "c.gz\nd.txt\n");
    assert_eq!(printed(&["s3://b/a/b/c"]), "c.gz\n");
    assert_eq!(printed(&["s3://b/top"]), "top\n");
    assert_eq!(printed(&["s3://b/x/"]), "");
    assert_eq!(printed(&["s3://b/none"]), "");
    assert_eq!(ls(&server_of(&[]), &["s3://b"]).stdout, b"");
}

#[test]
fn names_are_quoted_and_left_out_as_those_of_a_disk() {
    let quoted = printed(&["s3://b", "--quoting-style=shell-escape"]);
    assert!(quoted.contains("'new'$'\\n''line'\n"), "{quoted}");
    assert_eq!(printed(&["s3://b/a/b/", "-Q"]), "\"c.gz\"\n\"d.txt\"\n");
    assert_eq!(printed(&["s3://b", "-I", "[anox]*", "--hide", "/"]), "/\ntop\n");
    assert_eq!(printed(&["s3://b", "-p", "-I", "[!x]*"]), "/\nx/\n");
    assert_eq!(printed(&["s3://b/a/b/", "-m"]), "c.gz, d.txt\n");
    assert_eq!(printed(&["s3://b/a/b/", "--color=always"]), "c.gz\nd.txt\n");
    assert_eq!(
        printed(&["s3://b", "--group-directories-first", "-I", "[!at]*"]),
        "/\na/\nab/\na\ntop\n"
    );
}

#[test]
fn long_rows_have_size_time_and_name() {
    let row = |index: u64| (replay::size_of(index), replay::modified_of(index));
    let ((a, a_time), (b, b_time)) = (row(5), row(6));
    let width = a.to_string().len().max(b.to_string().len());
    let line = |size: u64, time: i64, name: &str| format!("{size:>width$} {time} {name}\n");
    let (c, d) = (line(a, a_time, "c.gz"), line(b, b_time, "d.txt"));
    let long =
        |words: &[&str]| printed(&[&["s3://b/a/b/", "-l", "--time-style=+%s"], words].concat());
    assert_eq!(long(&[]), format!("{c}{d}"));
    assert_eq!(long(&["-S"]), if a > b { format!("{c}{d}") } else { format!("{d}{c}") });
    let latest = if a_time > b_time { format!("{c}{d}") } else { format!("{d}{c}") };
    assert_eq!(long(&["-t"]), latest);
}

#[test]
fn of_a_folder_no_size_and_no_time_is_made_up() {
    let server = server_of(&["top", "x/y"]);
    let output = ls(&server, &["s3://b", "-l", "--time-style=+%Y"]);
    let (size, year) = (replay::size_of(0), 1970 + replay::modified_of(0) / 31_556_952);
    let width = size.to_string().len();
    let expected = format!("{size} {year} top\n{0:>width$} {0:>4} x/\n", '?');
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn sizes_and_times_are_those_of_ls() {
    let server = Replay::start(Keys::numbered("k", 1), Faults::default()).unwrap();
    let long = |word: &str| {
        let output = ls(&server, &["s3://b", "-l", "--time-style=full-iso", word]);
        String::from_utf8(output.stdout).unwrap()
    };
    let (size, seconds) = (replay::size_of(0), replay::modified_of(0));
    let date = Command::new("date")
        .args(["-u", "-d", &format!("@{seconds}"), "+%Y-%m-%d %H:%M:%S.%N %z"])
        .output()
        .unwrap();
    let date = String::from_utf8(date.stdout).unwrap();
    let date = date.trim_end();
    assert_eq!(long("--block-size=1"), format!("{size} {date} k0\n"));
    for (word, from) in [("-h", "--to=iec"), ("--si", "--to=si")] {
        let human = Command::new("numfmt").args([from, &size.to_string()]).output().unwrap();
        let human = String::from_utf8(human.stdout).unwrap();
        let human = if word == "--si" { human.replace('K', "k") } else { human };
        assert_eq!(long(word), format!("{} {date} k0\n", human.trim_end()));
    }
}

#[test]
fn json_has_what_the_store_tells() {
    let server = server_of(&["top", "x/y"]);
    let (size, modified) = (replay::size_of(0), replay::modified_of(0));
    assert_eq!(
        String::from_utf8(ls(&server, &["s3://b", "--json", "-l"]).stdout).unwrap(),
        format!(
            "{{\"v\":1,\"directory\":{{\"text\":\"s3://b\"}},\"name\":{{\"text\":\"top\"}},\
             \"kind\":\"file\",\"size\":{size},\"modified\":{modified}.000000000}}\n\
             {{\"v\":1,\"directory\":{{\"text\":\"s3://b\"}},\"name\":{{\"text\":\"x/\"}},\
             \"kind\":\"directory\"}}\n"
        )
    );
    let short = printed(&["s3://b/top", "--json"]);
    assert!(short.ends_with("\"name\":{\"text\":\"top\"},\"kind\":\"file\"}\n"), "{short}");
}

#[test]
fn several_addresses_have_headings() {
    let server = server_of(&KEYS);
    let output = ls(&server, &["s3://b/a/b/", "s3://b/none/", "s3://b/t"]);
    let expected = "s3://b/a/b/:\nc.gz\nd.txt\n\ns3://b/none/:\n\ns3://b/t:\ntop\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!((output.status.code(), server.requests()), (Some(0), 3));
}

#[test]
fn a_thousand_objects_and_folders_cost_a_request() {
    // 1,000 folders of two objects each, and 500 objects.
    let folders = (0..1000).flat_map(|at| [format!("d{at:03}/x"), format!("d{at:03}/y")]);
    let keys = folders.chain((0..500).map(|at| format!("f{at:03}"))).collect();
    let server = Replay::start(Keys::listed(keys), Faults::default()).unwrap();
    let output = ls(&server, &["s3://b", "--calls", "--json"]);
    let expected =
        "{\"v\":1,\"keys\":1500,\"requests\":2,\"repeated\":0,\"slowed\":0,\"cents\":0.0010}\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1500);
    let text = String::from_utf8(ls(&server, &["s3://b"]).stdout).unwrap();
    let folders = (0..1000).map(|at| format!("d{at:03}/\n"));
    let all: String = folders.chain((0..500).map(|at| format!("f{at:03}\n"))).collect();
    assert_eq!(text, all);
}

#[test]
fn what_cannot_be_listed_is_an_error_and_the_rest_is_listed() {
    let server = server_of(&KEYS);
    let output = ls(&server, &["wasb://b", "s3://b/top"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("wasb://"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "s3://b/top:\ntop\n");
    let gone = Faults { no_bucket: true, ..Faults::default() };
    let server = Replay::start(Keys::numbered("k", 3), gone).unwrap();
    let output = ls(&server, &["s3://b"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("NoSuchBucket"));
}

#[test]
fn beginnings_of_flags_mean_what_they_do_to_gnu_ls() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("new\nline"), "x").unwrap();
    for words in [&["--e"][..], &["--esc"], &["--no", "-lG"], &["--no-gr", "-l"], &["--rec"]] {
        let run = |program: &str, verb: &[&str]| {
            let mut command = Command::new(program);
            command.args(verb).args(words).arg(folder.path()).env_clear().env("LC_ALL", "C");
            command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap()
        };
        let (gnu, ours) = (run("ls", &[]), run(env!("CARGO_BIN_EXE_fewer"), &["ls"]));
        assert_eq!(ours.stdout, gnu.stdout, "{words:?}");
        assert_eq!(ours.status.code(), Some(0), "{}", String::from_utf8_lossy(&ours.stderr));
    }
}

#[test]
fn what_is_about_files_is_refused_by_name() {
    let server = server_of(&KEYS);
    for (words, part) in [
        (&["s3://b", "--tree"][..], "--tree"),
        (&["s3://b", "-d"], "--directory"),
        (&["s3://b", "-L"], "--dereference"),
        (&["s3://b", "-i"], "--inode"),
        (&["s3://b", "-s"], "--size"),
        (&["s3://b", "-n"], "--numeric-uid-gid"),
        (&["s3://b", "-lu"], "--time"),
        (&["s3://b", "--time=ctime"], "--time"),
        (&["s3://b", "--author"], "--author"),
        (&["s3://b", "-k"], "--kibibytes"),
        (&["s3://b", "--marks"], "--marks"),
        (&["s3://b", "--hyperlink"], "--hyperlink"),
        (&["s3://b", "/tmp"], "'/tmp' is no address"),
        (&["az://b", "--profile", "x"], "--profile"),
    ] {
        let output = ls(&server, words);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
    }
    assert_eq!(server.requests(), 0);
}
