//! All tools.

use crate::cat::Cat;
use crate::cut::Cut;
use crate::date::Date;
use crate::expr::Expr;
use crate::files::{Cp, Env, LinkTarget, Ln, Ls, Mkdir, Mktemp, Mv, Pwd, Rm, Rmdir, Touch};
use crate::fold::Fold;
use crate::grep::Grep;
use crate::head::Head;
use crate::job::Prepared;
use crate::names::Names;
use crate::nothing::Nothing;
use crate::sed::Sed;
use crate::seq::Seq;
use crate::sleep::Sleep;
use crate::sort::Sort;
use crate::tail::Tail;
use crate::tee::Tee;
use crate::tr::Tr;
use crate::uniq::Uniq;
use crate::wc::Wc;
use crate::{Io, ToolJob};

/// All tools, by name.
pub static TOOLS: &[Tool] = &[
    row("basename", Uses::Streams, Ends::Always, |args, io| boxed(Names::basename(args, io)?)),
    row("cat", Uses::Files, Ends::WithPlainFiles, |args, io| boxed(Cat::parse(args, io)?)),
    row("cp", Uses::Files, Ends::Unknown, |args, io| boxed(Cp::parse(args, io)?)),
    row("cut", Uses::Files, Ends::WithInput, |args, io| boxed(Cut::parse(args, io)?)),
    row("date", Uses::Streams, Ends::Always, |args, io| boxed(Date::parse(args, io)?)),
    row("dirname", Uses::Streams, Ends::Always, |args, io| boxed(Names::dirname(args, io)?)),
    row("env", Uses::Files, Ends::Unknown, |args, io| boxed(Env::parse(args, io)?)),
    row("expr", Uses::Streams, Ends::Always, |args, io| boxed(Expr::parse(args, io)?)),
    row("false", Uses::Streams, Ends::Always, |args, _| boxed(Nothing::parse(args, 1)?)),
    row("fold", Uses::Files, Ends::WithInput, |args, io| boxed(Fold::parse(args, io)?)),
    row("grep", Uses::Files, Ends::WithInput, |args, io| boxed(Grep::parse(args, io)?)),
    row("head", Uses::Files, Ends::WithInput, |args, io| boxed(Head::parse(args, io)?)),
    row("ln", Uses::Files, Ends::Unknown, |args, io| boxed(Ln::parse(args, io)?)),
    row("ls", Uses::Files, Ends::Always, |args, io| boxed(Ls::parse(args, io)?)),
    row("mkdir", Uses::Files, Ends::Always, |args, io| boxed(Mkdir::parse(args, io)?)),
    row("mktemp", Uses::Files, Ends::Always, |args, io| boxed(Mktemp::parse(args, io)?)),
    row("mv", Uses::Files, Ends::Unknown, |args, io| boxed(Mv::parse(args, io)?)),
    row("pwd", Uses::Files, Ends::Always, |args, io| boxed(Pwd::parse(args, io)?)),
    row("readlink", Uses::Files, Ends::Always, |args, io| boxed(LinkTarget::readlink(args, io)?)),
    row("realpath", Uses::Files, Ends::Always, |args, io| boxed(LinkTarget::realpath(args, io)?)),
    row("rm", Uses::Files, Ends::Unknown, |args, io| boxed(Rm::parse(args, io)?)),
    row("rmdir", Uses::Files, Ends::Always, |args, io| boxed(Rmdir::parse(args, io)?)),
    row("sed", Uses::Files, Ends::WithInput, |args, io| boxed(Sed::parse(args, io)?)),
    row("seq", Uses::Streams, Ends::Always, |args, io| boxed(Seq::parse(args, io)?)),
    row("sleep", Uses::Time, Ends::Unknown, |args, io| boxed(Sleep::parse(args, io)?)),
    row("sort", Uses::Files, Ends::WithInput, |args, io| boxed(Sort::parse(args, io)?)),
    row("tail", Uses::Files, Ends::WithInput, |args, io| boxed(Tail::parse(args, io)?)),
    row("tee", Uses::Files, Ends::Unknown, |args, io| boxed(Tee::parse(args, io)?)),
    row("touch", Uses::Files, Ends::Always, |args, io| boxed(Touch::parse(args, io)?)),
    row("tr", Uses::Files, Ends::WithInput, |args, io| boxed(Tr::parse(args, io)?)),
    row("true", Uses::Streams, Ends::Always, |args, _| boxed(Nothing::parse(args, 0)?)),
    row("uniq", Uses::Files, Ends::WithInput, |args, io| boxed(Uniq::parse(args, io)?)),
    row("wc", Uses::Files, Ends::WithInput, |args, io| boxed(Wc::parse(args, io)?)),
];

/// One tool.
#[derive(Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it looks at or changes.
    pub uses: Uses,
    /// When it ends.
    pub ends: Ends,
    prepare: Prepare,
}

type Prepare = for<'a> fn(&'a [&'a [u8]], &Io<'_>) -> Prepared<'a>;

/// What a tool looks at or changes: its caller has to have written that before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// Only its arguments, its streams and the clock.
    Streams,
    /// Files, which must have in them what was written to them.
    Files,
    /// Time: everything that was written must be seen before it passes.
    Time,
}

/// When a tool ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// By itself, whatever its arguments and its input are.
    Always,
    /// When what it reads ends. (That it may read files instead changes little.)
    WithInput,
    /// When what it reads ends, unless an operand is a device, which may have no end.
    WithPlainFiles,
    /// This is not known from the tool's name.
    Unknown,
}

impl Tool {
    /// Reads the arguments (without the tool's name); `None` if this call is not supported, because
    /// it would not be done exactly as the real tool does it.
    ///
    /// Each argument must have memory of its own: where the disk shows that an operand is not
    /// supported, the operands that are done are found among the arguments by their addresses.
    ///
    /// Price: none; for `sed` up to two `statx`, for its streams.
    #[must_use]
    pub fn prepare<'a>(
        &self,
        arguments: &'a [&'a [u8]],
        io: &Io<'_>,
    ) -> Option<Box<dyn ToolJob + 'a>> {
        (self.prepare)(arguments, io)
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tool({})", self.name)
    }
}

/// The tool of this name.
///
/// Price: none.
#[must_use]
pub fn find(name: &[u8]) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name.as_bytes() == name)
}

const fn row(name: &'static str, uses: Uses, ends: Ends, prepare: Prepare) -> Tool {
    Tool { name, uses, ends, prepare }
}

fn boxed<'a>(job: impl ToolJob + 'a) -> Prepared<'a> {
    Some(Box::new(job))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_stand_in_the_order_of_their_names() {
        assert!(TOOLS.is_sorted_by(|a, b| a.name < b.name));
    }
}
