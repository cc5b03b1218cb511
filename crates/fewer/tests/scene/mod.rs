//! What the tests of the walk share: trees to walk, ways to look at a walk, and the witnesses it
//! is compared with (GNU find, std).
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod changing;
pub(crate) mod child;
pub(crate) mod library_threads;
pub(crate) mod program;
pub(crate) mod shell;
pub(crate) mod throwaway;
pub(crate) mod tree;
pub(crate) mod witness;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use fewer::walk::Item;
use fewer::{Answer, Errno, Kind, Walk};

/// One visited entry, spelled as `find -printf '%y %d %p'` spells it.
pub(crate) type Line = Vec<u8>;

/// What a walk came upon.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// In the order in which the sink got them.
    pub(crate) lines: Vec<Line>,
    pub(crate) errors: Vec<(Errno, &'static str, PathBuf)>,
}

impl Seen {
    /// As a set: what find prints without `--sort`.
    pub(crate) fn sorted(mut self) -> Vec<Line> {
        self.lines.sort();
        self.lines
    }

    pub(crate) fn errnos(&self) -> Vec<Errno> {
        self.errors.iter().map(|error| error.0).collect()
    }
}

/// The letter that `find -printf %y` has for a kind.
pub(crate) fn letter(kind: Kind) -> char {
    match kind {
        Kind::Unknown => '?',
        Kind::File => 'f',
        Kind::Directory => 'd',
        Kind::Symlink => 'l',
        Kind::Fifo => 'p',
        Kind::Socket => 's',
        Kind::Block => 'b',
        Kind::Char => 'c',
    }
}

fn line(kind: Kind, depth: usize, path: &[u8]) -> Line {
    [format!("{} {depth} ", letter(kind)).as_bytes(), path].concat()
}

/// Does a walk with [`Walk::visit`], or fails if it does not come to its end.
pub(crate) fn see(walk: &Walk) -> Seen {
    see_padded(walk, 0)
}

/// As [`see`], with visitors that write `padding` bytes more for each entry.
pub(crate) fn see_padded(walk: &Walk, padding: usize) -> Seen {
    let walk = walk.clone();
    let (bytes, errors) = in_time(move || {
        let errors = Mutex::new(Vec::new());
        let mut bytes = Vec::new();
        walk.visit(
            || {
                |item: Item<'_>, out: &mut Vec<u8>| {
                    match item {
                        Ok(entry) => {
                            out.extend(line(entry.kind(), entry.depth(), entry.path_bytes()));
                            out.resize(out.len() + padding, b'/');
                            out.push(0);
                        }
                        Err(error) => errors.lock().unwrap().push((
                            error.errno(),
                            error.action().words(),
                            error.path().to_owned(),
                        )),
                    }
                    Answer::Continue
                }
            },
            |block| {
                bytes.extend_from_slice(block);
                Answer::Continue
            },
        );
        (bytes, errors.into_inner().unwrap())
    });
    let mut lines = records(&bytes);
    lines.iter_mut().for_each(|line| {
        line.truncate(line.len() - padding);
        line.shrink_to_fit();
    });
    Seen { lines, errors }
}

/// Does a walk with [`Walk::iter`].
pub(crate) fn see_iter(walk: &Walk) -> Seen {
    let walk = walk.clone();
    in_time(move || {
        let mut seen = Seen::default();
        for item in &walk {
            match item {
                Ok(entry) => {
                    let path = entry.path().as_os_str().as_encoded_bytes();
                    seen.lines.push(line(entry.kind(), entry.depth(), path));
                }
                Err(error) => {
                    seen.errors.push((
                        error.errno(),
                        error.action().words(),
                        error.path().to_owned(),
                    ));
                }
            }
        }
        seen
    })
}

/// The pieces before each NUL.
pub(crate) fn records(bytes: &[u8]) -> Vec<Line> {
    let mut pieces: Vec<Line> = bytes.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    assert_eq!(pieces.pop().as_deref(), Some(&b""[..]), "the last record is cut short");
    pieces
}

/// Fails if `work` takes so long that it must be stuck; a panic in it is passed on.
pub(crate) fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, answer) = channel();
    let worker = std::thread::spawn(move || {
        let result = work();
        let _ = done.send(());
        result
    });
    match answer.recv_timeout(Duration::from_secs(120)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("stuck for two minutes"),
        _ => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Compares two lists of lines and shows where they differ, readably.
#[track_caller]
pub(crate) fn assert_same(ours: &[Line], theirs: &[Line], what: &str) {
    if ours == theirs {
        return;
    }
    let show = |line: Option<&Line>| line.map(|line| line.escape_ascii().to_string());
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    panic!(
        "{what}: {} lines for {}; at {at} ours is {:?}, theirs {:?}",
        ours.len(),
        theirs.len(),
        show(ours.get(at)),
        show(theirs.get(at))
    );
}

/// Says why a test cannot run here. Skips are for what the machine lacks, never for failures.
pub(crate) fn skip(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0)
}
