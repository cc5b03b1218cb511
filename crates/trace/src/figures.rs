//! Figures as people read them.

/// A number with thousands separators: `20,214`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: `1 call`, `2 calls`.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A part of a whole: `49 %`; what is there but less than half a percent is `< 1 %`.
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    let percent = (u128::from(part) * 200 / u128::from(whole.max(1))).div_ceil(2);
    match percent {
        0 if part > 0 => "< 1 %".to_owned(),
        percent => format!("{percent} %"),
    }
}

/// A time with two digits or more: `850 us`, `9.8 ms`, `31 ms`, `1.2 s`, `7,200 s`.
#[must_use]
pub fn time(nanoseconds: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1, "ns"), (1_000, "us"), (1_000_000, "ms"), (1_000_000_000, "s")];
    // Rounding may lead to the next unit: 999,999 us is 1,000 ms is 1.0 s.
    for (one, unit) in UNITS {
        let tenths = (u128::from(nanoseconds) * 10 + u128::from(one) / 2) / u128::from(one);
        let whole = (tenths + 5) / 10;
        if one > 1 && tenths < 100 {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        if whole < 1_000 || unit == "s" {
            return format!("{} {unit}", count(u64::try_from(whole).unwrap_or(u64::MAX)));
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (20_214, "20,214"), (1_234_567, "1,234,567")]
        {
            assert_eq!(count(number), expected);
        }
        assert_eq!(counted(1, "call", "calls"), "1 call");
        assert_eq!(counted(2_000, "call", "calls"), "2,000 calls");
    }

    #[test]
    fn shares_are_whole_percents() {
        for (part, whole, expected) in [
            (10_001, 20_214, "49 %"),
            (1, 1, "100 %"),
            (0, 5, "0 %"),
            (1, 1_000, "< 1 %"),
            (5, 0, "500 %"),
            (u64::MAX, u64::MAX, "100 %"),
        ] {
            assert_eq!(share(part, whole), expected, "{part} of {whole}");
        }
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        for (nanoseconds, expected) in [
            (0, "0 ns"),
            (850, "850 ns"),
            (850_400, "850 us"),
            (1_000, "1.0 us"),
            (9_840_000, "9.8 ms"),
            (9_960_000, "10 ms"),
            (31_000_000, "31 ms"),
            (999_900_000, "1.0 s"),
            (1_240_000_000, "1.2 s"),
            (7_200_000_000_000, "7,200 s"),
        ] {
            assert_eq!(time(nanoseconds), expected, "{nanoseconds}");
        }
    }
}
