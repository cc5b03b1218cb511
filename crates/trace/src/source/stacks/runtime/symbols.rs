//! Where a mapped file has what a runtime's unwinder needs, by its symbols.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use object::Endianness;
use object::elf::{FileHeader64, SHT_DYNSYM, SHT_SYMTAB};
use object::read::ReadCache;
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};

use super::{RUNTIMES, Runtime};
use crate::lisp_core;
use fewer::path::base_name;

/// A file that holds a runtime.
pub(in super::super) struct RuntimeFile {
    /// Which.
    pub(in super::super) runtime: &'static Runtime,
    /// Addresses, as the file's own headers count.
    symbols: BTreeMap<&'static str, Range<u64>>,
    /// A symbol that is needed and not there.
    missing: Option<&'static str>,
}

impl RuntimeFile {
    /// What a file is, by its name and its symbols. `None` if it holds no runtime that is known.
    pub(in super::super) fn of(path: &Path, name: &[u8]) -> Option<RuntimeFile> {
        // What Lisp saves of itself may have any name.
        let is_core = || File::open(path).is_ok_and(|mut file| lisp_core::is_behind(&mut file));
        let base = if is_core() { b"sbcl" } else { base_name(name) };
        let candidates: Vec<&'static Runtime> =
            RUNTIMES.iter().copied().filter(|runtime| (runtime.is_file)(base)).collect();
        if candidates.is_empty() {
            return None;
        }
        let data = ReadCache::new(File::open(path).ok()?);
        let found: Vec<RuntimeFile> = candidates
            .into_iter()
            .filter_map(|runtime| {
                let symbols = symbols(&data, runtime)?;
                let lacks = |symbol: &&&str| !symbols.contains_key(**symbol);
                let missing = runtime.needs.iter().find(lacks).copied();
                Some(RuntimeFile { runtime, symbols, missing })
            })
            .filter(|file| file.missing.is_none() || is_main(base, file.runtime))
            .collect();
        found.into_iter().min_by_key(|file| file.missing.is_some())
    }

    /// A symbol that the runtime's own file should have, and has not: it may have been stripped.
    pub(in super::super) fn missing(&self) -> Option<&'static str> {
        self.missing
    }

    /// The address of a symbol, as the file's own headers count.
    pub(super) fn address(&self, symbol: &str) -> Option<u64> {
        self.symbols.get(symbol).map(|range| range.start)
    }

    /// Whether an address lies in a function that runs a program's functions.
    pub(in super::super) fn is_run(&self, address: u64) -> bool {
        let ranges = self.runtime.runs.iter().filter_map(|symbol| self.symbols.get(symbol));
        ranges.into_iter().any(|range| range.contains(&address))
    }
}

/// Whether a file without a runtime's symbols is, by its name, the runtime itself or its library,
/// and no extension of it: `python3.13t`, `libruby-3.1.so.3.1`.
fn is_main(base: &[u8], runtime: &Runtime) -> bool {
    let name = base.strip_prefix(b"lib").unwrap_or(base);
    let end = name.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(name.len());
    let (stem, version) = name.split_at(end);
    let is_version = |part: &[u8]| {
        // A letter may follow: `3.13t` is built for threads.
        part == b"so" || part.iter().rev().skip(1).all(u8::is_ascii_digit)
    };
    (runtime.is_file)(stem) && version.split(|byte| b".-".contains(byte)).all(is_version)
}

/// Where a file has the symbols of a runtime: those that it offers to others go before those that
/// are left for debugging.
fn symbols(
    data: &ReadCache<File>,
    runtime: &'static Runtime,
) -> Option<BTreeMap<&'static str, Range<u64>>> {
    let header = FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, data).ok()?;
    let wanted: Vec<&'static str> =
        [runtime.needs, runtime.also, runtime.runs].into_iter().flatten().copied().collect();
    let mut found = BTreeMap::new();
    for table in [SHT_DYNSYM, SHT_SYMTAB] {
        let Ok(symbols) = sections.symbols(endian, data, table) else { continue };
        // All names in one read: `symbol_name` seeks and reads for each.
        let names = sections.section(symbols.string_section()).ok();
        let names = names.and_then(|names| names.data(endian, data).ok()).unwrap_or_default();
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(endian)) {
            let name = names.get(symbol.st_name(endian) as usize..).unwrap_or_default();
            let is_it = |it: &&&str| is_name(name, it.as_bytes());
            if let Some(wanted) = wanted.iter().find(is_it) {
                let start = symbol.st_value(endian);
                let end = start.saturating_add(symbol.st_size(endian));
                found.entry(*wanted).or_insert(start..end);
            }
        }
        if wanted.iter().all(|wanted| found.contains_key(wanted)) {
            break;
        }
    }
    Some(found)
}

/// Whether the text that begins here, and ends with a NUL, is a name.
fn is_name(text: &[u8], name: &[u8]) -> bool {
    // Most of a hundred thousand differ in the first byte.
    text.first() == name.first() && text.starts_with(name) && text.get(name.len()) == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file that has none of the symbols is taken for, by its name.
    fn taken_for(name: &str) -> Option<&'static str> {
        let elf = Path::new("/proc/self/exe");
        let file = RuntimeFile::of(elf, name.as_bytes())?;
        assert!(file.missing().is_some(), "{name}");
        Some(file.runtime.name)
    }

    #[test]
    fn a_runtime_without_its_symbols_is_known_by_its_name() {
        assert_eq!(taken_for("/usr/bin/bash"), Some("bash"));
        assert_eq!(taken_for("/usr/bin/perl5.36.0"), Some("Perl"));
        assert_eq!(taken_for("/opt/bin/python3.13t"), Some("Python"));
        assert_eq!(taken_for("/usr/lib/libruby-3.1.so.3.1.7"), Some("Ruby"));
    }

    #[test]
    fn symbols_are_not_read_one_by_one() {
        let reads = || {
            let io = std::fs::read_to_string("/proc/thread-self/io").unwrap();
            let line = io.lines().find_map(|line| line.strip_prefix("syscr: ")).unwrap();
            line.parse::<u64>().unwrap()
        };
        let before = reads();
        assert_eq!(taken_for("/usr/bin/bash"), Some("bash"));
        let made = reads() - before;
        assert!(made < 50, "{made} reads");
    }

    #[test]
    fn what_only_belongs_to_a_runtime_is_not_taken_for_it() {
        assert_eq!(taken_for("/lib/json.cpython-311-x86_64-linux-gnu.so"), None);
        assert_eq!(taken_for("/usr/bin/node_exporter"), None);
        assert_eq!(taken_for("/usr/lib/libboost_python311.so.1.74.0"), None);
        assert_eq!(taken_for("/usr/lib/python3/dist-packages/apt_pkg.so"), None);
    }
}
