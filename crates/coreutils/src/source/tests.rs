//! Files, and names that are no files here.

use fewer::Scope;

use super::{File, Input, Opener, is_plain};

#[test]
fn a_file_is_used_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("a");
    let text: Vec<u8> = (0..=255).cycle().take(700_000).collect();
    std::fs::write(&name, &text).unwrap();
    let opener = Opener { scope: &Scope::start(), interrupted: &|| false };
    let opened = File::open(opener, name.as_os_str().as_encoded_bytes());
    let mut file = opened.ok().unwrap();
    let mut read = Vec::new();
    loop {
        let block = file.fill().unwrap();
        if block.is_empty() {
            break;
        }
        let used = block.len().min(10_001);
        read.extend_from_slice(&block[..used]);
        file.consume(used);
    }
    assert!(read == text);
}

#[test]
fn what_is_of_this_process_is_not_the_scripts() {
    for name in [
        "/dev/stdin", "/dev/fd/3", "//dev/./stdout", "dev/tty", "/proc/self/fd", "../proc/1",
        "/./proc/x", "proc/1", "../../dev/stderr",
    ] {
        assert!(!is_plain(name.as_bytes()), "{name}");
    }
    for name in ["", "-", "/", "/dev/null", "x", "fd/3", "src/proc/x", "process", "/usr/dev"] {
        assert!(is_plain(name.as_bytes()), "{name}");
    }
    assert!(!is_plain(&[b'x'; 5000]) && !is_plain(b"a\0"));
}
