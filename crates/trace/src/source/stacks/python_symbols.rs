//! Where an interpreter has what is needed, by the symbols that it offers to extensions.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use object::Endianness;
use object::elf::{FileHeader64, SHT_DYNSYM};
use object::read::ReadCache;
use object::read::elf::{FileHeader as _, Sym as _};

/// Addresses in a file, as its own headers count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Marks {
    /// `_PyRuntime`: from where all else is found.
    pub(super) runtime: u64,
    /// `Py_Version`: its version, since 3.11.
    pub(super) version: u64,
    /// `_PyEval_EvalFrameDefault`: the function that runs a program's functions.
    pub(super) eval: Range<u64>,
}

impl Marks {
    /// The marks of a file. `None` if it is no interpreter, or an older one.
    pub(super) fn of(path: &Path, name: &[u8]) -> Option<Marks> {
        let base = name.rsplit(|&byte| byte == b'/').next()?;
        memchr::memmem::find(base, b"python")?;
        let data = ReadCache::new(File::open(path).ok()?);
        let data = &data;
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let sections = header.sections(endian, data).ok()?;
        let symbols = sections.symbols(endian, data, SHT_DYNSYM).ok()?;
        let (mut runtime, mut version, mut eval) = (None, None, None);
        for symbol in symbols.iter().filter(|symbol| symbol.st_value(endian) != 0) {
            let start = symbol.st_value(endian);
            match symbols.symbol_name(endian, symbol).unwrap_or_default() {
                b"_PyRuntime" => runtime = Some(start),
                b"Py_Version" => version = Some(start),
                b"_PyEval_EvalFrameDefault" => {
                    eval = Some(start..start.checked_add(symbol.st_size(endian))?);
                }
                _ => {}
            }
        }
        Some(Marks { runtime: runtime?, version: version?, eval: eval? })
    }
}
