//! Generated repositories with the worst names and patterns: what a walk leaves out is what git
//! leaves out, to the last name.
//!
//! `FEWER_REPOSITORIES` says how many there are in each environment, `FEWER_SEED` which.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use fewer::Walk;
use scene::tree::{Dice, fast_place};

/// So many in each environment, by default.
const REPOSITORIES: usize = 500;
const SEED: u64 = 20;

const PLACE: &str = "FEWER_TEST_PLACE";

const NAMES: [&[u8]; 44] = [
    b"a", b"b", b"ab", b"A", b"B", b"a.o", b"b.o", b"\xc3\xa9", b"\xc3\xa9x", b"\xff", b"a ",
    b" a", b"#a", b"!a", b"[a]", b"a]", b"[", b"]", b"\\", b"a\\", b"\\a", b"a\\b", b"*", b"**",
    b"?", b"-", b"^", b"!", b"{a}", b"a\r", b"\t", b"a\t", b"\x01", b"\x0b", b"a-c", b":", b"[:",
    b"...", b"build", b"Build", b"x y", b"1", b".git2", b"a\nb",
];

const PARTS: [&[u8]; 70] = [
    b"*", b"*", b"*", b"**", b"**", b"***", b"?", b"?", b"/", b"/", b"/", b"//", b"\\", b"\\/",
    b"\\*", b"\\\\", b"[", b"]", b"[a-c]", b"[!a]", b"[^a]", b"[]a]", b"[!]]", b"[]-a]",
    b"[a-\\c]", b"[\\-a]", b"[\\a-c]", b"[--0]", b"[a-]", b"[a\\]b]", b"[\\", b"[[:alpha:]]",
    b"[[:space:]]", b"[[:punct:]]", b"[[:cntrl:]]", b"[[:print:]]", b"[[:graph:]]", b"[[:upper:]]",
    b"[[:no:]a]", b"[[:", b"[[:a", b"[[:]", b"[[:]a]", b"[[:digit:]-a]", b"[:alpha:]", b"[/]",
    b"[!/]", b"[+--]", b"[A-Z]", b"[Z-a]", b"[a-", b"[!", b"{a,b}", b"!", b"#", b" ", b"\\ ",
    b"\t", b"\r", b"\0", b"**/", b"/**", b"/**/", b"*/", b"/*", b"\xc3", b"\\A", b"\\a", b"-",
    b"\x0c",
];

struct Maker<'a> {
    dice: Dice,
    /// Where the user's files are.
    home: &'a Path,
    /// All entries so far, from the top.
    paths: Vec<PathBuf>,
}

