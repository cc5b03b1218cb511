//! `cut` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

const INPUT: &[u8] = b"a:b:c\n\n:\nnone\n::x:\na:b\tc:d e:f\n\xff:\0:z:y";

#[test]
fn fields_and_bytes() {
    for line in [
        "-d: -f1", "-d : -f 2", "-d: -f9", "-sd: -f2-3", "-d: -f 3,1␣2", "-d: -f-2,4-", "-f1",
        "-d: -f2 --complement", "-d: -f1,3 --output-delimiter <>", "-d '' -f2", "-c2-3", "-b1,3-",
        "-c 2 --complement", "-z -c1", "-d: -f1- -n",
    ] {
        let arguments = &words(line);
        assert!(same("cut", arguments, INPUT), "{arguments:?}");
        assert!(Comparison::new().pieces(3).same("cut", arguments, INPUT));
    }
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), b"1 2 3\n4 5").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    assert!(comparison.same("cut", &["-d ", "-f2", "a", "none", "-", "d", "a"], b"x y\n"));
}

#[test]
fn wrong_usage_is_left_to_the_real_one() {
    for line in [
        "-d:", "-f0", "-f2-1", "-f-", "-f ''", "-d:: -f1", "-c1 -f1", "-c1 -s", "-fx", "-zf1",
        "-f1 -d \n",
    ] {
        assert!(!same("cut", &words(line), INPUT), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_text(
        list in "([1-4]|[1-2]-[2-5]?|-[1-4]){1}(,([1-4]|[1-2]-[2-5]?|-[1-4])){0,2}",
        input in "[ab:\n]{0,60}",
        flags in prop::sample::subsequence(vec!["-s", "--complement", "-z"], 0..3),
        kind in "[bcf]",
        piece in 1_usize..9,
    ) {
        let list = format!("-{kind}{list}");
        let mut arguments = vec![list.as_str()];
        if kind == "f" {
            arguments.push("-d:");
        }
        arguments.extend(flags.iter().filter(|flag| kind == "f" || **flag != "-s"));
        let supported = Comparison::new().pieces(piece).same("cut", &arguments, input.as_bytes());
        assert!(supported || kind == "f" && flags.contains(&"-z"), "{arguments:?}");
    }
}
