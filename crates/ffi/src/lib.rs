//! The FFI boundary: the functions of include/fewer.h, and nothing else. That header is the manual;
//! it is not repeated here.
//!
//! | module | what is in it |
//! |---|---|
//! | `boundary` | what every function does: catch panics, check arguments, write results |
//! | `error` | errors: number, message, action and path |
//! | `kind` | the names of kinds |
//! | `metadata` | metadata as C structs |
//! | `scope`, `changes` | scopes: what looks at files in them, what changes them |
//! | `snapshot` | snapshots, and what is different between two of them |
//! | `space` | how much space trees take, and what there is in them |
//! | `text` | UTF-8 into code points |
//! | `walk`, `list`, `lines`, `owners`, `zone`, `calls`, `version` | as in the header |
//!
//! Functions that take pointers are `unsafe`: the caller answers for their pointing to what the
//! header says. There is no file-system logic here.
#![allow(clippy::missing_safety_doc, reason = "the header is the contract")]
#![allow(unreachable_pub, reason = "C reaches it, not a Rust crate")]
#![allow(missing_docs, reason = "the header is the manual")]

#[cfg(panic = "abort")]
compile_error!("libfewer catches panics: build it with `cargo libfewer`");

mod boundary;
mod calls;
mod changes;
mod error;
mod kind;
#[cfg(test)]
mod layout;
mod lines;
mod list;
mod metadata;
mod owners;
mod scope;
mod snapshot;
mod space;
mod text;
mod version;
mod walk;
mod zone;
