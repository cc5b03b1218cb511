//! What is left out with `gitignore` is what git leaves out.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use fewer::{Order, Walk};
use proptest::prelude::*;
use scene::tree::{directory, file};
use scene::{child, see};

fn git(at: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .current_dir(at)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {error}");
    output.stdout
}

/// The files below `at` that git would add, by path from there.
fn git_files(at: &Path) -> BTreeSet<String> {
    let listed = git(at, &["ls-files", "--others", "--exclude-standard", "-z"]);
    let text = |path: &[u8]| path.escape_ascii().to_string();
    listed.split(|&b| b == 0).filter(|path| !path.is_empty()).map(text).collect()
}

/// The files that a walk finds, by path from its root.
fn our_files(root: &Path) -> BTreeSet<String> {
    let mut all: Vec<BTreeSet<String>> = Vec::new();
    for order in [Order::Any, Order::Sorted] {
        let seen = see(&Walk::new(root).order(order).gitignore(true));
        assert!(seen.errors.is_empty(), "{:?}", seen.errors);
        let start = root.as_os_str().len() + 1;
        let below = |line: &Vec<u8>| {
            let path = line.splitn(3, |&b| b == b' ').nth(2).unwrap();
            (line[0] != b'd').then(|| path[start..].escape_ascii().to_string())
        };
        all.push(seen.lines.iter().filter_map(below).collect());
    }
    assert_eq!(all[0], all[1], "sorted and any");
    all.remove(0)
}

fn like_git(at: &Path) {
    assert_eq!(our_files(at), git_files(at), "in {}", at.display());
}

fn repository(files: &[&str]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    git(place.path(), &["init", "-q"]);
    files.iter().for_each(|path| drop(file(place.path(), path, "")));
    place
}

#[test]
fn nested_files_negations_anchors_and_stars() {
    let place = repository(&[
        "a.o", "keep.o", "build/x", "sub/build/y", "sub/a.o", "sub/deep/keep.o", "doc/a.txt",
        "doc/in/a.txt", "doc/in/b.pdf", "logs/x", "logs/keep/y", "foo/bar/baz", "foo/x/y/baz",
        "#hash", "!bang", " lead", "sp ace", "x/a/b/c/d", "tail ", "[1]", "1", "dir.d/x",
    ]);
    let rules = "*.o\n!keep.o\n/build/\ndoc/*.txt\nlogs/*\n!logs/keep/\nfoo/**/baz\n\\#hash\n\
        \\!bang\n# comment\n\n**/c/d\nsp\\ ace\ntail\\ \n[[]1]\n*.d/\n";
    file(place.path(), ".gitignore", rules);
    file(place.path(), "sub/.gitignore", "!a.o\nkeep.o\r\n");
    file(place.path(), "doc/in/.gitignore", "*\n!.gitignore\n!*.pdf\n");
    like_git(place.path());
    for below in ["sub", "doc", "doc/in", "foo", "x/a"] {
        like_git(&place.path().join(below));
    }
}

#[test]
fn a_walk_may_be_started_anywhere_in_the_repository() {
    let place = repository(&["a/b/c/x.o", "a/b/c/x.c", "a/b/top", "a/top", "top"]);
    file(place.path(), ".gitignore", "/top\n/a/b/top\n");
    file(place.path(), "a/.gitignore", "b/c/*.o\n");
    [".", "a", "a/b", "a/b/c"].iter().for_each(|below| like_git(&place.path().join(below)));
}

#[test]
fn info_exclude_counts_after_the_gitignore_files() {
    let place = repository(&["a.x", "b.x", "sub/a.x"]);
    file(place.path(), ".git/info/exclude", "*.x\n");
    file(place.path(), "sub/.gitignore", "!a.x\n");
    like_git(place.path());
    like_git(&place.path().join("sub"));
}

