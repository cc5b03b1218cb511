//! Which frame of a stack is the program's own: where its author can change something.

use crate::{Frame, Location, Registry, StackId};
use fewer::path::base_name;

/// Libraries that make calls on behalf of others.
const RUNTIMES: &[&str] = &[
    "[vdso]", "ld-linux", "ld-musl", "ld.so", "ld-2", "libc++", "libc-2", "libc.musl", "libc.so",
    "libclang_rt", "libdl.", "libgcc_s", "libnss_", "libpthread", "libstdc++", "libuv.so",
];

/// Interpreters: their own functions are not the script author's, but say more than a library's.
const INTERPRETERS: &[&str] = &[
    "java", "libjava.so", "libjimage.so", "libjli.so", "libjvm.so", "libnio.so", "libnode.so",
    "libperl", "libphp", "libpython", "libruby", "node", "perl", "php", "python", "ruby",
];

/// Functions of libraries that may be linked into the program itself, by the beginning of their
/// names: Rust's, C++'s; those of Go are known by their file.
const LIBRARY_FUNCTIONS: &[&str] = &[
    "<alloc::", "<core::", "<std::", "__", "_dl_", "_IO_", "_int_", "_nss_", "alloc::", "core::",
    "internal/", "os.", "path/filepath.", "io/fs.", "runtime.", "runtime/", "std::", "syscall.",
];

/// Functions of a C library that is linked into the program.
const C_FUNCTIONS: &[&str] = &[
    "access", "chdir", "close", "dup", "dup2", "fchdir", "fclose", "fcntl", "fdopendir", "fflush",
    "fgets", "fopen", "fopen64", "fputs", "fread", "fstat", "fstat64", "fstatat", "fstatat64",
    "fsync", "fts_children", "fts_open", "fts_read", "ftw", "fwrite", "getc", "getcwd", "getdelim",
    "getdents64", "getgrgid", "getgrgid_r", "getgrnam", "getline", "getpwnam", "getpwuid",
    "getpwuid_r", "getxattr", "ioctl", "isatty", "lgetxattr", "llistxattr", "localtime",
    "localtime_r", "lseek", "lseek64", "lstat", "lstat64", "mktime", "nftw", "open", "open64",
    "openat", "openat64", "opendir", "posix_spawn", "posix_spawnp", "pread", "pread64", "printf",
    "putc", "puts", "pwrite", "read", "readdir", "readdir64", "readlink", "readlinkat", "realpath",
    "stat", "stat64", "statx", "strftime", "system", "tzset", "unlink", "vfork", "vfprintf",
    "write",
];

/// Whether a mapped file is a library that makes calls on behalf of others.
#[must_use]
pub(crate) fn is_runtime(module: &[u8]) -> bool {
    let name = base_name(module);
    RUNTIMES.iter().any(|runtime| name.starts_with(runtime.as_bytes()))
}

fn is_interpreter(module: &[u8]) -> bool {
    let name = base_name(module);
    INTERPRETERS.iter().any(|runtime| name.starts_with(runtime.as_bytes()))
}

/// Whether a function belongs to a library although it may lie in the program's own file.
fn is_library(location: &Location) -> bool {
    let function = location.function.as_str();
    LIBRARY_FUNCTIONS.iter().any(|beginning| function.starts_with(beginning))
        || C_FUNCTIONS.binary_search(&function).is_ok() && location.line == 0
        || location.file.starts_with("/rustc/")
        || location.file.contains("/go/src/") && is_of_go(function)
}

/// Whether a function of Go belongs to what comes with Go: the path of its package does not begin
/// with a host's name (`github.com/…`), and is not the program itself.
fn is_of_go(function: &str) -> bool {
    let host = function.split_once('/').map(|(host, _)| host);
    !host.is_some_and(|host| host.contains('.')) && !function.starts_with("main.")
}

/// A frame with the location in it that stands for it.
#[derive(Clone, Copy, Debug)]
pub struct OwnFrame<'r> {
    /// How far out it is: 0 is the innermost frame.
    pub depth: usize,
    /// The frame.
    pub frame: &'r Frame,
    /// The function; `None` if nothing is known of the address.
    pub location: Option<&'r Location>,
}

