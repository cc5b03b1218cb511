//! What is listed, in which order, and for how many calls.

use std::collections::BTreeMap;

use super::cluster::{Cluster, Known, WIDE, cluster};

fn sorted(mut entries: Vec<Known>) -> Vec<Known> {
    entries.sort();
    entries
}

/// What `--calls` says, and what the NameNode has counted meanwhile.
fn calls(cluster: &mut Cluster, path: &str, words: &[&str]) -> u64 {
    let before = cluster.calls();
    let output = cluster.walk(path, &[words, &["--calls", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    let counted = cluster.calls() - before;
    assert_eq!(report["requests"].as_u64(), Some(counted), "{words:?}");
    counted
}

/// One call for the root, and for each directory one for each thousand entries.
fn price(entries: &[Known]) -> u64 {
    let mut children: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in entries.iter().skip(1) {
        *children.entry(entry.path.rsplit_once('/').unwrap().0).or_default() += 1;
    }
    let directories = entries.iter().filter(|entry| entry.kind == "directory");
    let pages = |directory: &Known| {
        children.get(&*directory.path).map_or(1, |children| children.div_ceil(1000))
    };
    1 + directories.map(pages).sum::<u64>()
}

#[test]
fn every_entry_comes_once_as_hadoop_lists_it() {
    let Some(mut cluster) = cluster() else { return };
    let expected = sorted(cluster.list("/t"));
    assert!(expected.len() > WIDE + 60, "{}", expected.len());
    for words in [&["--json"][..], &["--json", "-j", "1"], &["--json", "--sort"]] {
        let output = cluster.walk("/t", words);
        assert_eq!(sorted(cluster.known(&output)), expected, "{words:?}");
        assert!(output.stderr.is_empty());
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn sorted_is_depth_first_in_the_order_of_bytes() {
    let Some(mut cluster) = cluster() else { return };
    let mut expected = cluster.list("/t");
    expected.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    for words in [&["--json", "--sort"][..], &["--json", "--sort", "-j", "1"]] {
        let output = cluster.walk("/t", words);
        assert_eq!(cluster.known(&output), expected);
    }
}

#[test]
fn calls_are_those_that_the_name_node_counts() {
    let Some(mut cluster) = cluster() else { return };
    let entries = cluster.list("/t");
    let price = price(&entries);
    assert!(price > 50, "{price}");
    assert_eq!(calls(&mut cluster, "/t", &["--count"]), price);
    assert_eq!(calls(&mut cluster, "/t", &["--count", "--sort"]), price);
    assert_eq!(calls(&mut cluster, "/t/wide/dir00000", &["--count"]), 1 + 5);
    assert_eq!(calls(&mut cluster, "/t/a/x", &["--count"]), 1);
}

#[test]
fn what_is_not_wanted_is_not_listed() {
    let Some(mut cluster) = cluster() else { return };
    for sort in [&["--count"][..], &["--count", "--sort"]] {
        let with = |words: &[&'static str]| [sort, words].concat();
        assert_eq!(calls(&mut cluster, "/t", &with(&["-d", "0"])), 1);
        assert_eq!(calls(&mut cluster, "/t", &with(&["-d", "1"])), 2);
        let all = calls(&mut cluster, "/t/deep", &with(&[]));
        assert_eq!(calls(&mut cluster, "/t", &with(&["-E", "[!d]*", "-E", "denied"])), all + 1);
        assert_eq!(calls(&mut cluster, "/t/a", &with(&[])), 1 + 3);
        assert_eq!(calls(&mut cluster, "/t/a", &with(&["-E", "b"])), 2);
    }
    let hidden = calls(&mut cluster, "/t", &["--count", "--no-hidden"]);
    assert_eq!(hidden, calls(&mut cluster, "/t", &["--count"]) - 1);
}

#[test]
fn the_root_is_visited_as_on_a_disk() {
    let Some(cluster) = cluster() else { return };
    assert_eq!(
        cluster.printed("/t/a", &["--sort", "-d", "1"]),
        "/t/a\n/t/a/.dot\n/t/a/b\n/t/a/x\n"
    );
    assert_eq!(cluster.printed("/t/a/", &["--sort", "-E", "?*"]), "/t/a/\n");
    assert_eq!(cluster.printed("/t//a/b/", &["--sort"]), "/t//a/b/\n/t//a/b/c\n/t//a/b/run.sh\n");
    assert_eq!(cluster.printed("/t/a/x", &["--format", "{} {depth} {size}"]), "/t/a/x 0 5\n");
    assert_eq!(cluster.printed("/t/empty", &[]), "/t/empty\n");
    let (root, bare) = (cluster.printed("/", &["-d", "0"]), cluster.printed("", &["-d", "1"]));
    assert_eq!(root, "/\n");
    assert!(bare.starts_with('\n') && bare.contains("\n/t\n"), "{bare}");
}

#[cfg(feature = "tables")]
#[test]
fn a_table_has_what_the_name_node_tells() {
    let Some(mut cluster) = cluster() else { return };
    let known = cluster.list("/t/a/b");
    let known = known.iter().find(|it| it.path == "/t/a/b/run.sh").unwrap();
    let time = format!("@{}.{:03}", known.milliseconds / 1000, known.milliseconds % 1000);
    let date = std::process::Command::new("date").args(["-u", "-d", &time, "+%FT%T.%6NZ"]).output();
    let time = String::from_utf8(date.unwrap().stdout).unwrap();
    let csv = cluster.printed("/t/a", &["-g", "run.sh", "--csv", "-"]);
    let row = format!("/t/a/b/run.sh,,run.sh,file,2,,,70,,493,,,,{},,,,,\n", time.trim_end());
    assert_eq!(csv.split_once('\n').unwrap().1, row);
}

#[test]
fn filters_and_formats_are_those_of_a_walk() {
    let Some(mut cluster) = cluster() else { return };
    let printed = |words: &[&str]| cluster.printed("/t/a", &[words, &["--sort"]].concat());
    assert_eq!(printed(&["-t", "d"]), "/t/a\n/t/a/b\n/t/a/b/c\n");
    assert_eq!(printed(&["-t", "f", "--no-hidden"]), "/t/a/b/run.sh\n/t/a/x\n");
    assert_eq!(printed(&["-t", "x"]), "/t/a/b/run.sh\n");
    assert_eq!(printed(&["--size", "+10"]), "/t/a/b/run.sh\n");
    assert_eq!(printed(&["--exact-depth", "2", "-e", "sh"]), "/t/a/b/run.sh\n");
    assert_eq!(printed(&["-e", "sh", "--printf", "%P %s %m\\n"]), "b/run.sh 70 755\n");
    let format = printed(&["--format", "{depth} {type} {mode} {/}", "-g", "[bx]"]);
    assert_eq!(format, "1 directory drwxr-xr-x b\n1 file -rw-r--r-- x\n");
    assert_eq!(printed(&["-1"]), "/t/a\n");
    assert_eq!(printed(&["--max-results", "2", "-t", "f"]), "/t/a/.dot\n/t/a/b/run.sh\n");
    assert_eq!(printed(&["--count"]), "6 entries, 3 directories, 3 files, 0 links, 0 other\n");
    let modified = cluster.list("/t/a/x")[0].milliseconds / 1000;
    assert_eq!(cluster.printed("/t/a/x", &["--format", "{mtime:%s}"]), format!("{modified}\n"));
    let names = cluster.printed("/t/new\nline", &["-0", "--sort"]);
    assert_eq!(names, "/t/new\nline\0/t/new\nline/end\n\0");
}
