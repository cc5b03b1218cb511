//! Functions and lines of mapped files: symbol tables, debug information in the file or beside it.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use blazesym::Pid;
use blazesym::symbolize::source::{self, Source};
use blazesym::symbolize::{CodeInfo, Input, Sym, Symbolized, Symbolizer};

use crate::Location;
use crate::own_frame::is_runtime;

/// Files that were read.
pub(super) struct Elf(Symbolizer);

impl fmt::Debug for Elf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Elf").finish_non_exhaustive()
    }
}

impl Elf {
    /// Separate debug files are looked for beside a file and in these folders.
    pub(super) fn new(folders: &[PathBuf]) -> Elf {
        let builder = Symbolizer::builder().enable_auto_reload(false).enable_demangling(false);
        Elf(builder.set_debug_dirs(Some(folders)).build())
    }

    /// The locations of addresses in a file, as the file's own headers count. One entry for each
    /// address; empty where nothing is known.
    pub(super) fn locations(&self, file: &[u8], addresses: &[u64]) -> Vec<Vec<Location>> {
        // No user mends a line of the C library, and unpacking its table of lines takes 60 ms.
        let found = (!is_runtime(file)).then(|| self.of_file(file, addresses, true)).flatten();
        // A separate file that is damaged, or another program's, is not to cost the names that the
        // file itself has.
        found.unwrap_or_else(|| self.names(file, addresses))
    }

    /// The same without lines, from the tables of functions alone.
    pub(super) fn names(&self, file: &[u8], addresses: &[u64]) -> Vec<Vec<Location>> {
        let found = self.of_file(file, addresses, false);
        found.unwrap_or_else(|| vec![Vec::new(); addresses.len()])
    }

    fn of_file(&self, file: &[u8], addresses: &[u64], lines: bool) -> Option<Vec<Vec<Location>>> {
        let mut source = source::Elf::new(Path::new(OsStr::from_bytes(file)));
        source.debug_syms = lines;
        self.ask(&Source::Elf(source), Input::VirtOffset(addresses))
    }

    /// The locations of addresses in the kernel's own code. It is the same in all processes, so it
    /// is looked up in this one.
    pub(super) fn vdso_locations(&self, addresses: &[u64]) -> Vec<Vec<Location>> {
        const MOST_BYTES: usize = 64 << 20;
        let maps = sys::read_all(sys::CWD, c"/proc/self/maps", MOST_BYTES).unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        let line = maps.lines().find(|line| line.ends_with("[vdso]"));
        let start = line.and_then(|line| line.split('-').next());
        let Some(start) = start.and_then(|start| u64::from_str_radix(start, 16).ok()) else {
            return vec![Vec::new(); addresses.len()];
        };
        let here: Vec<u64> = addresses.iter().map(|address| start.wrapping_add(*address)).collect();
        let mut source = source::Process::new(Pid::Slf);
        (source.perf_map, source.map_files) = (false, false);
        let found = self.ask(&Source::Process(source), Input::AbsAddr(&here));
        found.unwrap_or_else(|| vec![Vec::new(); addresses.len()])
    }

    fn ask(&self, source: &Source, addresses: Input<&[u64]>) -> Option<Vec<Vec<Location>>> {
        let found = self.0.symbolize(source, addresses).ok()?.into_iter();
        let found = found.map(|found| match found {
            Symbolized::Sym(symbol) => locations(&symbol),
            Symbolized::Unknown(_) => Vec::new(),
        });
        Some(found.collect())
    }
}

/// A function of which no line is known.
pub(super) fn function(name: &str) -> Location {
    location(name, None)
}

/// A function and what was inlined into it, innermost first.
fn locations(symbol: &Sym) -> Vec<Location> {
    let inlined = symbol.inlined.iter().rev();
    let mut locations: Vec<Location> =
        inlined.map(|inlined| location(&inlined.name, inlined.code_info.as_ref())).collect();
    locations.push(location(&symbol.name, symbol.code_info.as_deref()));
    locations
}

fn location(function: &str, code: Option<&CodeInfo>) -> Location {
    Location {
        function: demangled(function),
        file: code.map_or_else(String::new, |code| code.to_path().to_string_lossy().into_owned()),
        line: code.and_then(|code| code.line).unwrap_or(0),
    }
}

