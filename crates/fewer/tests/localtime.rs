//! Local time and its formats against GNU date, and what it costs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use fewer::present::{TimeColumn, TimeStyle};
use fewer::{Time, Zone};
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use scene::skip;

const ZONES: &str = "/usr/share/zoneinfo";

/// What GNU date makes of the times; `None` if this machine has no such date.
fn date(tz: &str, format: &[u8], times: &[Time]) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for time in times {
        // The fraction of a decimal number counts away from zero.
        let all = i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds);
        let (sign, all) = (if all < 0 { "-" } else { "" }, all.unsigned_abs());
        writeln!(file, "@{sign}{}.{:09}", all / 1_000_000_000, all % 1_000_000_000).unwrap();
    }
    file.flush().unwrap();
    let format = std::ffi::OsString::from_vec([b"+", format].concat());
    let output = Command::new("date")
        .arg("-f")
        .arg(file.path())
        .arg(format)
        .env_clear()
        .env("LC_ALL", "C")
        .env("TZ", tz)
        .output();
    let Ok(output) = output.map(|output| output.stdout) else {
        skip("there is no date");
        return None;
    };
    (!output.is_empty()).then_some(output)
}

/// The same by this crate, each with a newline behind it.
fn ours(tz: &str, format: &[u8], times: &[Time]) -> Vec<u8> {
    let zone = Zone::from_tz(Some(tz.as_bytes()));
    let mut column = TimeColumn::new(&zone, TimeStyle::format(format).unwrap());
    let mut out = Vec::new();
    for &time in times {
        column.write(time, &mut out);
        out.push(b'\n');
    }
    out
}

fn at(seconds: i64) -> Time {
    Time { seconds, nanoseconds: 0 }
}

/// `Err` says where the two differ.
fn compare(tz: &str, format: &[u8], times: &[Time]) -> Result<(), String> {
    let Some(expected) = date(tz, format, times) else { return Ok(()) };
    let ours = ours(tz, format, times);
    if ours == expected {
        return Ok(());
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes.split(|&b| b == b'\n').map(|line| line.escape_ascii().to_string()).collect()
    };
    let (ours, expected) = (lines(&ours), lines(&expected));
    let mut story = String::new();
    for ((time, ours), expected) in times.iter().zip(&ours).zip(&expected) {
        if ours != expected {
            writeln!(story, "@{}: date: {expected}  ours: {ours}", time.seconds).unwrap();
        }
    }
    Err(format!("TZ='{tz}' +{}\n{story}", format.escape_ascii()))
}

/// The names of all zones that are installed.
fn zones() -> Vec<String> {
    fn visit(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(ZONES).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                visit(&path, names);
            } else if fs::read(&path).is_ok_and(|bytes| bytes.starts_with(b"TZif")) {
                names.push(name);
            }
        }
    }
    let mut names = Vec::new();
    visit(Path::new(ZONES), &mut names);
    if names.is_empty() {
        skip("there are no time zones");
    }
    names.sort();
    names
}

/// The seconds at which a file of zone rules has something happen, from its 64-bit table.
fn changes(zone: &str) -> Vec<i64> {
    let bytes = fs::read(Path::new(ZONES).join(zone)).unwrap();
    let count = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let old = count(32) * 5 + count(36) * 6 + count(40) + count(28) * 8 + count(24) + count(20);
    let (start, times) = (44 + old + 44, count(44 + old + 32));
    let table = &bytes[start..start + 8 * times];
    table.chunks_exact(8).map(|entry| i64::from_be_bytes(entry.try_into().unwrap())).collect()
}

/// A reproducible stream of numbers.
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

const FULL: &[u8] = b"%Y-%m-%d %H:%M:%S %z %Z %j %w";

#[test]
fn every_zone_agrees_with_date_at_its_changes_and_at_random_times() {
    let mut next = random(0x5eed);
    for zone in zones() {
        // Folders that repeat the others, with leap seconds and without.
        if (zone.starts_with("right/") || zone.starts_with("posix/")) && !next().is_multiple_of(8) {
            continue;
        }
        let mut seconds = vec![0, -1, i64::from(i32::MIN), i64::from(i32::MAX), 253_402_300_800];
        for change in changes(&zone) {
            if change.abs() < 1 << 40 && next().is_multiple_of(4) {
                seconds.extend([change - 1, change, change + 1, change + 27]);
            }
        }
        // Around the changes of years to come, and anywhere from year -3000 to 7000.
        for _ in 0..40 {
            seconds.push((next() % 8_000_000_000) as i64);
            seconds.push((next() % 320_000_000_000) as i64 - 160_000_000_000);
        }
        let times: Vec<Time> = seconds.into_iter().map(at).collect();
        compare(&zone, FULL, &times).unwrap();
    }
}

