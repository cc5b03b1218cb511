//! The next block of a directory that brings something new, by whichever call gives it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::attributes::{AttributeRequest, Records};
use super::dirent::{self, Dirents};
use super::reader::{FirstRecord, ReadCall, ReadState, Refusal, Step, Traits, Volume};
use crate::{Errno, Kind};

/// The calls that read a directory.
pub(crate) trait DirectoryCalls {
    /// Fills `memory`. The answer is the number of bytes, or with attributes that of records.
    fn fill(
        &mut self,
        call: ReadCall,
        memory: &mut [u8],
        request: AttributeRequest,
    ) -> Result<usize, Errno>;

    /// Begins the directory anew.
    fn rewind(&mut self) -> Result<(), Errno>;
}

/// What is in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) call: ReadCall,
    /// The number of bytes, or with attributes that of records.
    pub(crate) amount: usize,
    /// How many of its first records were handed out already.
    pub(crate) skip: u64,
    /// How many records lie before its end.
    pub(crate) behind: u64,
    pub(crate) is_first: bool,
    /// Whether there is no further block.
    pub(crate) is_last: bool,
}

/// What was found in a block before its entries are taken.
struct Overview {
    first: FirstRecord,
    records: u64,
    lacks_kinds: bool,
}

impl Overview {
    fn of(memory: &[u8], call: ReadCall, amount: usize, request: AttributeRequest) -> Overview {
        match call {
            ReadCall::Entries => {
                let bytes = &memory[..amount.min(memory.len())];
                Overview::of_records(
                    Dirents::parse(bytes).map(|it| (it.inode, it.with_nul, it.kind)),
                )
            }
            ReadCall::Attributes => {
                let records = Records::parse(memory, amount, request);
                Overview::of_records(records.map(|it| (it.inode, it.with_nul, it.kind)))
            }
        }
    }

    fn of_records<'b>(records: impl Iterator<Item = (u64, &'b [u8], Kind)>) -> Overview {
        let nothing = FirstRecord::of(0, b"");
        let mut overview = Overview { first: nothing, records: 0, lacks_kinds: false };
        for (inode, name, kind) in records {
            if overview.records == 0 {
                overview.first = FirstRecord::of(inode, name);
            }
            overview.records += 1;
            overview.lacks_kinds |= kind == Kind::Unknown;
        }
        overview
    }
}

/// Fills `memory` with the next block of a directory that has been read so far.
///
/// # Errors
/// That of the call; `EIO` for a directory that gives the same blocks again and again.
pub(crate) fn next_block(
    state: &mut ReadState,
    calls: &mut impl DirectoryCalls,
    memory: &mut [u8],
    request: AttributeRequest,
    on: Volume,
) -> Result<Filled, Errno> {
    let is_first = state.records == 0 && state.skip == 0;
    loop {
        let call = *state.call.get_or_insert_with(|| traits(on).call_for(request.fields));
        // The flags of a block are where the kernel may leave what was there.
        if let Some(flags) = memory.last_chunk_mut() {
            *flags = [0; 4];
        }
        let amount = match (call, calls.fill(call, memory, request)) {
            (_, Ok(amount)) => amount,
            (ReadCall::Attributes, Err(errno)) if state.records == 0 => {
                refuse(state, on, errno)?;
                continue;
            }
            (_, Err(errno)) => return Err(errno),
        };
        if amount == 0 {
            let (skip, behind) = (0, state.records);
            return Ok(Filled { call, amount, skip, behind, is_first, is_last: true });
        }
        let overview = Overview::of(memory, call, amount, request);
        let is_bare = overview.lacks_kinds && call == ReadCall::Entries && state.records == 0;
        let may_switch = !state.is_refused && !traits(on).lacks_attributes;
        if is_bare && state.skip == 0 && may_switch {
            remember(on, Traits { lacks_kinds: true, ..traits(on) });
            calls.rewind()?;
            state.call = Some(ReadCall::Attributes);
            continue;
        }
        match state.progress.judge(overview.first) {
            Step::Take => {}
            Step::ReadOn => continue,
            Step::Stalled => {
                if call == ReadCall::Attributes {
                    remember(on, Traits { lacks_attributes: true, ..traits(on) });
                }
                return Err(Errno::IO);
            }
        }
        state.records += overview.records;
        if state.skip > 0 && overview.records <= state.skip {
            state.skip -= overview.records;
            continue;
        }
        let (skip, behind) = (std::mem::take(&mut state.skip), state.records);
        let is_last = call == ReadCall::Entries && dirent::is_last(memory, amount);
        return Ok(Filled { call, amount, skip, behind, is_first, is_last });
    }
}