#[test]
fn a_nested_repository_has_its_own_rules_only() {
    let place = repository(&["a.o", "a.c"]);
    file(place.path(), ".gitignore", "*.o\n/gone/\n");
    let inner = directory(place.path(), "inner");
    git(&inner, &["init", "-q"]);
    ["a.o", "a.c", "a.h", "sub/a.h"].iter().for_each(|path| drop(file(&inner, path, "")));
    file(&inner, ".gitignore", "*.h\n");
    git(&inner, &["commit", "-q", "--allow-empty", "-m", "first"]);
    like_git(&inner);
    like_git(&inner.join("sub"));
    let prefixed = git_files(&inner).into_iter().map(|path| format!("inner/{path}"));
    let outside = git_files(place.path()).into_iter().filter(|path| path != "inner/");
    assert_eq!(our_files(place.path()), outside.chain(prefixed).collect());
}

#[test]
fn a_worktree_has_the_excludes_of_its_repository() {
    let place = repository(&["a.c"]);
    git(place.path(), &["commit", "-q", "--allow-empty", "-m", "first"]);
    file(place.path(), ".git/info/exclude", "*.o\n");
    let tree = place.path().join("tree");
    git(place.path(), &["worktree", "add", "-q", tree.to_str().unwrap()]);
    ["a.o", "a.c", "sub/b.o", "sub/b.c"].iter().for_each(|path| drop(file(&tree, path, "")));
    like_git(&tree);
    like_git(&tree.join("sub"));
}

#[test]
fn outside_a_repository_ignore_files_count_all_the_same() {
    let place = tempfile::tempdir().unwrap();
    ["a.o", "a.c", "sub/a.o"].iter().for_each(|path| drop(file(place.path(), path, "")));
    file(place.path(), ".gitignore", "*.o\n");
    assert_eq!(our_files(place.path()), [".gitignore", "a.c"].map(String::from).into());
}

#[test]
fn what_looks_like_an_ignore_file_but_is_none_is_no_rule() {
    let place = repository(&["a.o", "sub/b.o", "rules"]);
    std::fs::write(place.path().join("rules"), "*.o\n").unwrap();
    std::os::unix::fs::symlink("rules", place.path().join(".gitignore")).unwrap();
    directory(place.path(), "sub/.gitignore");
    like_git(place.path());
    like_git(&place.path().join("sub"));
}

/// One pattern at a time, among names that could be taken for something else. What is known to
/// differ, and is not here: patterns that are not UTF-8, a tab at the end of a line, `[` unclosed.
#[test]
fn a_pattern_means_what_it_means_to_git() {
    let place = repository(&[
        "a.txt", "b.txt", "{a,b}.txt", "x", "\u{e9}", "A.TXT", "a", "ab", "a-b", "end\\", "5",
        "foo{", "}", "a]b", "a^b", "^", "!", "d/e/f", "d/x",
    ]);
    let patterns = "{a,b}.txt|foo{|*{|}|{a|a}|{,a}|\\{a,b\\}.txt|[[:alpha:]].txt|[[:digit:]]|?|??*|\
        \u{e9}|[]a]|[!]]|a[]]b|[a-]b|d/**|d/**/f|**|/**|d/|d/*|/|//|/d/e/|d//e|./d|d/.|*/|!|!!|\\!|\
        #|[^a]*|a[^x]b|a**|***|**/**|/*|end\\\\|a.txt  |  a.txt|[z-a]|[a-b-c]|**/|**/e/**|\
        d/**/**/f|**/*.txt|\u{feff}a.txt|a\\.txt|\\a.txt|!a.txt|/a.txt/|d/e/../x|[a-zA-Z]*|a,b|\
        [!a-z]|d/e/f/|*.TXT|a?b|d?x|d*x|d/*/f|\\\\|*\n!/d|*\n!/d/|*\n!*/\n!f";
    for pattern in patterns.split('|') {
        std::fs::write(place.path().join(".gitignore"), format!("{pattern}\n")).unwrap();
        let (ours, theirs) = (our_files(place.path()), git_files(place.path()));
        assert_eq!(ours, theirs, "pattern {pattern:?}");
    }
}

