//! A server that answers S3 list requests like a store does, of any size and with any fault: for
//! tests and measurements of what lists a bucket.
//!
//! | module | what is in it |
//! |---|---|
//! | [`Keys`] | the keys of the bucket: listed, numbered, or made as they are needed |
//! | [`Faults`] | what the store does wrong, and how slowly it answers |
//! | [`Replay`] | the running server: its address and its counts |
//! | [`size_of`], [`modified_of`] | size and time of an object, made of its key's index |
//! | `skewed` | keys as buckets have them, made of their index |
//! | `connection` | one connection: request after request, until a fault ends it |
//! | `request` | what a request asks for |
//! | `listing` | which keys a page has, and where the next one begins |
//! | `page` | a page as XML |
//! | `object` | HEAD and GET of an object |
//! | `answer` | an answer in one buffer, and the errors of S3 |
//! | `encoding` | text in XML and in URLs |
//! | `random` | numbers that look random, the same in each run |
//!
//! ```
//! use replay::{Faults, Keys, Replay};
//!
//! let keys = Keys::listed(vec!["b".into(), "a".into()]);
//! let server = Replay::start(keys, Faults { refuse_every: Some(3), ..Faults::default() })?;
//! println!("aws s3 ls s3://bucket --endpoint-url {}", server.address());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Any name of a bucket is accepted, in the path of the URL, and signatures are not checked.
#![forbid(unsafe_code)]

mod answer;
mod connection;
mod encoding;
mod faults;
mod keys;
mod listing;
mod object;
mod page;
mod random;
mod request;
mod server;
mod skewed;

pub use faults::Faults;
pub use keys::Keys;
pub use object::{modified_of, size_of};
pub use server::Replay;
