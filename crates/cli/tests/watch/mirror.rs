//! A listing that is kept by what `fewer watch` tells.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::folder::send;

/// How long to wait for what must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Paths, each with its kind as find has it.
type Listing = BTreeMap<String, String>;

/// The flags that choose where events come from.
pub(crate) type Source = &'static [&'static str];

pub(crate) const INOTIFY: Source = &[];

const FANOTIFY: Source = &["--fanotify"];

/// Why whole file systems cannot be watched here.
pub(crate) fn refusal() -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = std::ffi::CString::new(folder.path().to_str().unwrap()).unwrap();
    let dir = sys::open_dir(sys::CWD, &path, true).unwrap();
    let group = sys::new_file_system_watcher();
    let marked = group.and_then(|group| sys::watch_file_system(&group, &dir));
    let errno = marked.and_then(|()| sys::directory_handle(&dir)).err()?;
    Some(format!("the kernel refuses fanotify: {errno:?}"))
}

/// Runs a test with fanotify. What other programs do on a file system might be more than the queue
/// takes, so the test has one of its own: this program runs it once more, in a mount namespace with
/// a new tmpfs for temporary files.
pub(crate) fn with_fanotify(path: &str, test: fn(Source)) {
    const INSIDE: &str = "FEWER_TEST_OWN_FILE_SYSTEM";
    if std::env::var_os(INSIDE).is_some() {
        return match refusal() {
            None => test(FANOTIFY),
            Some(reason) => println!("skipped: {reason}"),
        };
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs none \"$TMPDIR\" || exit 77; exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["-m", "--propagation", "private", "sh", "-c", script, "sh"]);
    let (_, name) = path.split_once("::").unwrap();
    command.arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
    let output = command.env("TMPDIR", folder.path()).env(INSIDE, "yes").output();
    let Some(output) = could_mount(&output) else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let (out, errors) = (output.stdout.as_slice(), output.stderr.as_slice());
    let [out, errors] = [out, errors].map(String::from_utf8_lossy);
    assert!(output.status.success() && out.contains("1 passed"), "{out}{errors}");
    print!("{out}");
}

/// The output of a program that needs a mount, if it has one.
pub(crate) fn could_mount(output: &std::io::Result<Output>) -> Option<&Output> {
    output.as_ref().ok().filter(|output| !matches!(output.status.code(), Some(77 | 1)))
}

/// Each test with both sources, in modules of their names.
macro_rules! with_both_sources {
    ($($test:ident)+) => {
        mod inotify {
            $(
                #[test]
                fn $test() {
                    super::$test(crate::mirror::INOTIFY);
                }
            )+
        }

        mod fanotify {
            $(
                #[test]
                fn $test() {
                    let path = concat!(module_path!(), "::", stringify!($test));
                    crate::mirror::with_fanotify(path, super::$test);
                }
            )+
        }
    };
}
pub(crate) use with_both_sources;

/// A running `fewer watch t`, and the listing as it was told.
pub(crate) struct Mirror {
    child: Child,
    lines: Receiver<Vec<u8>>,
    folder: tempfile::TempDir,
    listing: Listing,
    /// Whether only some entries are told, so that there is no listing.
    partial: bool,
    /// What was told: the change and its paths.
    pub(crate) told: Vec<String>,
    /// How many blocks came.
    pub(crate) batches: usize,
    rest: Vec<u8>,
}

impl Drop for Mirror {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Mirror {
    /// Watches the folder `t`, beside which there is `out`. Returns when it is watched.
    pub(crate) fn start(source: Source, words: &[&str]) -> Mirror {
        let folder = tempfile::tempdir().unwrap();
        for name in ["t", "out"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.args(["watch", "--json", "--window", "20ms", "t"]).args(source).args(words);
        command.current_dir(folder.path()).stdin(Stdio::null());
        // A pipe that is not read would hold it up when it is full.
        let errors = std::fs::File::create(folder.path().join("errors")).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut block = [0; 1 << 16];
            while let Ok(got @ 1..) = out.read(&mut block) {
                if sender.send(block[..got].to_vec()).is_err() {
                    break;
                }
            }
        });
        let partial = words.contains(&"-e");
        let (listing, told, rest) = (Listing::new(), Vec::new(), Vec::new());
        let mut mirror = Mirror { child, lines, folder, listing, partial, told, batches: 0, rest };
        mirror.listing = mirror.find();
        mirror.wait_until_it_watches();
        mirror
    }

    /// What is made before it watches is not told: it is made again until it is.
    fn wait_until_it_watches(&mut self) {
        let probe = self.path("t/probe.rs");
        let end = Instant::now() + PATIENCE;
        let mut rounds = 0;
        while self.told.is_empty() {
            rounds += 1;
            assert!(Instant::now() < end, "it does not begin");
            self.listing.remove("t/probe.rs");
            std::fs::write(&probe, "").unwrap();
            self.take(Duration::from_millis(300));
            std::fs::remove_file(&probe).unwrap();
            // Known from the beginning, and removed.
            if self.told.is_empty() {
                self.listing.insert("t/probe.rs".into(), "f".into());
                self.take(Duration::from_millis(300));
            }
        }
        while self.listing.contains_key("t/probe.rs") {
            assert!(Instant::now() < end, "the probe stays");
            self.take(Duration::from_millis(20));
        }
        self.told.clear();
        // It may have been too slow to tell one that it saw.
        self.batches = rounds;
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What is there, by find.
    fn find(&self) -> Listing {
        let mut command = Command::new("find");
        command.args(["t", "-printf", "%p\\t%y\\0"]).current_dir(self.folder.path());
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let rows = text.split_terminator('\0').filter_map(|row| row.split_once('\t'));
        rows.map(|(path, kind)| (path.to_owned(), kind.to_owned())).collect()
    }

    /// Takes what comes within a time; false at the end.
    fn take(&mut self, time: Duration) -> bool {
        match self.lines.recv_timeout(time) {
            Ok(bytes) => {
                self.batches += 1;
                self.rest.extend(bytes);
                while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                    let line: Vec<u8> = self.rest.drain(..=end).collect();
                    self.apply(&serde_json::from_slice(&line).unwrap());
                }
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    fn apply(&mut self, line: &Value) {
        let path = line["path"]["text"].as_str().unwrap().to_owned();
        let from = line["from"]["text"].as_str().map(str::to_owned);
        let change = line["change"].as_str().unwrap();
        let words: Vec<&str> = [change].into_iter().chain(from.as_deref()).collect();
        self.told.push(format!("{} {path}", words.join(" ")));
        let kind = match line["kind"].as_str().unwrap() {
            "symlink" => "l",
            "fifo" => "p",
            kind => &kind[..1],
        };
        let below = |path: &str| format!("{path}/");
        let is_empty = |listing: &Listing, path: &str| {
            !listing.keys().any(|other| other.starts_with(&below(path)))
        };
        let listing = &mut self.listing;
        let parent = path.rsplit_once('/').is_none_or(|(dir, _)| listing.contains_key(dir));
        assert!(parent || self.partial, "no parent: {line}");
        match change {
            "added" => assert!(listing.insert(path, kind.into()).is_none(), "twice: {line}"),
            "removed" => {
                assert!(is_empty(listing, &path), "not empty: {line}");
                assert!(listing.remove(&path).is_some(), "unknown: {line}");
            }
            "renamed" => {
                let from = from.unwrap();
                assert!(is_empty(listing, &path), "replaces a tree: {line}");
                listing.remove(&path);
                let is_moved = |at: &String| *at == from || at.starts_with(&below(&from));
                let moved: Vec<String> =
                    listing.keys().filter(|at| is_moved(at)).cloned().collect();
                assert!(!moved.is_empty(), "unknown: {line}");
                for old in moved {
                    let kind = listing.remove(&old).unwrap();
                    listing.insert(format!("{path}{}", &old[from.len()..]), kind);
                }
            }
            _ => assert!(listing.insert(path, kind.into()).is_some(), "unknown: {line}"),
        }
    }

    /// Waits for as many changes, which must be just these.
    pub(crate) fn tells(&mut self, lines: &[&str]) {
        let end = Instant::now() + PATIENCE;
        while self.told.len() < lines.len() && Instant::now() < end {
            self.take(Duration::from_millis(50));
        }
        assert_eq!(self.told, lines);
        self.told.clear();
    }

    /// As `tells`, after which the listing is that of find.
    pub(crate) fn expect(&mut self, lines: &[&str]) {
        self.tells(lines);
        assert_eq!(self.listing, self.find());
    }

    /// Waits until the listing is that of find.
    pub(crate) fn agrees(&mut self) {
        let (end, real) = (Instant::now() + PATIENCE, self.find());
        while self.listing != real && Instant::now() < end {
            if !self.take(Duration::from_millis(50)) {
                panic!("it ended: {:?}, {}", self.child.wait(), self.errors());
            }
        }
        if self.listing != real {
            let missing = real.keys().filter(|path| !self.listing.contains_key(*path));
            let extra = self.listing.keys().filter(|path| !real.contains_key(*path));
            let (missing, extra): (Vec<_>, Vec<_>) = (missing.collect(), extra.collect());
            let errors = self.errors();
            panic!("missing {missing:?}, extra {extra:?}, told {:?}, {errors}", self.told);
        }
    }

    /// Waits for its end: the status, and what it wrote to standard error.
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        let end = Instant::now() + PATIENCE;
        while self.take(Duration::from_millis(50)) {
            assert!(Instant::now() < end, "it does not end");
        }
        (self.child.wait().unwrap(), self.errors())
    }

    /// What it has written to standard error.
    fn errors(&self) -> String {
        std::fs::read_to_string(self.path("errors")).unwrap()
    }

    /// A signal ends it, and it dies of that.
    pub(crate) fn ends_of(mut self, signal: i32) {
        use std::os::unix::process::ExitStatusExt;
        send(self.id(), &signal.to_string());
        assert_eq!(self.end().0.signal(), Some(signal));
    }

    /// Ends it by closing the pipe that it writes to, when it has nothing to write.
    pub(crate) fn ends_without_reader(mut self) -> ExitStatus {
        // The thread that reads ends with the next block that it cannot pass on.
        self.lines = channel().1;
        std::fs::write(self.path("t/last"), "").unwrap();
        self.child.wait().unwrap()
    }
}
