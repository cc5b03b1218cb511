use std::fs::{File, OpenOptions};
use std::io::Write;

use sys::AsFile;

use super::*;

fn listed() -> Listed {
    Listed {
        address: "s3://b/p\n".to_owned(),
        endpoint: Some("http://127.0.0.1:9".to_owned()),
        flags: vec![b"--sort".to_vec(), b"--glob=\xff*".to_vec()],
    }
}

fn range(after: &[u8], end: Option<&[u8]>) -> KeyRange {
    KeyRange { after: after.to_vec(), end: end.map(<[u8]>::to_vec) }
}

/// A folder with an output that has some bytes, and a path for a checkpoint.
struct Folder {
    directory: tempfile::TempDir,
}

impl Folder {
    fn new() -> Folder {
        Folder { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("checkpoint")
    }

    fn output(&self) -> File {
        let path = self.directory.path().join("output");
        OpenOptions::new().append(true).create(true).open(path).unwrap()
    }

    fn printed(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("output")).unwrap()
    }

    fn open(&self, output: &File) -> Result<(Checkpoint, Opened), CheckpointError> {
        Checkpoint::open(&self.path(), listed(), Some(output.as_file()))
    }

    /// The message of an error; the checkpoint is as it was.
    fn refused(&self, listed: Listed) -> String {
        let before = std::fs::read(self.path()).unwrap();
        let opened = Checkpoint::open(&self.path(), listed, Some(self.output().as_file()));
        assert_eq!(std::fs::read(self.path()).unwrap(), before);
        opened.unwrap_err().to_string()
    }
}

#[test]
fn what_is_saved_is_there_again() {
    let (folder, left) = (Folder::new(), vec![range(b"\"", Some(b"\"a")), range(b"\xff", None)]);
    let output = folder.output();
    let (mut checkpoint, opened) = folder.open(&output).unwrap();
    assert_eq!((checkpoint.left(), opened), (&[KeyRange::ALL][..], Opened::New));
    checkpoint.save(left.clone(), &[3, u64::MAX], Some(output.as_file()), true).unwrap();
    let (again, opened) = folder.open(&output).unwrap();
    assert_eq!(
        (again.left(), again.counts(), opened),
        (&*left, &[3, u64::MAX][..], Opened::GoesOn)
    );
    again.remove().unwrap();
    assert!(!folder.path().exists());
}

#[test]
fn what_was_written_behind_a_checkpoint_is_cut_off_only_after_a_kill() {
    let folder = Folder::new();
    let mut output = folder.output();
    output.write_all(b"before\n").unwrap();
    let (mut checkpoint, _) = folder.open(&output).unwrap();
    output.write_all(b"one\n").unwrap();
    checkpoint.save(vec![range(b"one", None)], &[], Some(output.as_file()), false).unwrap();
    output.write_all(b"two\nthr").unwrap();
    let (mut checkpoint, opened) = folder.open(&folder.output()).unwrap();
    assert_eq!((opened, &*folder.printed()), (Opened::CutOff(7), "before\none\n"));
    checkpoint.save(vec![range(b"one", None)], &[], Some(output.as_file()), true).unwrap();
    output.write_all(b"another's\n").unwrap();
    let (checkpoint, opened) = folder.open(&folder.output()).unwrap();
    assert_eq!((opened, &*folder.printed()), (Opened::GoesOn, "before\none\nanother's\n"));
    assert_eq!(checkpoint.written.unwrap().bytes, 21);
}

#[test]
fn without_the_same_file_keys_may_come_again_after_a_kill() {
    let folder = Folder::new();
    folder.open(&folder.output()).unwrap();
    let other = tempfile::tempfile().unwrap();
    assert_eq!(folder.open(&other).unwrap().1, Opened::MayRepeat);
    let (_reader, pipe) = std::io::pipe().unwrap();
    let open = || Checkpoint::open(&folder.path(), listed(), Some(pipe.as_file())).unwrap();
    assert_eq!(open().1, Opened::MayRepeat);
    open().0.save(vec![KeyRange::ALL], &[], Some(pipe.as_file()), true).unwrap();
    assert_eq!(open().1, Opened::GoesOn);
}

