use proptest::prelude::*;

use super::*;

/// A split behind a page of 1,000 keys, of which these are some, at equal distances.
fn split(prefix: &str, page: &[&str], end: Option<&str>) -> Option<(String, f64)> {
    let found = split_bytes(prefix.as_bytes(), page, end.map(str::as_bytes))?;
    Some((String::from_utf8(found.key).unwrap(), found.left))
}

fn split_bytes(prefix: &[u8], page: &[&str], end: Option<&[u8]>) -> Option<Split> {
    let mut names = Names::default();
    page.iter().for_each(|key| names.observe(key.as_bytes()));
    let mut density = Density::default();
    let pieces = page.len() as u64 - 1;
    for pair in page.windows(2) {
        density.add(None, pair[0].as_bytes(), pair[1].as_bytes(), 1_000 / pieces);
    }
    let last = page[page.len() - 1].as_bytes();
    let piece = page[page.len() - 2].as_bytes();
    let (names, density) = (&names, &density);
    best(&Observed { prefix, piece, last, end, names, density })
}

#[test]
fn the_first_choice_is_behind_the_largest_folder_alone() {
    let page = ["logs/2021/04/01/host-04/1", "logs/2021/04/01/host-05/7"];
    let key = |end| split("", &page, end).map(|(key, _)| key);
    assert_eq!(key(None).as_deref(), Some("logs0"));
    assert_eq!(key(Some("logs0")).as_deref(), Some("logs/20210"));
    assert_eq!(key(Some("logs/20210")).as_deref(), Some("logs/2021/040"));
    assert_eq!(split("logs/2", &page, None).unwrap().0, "logs/20210");
}

#[test]
fn inside_a_folder_it_is_in_the_middle_of_what_is_left() {
    let page = ["users/0123/a", "users/4567/a", "users/89ab/b", "users/bcde/c"];
    let (key, left) = split("", &page, Some("users0")).unwrap();
    assert!(&*key > "users/c" && &*key < "users/e0", "{key}");
    // From 8 to b are 500 keys, and from b to f as many.
    assert!((200.0..900.0).contains(&left), "{left}");
}

#[test]
fn it_is_not_further_ahead_than_is_known() {
    let page = ["n-1000000", "n-1000500", "n-1000999"];
    let (key, left) = split("n-", &page, None).unwrap();
    assert!(&*key > "n-1001" && &*key < "n-12", "{key}");
    assert!(left > 1e5, "{left}");
}

#[test]
fn nothing_fits_between_neighbours() {
    assert_eq!(split("", &["0", "1"], Some("10")), None);
    assert_eq!(split("", &["0", "1"], Some("1")), None);
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
        let page: Vec<&str> = keys[..keys.len() - 1].iter().map(String::as_str).collect();
        let (last, end) = (page[page.len() - 1].as_bytes(), keys[keys.len() - 1].as_bytes());
        let end = has_end.then_some(end);
        if let Some(Split { key, left }) = split_bytes(prefix.as_bytes(), &page, end) {
            prop_assert!(key.as_slice() > last);
            prop_assert!(end.is_none_or(|end| key.as_slice() < end));
            prop_assert!(key.starts_with(prefix.as_bytes()));
            prop_assert!(std::str::from_utf8(&key).is_ok());
            prop_assert!(left >= 0.0);
        }
    }
}
