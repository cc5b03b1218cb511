//! `fewer why` on programs as distributions install them: stripped, with their debug information on
//! a server.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use folder::{Folder, err, expect};
use serde_json::Value;

/// A server that has the files of a folder, and notes what it is asked.
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// How it answers.
#[derive(Clone, Copy)]
enum Mood {
    Well,
    Broken,
    Silent,
}

impl Server {
    fn start(files: PathBuf, mood: Mood) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &files, mood, &noted);
            }
        });
        Server { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn answer(mut stream: TcpStream, files: &Path, mood: Mood, asked: &Mutex<Vec<String>>) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).unwrap() == 0 {
            return;
        }
        request.push(byte[0]);
    }
    let text = String::from_utf8(request).unwrap();
    let path = text.split(' ').nth(1).unwrap();
    asked.lock().unwrap().push(path.to_owned());
    let id = path.strip_prefix("/buildid/").and_then(|rest| rest.strip_suffix("/debuginfo"));
    let (status, body) = match (mood, fs::read(files.join(id.unwrap()))) {
        (Mood::Silent, _) => return thread::sleep(Duration::from_secs(300)),
        (Mood::Broken, _) => ("500 Internal Server Error", Vec::new()),
        (Mood::Well, Ok(bytes)) => ("200 OK", bytes),
        (Mood::Well, Err(_)) => ("404 Not Found", b"no such file".to_vec()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    let _ = stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes());
    let _ = stream.write_all(&body);
}

/// Builds a program as a distribution does, and puts its debug information where a server has it.
/// It looks at the same file again and again; `line` is the line of that.
fn install(folder: &Folder, name: &str, function: &str, line: usize) {
    let source = format!(
        "#include <unistd.h>\n{}static int __attribute__((noipa)) {function}(int i) {{ \
         return access(\"/\", i & 4) + 1; }}\n\
         int main(void) {{ int n = 0; for (int i = 0; i < 3000; i++) n += {function}(0); \
         return n != 3000; }}\n",
        "\n".repeat(line - 2)
    );
    folder.write(&format!("{name}.c"), &source);
    fs::create_dir_all(folder.0.join("served")).unwrap();
    let build = format!(
        "gcc -O2 -g -Wl,--build-id=sha1 -o {name} {name}.c
         id=$(readelf -n {name} | sed -n 's/.*Build ID: //p')
         objcopy --only-keep-debug {name} served/$id
         objcopy --strip-all {name}"
    );
    assert!(folder.program("sh", &["-ec", &build]).status().unwrap().success(), "{name}");
}

/// Explains a program with these variables; a cache of its own unless they say otherwise.
fn why(folder: &Folder, program: &str, variables: &[(&str, &str)]) -> Output {
    let program = format!("./{program}");
    let mut command = folder.command(&["why", "--json", "-o", "report", "--", &program]);
    for name in ["DEBUGINFOD_URLS", "DEBUGINFOD_TIMEOUT", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command.env("HOME", &folder.0).env("DEBUGINFOD_CACHE_PATH", folder.0.join("cache"));
    let output = command.envs(variables.iter().copied()).output().unwrap();
    expect(&output, 0);
    output
}

/// `function:line` of the first finding's first caller, and what was not seen.
fn named(folder: &Folder) -> (String, Vec<String>) {
    let report: Value = serde_json::from_str(&folder.read("report")).unwrap();
    let own = &report["findings"][0]["callers"][0]["own"];
    let name = format!("{}:{}", own["function"].as_str().unwrap_or("?"), own["line"]);
    let notes = report["notes"].as_array().unwrap().iter();
    (name, notes.map(|note| note["text"].as_str().unwrap().to_owned()).collect())
}

fn has_curl() -> bool {
    let has = Command::new("curl").arg("--version").output().is_ok();
    if !has {
        eprintln!("skipped: there is no curl");
    }
    has
}

#[test]
fn ten_programs_have_functions_and_lines() {
    let programs = ["ls", "cat", "find", "grep", "du", "sort", "wc", "cp", "stat", "touch"];
    let folder = Folder::new();
    let server = Server::start(folder.0.join("served"), Mood::Well);
    if !has_curl() {
        return;
    }
    for (line, name) in (5..).step_by(7).zip(programs) {
        install(&folder, name, &format!("{name}_entry"), line);
        why(&folder, name, &[]);
        let (unnamed, notes) = named(&folder);
        assert_eq!((&*unnamed, server.asked().len(), notes.len()), ("?:null", 0, 0), "{name}");
        // Without the variable nothing is asked, and an empty one is none.
        why(&folder, name, &[("DEBUGINFOD_URLS", " ")]);
        assert_eq!(server.asked().len(), 0);
        why(&folder, name, &[("DEBUGINFOD_URLS", &server.url)]);
        assert_eq!(named(&folder), (format!("{name}_entry:{line}"), vec![]));
        assert_eq!(server.asked().len(), 1, "{name}");
        // It is in the cache now.
        why(&folder, name, &[("DEBUGINFOD_URLS", &server.url)]);
        assert_eq!(named(&folder).0, format!("{name}_entry:{line}"));
        assert_eq!(server.asked().len(), 0);
    }
}

#[test]
fn a_server_that_fails_is_one_sentence_and_the_next_is_asked() {
    if !has_curl() {
        return;
    }
    let folder = Folder::new();
    install(&folder, "list", "list_entry", 9);
    let well = Server::start(folder.0.join("served"), Mood::Well);
    let broken = Server::start(folder.0.join("served"), Mood::Broken);
    let silent = Server::start(folder.0.join("served"), Mood::Silent);
    let gone = "http://127.0.0.1:9".to_owned();
    // A server that answers has the time that a busy machine may need: seconds for the one that
    // fails, and for each of the two.
    for (server, reason, [alone, each]) in [
        (&broken.url, "500", ["10", "10"]),
        (&silent.url, "slow", ["1", "3"]),
        (&gone, "connect", ["10", "10"]),
    ] {
        let begun = Instant::now();
        let only = [("DEBUGINFOD_URLS", server.as_str()), ("DEBUGINFOD_TIMEOUT", alone)];
        let output = why(&folder, "list", &only);
        assert_eq!(err(&output), "");
        let (name, notes) = named(&folder);
        assert_eq!(name, "?:null");
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].starts_with(&format!("debug information from {server}: ")), "{notes:?}");
        assert!(notes[0].contains(reason), "{notes:?}");
        assert!(begun.elapsed() < Duration::from_secs(60));
        let both = format!("{server}/ {}/", well.url);
        let both = [("DEBUGINFOD_URLS", both.as_str()), ("DEBUGINFOD_TIMEOUT", each)];
        why(&folder, "list", &both);
        let (name, notes) = named(&folder);
        assert_eq!((&*name, notes.len()), ("list_entry:9", 1));
        fs::remove_dir_all(folder.0.join("cache")).unwrap();
    }
}

