//! Each rule on streams written by hand: the waste, its corrected twin, and what looks like it.

mod changes;
mod descriptors;
mod items;
mod looks;
mod name_servers;
mod polls;
mod positions;
mod processes;
mod reads;
mod script;
mod starts;
mod stream;
mod together;
mod walks;

use stream::{ENODATA, ENOENT, FDCWD, Stream, names};
