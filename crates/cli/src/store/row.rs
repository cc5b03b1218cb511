//! What a store tells of an entry, as a row of a table.

use fewer::{Entry, Fields};
use tables::Row;

/// Makes the row of an entry, of which all is known that its store tells. In a bucket the entry is
/// what the object stands for; of a folder that stands for a number of objects nothing is known.
pub(crate) fn with_row<T>(
    entry: &Entry<'_>,
    object: Option<&stores::Object<'_>>,
    take: impl FnOnce(&Row<'_>) -> T,
) -> T {
    let is_folder = object.is_some_and(|object| object.is_common_prefix);
    let stat = if is_folder { None } else { entry.stat(Fields::NONE).ok() };
    take(&Row {
        path: entry.path_bytes(),
        name: Some(entry.name_bytes()),
        kind: entry.kind(),
        depth: Some(entry.depth()),
        stat: stat.as_ref(),
        error: None,
        etag: object.map(|object| object.etag).filter(|etag| !etag.is_empty()),
    })
}
