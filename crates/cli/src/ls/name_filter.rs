//! Names that are left out: -I, -B and --hide.

use std::ffi::CString;
use sys::OsStrExt;

use fewer::list::Hidden;

use super::options::Options;
use crate::quote::Charset;

/// A function that says whether a name is listed; `None` if all are.
pub(super) fn from_options(
    options: &Options,
) -> Option<impl Fn(&[u8]) -> bool + Send + Sync + Clone + 'static> {
    let mut patterns: Vec<_> = options.selection.ignore.iter().collect();
    if options.selection.hidden == Hidden::Skip {
        patterns.extend(&options.selection.hide);
    }
    let patterns: Vec<CString> =
        patterns.into_iter().filter_map(|text| CString::new(text.as_bytes()).ok()).collect();
    let utf8 = options.names.charset != Charset::Ascii;
    (!patterns.is_empty()).then_some(move |name: &[u8]| {
        let matches = |name: CString| patterns.iter().any(|p| sys::matches_pattern(p, &name, utf8));
        !CString::new(name).is_ok_and(matches)
    })
}
