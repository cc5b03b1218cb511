//! Any bytes at all, taken for what a link of Windows is made of: no panic, and a target no longer
//! than its units make it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::fuzzing::windows_reparse_target;

fuzz_target!(|data: &[u8]| {
    if let Some(target) = windows_reparse_target(data) {
        // A unit of two bytes is at most three of WTF-8.
        assert!(target.len() <= data.len() / 2 * 3);
    }
});