impl Maker<'_> {
    fn one_in(&mut self, chances: usize) -> bool {
        self.dice.roll(chances) == 0
    }

    fn name(&mut self) -> &'static [u8] {
        NAMES[self.dice.roll(NAMES.len())]
    }

    fn path(&mut self) -> PathBuf {
        match self.paths.len() {
            0 => PathBuf::from("a"),
            count => self.paths[self.dice.roll(count)].clone(),
        }
    }

    /// A pattern: by the dice, or a path that is there with something changed.
    fn pattern(&mut self) -> Vec<u8> {
        let mut pattern = Vec::new();
        if self.one_in(6) {
            pattern.push(b'!');
        }
        match self.dice.roll(3) {
            0 => {
                for _ in 0..=self.dice.roll(5) {
                    let part = PARTS[self.dice.roll(PARTS.len())];
                    pattern.extend_from_slice(if self.one_in(3) { self.name() } else { part });
                }
            }
            1 => pattern.extend_from_slice(self.name()),
            _ => {
                let mut path = self.path().into_os_string().into_vec();
                for _ in 0..self.dice.roll(3) {
                    let (at, part) = (self.dice.roll(path.len()), self.dice.roll(PARTS.len()));
                    let length = self.dice.roll(2);
                    path.splice(at..at + length, PARTS[part].iter().copied());
                }
                if self.one_in(3) {
                    pattern.push(b'/');
                }
                pattern.extend(path);
            }
        }
        if self.one_in(5) {
            pattern.push(b'/');
        }
        if self.one_in(12) {
            pattern.push(b' ');
        }
        pattern
    }

    /// The text of an ignore file.
    fn rules(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        if self.one_in(25) {
            text.extend_from_slice(b"\xef\xbb\xbf");
        }
        for _ in 0..self.dice.roll(7) {
            text.extend(self.pattern());
            text.extend_from_slice(if self.one_in(8) { b"\r\n" } else { b"\n" });
        }
        if self.one_in(4) {
            text.extend(self.pattern());
        }
        text
    }

    /// Directories, files and links below `top`.
    fn plant(&mut self, top: &Path) {
        let mut folders = vec![PathBuf::new()];
        for _ in 0..6 + self.dice.roll(20) {
            let folder = folders[self.dice.roll(folders.len())].clone();
            let path = folder.join(OsStr::from_bytes(self.name()));
            let here = top.join(&path);
            if here.symlink_metadata().is_ok() {
                continue;
            }
            match self.dice.roll(8) {
                0..=2 if folder.components().count() < 5 => {
                    fs::create_dir(&here).unwrap();
                    folders.push(path.clone());
                }
                3 => symlink([".", "none", "a"][self.dice.roll(3)], here).unwrap(),
                _ => fs::write(here, "").unwrap(),
            }
            self.paths.push(path);
        }
        for folder in folders {
            if self.one_in(4) || folder.as_os_str().is_empty() {
                let file = top.join(folder).join(".gitignore");
                match self.dice.roll(30) {
                    0 => fs::create_dir(file).unwrap(),
                    1 => symlink("a", file).unwrap(),
                    _ => fs::write(file, self.rules()).unwrap(),
                }
            }
        }
    }

    /// What makes a directory the top of a repository.
    fn repository(&mut self, top: &Path) {
        let git = top.join(".git");
        for folder in ["objects", "refs", "info"] {
            fs::create_dir_all(git.join(folder)).unwrap();
        }
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        if self.one_in(2) {
            fs::write(git.join("info/exclude"), self.rules()).unwrap();
        }
        let mut config = "[core]\n\trepositoryFormatVersion = 0\n".to_owned();
        if self.one_in(6) {
            config += ["\tignoreCase\n", "ignorecase = yes\n", "IgnoreCase=0\n"][self.dice.roll(3)];
        }
        match self.dice.roll(12) {
            0 => {
                config += "\texcludesFile = own\n";
                fs::write(top.join("own"), self.rules()).unwrap();
            }
            1 => config += "\texcludesFile = ~/more\n",
            2 => config += "[include]\n\tpath = ../more.inc ; none\n[include]\npath = more\n",
            3 => config += "[includeIf \"gitdir:**/odd*/\"]\npath = more\n",
            4 => config += "[includeIf \"gitdir/i:ODD*/.git\"]\npath = more\n",
            5 => config += "[includeIf \"onbranch:ma*\"]\npath = \"more\"\n",
            6 => config += &format!("[core]excludesfile={}/more#x\n", self.home.display()),
            7 => config += "[core]\nexcludesFile =\n",
            _ => {}
        }
        fs::write(git.join("config"), config).unwrap();
        fs::write(git.join("more"), "[core]\nexcludesFile = ~/included\n").unwrap();
    }

    /// A whole repository, perhaps with others in it; where the walk begins, from the top.
    fn make(&mut self, top: &Path) -> PathBuf {
        fs::create_dir_all(top).unwrap();
        self.paths.clear();
        self.plant(top);
        self.repository(top);
        let folders: Vec<PathBuf> =
            self.paths.iter().filter(|path| is_folder(&top.join(path))).cloned().collect();
        for folder in &folders {
            match self.dice.roll(20) {
                0 => self.repository(&top.join(folder)),
                1 => fs::write(top.join(folder).join(".git"), "junk\n").unwrap(),
                2 => drop(fs::create_dir(top.join(folder).join(".git"))),
                _ => {}
            }
        }
        let clear = |path: &&PathBuf| {
            path.ancestors()
                .all(|it| it.as_os_str().is_empty() || !top.join(it).join(".git").is_file())
        };
        let starts: Vec<&PathBuf> = folders.iter().filter(clear).collect();
        match self.one_in(3) && !starts.is_empty() {
            true => starts[self.dice.roll(starts.len())].clone(),
            false => PathBuf::new(),
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_dir())
}