/// A name as its author wrote it. Only what is mangled is taken apart: to C++'s scheme a C function
/// that is called `f` would be the type `float`.
fn demangled(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    let cpp = name.starts_with("_Z").then(|| cpp_demangle::Symbol::new(name).ok()).flatten();
    // Parameters make names too long to be read, and the line distinguishes overloads.
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    cpp.and_then(|symbol| symbol.demangle_with_options(&options).ok())
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn addr2line(file: &Path, address: u64) -> Vec<Location> {
        let mut command = Command::new("addr2line");
        let output = command.arg("-fiCe").arg(file).arg(format!("{address:#x}")).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let location = |pair: &[&str]| {
            let (file, line) = pair[1].rsplit_once(':').unwrap();
            let line = line.split(' ').next().unwrap().parse().unwrap_or(0);
            let file = if file == "??" { "" } else { file };
            Location { function: pair[0].to_owned(), file: file.to_owned(), line }
        };
        lines.chunks_exact(2).map(location).collect()
    }

    fn calls(file: &Path) -> Vec<u64> {
        let output = Command::new("objdump").arg("-d").arg(file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let of_access =
            text.lines().filter(|line| line.contains("call") && line.contains("access"));
        of_access
            .map(|line| u64::from_str_radix(line.trim().split(':').next().unwrap(), 16).unwrap())
            .collect()
    }

    const TEXT: &str = r#"
#include <unistd.h>
static inline __attribute__((always_inline)) int deep(const char *p) { return access(p, 0); }
static inline __attribute__((always_inline)) int middle(const char *p) {
    return deep(p) + 1;
}
__attribute__((noinline)) int outer(const char *p) {
    return middle(p) +
           middle(p + 1);
}
int main(void) { return outer("/x"); }
"#;

    #[test]
    fn only_what_is_mangled_is_taken_apart() {
        for (name, wanted) in [
            ("f", "f"),
            ("main", "main"),
            ("_start", "_start"),
            ("_ZN3foo3barEv", "foo::bar"),
            ("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("_Zzz", "_Zzz"),
        ] {
            assert_eq!(demangled(name), wanted);
        }
    }

    #[test]
    fn inlined_functions_come_as_addr2line_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
        std::fs::write(&source, TEXT).unwrap();
        let mut cc = Command::new("cc");
        assert!(cc.args(["-O2", "-g", "-o"]).args([&program, &source]).status().unwrap().success());
        let calls = calls(&program);
        assert_eq!(calls.len(), 2);
        let found = Elf::new(&[]).locations(program.as_os_str().as_bytes(), &calls);
        for (address, found) in calls.iter().zip(&found) {
            assert_eq!(found, &addr2line(&program, *address));
            assert_eq!(found.len(), 3, "{found:?}");
            assert_eq!((&*found[0].function, found[0].line), ("deep", 3));
            assert_eq!((&*found[1].function, found[1].line), ("middle", 5));
        }
        let lines: Vec<u32> = found.iter().map(|locations| locations[2].line).collect();
        assert_eq!(lines, [8, 9]);
    }

    #[test]
    fn debug_information_is_found_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.c"), TEXT).unwrap();
        let run = |words: &[&str]| {
            let mut command = Command::new(words[0]);
            assert!(
                command.args(&words[1..]).current_dir(folder.path()).status().unwrap().success()
            );
        };
        run(&["cc", "-O2", "-g", "-o", "a", "a.c"]);
        let calls = calls(&at("a"));
        run(&["objcopy", "--only-keep-debug", "a", "a.debug"]);
        run(&["objcopy", "--strip-all", "a"]);
        let stripped = Elf::new(&[]).locations(at("a").as_os_str().as_bytes(), &calls);
        assert_eq!(stripped, [vec![], vec![]]);
        run(&["objcopy", "--add-gnu-debuglink=a.debug", "a"]);
        let found = Elf::new(&[]).locations(at("a").as_os_str().as_bytes(), &calls);
        let of = |locations: &Vec<Location>| {
            locations.iter().map(|p| p.function.clone()).collect::<Vec<_>>()
        };
        assert_eq!(of(&found[0]), ["deep", "middle", "outer"]);
    }

    #[test]
    fn what_is_no_program_has_no_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
        std::fs::write(at(b"text"), "text").unwrap();
        std::fs::write(at(b"head\xff\n"), b"\x7fELF\x02\x01\x01\0garbage garbage garbage").unwrap();
        let program = std::fs::read("/proc/self/exe").unwrap();
        std::fs::write(at(b"cut"), &program[..program.len() / 2]).unwrap();
        for name in [&b"text"[..], b"head\xff\n", b"cut", b"none", b""] {
            let found =
                Elf::new(&[]).locations(at(name).as_os_str().as_bytes(), &[0, 0x1000, u64::MAX]);
            assert_eq!(found.len(), 3, "{name:?}");
        }
    }

    #[test]
    fn the_kernels_own_code_has_names() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with("[vdso]")).unwrap();
        let bounds: Vec<u64> = line
            .split([' ', '-'])
            .take(2)
            .map(|word| u64::from_str_radix(word, 16).unwrap())
            .collect();
        let all: Vec<u64> = (0..bounds[1] - bounds[0]).step_by(16).collect();
        let found = Elf::new(&[]).vdso_locations(&all);
        let names: Vec<&str> = found.iter().flatten().map(|location| &*location.function).collect();
        assert!(names.iter().any(|name| name.contains("clock_gettime")), "{names:?}");
    }
}
