//! Operations at random, some of them faster than they can be looked at.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::mirror::{Mirror, Source};
use crate::folder::send;

/// The number of the call that exchanges two names.
const RENAMEAT2: &str = if cfg!(target_arch = "x86_64") { "316" } else { "276" };

/// Numbers at random, the same at each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn one_of(&mut self, paths: &[PathBuf]) -> PathBuf {
        let place = self.below(paths.len());
        paths.get(place).cloned().unwrap_or_else(|| "nothing".into())
    }
}

/// All that is below a directory, and the directories among it.
fn below(top: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut all, mut directories) = (Vec::new(), vec![top.to_owned()]);
    let mut next = 0;
    while let Some(directory) = directories.get(next).cloned() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            all.push(entry.path());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(entry.path());
            }
        }
        next += 1;
    }
    all.sort();
    directories.sort();
    (all, directories)
}

/// Makes rounds of operations, and compares the listings after each.
pub(crate) fn run(source: Source, seed: u64, rounds: usize) {
    let mut random = Random(seed);
    let mut mirror = Mirror::start(source, &["--window", "5ms"]);
    let (t, out) = (mirror.path("t"), mirror.path("out"));
    for round in 0..rounds {
        let stops = round % 20 == 19;
        if stops {
            send(mirror.id(), "STOP");
        }
        for _ in 0..[1, 3, 10, 25][random.below(4)] {
            // Most fail at times, as what they need is not there.
            let _ = operation(&mut random, &t, &out);
        }
        if below(&t).0.len() > 250 {
            let all = below(&t).0;
            let _ = Command::new("rm").arg("-rf").args(&all[..all.len() / 2]).status();
        }
        if stops {
            send(mirror.id(), "CONT");
        }
        mirror.told.clear();
        mirror.agrees();
    }
    assert!(mirror.folder().exists());
}

fn operation(random: &mut Random, t: &Path, out: &Path) -> std::io::Result<()> {
    let (all, directories) = below(t);
    let (one, other) = (random.one_of(&all), random.one_of(&all));
    let new = random.one_of(&directories).join(format!("n{}", random.below(15)));
    let outside = out.join(format!("o{}", random.below(5)));
    match random.below(16) {
        0 | 1 => fs::File::create_new(new).map(drop),
        2 => fs::create_dir(new),
        3 => fs::create_dir_all(new.join("b/c/d")),
        4 if one.symlink_metadata()?.is_file() => fs::write(one, "bytes"),
        4 | 5 => fs::remove_file(one),
        6 => fs::remove_dir_all(one),
        7 | 8 => fs::rename(one, new),
        9 => fs::rename(one, outside),
        10 => fs::rename(outside, new),
        11 => fs::hard_link(one, new),
        12 => std::os::unix::fs::symlink("nowhere", new),
        13 => fs::set_permissions(one, fs::Permissions::from_mode(0o755)),
        14 => fs::rename(one, other),
        _ => {
            // Made, filled and moved before it can be watched; then two exchange their names.
            fs::create_dir_all(new.join("q"))?;
            fs::write(new.join("q/f"), "")?;
            fs::rename(&new, new.with_extension("moved"))?;
            let mut exchange = Command::new("perl");
            exchange.args(["-e", "syscall(shift, -100, shift, -100, shift, 2)", RENAMEAT2]);
            exchange.args([one, other]);
            exchange.stderr(std::process::Stdio::null()).status().map(drop)
        }
    }
}