#[test]
fn ctrl_c_ends_a_request_and_the_report_comes_all_the_same() {
    use std::os::unix::process::CommandExt;
    if !has_curl() {
        return;
    }
    let folder = Folder::new();
    install(&folder, "list", "list_entry", 9);
    let silent = Server::start(folder.0.join("served"), Mood::Silent);
    let urls = format!("{0} {0}/again", silent.url);
    let mut command = folder.command(&["why", "--json", "-o", "report", "--", "./list"]);
    command.env("HOME", &folder.0).env("DEBUGINFOD_CACHE_PATH", folder.0.join("cache"));
    let mut running = command.env("DEBUGINFOD_URLS", urls).process_group(0).spawn().unwrap();
    let begun = Instant::now();
    let mut asked = Vec::new();
    while asked.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(20));
        asked.extend(silent.asked());
    }
    // As the terminal does: to all processes in front.
    let group = format!("-{}", running.id());
    let killed = Command::new("kill").args(["-s", "INT", "--", &group]).status().unwrap();
    assert!(killed.success());
    assert!(running.wait().unwrap().success());
    let (name, notes) = named(&folder);
    assert_eq!(
        (&*name, &notes[..]),
        ("?:null", &["debug information from servers: interrupted".to_owned()][..])
    );
    assert_eq!(asked.len() + silent.asked().len(), 1, "no other is asked");
}

#[test]
fn that_no_server_has_it_is_remembered_for_a_while() {
    if !has_curl() {
        return;
    }
    let folder = Folder::new();
    install(&folder, "list", "list_entry", 9);
    fs::rename(folder.0.join("served"), folder.0.join("later")).unwrap();
    let servers = [0, 1].map(|_| Server::start(folder.0.join("served"), Mood::Well));
    let urls = format!(" {}  {} ", servers[0].url, servers[1].url);
    let asked = || servers.iter().map(|server| server.asked().len()).collect::<Vec<_>>();
    let cache = folder.0.join("own cache");
    let variables = [
        ("DEBUGINFOD_URLS", &*urls),
        ("DEBUGINFOD_CACHE_PATH", ""),
        ("XDG_CACHE_HOME", cache.to_str().unwrap()),
    ];
    why(&folder, "list", &variables);
    assert_eq!((asked(), named(&folder).1.len()), (vec![1, 1], 0));
    fs::rename(folder.0.join("later"), folder.0.join("served")).unwrap();
    why(&folder, "list", &variables);
    assert_eq!((asked(), &*named(&folder).0), (vec![0, 0], "?:null"));
    fs::write(cache.join("debuginfod_client/cache_miss_s"), "0\n").unwrap();
    why(&folder, "list", &variables);
    assert_eq!((asked(), &*named(&folder).0), (vec![1, 0], "list_entry:9"));
}

#[test]
fn debug_information_that_programs_share_is_asked_for_as_well() {
    if !has_curl() || Command::new("dwz").arg("--version").output().is_err() {
        eprintln!("skipped: there is no curl, or no dwz");
        return;
    }
    let folder = Folder::new();
    let server = Server::start(folder.0.join("served"), Mood::Well);
    // dwz moves what both programs have, the name of the function, to a file of its own.
    install(&folder, "one", "of_both_entries", 9);
    install(&folder, "two", "of_both_entries", 12);
    let share = "cd served && set -- * && dwz -m ../shared -M /nowhere/shared $1 $2
        id=$(readelf -n ../shared | sed -n 's/.*Build ID: //p')
        mv ../shared $id && echo $id";
    let shared = expect(&folder.program("sh", &["-ec", share]).output().unwrap(), 0);
    why(&folder, "two", &[("DEBUGINFOD_URLS", &server.url)]);
    assert_eq!((&*named(&folder).0, server.asked().len()), ("of_both_entries:12", 2));
    // Without it the table of functions has the name.
    fs::remove_dir_all(folder.0.join("cache")).unwrap();
    fs::remove_file(folder.0.join("served").join(shared.trim())).unwrap();
    why(&folder, "two", &[("DEBUGINFOD_URLS", &server.url)]);
    assert_eq!((&*named(&folder).0, server.asked().len()), ("of_both_entries:12", 2));
}
