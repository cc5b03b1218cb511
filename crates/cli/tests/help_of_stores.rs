//! What the help of the verbs says of addresses, in a build that knows stores.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

/// The help of a verb, as one line.
fn help(verb: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fewer")).args([verb, "--help"]).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_names_the_addresses_that_a_verb_takes() {
    let verbs = [("walk", true), ("ls", false), ("size", true), ("lines", false)];
    for (verb, takes_file_urls) in verbs {
        let help = help(verb);
        for scheme in ["s3://", "gs://", "az://", "hdfs://", "https://", "http://", "WebDAV"] {
            assert!(help.contains(scheme), "{verb}: {scheme}");
        }
        assert_eq!(help.contains("file://"), takes_file_urls, "{verb}");
    }
}

#[test]
fn help_says_what_threads_are_for_an_address() {
    for verb in ["walk", "size"] {
        let said = "Of an address it is how many requests are under way at once, at most";
        assert!(help(verb).contains(said), "{verb}");
    }
}