/// What git sees below each of these directories, by paths from there. A repository in another is
/// but a name to it, and asked on its own.
fn git_sees(roots: &[PathBuf]) -> Vec<BTreeSet<Vec<u8>>> {
    let mut found = vec![BTreeSet::new(); roots.len()];
    let mut asked: Vec<(usize, Vec<u8>)> = (0..roots.len()).map(|at| (at, Vec::new())).collect();
    while !asked.is_empty() {
        let folders = asked.iter().map(|(at, below)| roots[*at].join(OsStr::from_bytes(below)));
        let mut next = Vec::new();
        for ((at, below), listed) in asked.iter().zip(listed_in(folders)) {
            for path in listed.split(|&byte| byte == 0).filter(|path| !path.is_empty()) {
                let path = [below, path].concat();
                match path.ends_with(b"/") {
                    true => next.push((*at, path)),
                    false => drop(found[*at].insert(path)),
                }
            }
        }
        asked = next;
    }
    found
}

/// What git lists in each of these directories; one shell for all of them.
fn listed_in(folders: impl Iterator<Item = PathBuf>) -> Vec<Vec<u8>> {
    let script = "for folder do
        cd \"$folder\" && git ls-files -co --exclude-standard -z || printf 'failed'
        printf '\\n//\\0'
        done";
    let mut command = Command::new("sh");
    let output = command.args(["-c", script, "sh"]).args(folders).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let mut all = Vec::new();
    let mut rest = &output.stdout[..];
    while let Some(end) = memchr::memmem::find(rest, b"\n//\0") {
        assert!(!rest[..end].ends_with(b"failed"), "git: {error}");
        all.push(rest[..end].to_vec());
        rest = &rest[end + 4..];
    }
    all
}

fn we_see(root: &Path, gitignore: bool) -> BTreeSet<Vec<u8>> {
    let start = root.as_os_str().len() + 1;
    let walk = Walk::new(root).gitignore(gitignore).threads(1);
    let mut seen = BTreeSet::new();
    for entry in walk.iter() {
        let entry = entry.unwrap();
        let path = entry.path().as_os_str().as_bytes();
        let is_git = path.split(|&byte| byte == b'/').any(|name| name == b".git");
        if entry.kind() != fewer::Kind::Directory && !is_git {
            seen.insert(path[start..].to_vec());
        }
    }
    seen
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// Compares them all, in this process's environment.
#[test]
fn child_compares_generated_repositories() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let home = PathBuf::from(std::env::var_os("HOME").unwrap());
    let count = number("FEWER_REPOSITORIES", REPOSITORIES as u64);
    let seed = number("FEWER_SEED", SEED);
    let (mut wrong, mut left_out) = (Vec::new(), 0);
    // Some hundred at a time.
    for first in (0..count).step_by(200) {
        let numbers: Vec<u64> = (first..count.min(first + 200)).collect();
        let roots: Vec<PathBuf> = numbers
            .iter()
            .map(|number| {
                let dice = Dice(seed << 32 | number);
                let mut maker = Maker { dice, home: &home, paths: Vec::new() };
                let odd = if number % 3 == 0 { "odd" } else { "r" };
                let top = place.join(format!("{odd}{number}"));
                let start = maker.make(&top);
                top.components().chain(start.components()).collect()
            })
            .collect();
        for (root, git) in roots.iter().zip(git_sees(&roots)) {
            let ours = we_see(root, true);
            left_out += usize::from(we_see(root, false).len() > ours.len());
            let shown = |paths: Vec<&Vec<u8>>| {
                let shown = paths.iter().take(4).map(|path| path.escape_ascii().to_string());
                shown.collect::<Vec<_>>().join("  ")
            };
            if ours != git {
                wrong.push(format!(
                    "{}: git alone: {}; we alone: {}",
                    root.display(),
                    shown(git.difference(&ours).collect()),
                    shown(ours.difference(&git).collect()),
                ));
            }
        }
    }
    let (differ, list) = (wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty(), "{differ} of {count} differ (seed {seed}):\n{list}");
    assert!(left_out as u64 > count / 3, "in {left_out} of {count} something is ignored");
}