/// The innermost frame that is the program's own; of a script rather than of its interpreter; with
/// a name rather than without. `None` if the whole stack belongs to libraries.
#[must_use]
pub fn own_frame(registry: &Registry, stack: StackId) -> Option<OwnFrame<'_>> {
    let frames = || {
        registry
            .stack(stack)
            .enumerate()
            .filter(|(_, frame)| !is_runtime(registry.path(frame.module)))
    };
    let script = frames().find_map(|(depth, frame)| {
        let mut locations = frame.locations.iter();
        let location =
            locations.find(|it| is_of_script(registry, frame, it) && !is_brought_along(it))?;
        Some(OwnFrame { depth, frame, location: Some(location) })
    });
    let locations = || {
        frames().filter(|(_, frame)| !is_interpreter(registry.path(frame.module))).filter_map(
            |(depth, frame)| {
                let location = frame.locations.iter().find(|location| !is_library(location))?;
                Some((depth, frame, location))
            },
        )
    };
    let named = || {
        let (depth, frame, location) = locations().next()?;
        // In a file with lines, what has none was linked into it: a static C library, mostly.
        let module = registry.path(frame.module);
        let lined = locations().find(|(_, frame, location)| {
            location.line > 0 && registry.path(frame.module) == module
        });
        let (depth, frame, location) = lined.unwrap_or((depth, frame, location));
        Some(OwnFrame { depth, frame, location: Some(location) })
    };
    let any = || {
        let (depth, frame) = frames().next()?;
        Some(OwnFrame { depth, frame, location: frame.locations.first() })
    };
    script.or_else(named).or_else(any)
}

/// The program's own location that a stack leads to, in words: `show (lister.c:12)`; a library's,
/// if none of it is the program's own: `_dl_map_object (ld-linux-x86-64.so.2)`. Without a name the
/// mapped file and the address in it stand for it.
#[must_use]
pub(crate) fn label(registry: &Registry, stack: StackId) -> String {
    let own = own_frame(registry, stack).map(|own| (own.frame, own.location));
    let innermost = || registry.stack(stack).next().map(|frame| (frame, frame.locations.last()));
    let Some((frame, location)) = own.or_else(innermost) else { return "(unknown)".to_owned() };
    let module = registry.path(frame.module);
    let name = String::from_utf8_lossy(base_name(module));
    match location {
        Some(location) if location.line > 0 && !is_runtime(module) => {
            format!("{} ({}:{})", location.function, location.file, location.line)
        }
        Some(location) => format!("{} ({name})", location.function),
        None => format!("{name}+{:#x}", frame.address),
    }
}

/// Whether a location is a function of a script, or of a module that its runtime brings along: one
/// that was read from the runtime itself, whose frame has the text in the place of a mapped file;
/// or one that a runtime has compiled, by the ending of its file.
pub(crate) fn is_of_script(registry: &Registry, frame: &Frame, location: &Location) -> bool {
    const ENDS: [&str; 11] =
        [".cjs", ".java", ".js", ".lisp", ".mjs", ".php", ".pl", ".pm", ".py", ".rb", ".ts"];
    let file = location.file.as_str();
    !file.is_empty()
        && (registry.path(frame.module) == file.as_bytes()
            || file.starts_with('<')
            || file.starts_with("node:")
            || ENDS.iter().any(|end| file.ends_with(end)))
}

/// Whether a frame is an interpreter's own function, and none of what it runs.
pub(crate) fn is_of_interpreter(
    registry: &Registry,
    frame: &Frame,
    location: Option<&Location>,
) -> bool {
    is_interpreter(registry.path(frame.module))
        && !location.is_some_and(|location| is_of_script(registry, frame, location))
}

