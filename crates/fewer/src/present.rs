//! What the programs of this workspace show names, words and times with: the command line, the
//! shell and the reports print by it, so that all of them escape and quote alike.
//!
//! A walk, a list or a scope needs none of it, and the other languages do not have it. It follows
//! what these programs need, so it may change in any version.
//!
//! | item | what it is for |
//! |---|---|
//! | [`escape`](escape()), [`escaped`], [`controls_terminal`] | names on a terminal, in messages |
//! | [`quote`] | words for a shell; names as GNU quotes them |
//! | [`lossless`] | names in JSON |
//! | [`mode_text`], [`kind_letter`] | kind and permissions as `ls -l` has them |
//! | [`TimeColumn`], [`TimeStyle`] | times below each other, as in a long listing |
//! | [`align`] | numbers on the right of a column |
//! | [`Scale`] | sizes in units |
//! | [`push_ended`] | a text and what ends it |
//! | [`prefetch`] | rows that are printed soon |

pub use crate::escape::{controls_terminal, escape, escaped};
use crate::list::Listing;
pub use crate::localtime::column::{TimeColumn, TimeStyle, TimeStyleError};
pub use crate::mode::{kind_letter, mode_text};
pub use crate::scale::Scale;

/// Numbers and question marks on the right of a column.
pub mod align {
    pub use crate::align::{digits, push_blanks, push_left, push_number, push_right, push_unknown};
}

/// Words for a shell; and names as GNU quotes them, for a shell or with the escapes of C.
pub mod quote {
    pub use crate::quote::{Charset, c, escape_letter, has_meaning, shell, single_quoted, word};
}

/// Bytes that are mostly text in formats that hold nothing but text.
pub mod lossless {
    pub use crate::lossless::{Base64Error, Lossless, from_base64, push_json, to_base64};
}

/// Appends a text and the byte that ends it, such as a line break. Price: none.
pub fn push_ended(text: &[u8], end: u8, out: &mut Vec<u8>) {
    out.reserve(text.len() + 1);
    out.extend_from_slice(text);
    out.push(end);
}

/// Prefetches rows that are used soon after the row at `place`: in order, rows lie all over the
/// memory. Price: none.
#[inline]
pub fn prefetch(listing: &Listing, place: usize) {
    /// How many rows ahead a row is prefetched, and its name, which the row leads to.
    const ROWS: usize = 8;
    listing.prefetch_row(place + ROWS);
    listing.prefetch_name(place + ROWS / 2);
}
