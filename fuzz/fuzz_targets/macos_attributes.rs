//! Any bytes at all, taken for a block of `getattrlistbulk` of macOS, asked for any fields: no
//! panic, nothing outside the block, and names that can be handed to a call.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::fuzzing::macos_attributes;

fuzz_target!(|input: (u16, u32, &[u8])| {
    let (count, fields, block) = input;
    let count = usize::from(count);
    let (names, is_malformed) = macos_attributes(block, count, fields);
    assert!(names.len() == count || is_malformed, "fewer than the kernel said, without a word");
    let inside = block.as_ptr_range();
    for with_nul in names {
        let place = with_nul.as_ptr_range();
        assert!(inside.start <= place.start && place.end <= inside.end);
        let (last, name) = with_nul.split_last().unwrap();
        assert!(*last == 0 && !name.is_empty() && !name.contains(&0) && !name.contains(&b'/'));
    }
});
