//! Any bytes at all, taken for a block of `getdirentries64` of macOS: no panic, nothing outside the
//! block, names that can be handed to a call, and an end only where the flags say it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::fuzzing::{macos_dirents, macos_firmlinks, macos_is_last};

fuzz_target!(|block: &[u8]| {
    let (names, _) = macos_dirents(block);
    let inside = block.as_ptr_range();
    let mut behind = inside.start;
    for with_nul in names {
        let place = with_nul.as_ptr_range();
        assert!(behind <= place.start && place.end <= inside.end, "outside, or out of turn");
        behind = place.end;
        let (last, name) = with_nul.split_last().unwrap();
        assert!(*last == 0 && !name.is_empty() && !name.contains(&0) && !name.contains(&b'/'));
    }
    for filled in [1, block.len() / 2, block.len()] {
        if macos_is_last(block, filled) && filled > 0 {
            assert!(block.len() >= 1024 && filled <= block.len() - 4);
        }
    }
    assert!(macos_firmlinks(block) <= block.len());
});
