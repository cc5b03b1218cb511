//! The standard tools that scripts call, done exactly as GNU coreutils, grep and sed do them,
//! without a process.
//!
//! Each tool is one row of [`TOOLS`]. [`Tool::prepare`] reads the arguments once; what it gives
//! back is run as it is. Where a call cannot be done exactly (usage errors, `--help`, rare options)
//! it gives nothing back, and the caller runs the real tool.
//!
//! Nothing here knows of a shell: streams, directory and environment are the caller's ([`Io`]).
//!
//! | module | what is in it |
//! |---|---|
//! | `table` | [`TOOLS`]: name, traits and parser of each tool |
//! | `job` | [`ToolJob`]: a call that can be done exactly |
//! | `io` | [`Io`]: what a tool may use of its caller |
//! | `error` | [`ToolError`]: why a tool ends before it is done; [`ToolResult`] |
//! | `arguments` | splits arguments into options and operands, as `getopt_long` does |
//! | `source` | operands that are files, read block by block |
//! | `messages` | messages on standard error |
//! | `bre` | basic regular expressions, for `expr` and `sed` |
//! | `head_tail` | what `head` and `tail` have in common |
//! | `quote` | names in messages |
//! | `files` | the tools that change a tree, or list what is in it |
//! | `tests` | a tool here and the real one, side by side |
//! | all others | the tools of that name |

mod arguments;
mod bre;
mod cat;
mod cut;
mod date;
mod error;
mod expr;
mod files;
mod fold;
mod grep;
mod head;
mod head_tail;
mod io;
mod job;
mod messages;
mod names;
mod nothing;
mod quote;
mod sed;
mod seq;
mod sleep;
mod sort;
mod source;
mod table;
mod tail;
mod tee;
#[cfg(test)]
mod tests;
mod tr;
mod uniq;
mod wc;

pub use error::{Remaining, ToolError, ToolResult};
pub use io::{Input, Io, Output, Variables};
pub use job::ToolJob;
pub use table::{Ends, TOOLS, Tool, Uses, find};
