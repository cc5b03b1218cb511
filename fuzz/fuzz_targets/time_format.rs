//! Any format of times at any time: no panic, and no more than its widths ask for; what was written
//! before makes no difference.
#![no_main]

use fewer::present::{TimeColumn, TimeStyle};
use fewer::{Time, Zone};
use libfuzzer_sys::fuzz_target;

const WIDEST: usize = 65_535;

fuzz_target!(|input: (Vec<(i64, u32)>, Vec<u8>)| {
    let (times, format) = input;
    let Ok(style) = TimeStyle::format(&format) else { return };
    let zone = Zone::from_tz(Some(b"CET-1CEST,M3.5.0,M10.5.0/3"));
    let now = Time { seconds: 1_800_000_000, nanoseconds: 0 };
    let mut column = TimeColumn::new(&zone, style.clone()).at(now);
    for (seconds, nanoseconds) in times.into_iter().take(8) {
        let time = Time { seconds, nanoseconds: nanoseconds % 1_000_000_000 };
        let (mut out, mut fresh) = (Vec::new(), Vec::new());
        column.write(time, &mut out);
        TimeColumn::new(&zone, style.clone()).at(now).write(time, &mut fresh);
        assert_eq!(out, fresh);
        assert!(out.len() <= (WIDEST + 64) * (format.len() + 1));
    }
});
