//! Where the functions of a file begin and end.

use std::ops::Range;
use std::path::Path;

use crate::source::instructions;
use fewer::compact;
use gimli::{BaseAddresses, EhFrame, UnwindSection as _};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

type File<'a> = ElfFile64<'a, object::Endianness>;

/// Functions by their addresses, as the file's headers count; in order.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// Those that the file says about how they are unwound.
    described: Vec<Range<u64>>,
    /// Those that have a symbol.
    named: Vec<Range<u64>>,
    /// The code, with its address.
    code: Option<(u64, Vec<u8>)>,
    /// Where functions begin that the code calls, if it has been looked through.
    called: Option<Vec<u64>>,
}

impl Functions {
    /// Those of a file.
    pub(super) fn of(path: &Path) -> Functions {
        let Ok(bytes) = std::fs::read(path) else { return Functions::default() };
        let Ok(file) = ElfFile64::parse(&*bytes) else { return Functions::default() };
        let (described, named) = (described(&file).unwrap_or_default(), named(&file));
        Functions { described, named, code: code(&file), called: None }
    }

    /// Beginning and end of the function that an address is in, with what fills the room up to the
    /// next one.
    pub(super) fn at(&mut self, address: u64) -> Option<Range<u64>> {
        let Some(known) = find(&self.described, address).or_else(|| find(&self.named, address))
        else {
            return self.unnamed(address);
        };
        let next = [next(&self.described, known.end), next(&self.named, known.end)];
        let next = next.into_iter().flatten().min();
        let filled = known.end.next_multiple_of(ALIGNMENT);
        Some(known.start..next.map_or(known.end, |next| next.min(filled)))
    }

    /// The same for a function that nothing is known of: it lies between others, or those that
    /// the code calls.
    fn unnamed(&mut self, address: u64) -> Option<Range<u64>> {
        let (text, code) = self.code.as_ref()?;
        let called = self.called.get_or_insert_with(|| instructions::functions(code, *text));
        let behind = called.partition_point(|called| *called <= address);
        let starts = [
            called[..behind].last().copied(),
            previous_end(&self.described, address),
            previous_end(&self.named, address),
            Some(*text),
        ];
        let ends = [
            called.get(behind).copied(),
            next(&self.described, address),
            next(&self.named, address),
            Some(text.saturating_add(code.len() as u64)),
        ];
        let start = starts.into_iter().flatten().max()?;
        let end = ends.into_iter().flatten().min()?;
        let offset = |address: u64| usize::try_from(address.checked_sub(*text)?).ok();
        let code = code.get(offset(start)?..offset(end)?)?;
        (code.len() <= LONGEST).then(|| instructions::function_in(code, start, address))?
    }

    /// Whether the function has a symbol that an address is in.
    pub(super) fn is_named(&self, address: u64) -> bool {
        find(&self.named, address).is_some()
    }

    /// Whether the file says how the function is unwound that an address is in.
    pub(super) fn is_described(&self, address: u64) -> bool {
        find(&self.described, address).is_some()
    }
}

/// To look through so much takes a tenth of a second.
const MOST_CODE: u64 = 16 << 20;

/// What lies between known functions is not looked through if it is longer.
const LONGEST: usize = 64 << 10;

/// Compilers let functions begin at multiples of this, or follow each other without room.
const ALIGNMENT: u64 = 16;

fn find(all: &[Range<u64>], address: u64) -> Option<Range<u64>> {
    let behind = all.partition_point(|function| function.start <= address);
    all[..behind].last().filter(|function| function.contains(&address)).cloned()
}

/// Where the last function ends that begins before an address.
fn previous_end(all: &[Range<u64>], address: u64) -> Option<u64> {
    all[..all.partition_point(|function| function.start <= address)].last().map(|last| last.end)
}

/// Where the first function begins that does so at an address or behind it.
fn next(all: &[Range<u64>], from: u64) -> Option<u64> {
    all.get(all.partition_point(|function| function.start < from)).map(|next| next.start)
}

/// The code of a file, if it is not too long to be looked through, with its address.
fn code(file: &File) -> Option<(u64, Vec<u8>)> {
    let text = file.section_by_name(".text")?;
    (text.size() <= MOST_CODE).then(|| Some((text.address(), text.data().ok()?.to_vec())))?
}

fn described(file: &File) -> Option<Vec<Range<u64>>> {
    let section = file.section_by_name(".eh_frame")?;
    let frames = EhFrame::new(section.data().ok()?, gimli::LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(section.address());
    let bases = match file.section_by_name(".text") {
        Some(text) => bases.set_text(text.address()),
        None => bases,
    };
    let mut all = Vec::new();
    let mut entries = frames.entries(&bases);
    while let Ok(Some(entry)) = entries.next() {
        if let gimli::CieOrFde::Fde(partial) = entry
            && let Ok(fde) = partial.parse(EhFrame::cie_from_offset)
        {
            all.push(fde.initial_address()..fde.initial_address().saturating_add(fde.len()));
        }
    }
    compact::sort_by(&mut all, |a, b| a.start.cmp(&b.start));
    Some(all)
}

/// Some in assembly do not say how long they are: such a one ends where the next begins, and so
/// does that where the program begins, which is often not said to be a function at all.
fn named(file: &File) -> Vec<Range<u64>> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions = symbols.filter(|it| it.kind() == SymbolKind::Text && it.is_definition());
    let mut all: Vec<_> = functions.map(|it| (it.address(), it.size())).collect();
    all.push((file.entry(), 0));
    // Of those that begin at the same place the longest.
    compact::sort_by(&mut all, |a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    all.dedup_by_key(|function| function.0);
    let ends = all.iter().map(|function| function.0).skip(1).chain([0]);
    let ranges = all.iter().zip(ends).map(|(&(start, size), next)| match size {
        0 => start..next,
        _ => start..start.saturating_add(size),
    });
    ranges.filter(|function| !function.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_the_c_library_is_found_by_an_address_in_it() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let libc = maps.lines().find(|line| line.contains("libc.so")).unwrap();
        let path = libc.split_whitespace().last().unwrap();
        let mut functions = Functions::of(Path::new(path));
        let file = std::fs::read(path).unwrap();
        let file = File::parse(&*file).unwrap();
        let symbols = || file.dynamic_symbols();
        let symbol = symbols().find(|symbol| symbol.name() == Ok("getppid")).unwrap();
        let function = functions.at(symbol.address() + 1).unwrap();
        assert_eq!(function.start, symbol.address());
        assert!(function.end >= function.start + symbol.size());
        assert_eq!(functions.at(0), None);
    }
}
