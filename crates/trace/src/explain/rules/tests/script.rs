//! Streams written as text: what a program does, call by call.

use super::stream::{ENODATA, ENOENT, ENOTTY, FDCWD, Stream, names};
use crate::Machine;

/// The flag by which `opendir` opens (asm/fcntl.h: Arm has a number of its own).
pub(super) const O_DIRECTORY: u64 = match Machine::HERE {
    Machine::X86_64 => 0o200_000,
    Machine::Aarch64 => 0o40_000,
};

impl Stream {
    /// A program in `/w` that does these steps so many times; see [`Stream::repeat`].
    pub(super) fn script(times: u64, steps: &str) -> Stream {
        Stream::new().then(times, steps)
    }

    /// Does steps, between which `; ` stands, so many times: `open /w/f#; fstat #+1; close`. `#` is
    /// the number of the round, from 0 on.
    ///
    /// | step | what is called |
    /// |---|---|
    /// | `stat PATH ANSWER`, `lstat PATH ANSWER`, `no-stat PATH` | `newfstatat` |
    /// | `open PATH [FLAGS]`, `opendir PATH`, `no-open PATH` | `openat` |
    /// | `access PATH`, `readlink PATH`, `list PATH ENTRIES` | as the methods of these names |
    /// | `fstat ANSWER`, `read SIZE MOVED ANSWER`, `write MOVED`, `close` | on a descriptor |
    /// | `have@FD PATH` | nothing: the descriptor stands for that |
    /// | `NAME PATH = RESULT`, `NAME [ARGUMENT [ARGUMENT]] = RESULT` | any other |
    ///
    /// The descriptor is the one that was opened last; in `read@5` it is 5.
    pub(super) fn repeat(&mut self, times: u64, steps: &str) {
        for round in 0..times {
            steps.split("; ").for_each(|step| self.step(step, round));
        }
    }

    /// The stream after these steps.
    pub(super) fn then(mut self, times: u64, steps: &str) -> Stream {
        self.repeat(times, steps);
        self
    }

    fn step(&mut self, step: &str, round: u64) {
        let (call, result) = step.split_once(" = ").unwrap_or((step, "0"));
        let words: Vec<&str> = call.split(' ').collect();
        let (name, fd) = match words[0].split_once('@') {
            Some((name, fd)) => (name, fd.parse().unwrap()),
            None => (words[0], self.opened),
        };
        let path =
            &*words.get(1).map_or_else(String::new, |it| it.replace('#', &round.to_string()));
        let number = |at: usize| words.get(at).map_or(0, |word| number(word, round));
        match name {
            "stat" => drop(self.stat(path, number(2))),
            "lstat" => drop(self.lstat(path, number(2))),
            "no-stat" => drop(self.miss(path)),
            "have" => self.have(fd, path),
            "open" => drop(self.open_at(FDCWD, path, number(2))),
            "opendir" => drop(self.open_at(FDCWD, path, O_DIRECTORY)),
            "no-open" => drop(self.open_miss(path)),
            "access" => drop(self.access(path)),
            "readlink" => drop(self.readlink(path)),
            "list" => self.list(path, &names(number(2) as usize)),
            "fstat" => self.fstat(fd, number(1)),
            "read" => self.read(fd, number(1), number(2), number(3)),
            "write" => self.write(fd, number(1)),
            "close" => self.close(fd),
            _ => {
                let result = match result {
                    "ENOENT" => ENOENT,
                    "ENOTTY" => ENOTTY,
                    "ENODATA" => ENODATA,
                    number => number.parse().unwrap(),
                };
                match path.starts_with('/') {
                    true => drop(self.call(name, path, result)),
                    false => drop(self.on(name, fd, [number(1), number(2)], result)),
                }
            }
        }
    }
}

/// A number in decimal, octal (`0o`) or hexadecimal (`0x`); `#+1` is that of the round and one.
fn number(word: &str, round: u64) -> u64 {
    match (word.split_once('+'), word.get(..2)) {
        (Some(("#", more)), _) => round + more.parse::<u64>().unwrap(),
        _ if word == "#" => round,
        (_, Some("0o")) => u64::from_str_radix(&word[2..], 8).unwrap(),
        (_, Some("0x")) => u64::from_str_radix(&word[2..], 16).unwrap(),
        _ => word.parse().unwrap(),
    }
}
