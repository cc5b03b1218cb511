//! Answers, each sent when its time has come.
//!
//! One thread takes the kernel's requests and makes the answers, another one sends them. The delay
//! is the same for all, so the answers are due in the order in which they were made: a channel is
//! all the calendar there is, and answers do not wait for each other.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use fuser::{
    FileType, Filesystem, KernelConfig, ReplyAttr, ReplyData, ReplyDirectory, ReplyEntry,
    ReplyOpen, ReplyStatfs, Request,
};
use libc::{ENOENT, c_int};

use crate::memory::Tree;

/// What the kernel may keep what it was told for: not at all.
const NO_TIME: Duration = Duration::ZERO;

type Answer = Box<dyn FnOnce() + Send>;

pub(crate) struct Delayed {
    tree: Tree,
    delay: Duration,
    waiting: Sender<(Instant, Answer)>,
    tally: Arc<Tally>,
}

impl Delayed {
    pub(crate) fn new(tree: Tree, delay: Duration) -> Self {
        let (waiting, answers) = mpsc::channel::<(Instant, Answer)>();
        let tally = Arc::new(Tally::default());
        let sender_tally = Arc::clone(&tally);
        std::thread::spawn(move || {
            // The usual 50 µs are a quarter of the shortest delay. Nothing is lost without it.
            // SAFETY: no memory is involved.
            unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64) };
            for (due, answer) in answers {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                answer();
                sender_tally.under_way.fetch_sub(1, Relaxed);
            }
        });
        Delayed { tree, delay, waiting, tally }
    }

    pub(crate) fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    fn later(&self, question: Question, answer: impl FnOnce() + Send + 'static) {
        self.tally.count(question);
        // The receiver lives as long as the process.
        let _ = self.waiting.send((Instant::now() + self.delay, Box::new(answer)));
    }
}

impl Filesystem for Delayed {
    fn init(&mut self, _: &Request<'_>, config: &mut KernelConfig) -> Result<(), c_int> {
        // Else the kernel itself asks for one name of a directory at a time.
        let _ = config.add_capabilities(fuser::consts::FUSE_PARALLEL_DIROPS);
        Ok(())
    }

    fn lookup(&mut self, _: &Request<'_>, parent: u64, name: &OsStr, reply: ReplyEntry) {
        let found = self.tree.child(parent, name).map(|node| node.attributes);
        self.later(Question::Lookup, move || match found {
            Some(attributes) => reply.entry(&NO_TIME, &attributes, 0),
            None => reply.error(ENOENT),
        });
    }

    fn getattr(&mut self, _: &Request<'_>, inode: u64, _: Option<u64>, reply: ReplyAttr) {
        let found = self.tree.node(inode).map(|node| node.attributes);
        self.later(Question::Getattr, move || match found {
            Some(attributes) => reply.attr(&NO_TIME, &attributes),
            None => reply.error(ENOENT),
        });
    }

    fn readlink(&mut self, _: &Request<'_>, inode: u64, reply: ReplyData) {
        let found = self.tree.node(inode).map(|node| node.target.clone());
        self.later(Question::Readlink, move || match found {
            Some(target) => reply.data(target.as_os_str().as_bytes()),
            None => reply.error(ENOENT),
        });
    }

    fn opendir(&mut self, _: &Request<'_>, _inode: u64, _flags: i32, reply: ReplyOpen) {
        self.later(Question::Opendir, move || reply.opened(0, 0));
    }

    /// A position is the number of entries before it, `.` and `..` being the first two.
    fn readdir(
        &mut self,
        _: &Request<'_>,
        inode: u64,
        _handle: u64,
        position: i64,
        mut reply: ReplyDirectory,
    ) {
        let Some(node) = self.tree.node(inode) else { return reply.error(ENOENT) };
        let dots = [(".", inode), ("..", node.parent)].map(|(name, inode)| (name.as_ref(), inode));
        let names = node.children.iter().map(|(name, inode)| (name.as_os_str(), *inode));
        let entries = dots.into_iter().chain(names).enumerate();
        for (at, (name, inode)) in entries.skip(usize::try_from(position).unwrap_or(0)) {
            let child = self.tree.node(inode);
            let kind = child.map_or(FileType::Directory, |child| child.attributes.kind);
            if reply.add(inode, at as i64 + 1, kind, name) {
                break;
            }
        }
        self.later(Question::Readdir, move || reply.ok());
    }

    fn statfs(&mut self, _: &Request<'_>, _inode: u64, reply: ReplyStatfs) {
        self.later(Question::Statfs, move || reply.statfs(0, 0, 0, 0, 0, 4096, 255, 4096));
    }
}

#[derive(Clone, Copy)]
enum Question {
    Lookup,
    Getattr,
    Opendir,
    Readdir,
    Readlink,
    Statfs,
}

/// What was asked, and how much of it at once.
#[derive(Default)]
pub(crate) struct Tally {
    asked: [AtomicU64; 6],
    under_way: AtomicU64,
    under_way_most: AtomicU64,
}

impl Tally {
    fn count(&self, question: Question) {
        self.asked[question as usize].fetch_add(1, Relaxed);
        let now = self.under_way.fetch_add(1, Relaxed) + 1;
        self.under_way_most.fetch_max(now, Relaxed);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["lookup", "getattr", "opendir", "readdir", "readlink", "statfs"];
        for (name, asked) in names.iter().zip(&self.asked) {
            write!(to, "{} {name}, ", asked.load(Relaxed))?;
        }
        write!(to, "at most {} at once", self.under_way_most.load(Relaxed))
    }
}
