//! Standard tools that need no process: what loops of scripts call.
//!
//! A tool is used only where `fits` says that these arguments are done here exactly as GNU
//! coreutils does them; anything else (usage errors, `--help`, rare flags) is left to the real one.
//!
//! | room | what lives there |
//! |---|---|
//! | `arguments` | options and operands, told apart as `getopt_long` does |
//! | `source` | operands that are files, read block by block; what is said if they cannot be |
//! | `ends` | what `head` and `tail` have in common |
//! | `quote` | names in messages |
//! | `files` | the tools that change a tree, or tell what is in it |
//! | `judge` | tests: a tool here and the real one, side by side |
//! | all others | the tools of that name |

mod arguments;
mod cat;
mod cut;
mod date;
mod ends;
mod expr;
mod files;
mod grep;
mod head;
#[cfg(test)]
mod judge;
mod names;
mod nothing;
mod quote;
mod sed;
mod seq;
mod sleep;
mod sort;
mod source;
mod tail;
mod tee;
mod tr;
mod uniq;
mod wc;

use fewer::{Errno, Scope, Stat};

use crate::Text;

/// All of them, by name.
#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    names::BASENAME,
    cat::CAT,
    files::CP,
    cut::CUT,
    date::DATE,
    names::DIRNAME,
    files::ENV,
    expr::EXPR,
    nothing::FALSE,
    grep::GREP,
    head::HEAD,
    files::LN,
    files::LS,
    files::MKDIR,
    files::MKTEMP,
    files::MV,
    files::PWD,
    files::READLINK,
    files::REALPATH,
    files::RM,
    files::RMDIR,
    sed::SED,
    seq::SEQ,
    sleep::SLEEP,
    sort::SORT,
    tail::TAIL,
    tee::TEE,
    files::TOUCH,
    tr::TR,
    nothing::TRUE,
    uniq::UNIQ,
    wc::WC,
];

/// The tool of this name.
///
/// Price: none.
#[must_use]
pub fn find(name: &[u8]) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name.as_bytes() == name)
}

/// One tool.
#[derive(Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Whether these arguments (without its name) are done here exactly as the real one does them.
    pub fits: fn(&[Text], &Lent<'_>) -> bool,
    /// Does them, and gives the exit status. Asked only if they fit.
    pub run: fn(&[Text], &mut Lent<'_>) -> Result<u8, Broken>,
}

/// What a tool is lent.
pub struct Lent<'a> {
    /// The directory that it is in.
    pub scope: &'a Scope,
    /// Its standard input.
    pub input: &'a mut dyn Input,
    /// Its standard output.
    pub output: &'a mut dyn Output,
    /// Its standard error.
    pub errors: &'a mut dyn Output,
    /// Its environment: TZ, POSIXLY_CORRECT, …
    pub environment: &'a dyn Fn(&[u8]) -> Option<Vec<u8>>,
    /// Whether the locale's characters are UTF-8; bytes if not.
    pub utf8: bool,
    /// Whether standard output is a terminal.
    pub terminal: bool,
    /// Whether standard input is a terminal: `rm` and `mv` would ask there.
    pub asks: bool,
    /// Hands over each variable of its environment, as `NAME=value`, in order: for `env`.
    pub variables: &'a Variables<'a>,
    /// Whether a signal came that ends it.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl<'a> Lent<'a> {
    fn place(&self) -> source::Place<'a> {
        source::Place { scope: self.scope, interrupted: self.interrupted }
    }
}

/// Hands over one variable after the other, as `NAME=value`.
pub type Variables<'a> = dyn Fn(&mut dyn FnMut(&[u8])) + 'a;

/// A stream to read.
pub trait Input {
    /// What is there, from the kernel if nothing is left: empty only at the end.
    fn fill(&mut self) -> Result<&[u8], Errno>;
    /// So many bytes of it are used.
    fn consume(&mut self, bytes: usize);
    /// Kind, size, device and inode of the file that it is; `None` for what is a pipe, or passes
    /// for one.
    ///
    /// Price: one `statx`.
    fn stat(&self) -> Option<Stat> {
        None
    }
}

/// A stream to write. Buffered by whoever lends it.
pub trait Output {
    /// All of it.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Broken>;
    /// Kind, device and inode of the file that it is; `None` for what is a pipe, or passes for one.
    ///
    /// Price: one `statx`.
    fn stat(&self) -> Option<Stat> {
        None
    }
}

/// What a tool leaves to the real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The arguments without the operands that are done.
    pub arguments: Vec<Text>,
    /// What has come of those.
    pub status: u8,
}

/// Why a tool ends before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Nobody reads any more: as if by SIGPIPE, in silence.
    Pipe,
    /// Standard output cannot be written: whoever runs the tool says so (`cat: write error: …`).
    Output(Errno),
    /// A signal came, or a limit was reached: whoever runs the tool knows.
    Stopped,
    /// What lies on the disk is not for this one, which shows only there. Nothing has been read,
    /// written or changed: the real tool is to be run, as if the arguments had not fitted.
    Unfit,
    /// As for `Unfit`, but some operands are done: the real tool is to be run with the others.
    Rest(Box<Rest>),
}
