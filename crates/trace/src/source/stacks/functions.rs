//! Where the functions of a file begin and end.

use std::path::Path;

use gimli::{BaseAddresses, EhFrame, UnwindSection as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

/// Functions by their addresses, as the file's headers count; in order.
#[derive(Debug, Default)]
pub(super) struct Functions(Vec<(u64, u64)>);

impl Functions {
    /// Those of a file: as what it says about unwinding has them, or else its symbols.
    pub(super) fn of(path: &Path) -> Functions {
        let Ok(bytes) = std::fs::read(path) else { return Functions::default() };
        let Ok(file) = object::File::parse(&*bytes) else { return Functions::default() };
        let mut all = described(&file).unwrap_or_default();
        if all.is_empty() {
            all = named(&file);
        }
        all.sort_unstable();
        Functions(all)
    }

    /// Beginning and end of the function that an address is in.
    pub(super) fn at(&self, address: u64) -> Option<(u64, u64)> {
        let behind = self.0.partition_point(|function| function.0 <= address);
        self.0[..behind].last().copied().filter(|function| address < function.1)
    }
}

fn described(file: &object::File) -> Option<Vec<(u64, u64)>> {
    let section = file.section_by_name(".eh_frame")?;
    let data = section.uncompressed_data().ok()?;
    let frames = EhFrame::new(&data, gimli::NativeEndian);
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
            all.push((fde.initial_address(), fde.initial_address().saturating_add(fde.len())));
        }
    }
    Some(all)
}

fn named(file: &object::File) -> Vec<(u64, u64)> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions =
        symbols.filter(|symbol| symbol.kind() == object::SymbolKind::Text && symbol.size() > 0);
    functions.map(|it| (it.address(), it.address().saturating_add(it.size()))).collect()
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
        let file = object::File::parse(&*file).unwrap();
        let symbols = || file.dynamic_symbols();
        let symbol = symbols().find(|symbol| symbol.name() == Ok("getppid")).unwrap();
        let (begin, end) = functions.at(symbol.address() + 1).unwrap();
        assert_eq!(begin, symbol.address());
        assert!(end >= begin + symbol.size());
        assert_eq!(functions.at(0), None);
    }
}
