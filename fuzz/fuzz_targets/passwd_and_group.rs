//! Any bytes as /etc/passwd and /etc/group: no panic, and the answers of a reader that goes through
//! the file for each question, byte by byte.
#![no_main]

use fewer::Owners;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let owners = Owners::from_files(text.to_vec(), text.to_vec());
    let (users, groups) = (naive(text, 2), naive(text, 1));
    for (id, name) in users.iter().chain(&groups) {
        let first = |all: &[(u32, Vec<u8>)]| all.iter().find(|r| r.0 == *id).map(|r| r.1.clone());
        let named = |all: &[(u32, Vec<u8>)]| all.iter().find(|r| r.1 == *name).map(|r| r.0);
        assert_eq!(owners.user(*id).map(<[u8]>::to_vec), first(&users));
        assert_eq!(owners.group(*id).map(<[u8]>::to_vec), first(&groups));
        assert_eq!(owners.user_id(name), named(&users));
        assert_eq!(owners.group_id(name), named(&groups));
    }
});

/// All records: id and name.
fn naive(text: &[u8], numbers: usize) -> Vec<(u32, Vec<u8>)> {
    let mut records = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.split(|&byte| byte == 0).next().unwrap_or_default();
        let start = line.iter().position(|&byte| !blank(byte)).unwrap_or(line.len());
        let fields: Vec<&[u8]> = line[start..].split(|&byte| byte == b':').collect();
        if fields.len() < 2 + numbers || matches!(fields[0].first(), Some(b'#' | b'+' | b'-')) {
            continue;
        }
        let ids: Vec<_> = fields[2..2 + numbers].iter().map(|field| number(field)).collect();
        if let (Some(id), true) = (ids[0], ids.iter().all(Option::is_some)) {
            records.push((id, fields[0].to_vec()));
        }
    }
    records
}

fn blank(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

/// Digits as a decimal number modulo 2^64, unless it is larger than that by itself.
fn number(field: &[u8]) -> Option<u32> {
    let start = field.iter().position(|&byte| !blank(byte))?;
    let text = std::str::from_utf8(&field[start..]).ok()?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    let number = if text.starts_with('-') { number.wrapping_neg() } else { number };
    number.try_into().ok()
}
