//! Without the feature `kernel`: a refusal that says how to get it.

use super::{Ended, Options, Subject};
use crate::{Error, Event};

/// Refuses.
pub(crate) fn trace(
    _subject: &Subject,
    _options: &Options,
    _sink: &mut dyn FnMut(Vec<Event>),
) -> Result<Ended, Error> {
    let why = "this fewer was built without it: cargo install --path crates/cli --features kernel";
    Err(Error::Unsupported { what: "by the kernel", why: why.to_owned() })
}
