//! Where the functions of a file begin and end.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;

use crate::source::instructions;
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
    /// The file, if its code is not too long; where in it that is, and at which address.
    bytes: Vec<u8>,
    code: Range<usize>,
    text: u64,
    /// Where functions begin that the code calls.
    called: OnceCell<Vec<u64>>,
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
        let (text, code) = code(&file).unwrap_or_default();
        let bytes = if code.is_empty() { Vec::new() } else { bytes };
        Functions { known, bytes, code, text, called: OnceCell::new() }
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
        let (called, length) = (self.called()?, self.code()?.len() as u64);
        let behind = called.partition_point(|called| *called <= address);
        let previous = self.before(address).map(|function| function.end).max();
        let start = called[..behind].last().copied().max(previous).unwrap_or(self.text);
        let end = self.text.saturating_add(length);
        let end = called.get(behind).copied().unwrap_or(end);
        let end = self.next(address).map_or(end, |next| next.min(end));
        let code = self.code_of(&(start..end)).filter(|code| code.len() <= LONGEST_ROOM)?;
        instructions::function_in(code, start, address)
    }

    fn called(&self) -> Option<&[u64]> {
        let (text, code) = (self.text, self.code()?);
        Some(self.called.get_or_init(|| {
            let known: Vec<u64> = self.known.iter().map(|function| function.start).collect();
            instructions::functions(code, text, &known)
        }))
    }

    /// Whether any jump from elsewhere leads to one of these addresses in a function: from a part
    /// that it jumps to itself, or that lies beside it. `None`: that is not known.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_jumped_into(
        &self,
        function: &Range<u64>,
        inside: &Range<u64>,
    ) -> Option<bool> {
        let own = self.code_of(function)?;
        let is_outside = |to: &u64| !function.contains(to);
        let left = instructions::jumps(own, function.start).filter(is_outside);
        let parts = left.filter_map(|to| self.at(to));
        let beside = [function.start.checked_sub(1)?, function.end].map(|at| self.find(at));
        let beside = beside.into_iter().flatten().map(|it| it.start..it.end);
        let jumps_into = |part: Range<u64>| {
            let code = self.code_of(&part);
            code.is_some_and(|code| instructions::has_jump_into(code, part.start, inside))
        };
        Some(parts.chain(beside).any(jumps_into))
    }

    /// The code of a function, if it is not longer than most.
    pub(super) fn code_of(&self, function: &Range<u64>) -> Option<&[u8]> {
        let code = self.code()?;
        let offset = |address: u64| usize::try_from(address.checked_sub(self.text)?).ok();
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
        // Of one within another, which ends before, it is the other.
        self.before(address).find(|function| address < function.end)
    }

    /// The last ones that begin at an address or before it, from there on.
    fn before(&self, address: u64) -> impl Iterator<Item = Function> {
        let behind = self.known.partition_point(|function| function.start <= address);
        self.known[..behind].iter().rev().take(NESTED).copied()
    }

    fn code(&self) -> Option<&[u8]> {
        self.bytes.get(self.code.clone()).filter(|code| !code.is_empty())
    }

    /// Where the first one begins that does so at an address or behind it.
    fn next(&self, from: u64) -> Option<u64> {
        let before = self.known.partition_point(|function| function.start < from);
        self.known.get(before).map(|next| next.start)
    }
}

/// To look through so much takes a tenth of a second.
pub(super) const MOST_CODE: u64 = 16 << 20;

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

/// The address of a file's code, and where in the file it is, if it is not too long.
fn code(file: &File) -> Option<(u64, Range<usize>)> {
    let text = file.section_by_name(".text")?;
    let (offset, size) = text.file_range().filter(|(_, size)| *size <= MOST_CODE)?;
    Some((text.address(), usize::try_from(offset).ok()?..usize::try_from(offset + size).ok()?))
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
    // The last one has nothing behind it.
    let next = all.iter().skip(1).chain(all.last()).map(|function| function.0);
    let functions = all.iter().zip(next).map(|(&(start, size), next)| {
        let end = if size == 0 { next } else { start.saturating_add(size) };
        Function { start, end, is_described: false }
    });
    functions.collect()
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
