//! The C border: what include/fewer.h promises, and nothing else. That header is the manual; what
//! is said there is not said again here.
//!
//! | room | what lives there |
//! |---|---|
//! | `border` | what every function does at the border: panics, texts, options, answers |
//! | `error` | the story behind a number |
//! | `metadata` | what an entry answered, as C has it |
//! | `scope`, `changes` | a working directory as a value: what is asked, what is changed in it |
//! | `walk`, `list`, `lines`, `owners`, `zone`, `calls`, `version` | as in the header |
//!
//! Functions that take pointers are `unsafe`: that these point to what the header says is what the
//! caller answers for. Nothing here knows how anything is done with files.
#![allow(clippy::missing_safety_doc, reason = "the header is the contract")]
#![allow(unreachable_pub, reason = "who reaches it is no Rust crate")]
#![allow(missing_docs, reason = "the header is the manual")]

mod border;
mod calls;
mod changes;
mod error;
#[cfg(test)]
mod layout;
mod lines;
mod list;
mod metadata;
mod owners;
mod scope;
mod version;
mod walk;
mod zone;
