//! From the files of several runs to patterns: what differs from run to run, and what is one of
//! many in a directory.

use std::collections::BTreeMap;

use crate::pattern::{Part, Pattern};

/// A directory with more names than this becomes one line: `directory/**`.
const WIDE: usize = 16;
/// So many lines are enough; if there are more, directories with fewer names become one.
const LINES: usize = 100;

/// Files by the names on their way, over all runs.
#[derive(Default)]
struct Node {
    below: BTreeMap<Part, Node>,
    /// In which runs something was done with it or with what is below.
    runs: u64,
    /// Whether something was done with it itself.
    is_file: bool,
}

/// Patterns that together fit all files of all runs.
pub(crate) fn patterns<'f>(runs: &[impl Iterator<Item = &'f [u8]> + Clone]) -> Vec<Pattern> {
    // What is no path of a file has no directories: `pipe:[7]`.
    let (mut files, mut others) = (Node::default(), Node::default());
    for (run, paths) in runs.iter().enumerate() {
        for path in paths.clone().filter(|path| !path.is_empty()) {
            match is_other(path) {
                true => others.add(vec![without_number(path)], run),
                false => files.add(parts(path), run),
            }
        }
    }
    files.unify();
    let mut patterns = Vec::new();
    for wide in [WIDE, WIDE / 2, WIDE / 4, 2, 1] {
        patterns.clear();
        files.list(&mut Vec::new(), wide, &mut patterns);
        if patterns.len() <= LINES {
            break;
        }
    }
    others.list(&mut Vec::new(), usize::MAX, &mut patterns);
    patterns
}

/// `pipe:[7]`, `anon_inode:[eventfd]`: what a descriptor stands for that is no file.
fn is_other(path: &[u8]) -> bool {
    path.ends_with(b"]") && memchr::memmem::find(path, b":[").is_some() && !path.contains(&b'/')
}

fn without_number(path: &[u8]) -> Part {
    let Some(at) = memchr::memmem::find(path, b":[") else { return Part::name(path) };
    let (kind, number) = (&path[..at + 2], &path[at + 2..path.len() - 1]);
    match number.iter().all(u8::is_ascii_digit) {
        true => Part::Name(vec![kind.into(), b"]".into()]),
        false => Part::name(path),
    }
}

/// The names of a path. Numbers of processes and of terminals mean nothing in the next run.
fn parts(path: &[u8]) -> Vec<Part> {
    let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let front = |at: usize| names[..at].join(&b'/');
    let is_number = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_digit);
    let part = |(at, name): (usize, &&[u8])| match front(at).as_slice() {
        b"/proc" | b"/dev/pts" if is_number(name) => Part::Name(vec![Vec::new(), Vec::new()]),
        _ => Part::name(name),
    };
    let numbered = path.starts_with(b"/proc/") || path.starts_with(b"/dev/pts/");
    match numbered {
        true => names.iter().enumerate().map(part).collect(),
        false => names.iter().map(|name| Part::name(name)).collect(),
    }
}

impl Node {
    fn add(&mut self, path: Vec<Part>, run: usize) {
        let mut node = self;
        node.runs |= 1 << run;
        for part in path {
            node = node.below.entry(part).or_default();
            node.runs |= 1 << run;
        }
        node.is_file = true;
    }

    fn merge(&mut self, other: Node) {
        self.runs |= other.runs;
        self.is_file |= other.is_file;
        for (part, node) in other.below {
            self.below.entry(part).or_default().merge(node);
        }
    }

    /// Replaces names that only some runs have by patterns, from the top down.
    fn unify(&mut self) {
        let all = self.runs;
        let changing = |(part, node): (&Part, &Node)| {
            (node.runs != all).then(|| Some((part.plain()?.to_vec(), node.runs)))?
        };
        let changing: Vec<(Vec<u8>, u64)> = self.below.iter().filter_map(changing).collect();
        for family in families(&changing) {
            let pattern = around(&family);
            for name in family {
                if let Some(node) = self.below.remove(&Part::name(name)) {
                    self.below.entry(pattern.clone()).or_default().merge(node);
                }
            }
        }
        self.below.values_mut().for_each(Node::unify);
    }

    /// Lists what is here as patterns; what is below a directory with more than `wide` names as
    /// one. `path` leads here.
    fn list(&self, path: &mut Vec<Part>, wide: usize, patterns: &mut Vec<Pattern>) {
        if self.is_file {
            patterns.push(Pattern(path.clone()));
        }
        // Names in the root stay as they are as long as there is room.
        let is_root = path.len() == 1 && path[0].plain() == Some(b"");
        if self.below.len() > wide && !path.is_empty() && !(is_root && wide > 2) {
            let below = path.iter().cloned().chain([Part::Below]).collect();
            return patterns.push(Pattern(below));
        }
        for (part, node) in &self.below {
            path.push(part.clone());
            node.list(path, wide, patterns);
            path.pop();
        }
    }
}

/// Names, and the runs that have one of them.
type Family<'n> = (Vec<&'n [u8]>, u64);

/// Which names change from run to run together: those with the same extension, and the others. One
/// run alone has nothing to be compared with.
fn families(changing: &[(Vec<u8>, u64)]) -> Vec<Vec<&[u8]>> {
    let runs_of = |extension: &[u8]| {
        let same = changing.iter().filter(|(name, _)| extension_of(name) == Some(extension));
        same.fold(0, |runs, (_, of)| runs | of)
    };
    let mut families: BTreeMap<Option<&[u8]>, Family> = BTreeMap::new();
    for (name, runs) in changing {
        let extension = extension_of(name).filter(|it| runs_of(it).count_ones() > 1);
        let family = families.entry(extension).or_default();
        family.0.push(name);
        family.1 |= runs;
    }
    let families = families.into_values();
    let comparable = families.filter(|(names, runs)| names.len() > 1 && runs.count_ones() > 1);
    comparable.map(|(names, _)| names).collect()
}

