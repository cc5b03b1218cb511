//! `fewer` for Node: on top of the Rust crate, without any file-system logic of its own.
//!
//! What crosses over is batches: one string or one piece of bytes for many names, and one table of
//! numbers. `lib/*.js` cuts them, when they are asked for, and has everything that is public.
//!
//! | module | what is in it |
//! |---|---|
//! | `js` | values of JavaScript, made by hand: the only unsafe code but for `descriptor` |
//! | `text` | names and lines as one string, or as bytes |
//! | `failure` | errors as objects, which `lib/errors.js` throws |
//! | `cancel` | requests that an operation end |
//! | `work` | an operation, now or on a thread of the pool |
//! | `slot` | what a handle holds until it is closed |
//! | `descriptor` | a descriptor that was passed |
//! | `walk_options` | the options of a walk |
//! | `walk` | batches of entries |
//! | `stat` | metadata as a row of numbers |
//! | `list` | one directory, with metadata |
//! | `lines` | batches of lines |
//! | `scope` | a working directory as a value |
//! | `child` | programs that run in a scope |
//! | `space` | how much space trees take, and what there is in them |
//! | `snapshot` | what a walk found, kept; and what has changed since |
//! | `calls` | the system calls made so far |

mod calls;
mod cancel;
mod child;
mod descriptor;
mod failure;
mod js;
mod lines;
mod list;
mod scope;
mod slot;
mod snapshot;
mod space;
mod stat;
mod text;
mod walk;
mod walk_options;
mod work;
