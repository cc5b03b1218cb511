//! Where a mapped file has what a runtime's unwinder needs, by its symbols.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use object::Endianness;
use object::elf::{FileHeader64, SHT_DYNSYM, SHT_SYMTAB};
use object::read::ReadCache;
use object::read::elf::{FileHeader as _, Sym as _};

use super::{RUNTIMES, Runtime};
use fewer::path::base_name;

/// A file that holds a runtime.
pub(in super::super) struct RuntimeFile {
    /// Which.
    pub(in super::super) runtime: &'static Runtime,
    /// Addresses, as the file's own headers count.
    symbols: BTreeMap<&'static str, Range<u64>>,
}

impl RuntimeFile {
    /// What a file is, by its name and its symbols. `None` if it holds no runtime that is known.
    pub(in super::super) fn of(path: &Path, name: &[u8]) -> Option<RuntimeFile> {
        let base = base_name(name);
        let candidates: Vec<&'static Runtime> =
            RUNTIMES.iter().copied().filter(|runtime| (runtime.is_file)(base)).collect();
        if candidates.is_empty() {
            return None;
        }
        let data = ReadCache::new(File::open(path).ok()?);
        candidates.into_iter().find_map(|runtime| {
            let symbols = symbols(&data, runtime)?;
            let has = |symbol: &&str| symbols.contains_key(symbol);
            let is_whole = runtime.needs.iter().all(has);
            is_whole.then_some(RuntimeFile { runtime, symbols })
        })
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
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(endian)) {
            let name = symbols.symbol_name(endian, symbol).unwrap_or_default();
            if let Some(wanted) = wanted.iter().find(|wanted| wanted.as_bytes() == name) {
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
