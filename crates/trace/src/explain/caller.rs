//! What stacks say about how calls were made, so that a remedy fits the program.

use crate::explain::tally::Tally;
use crate::{Language, Location, Registry, StackId, own_frame};

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

/// Functions that hand on at once what was collected, whole names.
const FLUSHES: &[&str] = &[
    "_IO_fflush", "_io__Buffered_flush", "buffered_flush", "fflush",
    "java.io.BufferedWriter.flush", "java.io.OutputStreamWriter.flush", "std::ostream::flush",
];
/// Functions that read and write for a language without a buffer between, by their beginnings.
/// Ruby's are known by where they wait.
const UNBUFFERED: &[(Language, &[&str])] = &[
    (Language::Java, &["java.io.FileInputStream.", "java.io.FileOutputStream."]),
    (Language::Java, &["java.io.RandomAccessFile."]),
    (Language::Perl, &["Perl_pp_sysread", "Perl_pp_syswrite"]),
    (Language::Python, &["os_read", "os_write"]),
    (Language::Ruby, &["io_getpartial", "rb_io_sysread", "rb_io_syswrite"]),
    (Language::Rust, &["<&std::fs::File as", "<std::fs::File as"]),
];
/// Buffers, by the beginnings of their functions.
const BUFFERS: &[&str] = &[
    "<std::io::buffered", "java.io.Buffered", "java.io.PrintStream.", "std::io::buffered",
    "sun.nio.cs.",
];

/// How reads and writes are made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum IoStyle {
    /// Through a buffer that is emptied at once.
    Flushed,
    /// Through the C library's streams.
    Streams,
    /// Through those of C++.
    CppStreams,
    /// By `read` and `write` themselves, as far as is known in C and for sure elsewhere.
    Bare,
    /// Through what the language has, as far as is known.
    Usual,
}

/// How most of these calls were made.
pub(crate) fn io_style(language: Language, tally: &Tally, registry: &Registry) -> IoStyle {
    style(language, &functions(tally, registry))
}

fn style(language: Language, functions: &[&str]) -> IoStyle {
    let is_c = matches!(language, Language::C | Language::Cpp);
    if functions.iter().any(|name| FLUSHES.contains(name)) {
        IoStyle::Flushed
    } else if begins(functions, CPP_STREAMS) {
        IoStyle::CppStreams
    } else if begins(functions, STREAMS) {
        IoStyle::Streams
    } else if is_c || is_unbuffered(language, functions) {
        IoStyle::Bare
    } else {
        IoStyle::Usual
    }
}

fn is_unbuffered(language: Language, functions: &[&str]) -> bool {
    // Reads into its buffer are not guarded.
    const GUARDED: [&str; 2] = ["rb_thread_io_blocking_region", "rb_ensure"];
    let mut all = UNBUFFERED.iter().filter(|(of, _)| *of == language);
    all.any(|(_, names)| begins(functions, names)) && !begins(functions, BUFFERS)
        || language == Language::Ruby && functions.windows(2).any(|two| two == GUARDED)
}

/// Whether a file that stays open would have been written in blocks: what the usual stream of the
/// language does.
pub(crate) fn is_buffered(language: Language, writes: &Tally, registry: &Registry) -> bool {
    match language {
        Language::C | Language::Cpp => io_style(language, writes, registry) != IoStyle::Bare,
        Language::Go | Language::Rust | Language::Node | Language::Php | Language::Shell => false,
        _ => true,
    }
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

/// Whether a runtime asked for the working directory for a reason of its own: PHP for each file
/// with a relative name, Python for each temporary file. A function whose work is to tell the
/// directory, or a whole path, asks on behalf of the program.
pub(crate) fn is_directory_of_runtime(registry: &Registry, stack: StackId) -> bool {
    const OF_FILES: &[&str] = &["_php_stream", "expand_filepath", "php_stream", "tsrm_realpath"];
    const OF_PATHS: &[&str] =
        &["Cwd.pm", "os.py", "pathlib", "pathname.rb", "path", "posixpath", "Unix.pm", "process"];
    let locations = || registry.stack(stack).flat_map(|frame| &frame.locations);
    if locations().any(|it| OF_FILES.iter().any(|start| it.function.starts_with(start))) {
        return true;
    }
    own_frame::library_call(registry, stack).is_some_and(|library| {
        let file = library.file.trim_matches(['<', '>']);
        let name = file.rsplit(['/', ':', ' ']).next().unwrap_or_default();
        let stem = name.strip_suffix(".py").unwrap_or(name);
        !OF_PATHS.contains(&name) && !OF_PATHS.contains(&stem) && !file.contains("/pathlib/")
    })
}

/// The places on the stack that most of the calls came from, innermost first.
pub(crate) fn locations<'r>(
    tally: &Tally,
    registry: &'r Registry,
) -> impl Iterator<Item = &'r Location> {
    let stack = tally.callers().first().map_or(StackId::NONE, |(stack, _)| *stack);
    registry.stack(stack).flat_map(|frame| &frame.locations)
}

/// The functions on the stack that most of the calls came from.
fn functions<'r>(tally: &Tally, registry: &'r Registry) -> Vec<&'r str> {
    locations(tally, registry)
        .map(|location| location.function.as_str())
        .filter(|name| !name.is_empty())
        .collect()
}

fn begins(functions: &[&str], beginnings: &[&str]) -> bool {
    functions.iter().any(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_that_are_emptied_at_once_are_no_small_buffers() {
        let endl = ["__write", "_IO_fflush", "std::ostream::flush", "std::endl<char>", "put"];
        assert_eq!(style(Language::Cpp, &endl), IoStyle::Flushed);
        let filled = ["__write", "_IO_file_write", "_IO_file_xsputn", "fwrite", "main"];
        assert_eq!(style(Language::C, &filled), IoStyle::Streams);
        let printed = ["__write", "_Py_write", "_io__Buffered_flush", "builtin_print"];
        assert_eq!(style(Language::Python, &printed), IoStyle::Flushed);
    }

    #[test]
    fn only_c_is_without_a_buffer_unless_it_is_known() {
        let bare = ["__write", "put", "main"];
        assert_eq!(style(Language::C, &bare), IoStyle::Bare);
        assert_eq!(style(Language::Go, &bare), IoStyle::Usual);
        let perl = ["__write", "Perl_pp_syswrite", "main::put"];
        assert_eq!(style(Language::Perl, &perl), IoStyle::Bare);
        assert_eq!(style(Language::Perl, &["__write", "PerlIOUnix_write"]), IoStyle::Usual);
        let ruby = ["read", "rb_thread_io_blocking_region", "rb_ensure", "<main>"];
        assert_eq!(style(Language::Ruby, &ruby), IoStyle::Bare);
        assert_eq!(style(Language::Ruby, &["read", "rb_ensure", "<main>"]), IoStyle::Usual);
    }

    #[test]
    fn a_buffer_above_the_file_is_seen() {
        let bare = ["java.io.RandomAccessFile.read0", "java.io.RandomAccessFile.read", "W.main"];
        assert_eq!(style(Language::Java, &bare), IoStyle::Bare);
        let print = ["java.io.FileOutputStream.write", "java.io.BufferedOutputStream.flush"];
        assert_eq!(style(Language::Java, &print), IoStyle::Usual);
        let file = ["<std::fs::File as std::io::Write>::write", "main"];
        assert_eq!(style(Language::Rust, &file), IoStyle::Bare);
        let line = ["<std::io::buffered::linewriter::LineWriter<T>>::write_all", "main"];
        assert_eq!(style(Language::Rust, &line), IoStyle::Usual);
    }
}