/// Goes on with names only, if that is what an error of the first question for attributes means.
#[cold]
fn refuse(state: &mut ReadState, on: Volume, errno: Errno) -> Result<(), Errno> {
    match Refusal::of(errno) {
        Refusal::No => return Err(errno),
        Refusal::Directory => {}
        Refusal::Volume => remember(on, Traits { lacks_attributes: true, ..traits(on) }),
    }
    state.call = Some(ReadCall::Entries);
    state.is_refused = true;
    Ok(())
}

/// What was found out about volumes, by their number.
static TRAITS: Mutex<Vec<(u64, Traits)>> = Mutex::new(Vec::new());

fn known_traits() -> MutexGuard<'static, Vec<(u64, Traits)>> {
    TRAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn traits(on: Volume) -> Traits {
    let known = known_traits();
    known.iter().find(|it| it.0 == on.number).map(|it| it.1).unwrap_or_default()
}

/// Remembers what a volume lacks; not of one whose number is not known.
#[cold]
fn remember(on: Volume, traits: Traits) {
    let mut known = known_traits();
    match known.iter_mut().find(|it| it.0 == on.number) {
        Some(volume) => volume.1 = traits,
        None if on.number != 0 => known.push((on.number, traits)),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;
    use crate::macos_formats::reader::position_of;

    /// A kernel that answers as it is told.
    #[derive(Default)]
    struct Kernel {
        names: Vec<&'static str>,
        per_block: usize,
        kinds: [u8; 2],
        /// The error of `getattrlistbulk`.
        refusal: Option<i32>,
        /// Where reading goes on after so many entries.
        comes_back: Option<(usize, usize)>,
        marks_end: bool,
        at: usize,
        calls: Vec<&'static str>,
    }

    impl Kernel {
        fn new(names: &[&'static str]) -> Kernel {
            let kinds = [8, 1];
            Kernel { names: names.to_vec(), per_block: 2, kinds, ..Kernel::default() }
        }

        fn record(&self, name: &str, inode: u64, call: ReadCall) -> Vec<u8> {
            let mut bytes = Vec::new();
            match call {
                ReadCall::Entries => {
                    bytes.extend(inode.to_ne_bytes());
                    bytes.extend([0; 8]);
                    bytes.extend((21 + name.len() as u16 + 1).to_ne_bytes());
                    bytes.extend((name.len() as u16).to_ne_bytes());
                    bytes.push(self.kinds[0]);
                }
                ReadCall::Attributes => {
                    let length = 4 + 20 + 8 + 4 + 8 + name.len() as u32 + 1;
                    bytes.extend(length.to_ne_bytes());
                    bytes.extend(0x8200_0009_u32.to_ne_bytes());
                    bytes.extend([0; 16]);
                    bytes.extend(20_u32.to_ne_bytes());
                    bytes.extend((name.len() as u32 + 1).to_ne_bytes());
                    bytes.extend(u32::from(self.kinds[1]).to_ne_bytes());
                    bytes.extend(inode.to_ne_bytes());
                }
            }
            bytes.extend(name.as_bytes());
            bytes.push(0);
            bytes
        }
    }

    impl DirectoryCalls for Kernel {
        fn fill(
            &mut self,
            call: ReadCall,
            memory: &mut [u8],
            _request: AttributeRequest,
        ) -> Result<usize, Errno> {
            self.calls.push(if call == ReadCall::Entries { "names" } else { "attributes" });
            assert!(self.calls.len() < 10_000, "it never ends");
            if let (ReadCall::Attributes, Some(number)) = (call, self.refusal) {
                return Err(Errno::from_raw_os_error(number));
            }
            let end = self.names.len().min(self.at + self.per_block);
            let blocks: Vec<Vec<u8>> = (self.at..end)
                .map(|at| self.record(self.names[at], 100 + at as u64, call))
                .collect();
            self.at = match self.comes_back {
                Some((from, to)) if end == from => to,
                _ => end,
            };
            let bytes = blocks.concat();
            memory[..bytes.len()].copy_from_slice(&bytes);
            if call == ReadCall::Entries && self.marks_end && end == self.names.len() {
                let flags = memory.len() - 4;
                memory[flags..].copy_from_slice(&1_u32.to_ne_bytes());
            }
            Ok(if call == ReadCall::Entries { bytes.len() } else { blocks.len() })
        }

        fn rewind(&mut self) -> Result<(), Errno> {
            self.calls.push("rewind");
            self.at = 0;
            Ok(())
        }
    }

    /// Reads a directory to its end or an error: the names, and how it ended.
    fn read(
        kernel: &mut Kernel,
        state: &mut ReadState,
        wanted: Fields,
        number: u64,
    ) -> (Vec<String>, Result<(), Errno>) {
        let request = AttributeRequest { fields: wanted, entries_are_links: false };
        let on = Volume { number, entries_are_links: false };
        let mut memory = vec![0xff; 2048];
        let mut names = Vec::new();
        for _ in 0..10_000 {
            let filled = match next_block(state, kernel, &mut memory, request, on) {
                Ok(filled) => filled,
                Err(errno) => return (names, Err(errno)),
            };
            let found: Vec<&[u8]> = match filled.call {
                ReadCall::Entries => {
                    Dirents::parse(&memory[..filled.amount]).map(|it| it.with_nul).collect()
                }
                ReadCall::Attributes => {
                    Records::parse(&memory, filled.amount, request).map(|it| it.with_nul).collect()
                }
            };
            let text = |name: &&[u8]| String::from_utf8(name[..name.len() - 1].to_vec()).unwrap();
            names.extend(found[filled.skip as usize..].iter().map(text));
            if filled.is_last {
                return (names, Ok(()));
            }
        }
        panic!("it never ends");
    }

    fn whole(kernel: &mut Kernel, wanted: Fields, number: u64) -> (Vec<String>, Result<(), Errno>) {
        read(kernel, &mut ReadState::default(), wanted, number)
    }

    const FIVE: [&str; 5] = ["a", "b", "c", "d", "e"];

    #[test]
    fn names_take_a_call_a_block_and_none_for_the_end_where_it_is_marked() {
        let mut kernel = Kernel { marks_end: true, ..Kernel::new(&FIVE) };
        assert_eq!(whole(&mut kernel, Fields::KIND, 1).0, FIVE);
        assert_eq!(kernel.calls, ["names"; 3]);
        let mut kernel = Kernel::new(&FIVE);
        assert_eq!(whole(&mut kernel, Fields::KIND, 1).0, FIVE);
        assert_eq!(kernel.calls, ["names"; 4]);
    }

    #[test]
    fn metadata_takes_a_call_a_block_and_one_for_the_end() {
        let mut kernel = Kernel::new(&FIVE);
        assert_eq!(whole(&mut kernel, Fields::SIZE, 2).0, FIVE);
        assert_eq!(kernel.calls, ["attributes"; 4]);
        let mut empty = Kernel::new(&[]);
        assert_eq!(whole(&mut empty, Fields::SIZE, 2), (vec![], Ok(())));
        assert_eq!(empty.calls, ["attributes"]);
    }

    #[test]
    fn a_volume_without_kinds_is_asked_for_attributes_from_then_on() {
        let mut kernel = Kernel { kinds: [0, 1], ..Kernel::new(&FIVE) };
        assert_eq!(whole(&mut kernel, Fields::KIND, 3).0, FIVE);
        assert_eq!(kernel.calls[..3], ["names", "rewind", "attributes"]);
        let mut next = Kernel { kinds: [0, 1], ..Kernel::new(&FIVE) };
        assert_eq!(whole(&mut next, Fields::KIND, 3).0, FIVE);
        assert_eq!(next.calls, ["attributes"; 4]);
    }

    #[test]
    fn a_volume_that_refuses_attributes_is_asked_once_and_a_directory_for_itself() {
        let refusing = |number| Kernel { refusal: Some(number), ..Kernel::new(&FIVE) };
        let mut kernel = refusing(45);
        assert_eq!(whole(&mut kernel, Fields::SIZE, 4).0, FIVE);
        assert_eq!(kernel.calls[..2], ["attributes", "names"]);
        let mut next = refusing(45);
        assert_eq!(whole(&mut next, Fields::SIZE, 4).0, FIVE);
        assert_eq!(next.calls, ["names"; 4]);
        for _ in 0..2 {
            let mut kernel = refusing(Errno::ACCESS.raw_os_error());
            assert_eq!(whole(&mut kernel, Fields::SIZE, 5).0, FIVE);
            assert_eq!(kernel.calls[..2], ["attributes", "names"]);
        }
        let mut broken = refusing(Errno::IO.raw_os_error());
        assert_eq!(whole(&mut broken, Fields::SIZE, 6), (vec![], Err(Errno::IO)));
    }

    #[test]
    fn a_volume_that_has_neither_kinds_nor_attributes_is_read_all_the_same() {
        for (number, refusal) in [(7, 45), (8, Errno::ACCESS.raw_os_error()), (0, 45)] {
            for wanted in [Fields::KIND, Fields::SIZE] {
                let refusal = Some(refusal);
                let mut kernel = Kernel { kinds: [0, 0], refusal, ..Kernel::new(&FIVE) };
                assert_eq!(whole(&mut kernel, wanted, number).0, FIVE, "{number}");
            }
        }
    }

    #[test]
    fn a_directory_that_goes_round_ends_with_an_error_and_its_names_come_once() {
        for (from, to) in [(2, 0), (4, 2)] {
            let mut kernel = Kernel { comes_back: Some((from, to)), ..Kernel::new(&FIVE) };
            let (names, end) = whole(&mut kernel, Fields::SIZE, 9);
            assert_eq!((names.as_slice(), end), (&FIVE.map(String::from)[..from], Err(Errno::IO)));
            let mut next = Kernel::new(&FIVE);
            assert_eq!(whole(&mut next, Fields::SIZE, 9).0, FIVE);
            assert_eq!(next.calls, ["names"; 4], "attributes are not asked again");
            TRAITS.lock().unwrap().retain(|it| it.0 != 9);
        }
        let mut kernel = Kernel { comes_back: Some((4, 0)), ..Kernel::new(&FIVE) };
        assert_eq!(whole(&mut kernel, Fields::KIND, 10).1, Err(Errno::IO));
    }

    #[test]
    fn another_descriptor_goes_on_from_any_position() {
        for (call, wanted) in
            [(ReadCall::Entries, Fields::KIND), (ReadCall::Attributes, Fields::SIZE)]
        {
            for taken in 0..=5 {
                let mut state = ReadState::at(position_of(taken, call));
                let mut kernel = Kernel::new(&FIVE);
                let (names, _) = read(&mut kernel, &mut state, wanted, 11);
                assert_eq!(names, FIVE[taken as usize..], "{call:?} {taken}");
            }
        }
    }
}
