//! Any bytes as the file of a time zone, and as a rule: no panic, and any time has a date, the same
//! whatever was asked before.
#![no_main]

use fewer::Zone;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<i64>, Vec<u8>)| {
    let (times, bytes) = input;
    let rule = Zone::from_tz(Some(&[b"<", &bytes[..]].concat()));
    for zone in Zone::from_tzif(&bytes).into_iter().chain([rule]) {
        let mut clock = zone.clock();
        for time in times.iter().copied().chain([i64::MIN, -1, 0, 1 << 31, i64::MAX]) {
            let civil = clock.civil(time);
            assert!((1..=12).contains(&civil.month) && (1..=31).contains(&civil.day));
            assert!(civil.hour < 24 && civil.minute < 60 && civil.second <= 60);
            assert!(civil.weekday < 7 && civil.yearday < 366);
            assert_eq!(civil, zone.clock().civil(time));
        }
    }
});