#[test]
fn an_output_that_was_emptied_is_refused() {
    let folder = Folder::new();
    let mut output = folder.output();
    let (mut checkpoint, _) = folder.open(&output).unwrap();
    output.write_all(b"one\n").unwrap();
    checkpoint.save(vec![range(b"one", None)], &[], Some(output.as_file()), true).unwrap();
    output.set_len(0).unwrap();
    let message = folder.refused(listed());
    assert!(message.contains("has 0 bytes, but had 4") && message.contains(">>"), "{message}");
}

#[test]
fn another_listing_is_refused_by_what_is_other() {
    let folder = Folder::new();
    folder.open(&folder.output()).unwrap();
    let sorted = listed();
    for (other, words) in [
        (Listed { address: "s3://c".into(), ..listed() }, &["s3://b/p", "s3://c"][..]),
        (Listed { endpoint: None, ..listed() }, &["http://127.0.0.1:9", "Amazon"]),
        (Listed { flags: vec![b"--sort".to_vec()], ..listed() }, &["--glob", "none of"]),
        (Listed { flags: [&sorted.flags[..], &[b"-x".to_vec()]].concat(), ..listed() }, &["-x"]),
    ] {
        let message = folder.refused(other);
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        assert!(message.contains("another listing"), "{message}");
    }
}

#[test]
fn what_is_no_checkpoint_is_refused_and_stays() {
    let folder = Folder::new();
    folder.open(&folder.output()).unwrap();
    let whole = std::fs::read_to_string(folder.path()).unwrap();
    for length in 0..whole.len() - 1 {
        std::fs::write(folder.path(), &whole[..length]).unwrap();
        assert!(folder.refused(listed()).contains("is no checkpoint"), "{length}");
    }
    let all = "{\"after\":{\"text\":\"\"},\"end\":null}";
    let overlap = format!("{all},{all}");
    let backwards = "{\"after\":{\"text\":\"b\"},\"end\":{\"text\":\"a\"}}";
    for (from, to, word) in [
        ("checkpoint\":1", "checkpoint\":2", "version 2"),
        ("checkpoint\":1", "checkpoint\":\"1\"", "fewer-checkpoint"),
        ("fewer-checkpoint", "fewer", "fewer-checkpoint"),
        ("\"left\":[", "\"left\":[7,", "after"),
        (all, &overlap, "overlap"),
        (all, backwards, "overlap"),
        ("\"counts\":[", "\"counts\":[-1", "counts"),
        ("\"bytes\":0", "\"bytes\":-1", "output"),
        ("\"final\":false", "\"final\":0", "final"),
    ] {
        assert!(whole.contains(from), "{from}");
        std::fs::write(folder.path(), whole.replacen(from, to, 1)).unwrap();
        let message = folder.refused(listed());
        assert!(message.contains("is no checkpoint") && message.contains(word), "{message}");
    }
    for data in ["7", "[]", "null", "\"\"", "key\nkey\n", "\u{0}\u{0}", &"[".repeat(100_000)] {
        std::fs::write(folder.path(), data).unwrap();
        assert!(folder.refused(listed()).contains("is no checkpoint"));
    }
}

#[test]
fn a_place_where_no_file_can_be_is_an_error_with_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let output = tempfile::tempfile().unwrap();
    for (path, errno) in [
        (folder.path().to_owned(), Errno::ISDIR),
        (folder.path().join("missing/file"), Errno::NOENT),
        ("/dev/null".into(), Errno::INVAL),
        (folder.path().join("x\0y"), Errno::INVAL),
        ("".into(), Errno::NOENT),
    ] {
        match Checkpoint::open(&path, listed(), Some(output.as_file())) {
            Err(CheckpointError::Failed(error)) => assert_eq!(error.errno(), errno, "{path:?}"),
            other => panic!("{path:?}: {other:?}"),
        }
    }
}

#[test]
fn a_link_leads_to_the_checkpoint() {
    let folder = Folder::new();
    let target = folder.directory.path().join("target");
    let path = std::ffi::CString::new(folder.path().as_os_str().as_bytes()).unwrap();
    sys::make_symlink(sys::CWD, &path, c"target").unwrap();
    let (checkpoint, _) = folder.open(&folder.output()).unwrap();
    assert!(target.is_file() && folder.path().is_symlink());
    checkpoint.remove().unwrap();
    assert!(!target.exists() && folder.path().is_symlink());
}