/// The user's own excludes are found through the environment, so each case is a process.
#[test]
fn the_users_own_excludes_count_last() {
    for (config, excludes) in [
        (".gitconfig", "[core]\n\texcludesFile = ~/mine\n"),
        (".gitconfig", "[core]\n\texcludesfile = \"~/mine\" # mine\n"),
        (".gitconfig", "[core] excludesFile = ~/mine\n"),
        (".gitconfig", "[core]\nexcludesFile = /nowhere\nexcludesFile = ~/mine ; mine\n"),
        (".config/git/config", "[core]\n\texcludesFile = ~/mine\n"),
        (".config/git/ignore", "*.mine\n/only-top\n"),
        (".config/git/config", "[core]\n\texcludesFile = /nowhere\n"),
    ] {
        let place = repository(&["a.mine", "sub/a.mine", "only-top", "sub/only-top", "back.mine"]);
        file(place.path(), ".gitignore", "!back.mine\n");
        let home = tempfile::tempdir().unwrap();
        file(home.path(), "mine", "*.mine\n/only-top\n");
        file(home.path(), config, excludes);
        let env: [(&str, &Path); 2] = [("HOME", home.path()), ("XDG_CONFIG_HOME", Path::new(""))];
        child::run_with(&env, "child_compares_with_git", place.path());
    }
}

#[test]
fn the_environment_may_name_the_repository() {
    let place = repository(&["a.x", "b.x", "a.c", "sub/a.x", "sub/in/a.o", "sub/in/a.c"]);
    let (home, hidden) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let git = hidden.path().join("odd.git");
    std::fs::rename(place.path().join(".git"), &git).unwrap();
    file(&git, "info/exclude", "*.x\n!/b.x\n/sub/in/a.c\n");
    file(place.path(), "sub/.gitignore", "*.o\n");
    let env: [(&str, &Path); 3] =
        [("GIT_DIR", &git), ("GIT_WORK_TREE", place.path()), ("HOME", home.path())];
    child::run_with(&env, "child_compares_with_git", place.path());
}

#[test]
fn what_git_is_told_with_c_counts_last() {
    let place = repository(&["a.mine", "it's", "sub/a.mine", "sub/a.c", "A.MINE"]);
    let home = tempfile::tempdir().unwrap();
    file(home.path(), "it's", "a.mine\n/sub/a.c\n");
    file(home.path(), ".gitconfig", "[core]\n\texcludesFile = /nowhere\n");
    for words in [
        "'core.excludesfile'='~/it'\\''s'", "'core.excludesFile=~/it'\\''s' 'core.ignorecase'=",
        "'core.ignoreCase' 'core.excludesfile'='~/it'\\''s' 'x.y'='z'",
    ] {
        let env: [(&str, &Path); 3] = [
            ("HOME", home.path()),
            ("XDG_CONFIG_HOME", Path::new("")),
            ("GIT_CONFIG_PARAMETERS", Path::new(words)),
        ];
        child::run_with(&env, "child_compares_with_git", place.path());
    }
}

