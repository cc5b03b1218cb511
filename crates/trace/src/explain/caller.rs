//! What stacks say about how calls were made, so that a remedy fits the program.

use crate::explain::tally::Tally;
use crate::{Language, Location, Registry, own_frame};

/// The C library's streams, by the beginnings of their functions.
const STREAMS: &[&str] = &[
    "_IO_", "__overflow", "__uflow", "__underflow", "fflush", "fget", "fprintf", "fput", "fread",
    "fscanf", "fwrite", "getc", "getdelim", "getline", "printf", "putc", "puts", "vfprintf",
];
/// Those of C++.
const CPP_STREAMS: &[&str] =
    &["std::basic_filebuf", "std::basic_istream", "std::basic_ostream", "std::getline"];
/// Functions of Node through which scripts ask for files.
const NODE_FILES: &[&str] = &["node::fs::", "uv__fs_", "uv_fs_", "v8::", "Builtins_"];
/// Functions of Python that run before the script does.
const PYTHON_STARTS: &[&str] = &["Py_Initialize", "init_import_site", "pymain_init"];

/// How reads and writes are made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum IoStyle {
    /// Through the C library's streams.
    Streams,
    /// Through those of C++.
    CppStreams,
    /// By `read` and `write` themselves, as far as is known.
    Bare,
}

/// How most of these calls were made.
pub(crate) fn io_style(tally: &Tally, registry: &Registry) -> IoStyle {
    let functions = functions(tally, registry);
    if begins(&functions, CPP_STREAMS) {
        return IoStyle::CppStreams;
    }
    if begins(&functions, STREAMS) { IoStyle::Streams } else { IoStyle::Bare }
}

/// Whether the interpreter of a script made most of these calls for itself: while it started, or in
/// a library of its own. Only where that is sure.
pub(crate) fn is_interpreters_own(language: Language, tally: &Tally, registry: &Registry) -> bool {
    let Some((stack, _)) = tally.callers().first().copied() else { return false };
    let functions = functions(tally, registry);
    let is_frozen = |location: &&Location| location.file.starts_with("<frozen ");
    let locations = || registry.stack(stack).flat_map(|frame| &frame.locations);
    let has_script = registry.stack(stack).any(|frame| {
        let is_script = |it: &&Location| own_frame::is_of_script(registry, frame, it);
        frame.locations.iter().any(|it| is_script(&it) && !is_frozen(&it))
    });
    if functions.is_empty() || has_script || registry.is_truncated(stack) {
        return false;
    }
    match language {
        Language::Node => !begins(&functions, NODE_FILES),
        // Modules that are frozen into it run below a script, or before there is one.
        Language::Python => {
            begins(&functions, PYTHON_STARTS) || locations().any(|it| is_frozen(&it))
        }
        _ => false,
    }
}

/// The functions on the stack that most of the calls came from.
fn functions<'r>(tally: &Tally, registry: &'r Registry) -> Vec<&'r str> {
    let Some((stack, _)) = tally.callers().first().copied() else { return Vec::new() };
    let locations = registry.stack(stack).flat_map(|frame| &frame.locations);
    locations.map(|location| location.function.as_str()).filter(|name| !name.is_empty()).collect()
}

fn begins(functions: &[&str], beginnings: &[&str]) -> bool {
    functions.iter().any(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
}
