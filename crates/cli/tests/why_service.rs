//! `fewer why` and `fewer count` watch what runs already, for a while, and let it run on.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::{Folder, err, expect, out, send, wait_until};

/// A server that looks at the same file four times for each request.
const SERVER: &str = r#"
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void serve(int connection) {
    char request[4096];
    struct stat zone;
    while (read(connection, request, sizeof request) > 0) {
        for (int i = 0; i < 4; i++)
            stat("template", &zone);
        write(connection, "well", 4);
    }
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int door = socket(AF_INET, SOCK_STREAM, 0);
    bind(door, (struct sockaddr *) &address, length);
    listen(door, 16);
    getsockname(door, (struct sockaddr *) &address, &length);
    FILE *port = fopen("port.new", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    rename("port.new", "port");
    for (;;) {
        int connection = accept(door, 0, 0);
        serve(connection);
        close(connection);
    }
}
"#;

struct Server {
    process: Child,
    port: u16,
    /// How often it had gone to sleep when it first waited for a connection.
    sleeps: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(folder: &Folder) -> Server {
        folder.compile("server", SERVER);
        folder.write("template", "");
        let _ = fs::remove_file(folder.0.join("port"));
        let mut server = folder.program("./server", &[]);
        let process = server.stdout(Stdio::null()).spawn().unwrap();
        let port = Server::port(folder);
        wait_until("it waits", || status(process.id(), "State") == "S (sleeping)");
        let sleeps = status(process.id(), "voluntary_ctxt_switches");
        Server { process, port, sleeps }
    }

    /// Waits until its calls are seen: it has stopped for the tracer, and waits again.
    fn wait_until_watched(&self) {
        let status = |field| status(self.process.id(), field);
        wait_until("it is watched", || {
            is_traced(self.process.id())
                && status("voluntary_ctxt_switches") != self.sleeps
                && status("State") == "S (sleeping)"
        });
    }

    /// Waits until all its calls for what it was asked are seen: it waits for a connection.
    fn wait_until_at_rest(&self) {
        wait_until("it waits again", || status(self.process.id(), "State") == "S (sleeping)");
    }

    fn port(folder: &Folder) -> u16 {
        wait_until("it listens", || folder.0.join("port").exists());
        folder.read("port").parse().unwrap()
    }

    fn number(&self) -> String {
        self.process.id().to_string()
    }
}

/// Sends so many requests over one connection, and waits until the server has closed it.
fn ask(port: u16, requests: usize) {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answer = [0; 4];
    for _ in 0..requests {
        connection.write_all(b"how are you").unwrap();
        connection.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"well");
    }
    connection.shutdown(Shutdown::Write).unwrap();
    assert_eq!(connection.read(&mut answer).unwrap(), 0);
}

/// Times to watch for until all was seen that has to be: how soon it begins is a matter of what
/// else the machine does.
const TIMES: [&str; 3] = ["1s", "5s", "30s"];

/// A line of the process's status.
fn status(process: u32, field: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mut lines = status.lines().filter_map(|line| line.split_once(":\t"));
    lines.find(|(name, _)| *name == field).unwrap().1.to_owned()
}

fn is_traced(process: u32) -> bool {
    status(process, "TracerPid") != "0"
}

/// Watches these servers, asks each of them meanwhile, and ends it by Ctrl-C once all is answered:
/// how long that takes is a matter of what else the machine does.
fn watched(folder: &Folder, words: &[&str], servers: &[Server], ask: impl Fn(u16)) -> Output {
    let numbers: Vec<String> = servers.iter().map(Server::number).collect();
    let mut fewer = folder.command(words);
    fewer.args(["-p", &numbers.join(","), "--for", "10m"]);
    let fewer = fewer.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for server in servers {
        server.wait_until_watched();
        ask(server.port);
        server.wait_until_at_rest();
    }
    send(fewer.id(), "INT");
    let output = fewer.wait_with_output().unwrap();
    expect(&output, 0);
    output
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&err(output)).unwrap_or_else(|_| panic!("{}", err(output)))
}

#[test]
fn what_a_server_wastes_is_counted_for_each_request() {
    let folder = Folder::new();
    let server = [Server::start(&folder)];
    let begun = Instant::now();
    let report = json(&watched(&folder, &["why", "--json"], &server, |port| {
        (0..20).for_each(|_| ask(port, 5));
    }));
    let longest = begun.elapsed().as_secs_f64();
    let finding = &report["findings"][0];
    assert_eq!(finding["id"], "same-stat", "{report}");
    // All but the first one; `strace -c -p` counts 400 looks, and 100 writes.
    let wasted = finding["wasted"].as_u64().unwrap();
    assert_eq!(wasted, 399);
    assert_eq!(finding["per_request"], 3.99);
    assert_eq!(
        report["served"],
        serde_json::json!({
            "requests": 100,
            // A read, four looks, a write. The last one of a connection finds its end, and closes.
            "calls": {"median": 6, "most": 8},
        })
    );
    let rates = &report["rates"];
    let seconds = rates["watched_ns"].as_f64().unwrap() / 1e9;
    assert!((0.0..longest).contains(&seconds), "{rates}");
    assert!((rates["wasted"].as_f64().unwrap() * seconds - wasted as f64).abs() < 1.0, "{rates}");
}

