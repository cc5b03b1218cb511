//! Any bytes at all, taken for a block of `getdents64`: no panic, nothing outside the block, and
//! the end of the directory only where the last record says so.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::{Entries, FileSystem};

const FILE_SYSTEMS: [FileSystem; 5] =
    [FileSystem::EXT4, FileSystem::TMPFS, FileSystem::BTRFS, FileSystem::PLAIN, FileSystem::OTHER];

fuzz_target!(|block: &[u8]| FILE_SYSTEMS.into_iter().for_each(|on| check(block, on)));

fn check(block: &[u8], on: FileSystem) {
    let mut entries = Entries::parse(block, on);
    let inside = block.as_ptr_range();
    let (mut bytes, mut behind) = (0, inside.start);
    for entry in entries.by_ref() {
        let name = entry.name();
        let place = name.as_ptr_range();
        assert!(!name.is_empty() && !matches!(name, b"." | b".."));
        assert!(behind <= place.start && place.end < inside.end, "outside, or out of turn");
        behind = place.end;
        // What goes to the kernel is the name, whole, or nothing.
        match entry.c_name() {
            Some(c_name) => assert_eq!(c_name.to_bytes(), name),
            None => assert!(name.contains(&0)),
        }
        bytes += name.len() + 1;
    }
    assert!(bytes <= block.len());
    assert!(entries.next().is_none(), "went on after the end");
    let (malformed, ended) = (entries.is_malformed(), entries.ended());
    assert!(!(malformed && ended), "bytes without sense were taken for the end");
    if ended && !block.is_empty() {
        let marks: &[i64] = &[i64::MAX, 0x7fff_ffff];
        assert!(marks.iter().any(|&mark| on.marks_end(mark)), "an end where none is marked");
        let at = |mark: &i64| block.windows(8).any(|word| word == mark.to_ne_bytes());
        assert!(marks.iter().any(at), "an end that nothing in the block says");
    }
    if block.is_empty() {
        assert!(ended && !malformed);
    }
}
