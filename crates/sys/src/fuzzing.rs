//! The parsers of what other systems write, for the fuzzer: any bytes in, what was found out.

use crate::Fields;
use crate::macos_formats::attributes::{AttributeRequest, Records};
use crate::macos_formats::dirent::{self, Dirents};
use crate::macos_formats::firmlinks;
use crate::windows_formats::record::{self, Layout};
use crate::windows_formats::reparse;

/// The names with their NULs, and whether there were bytes that are no record.
pub type Names<'b> = (Vec<&'b [u8]>, bool);

/// The names in a block of `getdirentries64`.
#[must_use]
pub fn macos_dirents(block: &[u8]) -> Names<'_> {
    let mut dirents = Dirents::parse(block);
    (dirents.by_ref().map(|it| it.with_nul).collect(), dirents.is_malformed())
}

/// Whether a block of `getdirentries64` says that it is the last.
#[must_use]
pub fn macos_is_last(block: &[u8], filled: usize) -> bool {
    dirent::is_last(block, filled)
}

/// The names in a block of so many records of `getattrlistbulk`, asked for fields with these bits.
#[must_use]
pub fn macos_attributes(block: &[u8], count: usize, fields: u32) -> Names<'_> {
    let request =
        AttributeRequest { fields: Fields(fields & Fields::ALL.0), entries_are_links: true };
    let mut records = Records::parse(block, count, request);
    let names = records.by_ref().map(|it| {
        // All that is said of an entry is looked at.
        let _ = it.metadata.stat(Fields::NONE).map(|stat| (stat.allocated(), stat.created()));
        it.with_nul
    });
    (names.collect(), records.is_malformed())
}

/// How many links a list of firmlinks has.
#[must_use]
pub fn macos_firmlinks(text: &[u8]) -> usize {
    firmlinks::parse(text).len()
}

/// The names in a block of records of Windows, in UTF-16, and whether there were bytes that are no
/// record.
#[must_use]
pub fn windows_records(block: &[u8], is_extended: bool) -> (Vec<Vec<u16>>, bool) {
    let layout = if is_extended { Layout::Extended } else { Layout::Both };
    let mut records = record::Records::parse(block, layout);
    let names = records.by_ref().map(|it| {
        let _ = it.metadata.stat(Fields::NONE).map(|stat| (stat.allocated(), stat.created()));
        it.units().collect()
    });
    (names.collect(), records.is_malformed())
}

/// The target of a link of Windows.
#[must_use]
pub fn windows_reparse_target(data: &[u8]) -> Option<Vec<u8>> {
    reparse::target(data)
}
