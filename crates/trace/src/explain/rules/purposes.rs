//! What programs are for, as far as their names and words say it: work that was asked for is no
//! waste. One table for each kind of work; rules ask here and have no lists of their own.

use super::prelude::*;
use crate::Text;

/// Start others, again and again, because that is their work.
const STARTERS: &[&str] = &[
    "apt", "apt-get", "bazel", "buck2", "cargo", "cmake", "cron", "ctest", "dpkg", "entr", "gmake",
    "go", "gradle", "init", "just", "make", "meson", "mvn", "ninja", "nix", "npm", "npm-cli",
    "npx", "parallel", "perf", "pnpm", "prove", "pytest", "run-parts", "scons", "sshd", "strace",
    "systemd", "time", "tox", "watch",
];
/// Are started for one item at a time, because that is how they work: compilers and their like.
const WORKERS: &[&str] = &[
    "ar", "as", "c++", "cc", "cc1", "cc1plus", "clang", "clang++", "collect2", "ffmpeg", "g++",
    "gcc", "javac", "ld", "rustc", "ssh", "tsc",
];
/// Show metadata, or keep it.
const REPORTERS: &[&str] = &[
    "bfs", "chgrp", "chmod", "chown", "cp", "dir", "du", "duf", "dust", "eza", "exa", "git", "ls",
    "lsd", "mv", "ncdu", "rm", "rsync", "stat", "tar", "tree", "vdir", "zip", "cpio", "rclone",
    "borg", "restic", "duperemove", "fdupes", "jdupes", "install", "make", "mirror", "rdfind",
    "touch", "unison", "updatedb",
];
/// Words that make `find` look at metadata.
const CONDITIONS: &[&str] = &[
    "-size", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-perm", "-user",
    "-group", "-uid", "-gid", "-nouser", "-nogroup", "-links", "-inum", "-empty", "-ls", "-fls",
    "-printf", "-fprintf", "-samefile", "-executable", "-readable", "-writable",
];

/// Interpreters that are written in C like their scripts are not.
const SCRIPTED: &[&str] = &[
    "awk", "emacs", "expect", "gawk", "guile", "julia", "lua", "luajit", "mawk", "nvim", "octave",
    "R", "tclsh", "texlua", "vim", "wish",
];

/// Whether the author of this program chooses how directories are read: not where a runtime does.
pub(super) fn reads_directories(program: PathId, registry: &Registry) -> bool {
    let is_compiled =
        matches!(registry.language(program), Language::C | Language::Cpp | Language::Rust);
    let name = base_name(registry.path(program));
    let is_version = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let versions = name.iter().rev().take_while(|byte| is_version(byte)).count();
    is_compiled && !is_among(SCRIPTED, &name[..name.len() - versions])
}

/// Whether this program's work is to start others.
pub(super) fn starts_others(program: &[u8]) -> bool {
    is_among(STARTERS, program)
}

/// Whether that is the work of what the words of a command name: a program, or the script of an
/// interpreter (`perl /usr/bin/prove`, `python3 -m pytest`).
pub(super) fn is_starter(words: &[Text]) -> bool {
    let script = words.iter().skip(1).find(|word| !word.0.starts_with(b"-"));
    let stem = |word: &Text| -> Vec<u8> {
        base_name(&word.0).iter().copied().take_while(|byte| *byte != b'.').collect()
    };
    words.first().into_iter().chain(script).any(|word| is_among(STARTERS, &stem(word)))
}

/// Whether this program works on one item in a process. Compilers often have the name of a target
/// in front, and a version behind: `x86_64-linux-gnu-gcc-12`.
pub(super) fn works_alone(program: &[u8]) -> bool {
    let name = base_name(program);
    let is_version = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let versions = name.iter().rev().take_while(|byte| is_version(byte)).count();
    let name = &name[..name.len() - versions];
    let plain = name.rsplit(|byte| *byte == b'-').next().unwrap_or_default();
    is_among(WORKERS, name) || is_among(WORKERS, plain)
}

/// Whether the work of a program that was started with these words is metadata.
pub(super) fn reports_metadata<'r>(words: impl Iterator<Item = &'r [u8]> + Clone) -> bool {
    let mut names = words.clone().map(base_name);
    let program = names.next().unwrap_or_default();
    let program = if program == b"busybox" { names.next().unwrap_or_default() } else { program };
    is_among(REPORTERS, program)
        || program == b"find" && words.clone().any(|word| is_among(CONDITIONS, word))
}

fn is_among(list: &[&str], program: &[u8]) -> bool {
    let name = base_name(program);
    list.iter().any(|other| other.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_starts_others_is_known_by_its_script() {
        let words = |text: &str| text.split(' ').map(Text::from).collect::<Vec<_>>();
        for text in ["make -j", "perl /usr/bin/prove t", "python3 -m pytest", "node /x/npm-cli.js"]
        {
            assert!(is_starter(&words(text)), "{text}");
        }
        for text in ["perl /home/u/make/list.pl", "sh go-on", "python3 -c print", "x"] {
            assert!(!is_starter(&words(text)), "{text}");
        }
    }

    #[test]
    fn compilers_are_known_under_all_their_names() {
        for name in ["/usr/bin/gcc", "gcc-12", "x86_64-linux-gnu-gcc-12", "clang++-14", "cc1"] {
            assert!(works_alone(name.as_bytes()), "{name}");
        }
        for name in ["/usr/bin/wc", "gcc-list", "", "12", "accept"] {
            assert!(!works_alone(name.as_bytes()), "{name}");
        }
    }
}
