//! In place of `parquet` in a build without it.

use fewer::Answer;

use super::{Defect, Entry, Format};
use crate::read::ObjectReader;

/// Why files as Parquet cannot be read.
const WHY: &str = "its format is Parquet, which a build with the feature tables can read";

pub(super) fn supported() -> Result<Format, String> {
    Err(WHY.to_owned())
}

pub(super) fn each(
    _: ObjectReader,
    _: &mut dyn FnMut(Entry<'_>) -> Answer,
) -> Result<Answer, Defect> {
    Err(Defect::Format(WHY.to_owned()))
}