/// Fields with flags, widths, modifiers and letters, some of which mean nothing; and text.
fn a_format() -> impl Strategy<Value = Vec<u8>> {
    let flags = proptest::collection::vec(proptest::sample::select(b"_-0+^#".to_vec()), 0..3);
    let width = prop_oneof![4 => Just(None), 3 => (0_u32..14).prop_map(Some)];
    let modifier = prop_oneof![9 => Just(""), 1 => Just("E"), 1 => Just("O")];
    let letter = prop_oneof![
        20 => proptest::sample::select(b"aAbBcCdDeFgGhHIjklmMnNpPqrRsStTuUVwWxXyYzZ%".to_vec())
            .prop_map(|letter| vec![letter]),
        3 => proptest::sample::select(vec![":z", "::z", ":::z", "::::z", ":", ":x"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => (b' '..127).prop_map(|letter| vec![letter]),
    ];
    let field = (flags, width, modifier, letter).prop_map(|(flags, width, modifier, letter)| {
        let width = width.map(|width| width.to_string()).unwrap_or_default();
        [b"%", &flags[..], width.as_bytes(), modifier.as_bytes(), &letter].concat()
    });
    let text = proptest::collection::vec(b' '..127, 0..4);
    let part = prop_oneof![3 => field, 1 => text];
    // GNU date drops the letter of %O:z and the flags of %0Oq; we do not. To date %-N is %9N, but
    // not to ls.
    let odd = |pair: &[u8]| matches!(pair, b"O:" | b"Oq" | b"-N");
    let sane = move |format: &Vec<u8>| !format.windows(2).any(odd);
    let parts = proptest::collection::vec(part, 1..6).prop_map(|parts| parts.concat());
    parts.prop_filter("a modifier with a colon", sane)
}

/// Years up to five million: beyond, the dates of summer time overflow in glibc.
fn a_time() -> impl Strategy<Value = Time> {
    let seconds = prop_oneof![
        4 => 0_i64..4_000_000_000,
        2 => -70_000_000_000_i64..320_000_000_000,
        1 => -900_000_000_000_i64..900_000_000_000,
        1 => -150_000_000_000_000_i64..150_000_000_000_000,
    ];
    let nanoseconds = prop_oneof![Just(0), Just(500_000_000), 0_u32..1_000_000_000];
    (seconds, nanoseconds).prop_map(|(seconds, nanoseconds)| Time { seconds, nanoseconds })
}

#[test]
fn any_format_at_any_time_is_as_date_has_it() {
    let zones =
        ["UTC", "Europe/Berlin", "<-00>0", "IST-5:30", "LMT-0:53:28", "NST3:30NDT,M3.2.0,M11.1.0"];
    let zone = proptest::sample::select(zones.to_vec());
    let times = proptest::collection::vec(a_time(), 20);
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(400)
    });
    runner
        .run(&(zone, a_format(), times), |(zone, format, mut times)| {
            // glibc up to 2.36 knows no summer time by rule before 1970.
            if zone.contains(',') {
                times.iter_mut().for_each(|time| time.seconds = time.seconds.abs());
            }
            compare(zone, &format, &times).map_err(TestCaseError::fail)
        })
        .unwrap_or_else(|difference| match difference {
            TestError::Fail(reason, _) => panic!("{reason}"),
            TestError::Abort(reason) => panic!("{reason}"),
        });
}

