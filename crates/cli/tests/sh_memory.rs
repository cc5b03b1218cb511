//! A script that needs more memory than it may have.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use folder::{Folder, err, out};

/// dash and bash write at once; bash ends with status 2.
#[test]
fn what_was_printed_before_memory_ran_out_is_written() {
    let script = "echo kept; echo file > f; echo more >> f; x=aaaaaaaaaaaaaaaa
        while :; do x=$x$x; done; echo never";
    for dialect in ["posix", "bash", "ksh"] {
        let folder = Folder::new();
        let limited = "ulimit -v 1000000; exec \"$0\" sh \"--$1\" -c \"$2\"";
        let words = ["-c", limited, env!("CARGO_BIN_EXE_fewer"), dialect, script];
        let run = folder.program("sh", &words).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{dialect}: {}", err(&run));
        assert_eq!(out(&run), "kept\n", "{dialect}");
        assert_eq!(err(&run), "fewer: out of memory\n", "{dialect}");
        assert_eq!(folder.read("f"), "file\nmore\n", "{dialect}");
    }
}