fn extension_of(name: &[u8]) -> Option<&[u8]> {
    let at = memchr::memrchr(b'.', name).filter(|at| *at > 0)?;
    Some(&name[at + 1..])
}

/// The pattern around names: what all of them begin and end with, and a star between. Numbers are
/// not cut in two: of `log.118` and `log.119` the `11` is chance.
fn around(names: &[&[u8]]) -> Part {
    let first = names[0];
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
    let same = |at: &usize| names.iter().all(|name| name[*at] == first[*at]);
    let mut front = (0..shortest).take_while(same).count();
    let same =
        |at: &usize| names.iter().all(|name| name[name.len() - at] == first[first.len() - at]);
    let mut back = (1..=shortest - front).take_while(same).count();
    while front > 0 && first[front - 1].is_ascii_digit() {
        front -= 1;
    }
    while back > 0 && first[first.len() - back].is_ascii_digit() {
        back -= 1;
    }
    Part::Name(vec![first[..front].into(), first[first.len() - back..].into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(runs: &[&[&str]]) -> Vec<String> {
        let runs: Vec<_> =
            runs.iter().map(|paths| paths.iter().map(|path| path.as_bytes())).collect();
        patterns(&runs).iter().map(Pattern::written).collect()
    }

    #[test]
    fn what_is_the_same_in_all_runs_stays() {
        let run: &[&str] = &["/etc/passwd", ".", "./src/a.c"];
        assert_eq!(of(&[run, run, run]), ["/etc/passwd", ".", "./src/a.c"]);
    }

    #[test]
    fn a_random_name_becomes_a_star() {
        let runs: [&[&str]; 3] = [
            &["/tmp/tmp.a8Xq", "/tmp/tmp.a8Xq/x"],
            &["/tmp/tmp.Zu1p", "/tmp/tmp.Zu1p/x"],
            &["/tmp/tmp.0pQq", "/tmp/tmp.0pQq/x"],
        ];
        assert_eq!(of(&runs), ["/tmp/tmp.*", "/tmp/tmp.*/x"]);
        let compiler: [&[&str]; 2] =
            [&["/tmp/ccAb1.s", "/tmp/ccqq.o"], &["/tmp/ccUv2.s", "/tmp/cc01.o"]];
        assert_eq!(of(&compiler), ["/tmp/cc*.o", "/tmp/cc*.s"]);
    }

    #[test]
    fn a_number_is_not_cut_in_two() {
        let runs: [&[&str]; 3] = [&["log.118"], &["log.119"], &["log.121"]];
        assert_eq!(of(&runs), ["log.*"]);
        let runs: [&[&str]; 2] = [&["118.log"], &["128.log"]];
        assert_eq!(of(&runs), ["*.log"]);
    }

    #[test]
    fn processes_terminals_and_pipes_have_no_numbers() {
        let run: &[&str] = &["/proc/12/stat", "/proc/self/maps", "/dev/pts/3", "pipe:[99]"];
        assert_eq!(of(&[run]), ["/dev/pts/*", "/proc/*/stat", "/proc/self/maps", "pipe:[*]"]);
        assert_eq!(of(&[&["anon_inode:[eventfd]"]]), ["anon_inode:[eventfd]"]);
    }

    #[test]
    fn a_wide_directory_becomes_one_line() {
        let names: Vec<String> = (0..40).map(|i| format!("tree/d{i}/f")).collect();
        let mut run: Vec<&str> = names.iter().map(String::as_str).collect();
        run.extend(["tree", "tree/d1"]);
        assert_eq!(of(&[&run]), ["tree", "tree/**"]);
        assert_eq!(of(&[&["tree/a", "tree/b"]]), ["tree/a", "tree/b"]);
    }

    #[test]
    fn there_are_never_many_lines() {
        let names: Vec<String> =
            (0..3_000).map(|i| format!("/a{}/{}/{}", i % 14, i / 14 % 14, i / 196)).collect();
        let run: Vec<&str> = names.iter().map(String::as_str).collect();
        let lines = of(&[&run]);
        assert!(lines.len() <= LINES, "{}", lines.len());
        let deep: Vec<String> = (0..200).map(|i| "/x".repeat(i + 1)).collect();
        let run: Vec<&str> = deep.iter().map(String::as_str).collect();
        assert!(!of(&[&run]).is_empty());
    }

    #[test]
    fn what_only_one_run_did_stays_as_it_is() {
        assert_eq!(of(&[&["a", "cache.new"], &["a"], &["a"]]), ["a", "cache.new"]);
    }

    #[test]
    fn each_file_fits_one_of_its_patterns() {
        let runs: [&[&str]; 2] = [&["x*y", "p/1/q", "\\", "aba"], &["x*z", "p/2/q", "\\", "abba"]];
        let paths = runs.iter().flat_map(|run| run.iter());
        let found = patterns(&runs.map(|run| run.iter().map(|path| path.as_bytes())));
        for path in paths {
            assert!(found.iter().any(|pattern| pattern.matches(path.as_bytes())), "{path}");
        }
    }
}
