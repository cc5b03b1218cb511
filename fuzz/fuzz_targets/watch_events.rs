//! Any bytes at all, taken for what inotify writes: no panic, names within the block and without
//! NUL, and as many events as headers that are whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sys::WatchEvents;

fuzz_target!(|block: &[u8]| {
    let inside = block.as_ptr_range();
    let (mut events, mut names) = (0, 0);
    for event in WatchEvents::parse(block) {
        let place = event.name.as_ptr_range();
        assert!(inside.start <= place.start && place.end <= inside.end);
        assert!(!event.name.contains(&0));
        events += 1;
        names += event.name.len();
    }
    assert!(events * 16 + names <= block.len());
});
