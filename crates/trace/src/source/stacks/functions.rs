//! Where the functions of a file begin and end.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;

use crate::source::instructions::{self, Targets};
use fewer::compact;
use gimli::{BaseAddresses, EhFrame, UnwindSection as _};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

type File<'a> = ElfFile64<'a, object::Endianness>;

/// Functions by their addresses, as the file's headers count.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// Those that something is known of, in order.
    known: Vec<Function>,
    /// The code, with its address, if it is not too long.
    code: Option<(u64, Vec<u8>)>,
    /// Where its jumps and calls lead to.
    targets: OnceCell<Targets>,
}

/// A function that has a symbol, or that the file says about how it is unwound.
#[derive(Clone, Copy, Debug)]
struct Function {
    start: u64,
    end: u64,
    is_described: bool,
}

impl Functions {
    /// Those of a file.
    pub(super) fn of(path: &Path) -> Functions {
        let Ok(bytes) = std::fs::read(path) else { return Functions::default() };
        let Ok(file) = ElfFile64::parse(&*bytes) else { return Functions::default() };
        let mut known = described(&file).unwrap_or_default();
        known.extend(named(&file));
        // What says more of where a function ends comes last of those that begin at one place.
        compact::sort_by_key(&mut known, |it| (it.start, it.is_described, it.end));
        Functions { known, code: code(&file), targets: OnceCell::new() }
    }

    /// Beginning and end of the function that an address is in, with what fills the room up to the
    /// next one.
    pub(super) fn at(&self, address: u64) -> Option<Range<u64>> {
        let Some(function) = self.find(address) else { return self.unnamed(address) };
        let filled = function.end.next_multiple_of(ALIGNMENT);
        let end = self.next(function.end).map_or(function.end, |next| next.min(filled));
        Some(function.start..end)
    }

    /// The same for a function that nothing is known of: it lies between others, or those that
    /// the code calls.
    fn unnamed(&self, address: u64) -> Option<Range<u64>> {
        let (previous, next) = (self.previous(address), self.next(address));
        let (text, code) = self.code.as_ref()?;
        let called = &self.targets()?.functions;
        let behind = called.partition_point(|called| *called <= address);
        let start = called[..behind].last().copied().max(previous.map(|it| it.end));
        let start = start.unwrap_or(*text);
        let end = text.saturating_add(code.len() as u64);
        let end = called.get(behind).copied().unwrap_or(end).min(next.unwrap_or(end));
        let code = self.code(&(start..end)).filter(|code| code.len() <= LONGEST_ROOM)?;
        instructions::function_in(code, start, address)
    }

    fn targets(&self) -> Option<&Targets> {
        let (text, code) = self.code.as_ref()?;
        let leaves = |from, to| self.find(from).is_some_and(|it| !(it.start..it.end).contains(&to));
        Some(self.targets.get_or_init(|| Targets::of(code, *text, &leaves)))
    }

    /// Whether anything in the file jumps to one of these addresses. `None`: that is not known.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_target_in(&self, range: &Range<u64>) -> Option<bool> {
        let all = &self.targets()?.all;
        let before = all.partition_point(|target| *target < range.start);
        Some(all.get(before).is_some_and(|target| *target < range.end))
    }

    /// The code of a function, if it is not longer than most.
    pub(super) fn code(&self, function: &Range<u64>) -> Option<&[u8]> {
        let (text, code) = self.code.as_ref()?;
        let offset = |address: u64| usize::try_from(address.checked_sub(*text)?).ok();
        // What fills the room behind the last one may belong to another section.
        let code = code.get(offset(function.start)?..offset(function.end)?.min(code.len()))?;
        (code.len() <= LONGEST).then_some(code)
    }

    /// Whether the function has a symbol that an address is in, and nothing else.
    pub(super) fn is_named(&self, address: u64) -> bool {
        self.find(address).is_some_and(|function| !function.is_described)
    }

    /// Whether the file says how the function is unwound that an address is in.
    pub(super) fn is_described(&self, address: u64) -> bool {
        self.find(address).is_some_and(|function| function.is_described)
    }

    fn find(&self, address: u64) -> Option<Function> {
        let behind = self.known.partition_point(|function| function.start <= address);
        // Of one within another, which ends before, it is the other.
        let last = self.known[..behind].iter().rev().take(NESTED);
        last.copied().find(|function| address < function.end)
    }

    /// The last one that begins at an address or before it.
    fn previous(&self, address: u64) -> Option<Function> {
        let behind = self.known.partition_point(|function| function.start <= address);
        self.known[..behind].last().copied()
    }

    /// Where the first one begins that does so at an address or behind it.
    fn next(&self, from: u64) -> Option<u64> {
        let before = self.known.partition_point(|function| function.start < from);
        self.known.get(before).map(|next| next.start)
    }
}

/// To look through so much takes a tenth of a second.
const MOST_CODE: u64 = 16 << 20;

/// What lies between known functions is not looked through if it is longer.
const LONGEST_ROOM: usize = 16 << 10;

/// No function is looked through that is longer.
const LONGEST: usize = 64 << 10;

/// What a program begins with is no longer than this.
const BEGINNING: u64 = 48;

/// So many functions may be within another one.
const NESTED: usize = 8;

/// Compilers let functions begin at multiples of this, or follow each other without room.
const ALIGNMENT: u64 = 16;

/// The code of a file, if it is not too long to be looked through, with its address.
fn code(file: &File) -> Option<(u64, Vec<u8>)> {
    let text = file.section_by_name(".text")?;
    (text.size() <= MOST_CODE).then(|| Some((text.address(), text.data().ok()?.to_vec())))?
}

fn described(file: &File) -> Option<Vec<Function>> {
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
            let (start, length) = (fde.initial_address(), fde.len());
            all.push(Function { start, end: start.saturating_add(length), is_described: true });
        }
    }
    Some(all)
}

/// Some in assembly do not say how long they are: such a one ends where the next begins. Where the
/// program begins is often not said to be a function at all: it is a few instructions, and a call.
fn named(file: &File) -> Vec<Function> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions = symbols.filter(|it| it.kind() == SymbolKind::Text && it.is_definition());
    let mut all: Vec<_> = functions.map(|it| (it.address(), it.size())).collect();
    all.push((file.entry(), BEGINNING));
    // Of those that begin at the same place the longest.
    compact::sort_by(&mut all, |a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    all.dedup_by_key(|function| function.0);
    let ends = all.iter().map(|function| function.0).skip(1).chain([0]);
    let ends = all.iter().zip(ends).map(|(&(start, size), next)| match size {
        0 => (start, next),
        _ => (start, start.saturating_add(size)),
    });
    ends.map(|(start, end)| Function { start, end, is_described: false }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_the_c_library_is_found_by_an_address_in_it() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let libc = maps.lines().find(|line| line.contains("libc.so")).unwrap();
        let path = libc.split_whitespace().last().unwrap();
        let functions = Functions::of(Path::new(path));
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
