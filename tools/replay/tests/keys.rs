//! The keys of a bucket: sorted, found again, and shaped as promised.

use replay::Keys;

fn all(keys: &Keys) -> Vec<String> {
    (0..keys.len()).map(|index| keys.key(index)).collect()
}

/// How many keys begin with a prefix that ends where the next one begins.
fn shares(keys: &Keys) -> Vec<u64> {
    let mut shares = Vec::new();
    let mut index = 0;
    while index < keys.len() {
        let key = keys.key(index);
        let length = if key.starts_with("users/") {
            "users/0".len()
        } else if key.starts_with("logs/") {
            "logs/2024/01/".len()
        } else {
            1 + key.rfind('/').unwrap_or(0)
        };
        let end = keys.after(&format!("{}~", &key[..length]));
        shares.push(end - index);
        index = end;
    }
    shares.sort_unstable_by(|one, other| other.cmp(one));
    shares
}

#[test]
fn listed_keys_are_in_the_order_of_bytes_and_each_is_there_once() {
    let keys = ["b", "é", "a/b", "a", "\u{1}", "b", "B", "𝄞", "\u{ffff}"];
    let keys = Keys::listed(keys.map(str::to_owned).to_vec());
    assert_eq!(all(&keys), ["\u{1}", "B", "a", "a/b", "b", "é", "\u{ffff}", "𝄞"]);
}

#[test]
fn numbered_keys_have_as_many_digits_as_the_last() {
    assert_eq!(all(&Keys::numbered("k", 3)), ["k0", "k1", "k2"]);
    assert_eq!(all(&Keys::numbered("k", 10)).last().unwrap(), "k9");
    assert_eq!(Keys::numbered("k", 11).key(0), "k00");
    assert_eq!(Keys::numbered("a/", 1_000_000).key(42), "a/000042");
    assert!(Keys::numbered("k", 0).is_empty());
}

#[test]
fn skewed_keys_are_strictly_sorted_for_any_count() {
    for (count, seed) in [(0, 0), (1, 1), (83, 2), (84, 3), (85, 4), (1000, 5), (50_000, 6)] {
        let keys = all(&Keys::skewed(count, seed));
        assert_eq!(keys.len() as u64, count);
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{count} keys are not sorted");
    }
}

#[test]
fn skewed_keys_of_a_great_bucket_are_sorted_where_one_looks() {
    let keys = Keys::skewed(10_000_000_000, 7);
    let mut index = 0;
    while index + 1 < keys.len() {
        assert!(keys.key(index) < keys.key(index + 1));
        index += 1_234_567;
    }
}

#[test]
fn one_prefix_has_half_of_the_skewed_keys_the_next_a_quarter_and_each_has_some() {
    let shares = shares(&Keys::skewed(1_000_000, 1));
    assert_eq!(shares.len(), 84);
    assert_eq!(shares.iter().sum::<u64>(), 1_000_000);
    assert!((490_000..=500_000).contains(&shares[0]), "{shares:?}");
    assert!((245_000..=250_000).contains(&shares[1]), "{shares:?}");
    assert!((122_000..=126_000).contains(&shares[2]), "{shares:?}");
    // One of 8192 keys, whatever the rank.
    assert_eq!(shares[83], 122);
}

#[test]
fn skewed_keys_depend_on_the_seed_alone() {
    let keys = |seed| all(&Keys::skewed(500, seed));
    assert_eq!(keys(1), keys(1));
    assert_ne!(keys(1), keys(2));
}

#[test]
fn skewed_keys_look_like_those_of_real_buckets() {
    let keys = Keys::skewed(100_000, 3);
    let shape = |prefix: &str| {
        let key = keys.key(keys.after(prefix));
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { 'x' } else { letter };
        key.strip_prefix(prefix).unwrap().chars().map(letter).collect::<String>()
    };
    assert_eq!(shape("logs/2024/01/"), "xx/xxxx-xx/xxxx-xxxxxx.xx");
    assert_eq!(shape("users/a"), "xxxxxxx/xxxxx-xx.xxx");
    assert_eq!(shape("exports/EU/"), "xxxxxxxxxxxxxxxxxxxxxx.xxxxxxx");
    assert_eq!(shape("media/covers/").len(), "0123456789abcdefghij.webp".len());
}

#[test]
fn the_key_after_another_is_the_one_that_a_scan_finds() {
    let listed = ["a", "a/", "a/b", "b", "é"].map(str::to_owned).to_vec();
    for keys in [Keys::listed(listed), Keys::numbered("n", 120), Keys::skewed(700, 9)] {
        let all = all(&keys);
        let between = ["", "a", "a/a", "n05", "n0500", "logs/", "users/8", "zz", "\u{10ffff}"];
        for key in all.iter().map(String::as_str).chain(between) {
            let scanned = all.iter().position(|other| other.as_str() > key).unwrap_or(all.len());
            assert_eq!(keys.after(key), scanned as u64, "after {key:?}");
        }
    }
}
