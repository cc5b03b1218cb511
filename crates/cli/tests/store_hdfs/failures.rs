//! What cannot be listed, and what becomes of the rest.

use std::io::Read;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::cluster::{cluster, fewer, stderr};

#[test]
fn a_directory_that_this_user_may_not_list_is_an_error_and_the_rest_is_listed() {
    let Some(mut cluster) = cluster() else { return };
    let mut expected = cluster.list("/t");
    expected.retain(|entry| entry.path != "/t/denied/secret");
    expected.sort();
    for sort in [&["--json"][..], &["--json", "--sort"]] {
        let mut command = cluster.command("/t", sort);
        let output = command.env("HADOOP_USER_NAME", "ann").output().unwrap();
        let mut known = cluster.known(&output);
        known.sort();
        assert_eq!(known, expected);
        let message = stderr(&output);
        let start = format!("fewer: cannot list '{}': ", cluster.address("/t/denied"));
        assert!(message.starts_with(&(start + "Permission denied: user=ann, ")), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(output.status.code(), Some(1));
    }
    let mut command = cluster.command("/t/denied/secret", &[]);
    let output = command.env("HADOOP_USER_NAME", "ann").output().unwrap();
    assert!(stderr(&output).contains("Permission denied"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_directory_that_vanishes_on_the_way_is_an_error_and_the_rest_is_listed() {
    let Some(mut cluster) = cluster() else { return };
    cluster.tell("dir", "/v/zz", "");
    cluster.tell("file", "/v/zzz", "1");
    cluster.tell("many", "/v/m", "1 3000");
    // One call at once, and a pipe that is full long before the last directory.
    let mut command = cluster.command("/v", &["-j", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0]).unwrap();
    cluster.tell("delete", "/v/zz", "");
    let mut printed = String::new();
    out.read_to_string(&mut printed).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(printed.lines().count(), 6 + 3000 - 1);
    let expected = format!("cannot list '{}': No such file or dir", cluster.address("/v/zz"));
    assert!(stderr(&output).contains(&expected), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_root_that_is_not_there_is_a_total_failure_unless_another_is() {
    let Some(cluster) = cluster() else { return };
    let output = cluster.walk("/none", &[]);
    let address = cluster.address("/none");
    let expected = format!("fewer: cannot list '{address}': No such file or directory\n");
    assert_eq!(stderr(&output), expected);
    assert_eq!(output.status.code(), Some(2));
    let output = cluster.walk("/none", &[&cluster.address("/t/empty")]);
    assert_eq!(stderr(&output), expected);
    assert_eq!(output.stdout, (cluster.address("/t/empty") + "\n").into_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(cluster.walk("/none", &[&address]).status.code(), Some(2));
}

#[test]
fn a_reader_that_is_gone_ends_the_walk() {
    let Some(mut cluster) = cluster() else { return };
    let before = cluster.calls();
    let mut command = cluster.command("/t/wide", &["-j", "1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(!child.wait().unwrap().success());
    assert!(cluster.calls() - before < 7, "not all of it was listed");
}

/// A server in front of another that ends each connection after some answers: of the first ones
/// behind the very first after a few bytes, so that a client gives up its own attempts.
fn breaking(port: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own_port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().enumerate() {
            let bytes = if (1..7).contains(&number) { 10 } else { 1000 };
            let mut client = client.unwrap();
            let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (mut calls, mut calls_to) =
                (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut calls, &mut calls_to));
            std::thread::spawn(move || {
                let mut answers = Read::by_ref(&mut server).take(bytes);
                let _ = std::io::copy(&mut answers, &mut client);
                let _ = client.shutdown(Shutdown::Both);
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    own_port
}

#[test]
fn a_connection_that_breaks_is_made_again() {
    let Some(mut cluster) = cluster() else { return };
    let mut expected: Vec<String> =
        cluster.list("/t/deep").into_iter().map(|entry| entry.path).collect();
    expected.sort();
    // The answers of five directories or so fit into a connection.
    for sort in ["--sort", "--no-progress"] {
        let address = format!("hdfs://127.0.0.1:{}", breaking(cluster.port));
        let mut command = fewer(&format!("{address}/t/deep"));
        let output = command.args(["--calls", sort]).output().unwrap();
        let printed = String::from_utf8(output.stdout.clone()).unwrap().replace(&address, "");
        let mut printed: Vec<String> = printed.lines().map(str::to_owned).collect();
        printed.sort();
        let report = stderr(&output);
        assert_eq!(printed, expected, "{report}");
        assert!(report.contains(" of them again") && !report.contains(" 0 of them"), "{report}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_server_that_is_not_there_is_said_so_in_seconds() {
    let start = Instant::now();
    // Nothing listens there, and no program gets this port by chance.
    let server = "127.0.0.1:1";
    let address = format!("hdfs://{server}/t");
    let output = fewer(&address).output().unwrap();
    let why = format!("cannot reach {server}: Connection refused");
    let expected = format!("fewer: cannot list '{address}': {why}\n");
    assert_eq!(stderr(&output), expected);
    assert_eq!(output.status.code(), Some(2));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_server_that_does_not_answer_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("hdfs://{}/t", listener.local_addr().unwrap());
    let output = fewer(&address).args(["--request-timeout", "1"]).output().unwrap();
    assert!(stderr(&output).ends_with(" did not answer a call in 1 second\n"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn flags_about_other_things_are_refused_by_name() {
    for (words, part) in [
        (&["--follow"][..], "--follow"),
        (&["--endpoint-url", "http://x"], "--endpoint-url"),
        (&["-t", "e"], "--type e"),
        (&["--format", "{user}"], "--format"),
        (&["/tmp"], "'/tmp' is no address"),
    ] {
        let output = fewer("hdfs://127.0.0.1:1/t").args(words).output().unwrap();
        let message = stderr(&output);
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
        assert_eq!(output.status.code(), Some(2));
    }
    let output = fewer("hdfs://user@x/t").output().unwrap();
    assert!(stderr(&output).contains("an address has no user"), "{output:?}");
}