/// A rule holds in every year, as POSIX has it. glibc up to 2.36 takes all that is older than 1970
/// for the beginning of that year: always winter in the north, summer in the south.
#[test]
fn a_rule_holds_before_1970() {
    let july_1969 = -15_854_400; // 1969-07-01 12:00 UTC
    for (rule, expected) in [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "1969-07-01 14:00 CEST"),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "1969-07-02 00:00 NZST"),
        ("XXX3YYY,J60,J300", "1969-07-01 10:00 YYY"),
    ] {
        let mut written = Vec::new();
        let zone = Zone::from_tz(Some(rule.as_bytes()));
        let time = Time { seconds: july_1969, nanoseconds: 0 };
        zone.write(b"%Y-%m-%d %H:%M %Z", time, &mut written);
        assert_eq!(String::from_utf8_lossy(&written), expected, "{rule}");
    }
}

#[test]
fn what_tz_may_say_is_what_glibc_takes() {
    let names = [
        "", ":", "UTC", "UTC0", ":UTC", "GMT+0", "Foo", "Foo3", "EST5", "<+03>-3", "<a", "..",
        "/usr/share/zoneinfo/Asia/Tokyo", ":/usr/share/zoneinfo/Asia/Tokyo", "America", ":JST-9",
        "JST-9", "JST-25", "JST-9:30:15", "JST-167", "EST5EDT", "EST5EDT,M3.2.0,M11.1.0",
        "EST5EDT4,J60/25,300/-3", "A5", "AB3", "ABC", "UTC+3", "Etc/GMT+3", " JST-9", "5",
        "CET-1CEST,M3.5.0/2,M10.5.0/3,junk", "/nonexistent", "/etc/passwd", "/etc", "/dev/null",
        "Europe/Nowhere", "AAA-14:59:59", "ABC3:99", "IST-1GMT0,M10.5.0,M3.5.0/1", "posixrules",
        "right/Europe/Berlin", "Europe/Berlin", ":Europe/Berlin", "<-00>0", "XXX-2<+03>-3,J1,J365",
        "WGT3WGST,M3.5.0/-2,M10.5.0/-1", "IST-2IDT,M3.4.4/26,M10.5.0", "UTC,", "Foo,M3.2.0",
    ];
    let times: Vec<Time> = (0..200).map(|step| at(step * 8_640_001 + 777)).collect();
    for name in names {
        compare(name, FULL, &times).unwrap();
    }
}