/// The function of a library that a runtime brings along which the program's own script called,
/// and which made the call, or had it made. `None` if the script made it itself.
pub(crate) fn library_call(registry: &Registry, stack: StackId) -> Option<&Location> {
    let scripts = registry.stack(stack).flat_map(|frame| {
        frame.locations.iter().filter(move |it| is_of_script(registry, frame, it))
    });
    scripts.take_while(|it| is_brought_along(it)).last()
}

/// Whether of two looks one was made by a function that a runtime brings along, and the other by a
/// function of the program's that it has called: neither knows what the other was told.
pub(crate) fn calls_back(registry: &Registry, one: StackId, other: StackId) -> bool {
    fn scripts(registry: &Registry, stack: StackId) -> impl Iterator<Item = &Location> {
        registry.stack(stack).flat_map(move |frame| {
            frame.locations.iter().filter(move |it| is_of_script(registry, frame, it))
        })
    }
    let calls = |library: StackId, program: StackId| {
        let Some(asks) = scripts(registry, library).next().filter(|it| is_brought_along(it)) else {
            return false;
        };
        let is_caller = |it: &Location| (&it.function, &it.file) == (&asks.function, &asks.file);
        let mut outwards = scripts(registry, program);
        outwards.next().is_some_and(|it| !is_brought_along(it)) && outwards.any(is_caller)
    };
    calls(one, other) || calls(other, one)
}

