//! `fewer ls` and `fewer size` of `hdfs://`.

use std::collections::BTreeMap;
use std::process::Output;

use super::cluster::{Cluster, WIDE, cluster, stderr, verb};

fn run(cluster: &Cluster, name: &str, path: &str, words: &[&str]) -> Output {
    let mut command = verb(name, &cluster.address(path));
    command.env("TZ", "UTC").args(words).output().unwrap()
}

/// What is printed, without the address of the server; nothing went wrong.
fn printed(cluster: &Cluster, name: &str, path: &str, words: &[&str]) -> String {
    let output = run(cluster, name, path, words);
    assert_eq!((&*stderr(&output), output.status.code()), ("", Some(0)), "{words:?}");
    String::from_utf8(output.stdout).unwrap().replace(&cluster.address(""), "")
}

#[cfg(feature = "ls")]
#[test]
fn a_directory_is_listed_with_what_hdfs_tells() {
    let Some(mut cluster) = cluster() else { return };
    assert_eq!(printed(&cluster, "ls", "/t/a", &[]), "b\nx\n");
    assert_eq!(printed(&cluster, "ls", "/t/a/", &["-Ap"]), ".dot\nb/\nx\n");
    assert_eq!(printed(&cluster, "ls", "/t/a/x", &[]), "/t/a/x\n");
    assert_eq!(printed(&cluster, "ls", "/t/new\nline", &["-Q"]), "\"end\\n\"\n");
    let entries = cluster.list("/t/a/b");
    let seconds =
        |path: &str| entries.iter().find(|entry| entry.path == path).unwrap().milliseconds / 1000;
    assert_eq!(
        printed(&cluster, "ls", "/t/a/b", &["-l", "--time-style=+%s"]),
        format!(
            "drwxr-xr-x  0 {} c\n-rwxr-xr-x 70 {} run.sh\n",
            seconds("/t/a/b/c"),
            seconds("/t/a/b/run.sh")
        )
    );
    let json = printed(&cluster, "ls", "/t/a/b", &["-l", "--json"]);
    assert!(
        json.contains("\"kind\":\"file\",\"mode\":\"0755\",\"size\":70,\"modified\":"),
        "{json}"
    );
    assert!(!json.contains("links") && !json.contains("user") && !json.contains("inode"), "{json}");
}

#[cfg(feature = "ls")]
#[test]
fn a_thousand_entries_of_a_directory_cost_a_call() {
    let Some(mut cluster) = cluster() else { return };
    for (path, calls, rows) in [("/t/a", 2, 2), ("/t/wide/dir00000", 1 + 5, WIDE)] {
        let before = cluster.calls();
        let output = run(&cluster, "ls", path, &["--calls", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(report["requests"].as_u64(), Some(calls), "{path}");
        assert_eq!(cluster.calls() - before, calls);
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), rows);
    }
    let output = run(&cluster, "ls", "/t/none", &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let output = run(&cluster, "ls", "/t", &["--region", "x"]);
    assert!(stderr(&output).contains("--region is about buckets"), "{}", stderr(&output));
}

#[cfg(feature = "ls")]
#[test]
fn all_that_is_below_is_listed_by_directory() {
    let Some(mut cluster) = cluster() else { return };
    let a = "/t/a:\nb\nx\n\n/t/a/b:\nc\nrun.sh\n\n/t/a/b/c:\n";
    assert_eq!(printed(&cluster, "ls", "/t/a", &["-R"]), a);
    assert_eq!(printed(&cluster, "ls", "/t/a/x", &["-R"]), "/t/a/x\n");
    assert_eq!(printed(&cluster, "ls", "/t/a", &["-R", "-I", "b"]), "/t/a:\nx\n");
    let reversed = "/t/a:\nx\nb\n\n/t/a/b:\nrun.sh\nc\n\n/t/a/b/c:\n";
    assert_eq!(printed(&cluster, "ls", "/t/a", &["-R", "-r"]), reversed);
    let long = printed(&cluster, "ls", "/t/a", &["-Rl", "--time-style=+x"]);
    assert!(long.contains("/t/a/b:\ndrwxr-xr-x  0 x c\n-rwxr-xr-x 70 x run.sh\n"), "{long}");

    // Each directory once, for a call and one more for each further thousand.
    let mut entries = cluster.list("/t");
    entries.retain(|entry| entry.path != "/t");
    let directories = entries.iter().filter(|entry| entry.kind == "directory").count();
    let before = cluster.calls();
    let all = printed(&cluster, "ls", "/t", &["-RA", "--zero"]);
    assert_eq!(cluster.calls() - before, 1 + 1 + directories as u64 + 4);
    let headings = all.split("\n\0").count() + all.matches(":\n").count();
    assert!(headings > directories);
    for entry in &entries {
        let (folder, name) = entry.path.rsplit_once('/').unwrap();
        let of_folder = all.split(&format!("{folder}:\n")).nth(1).unwrap();
        assert!(of_folder.contains(&format!("{name}\0")), "{}", entry.path);
    }

    let mut command = verb("ls", &cluster.address("/t"));
    let output = command.args(["-R", "-1"]).env("HADOOP_USER_NAME", "somebody").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/t/denied': Permission denied"), "{}", stderr(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("\ndenied\n") && !printed.contains("/t/denied:"), "{printed}");
    let output = run(&cluster, "ls", "/t/none", &["-R"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[cfg(feature = "size")]
#[test]
fn directories_have_the_sum_of_what_is_below_them() {
    let Some(mut cluster) = cluster() else { return };
    let entries = cluster.list("/t");
    for (depth, words) in [(1, &["-b", "-0"][..]), (3, &["-b", "-0", "-d", "3"])] {
        let mut expected = BTreeMap::new();
        let is_shown = |path: &str| path.matches('/').count() <= depth + 1;
        let shown = entries.iter().filter(|it| it.kind == "directory" && is_shown(&it.path));
        for directory in shown {
            let below = format!("{}/", directory.path);
            let inside = entries.iter().filter(|entry| entry.path.starts_with(&below));
            expected.insert(directory.path.clone(), inside.map(|entry| entry.size).sum::<u64>());
        }
        let text = printed(&cluster, "size", "/t", words);
        let rows = text.split_terminator('\0').map(|row| row.split_once('\t').unwrap());
        let rows: BTreeMap<String, u64> =
            rows.map(|(size, path)| (path.to_owned(), size.parse().unwrap())).collect();
        assert_eq!(rows, expected);
    }
    let text = printed(&cluster, "size", "/t/a/b", &["-a", "-b", "--json"]);
    let file = "{\"v\":1,\"path\":{\"text\":\"/t/a/b/run.sh\"},\"kind\":\"file\",\"depth\":1,\
                \"allocated\":70,\"size\":70,\"entries\":1}\n";
    assert!(text.contains(file), "{text}");
    assert_eq!(printed(&cluster, "size", "/t/a/x", &["-b"]), "5\t/t/a/x\n");
    let mut both = verb("size", &cluster.address("/t/a/b"));
    let both = both.arg(cluster.address("/t/a/")).args(["-s", "-b", "-c"]).output().unwrap();
    let both = String::from_utf8(both.stdout).unwrap().replace(&cluster.address(""), "");
    assert_eq!(both, "5\t/t/a/\n70\t/t/a/b\n75\ttotal\n");
}
