use proptest::prelude::*;

use super::*;

fn alphabet(chars: &str) -> Alphabet {
    let mut alphabet = Alphabet::default();
    alphabet.observe(chars.as_bytes());
    alphabet
}

fn explored<'k>(first: &'k str, last: &'k str, end: Option<&'k str>) -> Explored<'k> {
    Explored {
        prefix: b"",
        first: first.as_bytes(),
        last: last.as_bytes(),
        end: end.map(str::as_bytes),
    }
}

fn split(alphabet: &Alphabet, explored: &Explored<'_>) -> String {
    String::from_utf8(alphabet.split(explored).unwrap()).unwrap()
}

#[test]
fn a_range_is_split_in_the_middle_of_what_was_not_listed() {
    let decimal = alphabet("0123456789");
    let key = split(&decimal, &explored("00", "20", Some("80")));
    assert!(key.starts_with("50") || key.starts_with("49"), "{key}");
}

#[test]
fn a_split_is_no_further_ahead_than_is_known() {
    let decimal = alphabet("0123456789");
    // 32 times a width of 3 thousandths.
    let key = split(&decimal, &explored("1000", "1003", None));
    assert!(key.starts_with("10") || key.starts_with("11"), "{key}");
}

#[test]
fn what_is_left_of_a_listed_part_is_measured_in_its_width() {
    let decimal = alphabet("0123456789");
    let remaining = decimal.remaining(&explored("10", "20", Some("80")));
    assert!((5.0..7.0).contains(&remaining), "{remaining}");
    assert_eq!(decimal.remaining(&explored("10", "80", Some("80"))), 0.0);
    assert_eq!(decimal.remaining(&explored("10", "10", Some("80"))), f64::INFINITY);
}

#[test]
fn the_end_of_a_folder_is_crossed_where_it_is_narrow() {
    let letters = alphabet("/0123456789abcdef");
    let key = split(&letters, &explored("a/01/00", "a/01/ff", None));
    assert!(&*key > "a/01/ff" && &*key < "b", "{key}");
}

#[test]
fn nothing_fits_between_neighbours() {
    let decimal = alphabet("01");
    assert_eq!(decimal.split(&explored("0", "1", Some("10"))), None);
    assert_eq!(decimal.split(&explored("0", "1", Some("1"))), None);
}

#[test]
fn keys_of_one_character_repeated_are_split_by_their_length() {
    let one = alphabet("a");
    let key = one.split(&explored("a", "aaa", None));
    assert!(key.is_none_or(|key| key > b"aaa".to_vec()));
}

proptest! {
    #[test]
    fn a_split_lies_between_the_last_key_and_the_end(
        prefix in "[a-c/]{0,3}",
        mut keys in proptest::collection::vec("[a-c/é日\u{1}]{0,8}", 3..6),
        has_end: bool,
    ) {
        keys.sort();
        let keys: Vec<String> = keys.iter().map(|key| format!("{prefix}{key}")).collect();
        let mut alphabet = Alphabet::default();
        keys.iter().for_each(|key| alphabet.observe(key.as_bytes()));
        let explored = Explored {
            prefix: prefix.as_bytes(),
            first: keys[0].as_bytes(),
            last: keys[1].as_bytes(),
            end: has_end.then_some(keys[2].as_bytes()),
        };
        if let Some(key) = alphabet.split(&explored) {
            prop_assert!(key.as_slice() > explored.last);
            prop_assert!(explored.end.is_none_or(|end| key.as_slice() < end));
            prop_assert!(key.starts_with(prefix.as_bytes()));
            prop_assert!(std::str::from_utf8(&key).is_ok());
        }
        prop_assert!(alphabet.remaining(&explored) >= 0.0);
    }
}