/// Modules that runtimes bring along make calls on behalf of others. They are known by their files,
/// unless a part of the path says that somebody else's are installed there too, or by the
/// beginnings of their functions.
fn is_brought_along(location: &Location) -> bool {
    const FILES: [(&str, &str); 9] = [
        ("/lib/python", "-packages/"),
        ("/lib/ruby/", "/gems/"),
        ("/lib/x86_64-linux-gnu/perl/", "/site_perl/"),
        ("/lib/aarch64-linux-gnu/perl/", "/site_perl/"),
        ("/share/perl/", "/site_perl/"),
        ("/lib/perl5/5.", "/site_perl/"),
        ("/lib/5.", "/site_perl/"),
        ("/core_perl/", "/site_perl/"),
        ("/perl-base/", "/site_perl/"),
    ];
    // What runs on Java's machine.
    const FUNCTIONS: [&str; 12] = [
        "clojure.", "com.sun.", "groovy.", "java.", "javax.", "jdk.", "kotlin.", "kotlinx.",
        "org.codehaus.groovy.", "org.apache.groovy.", "scala.", "sun.",
    ];
    const ENDS: [&str; 6] = [".class", ".clj", ".groovy", ".java", ".kt", ".scala"];
    let (file, function) = (location.file.as_str(), location.function.as_str());
    file.starts_with('<')
        || file.starts_with("(eval ")
        || file.starts_with("node:")
        || file.starts_with("SYS:")
        || FILES.iter().any(|(part, others)| file.contains(part) && !file.contains(others))
        || ENDS.iter().any(|end| file.ends_with(end))
            && FUNCTIONS.iter().any(|start| function.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, FrameId, PathId, Text};

    /// A stack of (module, function, file), innermost first.
    fn function_of(frames: &[(&str, &str, &str)]) -> Option<String> {
        let mut registry = Registry::default();
        let ids = 1..=u32::try_from(frames.len()).unwrap();
        for (id, (module, function, file)) in ids.clone().zip(frames) {
            registry.take(&Event::Path { id: PathId(id), path: Text::from(*module) });
            let (module, address, process) = (PathId(id), u64::from(id), 1);
            registry.take(&Event::Frame { id: FrameId(id), module, address, process });
            let line = u32::from(!file.is_empty());
            let location = Location { function: (*function).into(), file: (*file).into(), line };
            registry.take(&Event::Locations { frame: FrameId(id), locations: vec![location] });
        }
        let frames = ids.map(FrameId).collect();
        registry.take(&Event::Stack { id: StackId(1), frames, truncated: false });
        own_frame(&registry, StackId(1)).and_then(|own| Some(own.location?.function.clone()))
    }

    #[test]
    fn the_c_library_is_not_the_programs_own() {
        let stack = [
            ("/lib/x86_64-linux-gnu/libc.so.6", "__xstat", ""),
            ("/lib/x86_64-linux-gnu/libc.so.6", "localtime", ""),
            ("/home/a/lister", "show", "lister.c"),
            ("/home/a/lister", "main", "lister.c"),
        ];
        assert_eq!(function_of(&stack).as_deref(), Some("show"));
        let linked =
            [("/a/static", "openat64", ""), ("/a/static", "look", ""), ("/a/static", "main", "")];
        assert_eq!(function_of(&linked).as_deref(), Some("look"));
    }

    #[test]
    fn what_has_no_line_was_linked_into_a_program_that_has_them() {
        let linked = [
            ("/a/static", "tzset_internal", ""),
            ("/a/static", "localtime", ""),
            ("/a/static", "show", "lister.c"),
            ("/a/static", "main", "lister.c"),
        ];
        assert_eq!(function_of(&linked).as_deref(), Some("show"));
        let plugin = [("/a/plugin.so", "hook", ""), ("/a/host", "main", "host.c")];
        assert_eq!(function_of(&plugin).as_deref(), Some("hook"));
    }

    #[test]
    fn a_script_goes_before_its_interpreter() {
        let stack = [
            ("/usr/lib/libpython3.11.so.1.0", "os_stat", ""),
            ("/usr/lib/libpython3.11.so.1.0", "_PyEval_EvalFrameDefault", ""),
            ("[jit]", "_path_stat", "<frozen importlib._bootstrap_external>"),
            ("[jit]", "load", "/home/a/tool.py"),
        ];
        assert_eq!(function_of(&stack).as_deref(), Some("load"));
        let brought = [
            ("<internal:dir>", "glob", "<internal:dir>"),
            ("/usr/lib/ruby/3.1.0/pathname.rb", "each", "/usr/lib/ruby/3.1.0/pathname.rb"),
            ("/home/a/tool", "load", "/home/a/tool"),
        ];
        assert_eq!(function_of(&brought).as_deref(), Some("load"));
        let java = [
            ("/jdk/lib/libnio.so", "Java_sun_nio_fs_UnixNativeDispatcher_stat0", ""),
            ("FileSystem.java", "sun.nio.fs.UnixNativeDispatcher.stat", "FileSystem.java"),
            ("Files.class", "java.nio.file.Files.exists", "Files.class"),
            ("Utils.kt", "kotlin.io.FilesKt.walk", "Utils.kt"),
            ("App.kt", "com.example.App.load", "App.kt"),
        ];
        assert_eq!(function_of(&java).as_deref(), Some("com.example.App.load"));
        let native = [&stack[..2], &[("/usr/bin/python3.11", "_start", "")]].concat();
        assert_eq!(function_of(&native).as_deref(), Some("os_stat"));
    }

    #[test]
    fn functions_of_the_c_library_can_be_searched() {
        assert!(C_FUNCTIONS.is_sorted());
    }

    #[test]
    fn standard_libraries_are_not_own_even_inside_the_program() {
        let go = [
            ("/a/go", "syscall.Stat", "/usr/local/go/src/syscall/x.go"),
            ("/a/go", "os.Stat", "/usr/local/go/src/os/stat.go"),
            ("/a/go", "fmt.Fprintln", "/usr/local/go/src/fmt/print.go"),
            ("/a/go", "encoding/json.Marshal", "/usr/local/go/src/encoding/json/encode.go"),
            ("/a/go", "main.walk", "/a/main.go"),
        ];
        assert_eq!(function_of(&go).as_deref(), Some("main.walk"));
        let package = [go[0], ("/a/go", "github.com/a/b.F", "/root/go/src/github.com/a/b/b.go")];
        assert_eq!(function_of(&package).as_deref(), Some("github.com/a/b.F"));
        let rust = [
            ("/a/rust", "std::sys::fs::stat", "/rustc/1/library/std/src/sys/fs.rs"),
            ("/a/rust", "lister::show", "src/main.rs"),
        ];
        assert_eq!(function_of(&rust).as_deref(), Some("lister::show"));
        assert_eq!(function_of(&[]), None);
    }
}