#[test]
fn a_server_is_watched_for_a_while_and_runs_on() {
    let folder = Folder::new();
    let server = Server::start(&folder);
    let begun = Instant::now();
    let words = ["why", "--json", "-o", "report", "-p", &server.number(), "--for", "1s"];
    let mut fewer = folder.command(&words).spawn().unwrap();
    // It is at work when it is let go.
    while fewer.try_wait().unwrap().is_none() {
        ask(server.port, 5);
    }
    assert_eq!(fewer.wait().unwrap().code(), Some(0));
    let elapsed = begun.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_str(&folder.read("report")).unwrap();
    let seconds = report["rates"]["watched_ns"].as_f64().unwrap() / 1e9;
    assert!(1.0 <= seconds && seconds <= elapsed, "{seconds} of {elapsed}");
    assert!(!is_traced(server.process.id()));
    ask(server.port, 2);
}

#[test]
fn a_command_that_is_started_runs_on_as_well() {
    let script = "exec > log 2>&1; ./server & echo $! > n; mv n number; wait";
    let begins = |time: &&str| {
        let folder = Folder::new();
        folder.compile("server", SERVER);
        let output = folder.fewer(&["count", "--for", time, "--", "sh", "-c", script]);
        expect(&output, 0);
        let port = Server::port(&folder);
        wait_until("its number is there", || folder.0.join("number").exists());
        let number = folder.read("number");
        ask(port, 2);
        // A new program can be started as before.
        expect(&folder.program("kill", &[number.trim()]).output().unwrap(), 0);
        err(&output).contains("socket") || err(&output).contains("listen")
    };
    assert!(TIMES.iter().any(begins), "the server was never seen");
}

#[test]
fn a_command_that_ends_before_has_its_own_status() {
    let folder = Folder::new();
    let begun = Instant::now();
    for verb in ["why", "count"] {
        expect(&folder.fewer(&[verb, "--for", "5m", "--", "sh", "-c", "cat /dev/null; exit 7"]), 7);
    }
    assert!(begun.elapsed() < Duration::from_secs(120));
}

#[test]
fn several_processes_are_watched_together() {
    let (one, other) = (Folder::new(), Folder::new());
    let servers = [Server::start(&one), Server::start(&other)];
    let report = json(&watched(&one, &["count", "--json"], &servers, |port| ask(port, 7)));
    let names = report["names"].as_array().unwrap();
    let stats = names.iter().find(|it| it["name"] == "newfstatat" || it["name"] == "stat");
    assert_eq!(stats.unwrap()["calls"], 2 * 7 * 4);
    servers.iter().for_each(|server| ask(server.port, 1));
}

#[test]
fn ctrl_c_ends_it_early_with_a_report() {
    let folder = Folder::new();
    let server = [Server::start(&folder)];
    let output = watched(&folder, &["count"], &server, |port| ask(port, 3));
    let [server] = server;
    assert!(err(&output).contains("stat"), "{}", err(&output));
    assert!(err(&output).contains("calls a second"), "{}", err(&output));
    assert!(!is_traced(server.process.id()));
    ask(server.port, 1);
}

#[test]
fn a_container_is_its_pid_namespace() {
    let folder = Folder::new();
    let script = "(while :; do cat /dev/null; sleep 0.1; done) & echo > ready; \
                  while :; do ls /dev/null > /dev/null; sleep 0.1; done";
    let mut inside = folder.program("unshare", &["-pf", "--mount-proc", "--kill-child"]);
    let Ok(inside) = inside.args(["sh", "-c", script]).spawn() else { return };
    let mut inside = Server { process: inside, port: 0, sleeps: String::new() };
    let mut has_ended = || inside.process.try_wait().unwrap().is_some();
    wait_until("it begins", || folder.0.join("ready").exists() || has_ended());
    // Without privilege there are no namespaces.
    if has_ended() {
        return;
    }
    let children = Command::new("pgrep").args(["-P", &inside.number()]).output().unwrap();
    let first = out(&children).trim().to_owned();
    let has_all = |time: &&str| {
        let output = folder.fewer(&["count", "--json", "--container", &first, "--for", time]);
        expect(&output, 0);
        ["/cat", "/ls", "/sleep"].iter().all(|name| err(&output).contains(name))
    };
    assert!(TIMES.iter().any(has_all), "not all processes were seen");
    assert!(inside.process.try_wait().unwrap().is_none());
}

#[test]
fn what_cannot_be_watched_is_said() {
    let folder = Folder::new();
    let server = Server::start(&folder);
    let own = std::process::id().to_string();
    for (arguments, expected) in [
        (
            ["--unit", "no-such-unit"],
            "fewer: there is no running systemd unit 'no-such-unit.service': no process in /proc \
             has a control group with that name\n",
        ),
        (
            ["--container", "no-such"],
            "fewer: there is no running container 'no-such': no process in /proc has a control \
             group with that name, or with an identifier that begins so (",
        ),
        (
            // Larger than the number of any process.
            ["--container", "4194305"],
            "fewer: there is no container of process '4194305': in /proc it has no pid namespace",
        ),
        (["--container", &own], "': its pid namespace is the one that fewer itself is in\n"),
        (["--for", "5 minutes"], "expected a time like 200ms or 2s"),
    ] {
        let mut all = vec!["why"];
        all.extend(arguments);
        all.extend(if arguments[0] == "--for" { &["-p", "1"][..] } else { &[] });
        let output = folder.fewer(&all);
        expect(&output, 2);
        assert!(err(&output).contains(expected), "{}", err(&output));
    }
    let mut first = folder.command(&["count", "-p", &server.number(), "--for", "10m"]);
    let mut first = first.stderr(Stdio::null()).spawn().unwrap();
    wait_until("it is watched", || is_traced(server.process.id()));
    let output = folder.fewer(&["count", "-p", &server.number()]);
    expect(&output, 2);
    assert!(err(&output).contains("another does already"), "{}", err(&output));
    first.kill().unwrap();
    first.wait().unwrap();
    wait_until("it is let go", || !is_traced(server.process.id()));
    ask(server.port, 1);
}
