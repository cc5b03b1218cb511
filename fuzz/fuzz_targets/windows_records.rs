//! Any bytes at all, taken for a block of a directory's records of Windows, of both kinds: no
//! panic, and no more units of names than the block has.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::fuzzing::windows_records;

fuzz_target!(|block: &[u8]| {
    for is_extended in [true, false] {
        let (names, is_malformed) = windows_records(block, is_extended);
        let units: usize = names.iter().map(Vec::len).sum();
        assert!(2 * units <= block.len());
        assert!(!names.is_empty() || block.is_empty() || is_malformed);
    }
});
