//! Changes of names: mkdir-again.

use super::*;

const EEXIST: i64 = -17;

#[test]
fn a_directory_is_made_for_every_file() {
    let mut stream = Stream::new();
    stream.call("mkdir", "/w/out", 0);
    for _ in 0..100 {
        stream.call("mkdir", "/w/out", EEXIST);
    }
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("mkdir-again", 100));
    assert_eq!(finding.verdict, "`/w/out` was made again 100 times, each time in vain");
}

#[test]
fn directories_that_are_made_once_or_were_removed_are_no_waste() {
    let mut stream = Stream::new();
    for number in 0..100 {
        let folder = format!("/w/{number}");
        stream.call("mkdir", &folder, if number % 2 == 0 { 0 } else { EEXIST });
    }
    assert_eq!(stream.wastes(), []);
    let mut stream = Stream::new();
    for _ in 0..100 {
        stream.call("mkdir", "/w/lock", EEXIST);
        stream.call("rmdir", "/w/lock", 0);
    }
    assert_eq!(stream.wastes(), []);
}