/// The URL may be set after the condition, in another file, or in the environment.
#[test]
fn a_condition_may_ask_for_the_urls_of_remotes() {
    let asks = |pattern: &str| {
        format!("[includeIf \"hasconfig:remote.*.url:{pattern}\"]\n\tpath = ~/inc\n")
    };
    let url = "[remote \"o.x\"]\n\turl = https://example.org/team/project.git\n";
    for pattern in [
        "https://example.org/team/project.git", "https://example.org/team/*",
        "https://example.org/**", "**/project.git", "https://example.org/*",
        "https://example.org/team/", "https://EXAMPLE.org/**", "*", "",
    ] {
        for (user, own, with_c) in [
            (asks(pattern), url.to_owned(), ""),
            (url.to_owned() + &asks(pattern), String::new(), ""),
            (url.to_owned(), asks(pattern), ""),
            (String::new(), asks(pattern) + url, ""),
            ("[include] path = ~/url\n".to_owned(), asks(pattern), ""),
            (asks(pattern), String::new(), "'remote.o.url'='https://example.org/team/a'"),
        ] {
            let place = repository(&["a.mine", "sub/a.mine", "a.c"]);
            let home = tempfile::tempdir().unwrap();
            file(home.path(), "mine", "*.mine\n");
            file(home.path(), "url", url);
            file(home.path(), "inc", "[core]\n\texcludesFile = ~/mine\n");
            file(home.path(), ".gitconfig", &user);
            let before = std::fs::read_to_string(place.path().join(".git/config"));
            file(place.path(), ".git/config", &(before.unwrap_or_default() + &own));
            let env: [(&str, &Path); 3] = [
                ("HOME", home.path()),
                ("XDG_CONFIG_HOME", Path::new("")),
                ("GIT_CONFIG_PARAMETERS", Path::new(with_c)),
            ];
            child::run_with(&env, "child_compares_with_git", place.path());
        }
    }
}

#[test]
fn a_submodule_keeps_its_excludes_where_its_git_file_says() {
    let place = repository(&["sub/a.x", "sub/a.c", "sub/in/a.x"]);
    let module = directory(place.path(), ".git/modules/sub");
    for folder in ["objects", "refs"] {
        directory(&module, folder);
    }
    file(&module, "HEAD", "ref: refs/heads/main\n");
    file(&module, "config", "[core]\n\tworktree = ../../../sub\n\texcludesFile = in/mine\n");
    file(&module, "info/exclude", "/a.x\n");
    file(place.path(), "sub/in/mine", "*.c\n");
    file(place.path(), "sub/.git", "gitdir: ../.git/modules/sub\n");
    like_git(&place.path().join("sub"));
    like_git(&place.path().join("sub/in"));
}

#[test]
fn child_compares_with_git() {
    let Some(place) = child::folder() else { return };
    like_git(&place);
    like_git(&place.join("sub"));
}

fn pattern() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a", "b", "c", "*", "?", "**", "[ab]", "[!a]", "a*", "*b", "\\a", "ab", "a b", ".a",
        "[a-b]", "[^a]", "???",
    ]);
    let parts = prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"));
    let edge = |text: &'static str| prop::option::weighted(0.25, Just(text));
    let (not, top, end) = (edge("!"), edge("/"), edge("/"));
    (not, top, parts, end).prop_map(|(not, top, parts, end)| {
        [not.unwrap_or(""), top.unwrap_or(""), &parts, end.unwrap_or("")].concat()
    })
}

fn path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "c", "ab", "ba", "a b", ".a", "aab"]);
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_rules_in_any_repository_are_those_of_git(
        paths in prop::collection::btree_set(path(), 1..25),
        rules in prop::collection::vec((path(), prop::collection::vec(pattern(), 1..5)), 0..4),
        top in prop::collection::vec(pattern(), 1..6),
    ) {
        let place = repository(&[]);
        let write = |path: PathBuf, text: &[u8]| {
            // A name may be both a file and a directory by the dice: the first one stays.
            let made = path.parent().map(std::fs::create_dir_all);
            if made.is_some_and(|made| made.is_ok()) && !path.is_dir() {
                std::fs::write(path, text).unwrap();
            }
        };
        paths.iter().for_each(|path| write(place.path().join(path), b""));
        write(place.path().join(".gitignore"), top.join("\n").as_bytes());
        for (path, lines) in &rules {
            let folder = place.path().join(path);
            if folder.is_dir() {
                write(folder.join(".gitignore"), lines.join("\n").as_bytes());
            }
        }
        prop_assert_eq!(our_files(place.path()), git_files(place.path()));
    }
}
