//! Where a goroutine was created: Go keeps that in the goroutine. Where in its structure, the
//! program's debug information says.
//!
//! Facts from Go's `runtime/runtime2.go` (`g`, `stack`) and `runtime/tls_*.s`.

use std::fs::File;
use std::path::Path;

use gimli::{DebuggingInformationEntry, EndianSlice, RunTimeEndian, Unit};
use object::Endianness;
use object::elf::FileHeader64;
use object::read::ReadCache;
use object::read::elf::FileHeader as _;

use super::sections::uncompressed;
use super::words::Word;
use crate::source::{memory, ptrace};

/// In `g`, the first words are the bounds of its stack.
const STACK_BYTES: usize = 16;

/// No structure is larger.
const LARGEST: u64 = 1 << 12;

/// Distances in `g`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Goroutines {
    /// Its number: that of the first one is 1.
    number: u64,
    /// Where the statement is that created it.
    created: u64,
}

type Reader<'d> = EndianSlice<'d, RunTimeEndian>;

impl Goroutines {
    /// Those of a program in Go. `None` if it has no debug information.
    pub(super) fn of(path: &Path) -> Option<Goroutines> {
        let data = ReadCache::new(File::open(path).ok()?);
        let data = &data;
        let header = FileHeader64::<Endianness>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let table = header.sections(endian, data).ok()?;
        let load = |id: gimli::SectionId| {
            let found = table.section_by_name(endian, id.name().as_bytes());
            let bytes = found.and_then(|(_, section)| uncompressed(section, endian, data));
            Ok::<_, gimli::Error>(bytes.unwrap_or_default())
        };
        let sections = gimli::DwarfSections::load(load).ok()?;
        let dwarf = sections.borrow(|section| EndianSlice::new(section, RunTimeEndian::Little));
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            let unit = dwarf.unit(header).ok()?;
            if let Some(found) = in_unit(&dwarf, &unit) {
                return Some(found);
            }
        }
        None
    }

    /// The address behind the statement that created the goroutine which a stopped thread runs.
    /// `None` for the first one, and where the thread runs none.
    pub(super) fn creation(self, thread: libc::pid_t, stack_pointer: u64) -> Option<u64> {
        let own = ptrace::thread_pointer(thread)?;
        let goroutine = word(thread, own.wrapping_sub(8))?;
        let bounds: [u8; STACK_BYTES] = memory::array(thread, goroutine)?;
        let (low, high) = bounds.split_at(8);
        let bound = |bytes: &[u8]| Some(u64::from_ne_bytes(bytes.try_into().ok()?));
        if !(bound(low)?..=bound(high)?).contains(&stack_pointer) {
            return None;
        }
        let number = word(thread, goroutine.wrapping_add(self.number))?;
        let created = word(thread, goroutine.wrapping_add(self.created))?;
        (number > 1 && created != 0).then_some(created)
    }

    /// The words that this depends on, as far as it goes. The number of a goroutine is not among
    /// them: nothing but the first one was created where that was.
    pub(super) fn words(self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        let own = ptrace::thread_pointer(thread)?.wrapping_sub(8);
        let goroutine = word(thread, own)?;
        Word::push_all(own, goroutine, words);
        for distance in [0, 8, self.created] {
            let address = goroutine.wrapping_add(distance);
            let Some(value) = word(thread, address) else { break };
            Word::push_all(address, value, words);
        }
        Some(())
    }
}

fn word(thread: libc::pid_t, address: u64) -> Option<u64> {
    memory::array(thread, address).map(u64::from_ne_bytes)
}

/// The structure `runtime.g` in a unit.
fn in_unit(dwarf: &gimli::Dwarf<Reader>, unit: &Unit<Reader>) -> Option<Goroutines> {
    let mut entries = unit.entries();
    let (mut number, mut created, mut is_inside) = (None, None, false);
    while let Ok(Some(entry)) = entries.next_dfs() {
        match entry.tag() {
            gimli::DW_TAG_structure_type => {
                is_inside = name(dwarf, unit, entry).is_some_and(|name| name == b"runtime.g");
            }
            gimli::DW_TAG_member if is_inside => match name(dwarf, unit, entry) {
                Some(b"goid") => number = distance(entry),
                Some(b"gopc") => created = distance(entry),
                _ => {}
            },
            _ => {}
        }
        if let (Some(number), Some(created)) = (number, created) {
            return Some(Goroutines { number, created });
        }
    }
    None
}

fn name<'d>(
    dwarf: &gimli::Dwarf<Reader<'d>>,
    unit: &Unit<Reader<'d>>,
    entry: &DebuggingInformationEntry<Reader<'d>>,
) -> Option<&'d [u8]> {
    let value = entry.attr_value(gimli::DW_AT_name)?;
    dwarf.attr_string(unit, value).ok().map(|text| text.slice())
}

fn distance(entry: &DebuggingInformationEntry<Reader>) -> Option<u64> {
    let value = entry.attr_value(gimli::DW_AT_data_member_location)?;
    value.udata_value().filter(|distance| *distance < LARGEST)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::process::Command;

    use super::super::trial::Folder;
    use crate::source::{Options, Subject, Tier, trace};
    use crate::symbols::Symbols;
    use crate::{Event, Registry};

    /// No function of the goroutine is the program's own: only its creation is.
    const TEXT: &str = r#"package main
import ("os"; "sync"; "path/filepath")
func start(group *sync.WaitGroup) {
	group.Add(1)
	done := group.Done
	glob := func() { filepath.Glob("/trial/*"); done() }
	begin(glob)
}
func begin(what func()) {
	go what()
}
func main() {
	var group sync.WaitGroup
	start(&group)
	group.Wait()
	os.Exit(0)
}
"#;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_goroutine_stands_on_the_statement_that_created_it() {
        let folder = Folder::new("goroutine");
        let (source, program) = (folder.0.join("a.go"), folder.0.join("a"));
        std::fs::write(&source, TEXT).unwrap();
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg(&source).env("CGO_ENABLED", "0");
        // The compiler keeps what it has built in a home.
        go.env("GOCACHE", std::env::temp_dir().join("fewer-go-cache"));
        let Ok(built) = go.status() else { return };
        assert!(built.success());
        let (mut registry, mut found) = (Registry::default(), None);
        let mut sink = |events: Vec<Event>| {
            for event in &events {
                registry.take(event);
                if let Event::Call(call) = event
                    && registry.path(call.path).starts_with(b"/trial")
                {
                    found = Some(call.stack);
                }
            }
        };
        let options = Options { stacks: true, tier: Tier::of_tests(), ..Options::default() };
        let command = Subject::Command(vec![OsString::from(&program)]);
        trace(&command, &options, &mut sink).unwrap();
        let outermost = registry.stack(found.unwrap()).last().unwrap();
        let module = registry.path(outermost.module);
        let frame = (crate::FrameId(0), module, outermost.address, 0);
        let located = Symbols::new().resolve(&[frame]);
        let Some(Event::Locations { locations, .. }) = located.first() else { panic!() };
        assert_eq!((&*locations[0].function, locations[0].line), ("main.begin", 10));
    }
}