#[test]
fn a_folder_of_zones_may_be_named_in_tzdir() {
    // The environment belongs to the process, so this is another one: the test itself.
    if std::env::var_os("FEWER_TEST_TZDIR").is_some() {
        let zone = Zone::from_tz(Some(b"Here"));
        assert_eq!(zone.clock().civil(0).abbreviation, "JST");
        return;
    }
    let Ok(tokyo) = fs::read(Path::new(ZONES).join("Asia/Tokyo")) else {
        return skip("there are no time zones");
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Here"), tokyo).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["a_folder_of_zones", "--test-threads=1"])
        .envs([("TZDIR", folder.path().as_os_str()), ("FEWER_TEST_TZDIR", "1".as_ref())])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// 2026-11-21T11:22:33.123456789Z
const NOW: Time = Time { seconds: 1_795_260_153, nanoseconds: 123_456_789 };

fn written(style: TimeStyle, time: Time) -> String {
    let mut out = Vec::new();
    TimeColumn::new(&Zone::utc(), style).at(NOW).write(time, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn the_styles_of_ls_show_recent_times_to_the_minute_and_others_to_the_day() {
    // Half of 365.2425 days ago, and a nanosecond; now, and a nanosecond ago.
    let edge = Time { seconds: NOW.seconds - 15_778_476, ..NOW };
    let inside = Time { nanoseconds: NOW.nanoseconds + 1, ..edge };
    let past = Time { nanoseconds: NOW.nanoseconds - 1, ..NOW };
    let future = Time { seconds: NOW.seconds + 86_400, ..NOW };
    for (time, full, long, iso, locale) in [
        (
            past, "2026-11-21 11:22:33.123456788 +0000", "2026-11-21 11:22", "11-21 11:22",
            "Nov 21 11:22",
        ),
        (
            NOW, "2026-11-21 11:22:33.123456789 +0000", "2026-11-21 11:22", "2026-11-21 ",
            "Nov 21  2026",
        ),
        (
            future, "2026-11-22 11:22:33.123456789 +0000", "2026-11-22 11:22", "2026-11-22 ",
            "Nov 22  2026",
        ),
        (
            edge, "2026-05-22 20:27:57.123456789 +0000", "2026-05-22 20:27", "2026-05-22 ",
            "May 22  2026",
        ),
        (
            inside, "2026-05-22 20:27:57.123456790 +0000", "2026-05-22 20:27", "05-22 20:27",
            "May 22 20:27",
        ),
        (
            at(-1),
            "1969-12-31 23:59:59.000000000 +0000",
            "1969-12-31 23:59",
            "1969-12-31 ",
            "Dec 31  1969",
        ),
        (
            at(0),
            "1970-01-01 00:00:00.000000000 +0000",
            "1970-01-01 00:00",
            "1970-01-01 ",
            "Jan  1  1970",
        ),
    ] {
        assert_eq!(written(TimeStyle::full_iso(), time), full);
        assert_eq!(written(TimeStyle::long_iso(), time), long);
        assert_eq!(written(TimeStyle::iso(), time), iso);
        assert_eq!(written(TimeStyle::locale(), time), locale);
    }
}

#[test]
fn a_format_of_two_lines_is_old_and_recent() {
    let style = TimeStyle::format(b"old %Y\nnew %H").unwrap();
    assert_eq!(written(style.clone(), at(0)), "old 1970");
    assert_eq!(written(style, at(NOW.seconds - 1)), "new 11");
    assert!(TimeStyle::format(b"a\nb\nc").is_err());
    assert!("long".parse::<TimeStyle>().is_err());
    assert_eq!(written("+%s".parse().unwrap(), at(5)), "5");
}

#[test]
fn a_year_that_c_has_no_room_for_is_a_number_of_seconds() {
    let last = 67_768_036_191_676_799;
    assert_eq!(written(TimeStyle::long_iso(), at(last)), "2147485547-12-31 23:59");
    assert_eq!(written(TimeStyle::long_iso(), at(last + 1)), "67768036191676800");
    assert_eq!(written(TimeStyle::full_iso(), at(i64::MAX)), format!("{:>35}", i64::MAX));
    assert_eq!(written(TimeStyle::full_iso(), at(i64::MIN)), format!("{:>35}", i64::MIN));
    let wide = TimeStyle::format(b"%60000Y%60000Y").unwrap();
    assert_eq!(written(wide, at(i64::MAX)).len(), 120_000);
}

#[test]
fn what_was_written_before_makes_no_difference() {
    let zones =
        [Zone::from_tz(Some(b"Europe/Berlin")), Zone::from_tz(Some(b"right/Europe/Berlin"))];
    let styles =
        [TimeStyle::full_iso(), TimeStyle::long_iso(), TimeStyle::iso(), TimeStyle::locale()];
    let steps = [0, 1, 30, 59, 60, 61, 3600, 86_400, 15_778_476, 31_556_952, 400 * 31_556_952];
    let mut next = random(7);
    for (zone, style) in zones.iter().flat_map(|zone| styles.iter().map(move |style| (zone, style)))
    {
        let mut column = TimeColumn::new(zone, style.clone()).at(NOW);
        let mut time = NOW;
        for _ in 0..5000 {
            let step = steps[next() as usize % steps.len()];
            time.seconds += if next().is_multiple_of(2) { step } else { -step };
            time.nanoseconds = (next() % 3) as u32;
            let (mut out, mut fresh) = (Vec::new(), Vec::new());
            column.write(time, &mut out);
            TimeColumn::new(zone, style.clone()).at(NOW).write(time, &mut fresh);
            assert_eq!(out, fresh, "{time:?}");
        }
    }
}

#[test]
fn the_first_and_the_last_second_have_a_date_in_any_zone() {
    // 2^63 seconds are 292,277,026,596 years, as POSIX counts them, and a few months: by hand from
    // periods of 400 years, 12,622,780,800 seconds each.
    for tz in ["UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,0,364"] {
        let zone = Zone::from_tz(Some(tz.as_bytes()));
        assert_eq!(zone.clock().civil(i64::MAX).year, 292_277_026_596, "{tz}");
        assert_eq!(zone.clock().civil(i64::MIN).year, -292_277_022_657, "{tz}");
        let mut column = TimeColumn::new(&zone, TimeStyle::full_iso()).at(NOW);
        for time in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            let mut out = Vec::new();
            column.write(at(time), &mut out);
            assert_eq!(out.trim_ascii_start(), time.to_string().as_bytes(), "{tz}");
        }
    }
}