/// Runs the comparison in an environment of just these variables.
fn compare(home: &Path, place: &Path, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child_compares_generated_repositories", "--nocapture"]);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    for name in ["FEWER_REPOSITORIES", "FEWER_SEED", "RUST_BACKTRACE", "LLVM_PROFILE_FILE"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HOME", home).env(PLACE, place).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let ran = output.status.success() && text.contains("1 passed");
    assert!(ran, "{variables:?}:\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// A home with the files that configurations name.
fn home(seed: u64) -> tempfile::TempDir {
    let home = fast_place();
    let at = |path: &str| home.path().join(path);
    let mut maker = Maker { dice: Dice(seed), home: home.path(), paths: Vec::new() };
    fs::create_dir_all(at(".config/git")).unwrap();
    fs::create_dir_all(at("elsewhere/git")).unwrap();
    for name in ["more", "included", "elsewhere/git/ignore", "mine"] {
        fs::write(at(name), [b"*.o\n".to_vec(), maker.rules(), b"!b.o\n".to_vec()].concat())
            .unwrap();
    }
    home
}

#[test]
fn in_an_environment_without_configuration() {
    let (home, place) = (home(1), fast_place());
    compare(home.path(), place.path(), &[("GIT_CONFIG_NOSYSTEM", "1")]);
}

#[test]
fn with_the_users_configuration() {
    let (home, place) = (home(2), fast_place());
    let text = "[core]\n\texcludesFile = ~/mine\n[include] path = .more.inc\n\
        [includeIf \"gitdir:**/odd*/\"]\n\tpath = ~/.odd.inc\n";
    fs::write(home.path().join(".gitconfig"), text).unwrap();
    fs::write(home.path().join(".more.inc"), "[core] ignoreCase = false\n").unwrap();
    fs::write(home.path().join(".odd.inc"), "[core] excludesFile = \"~/included\"\n").unwrap();
    compare(home.path(), place.path(), &[("GIT_CONFIG_NOSYSTEM", "yes")]);
}

#[test]
fn with_configuration_from_the_environment() {
    let (home, place) = (home(3), fast_place());
    let path = |name: &str| home.path().join(name).into_os_string().into_string().unwrap();
    fs::write(path("system"), "[core]\n\texcludesFile = ~/more\n").unwrap();
    fs::write(path("global"), "[core]\n\tignoreCase = true\n").unwrap();
    fs::write(path(".gitconfig"), "[core]\n\texcludesFile = ~/mine\n").unwrap();
    let (system, global) = (path("system"), path("global"));
    let files = [("GIT_CONFIG_SYSTEM", &*system), ("GIT_CONFIG_GLOBAL", &*global)];
    compare(home.path(), place.path(), &files);
    let (folder, place) = (path("elsewhere"), fast_place());
    let counted = [
        ("XDG_CONFIG_HOME", &*folder),
        ("GIT_CONFIG_SYSTEM", &*global),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "Core.IgnoreCase"),
        ("GIT_CONFIG_VALUE_0", "false"),
    ];
    compare(home.path(), place.path(), &counted);
}
