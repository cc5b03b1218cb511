//! Commands that are run on what a walk finds: one for each path, or one for many.
//!
//! | module | what is in it |
//! |---|---|
//! | `template` | [`CommandTemplate`]: a command with placeholders for a path |
//! | `each` | [`run_each`]: a command for each path, several at a time |
//! | `batch` | [`Batch`]: as many paths in one command as the kernel takes |
//!
//! Nothing runs through a shell: a path is one argument, or a part of one, whatever bytes are in
//! it. An argument that begins with a placeholder never begins with `-`: a path that does gets
//! `./` in front, so no program takes it for an option. A command is started once, by
//! `posix_spawn`, and never again. It blocks those signals that the thread blocks that made the
//! [`Batch`] or called [`run_each`], whichever thread starts it: what ends this program from the
//! terminal ends its commands, too.

mod batch;
mod each;
mod template;

pub use batch::Batch;
pub use each::{Paths, run_each};
pub use template::{CommandTemplate, TemplateError};
