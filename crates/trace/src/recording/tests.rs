//! What is written is read again; what is damaged is an error.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::*;

fn header() -> Header {
    Header::new(vec![Text::from("ls"), Text::from(&b"\xff"[..])])
}

fn written(events: &[Event]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording");
    let mut writer = Writer::create(&path, &header()).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    writer.finish().unwrap();
    (folder, path)
}

/// As text, as earlier versions wrote it.
fn written_plain(events: &[Event]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording");
    let line = |event| serde_json::to_string(event).unwrap() + "\n";
    let first = serde_json::to_string(&header()).unwrap() + "\n";
    fs::write(&path, first + &events.iter().map(line).collect::<String>()).unwrap();
    (folder, path)
}

fn read(path: &std::path::Path) -> Result<Vec<Event>, Error> {
    Reader::open(path)?.collect()
}

fn call() -> impl Strategy<Value = Call> {
    let words = (any::<[u64; 6]>(), any::<[u32; 6]>(), any::<i64>(), any::<[u64; 4]>());
    let name = prop_oneof![
        proptest::sample::select(Name::ALL).boxed(),
        any::<u32>().prop_map(Name::Foreign).boxed(),
        any::<u32>().prop_map(Name::I386).boxed(),
        Just(Name::Unknown(100_000)).boxed(),
    ];
    (words, name, any::<[bool; 13]>()).prop_map(|((arguments, small, result, large), name, set)| {
        let word = |at: usize| if set[at] { small[at] } else { 0 };
        let long = |at: usize| if set[6 + at] { large[at] } else { 0 };
        Call {
            start: long(0),
            spent: long(1),
            process: word(0),
            thread: word(1),
            name,
            arguments: if set[10] { arguments } else { [arguments[0], 0, 0, 3, 0, 0] },
            path: PathId(word(2)),
            file: PathId(word(3)),
            second: PathId(word(4)),
            result: if set[11] { result } else { 0 },
            moved: long(2),
            answer: long(3),
            stack: StackId(word(5)),
        }
    })
}

fn text() -> impl Strategy<Value = Text> {
    proptest::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| Text::from(&bytes[..]))
}

fn event() -> impl Strategy<Value = Event> {
    let location = ("\\PC*", ".*", any::<u32>());
    let location = location.prop_map(|(function, file, line)| Location { function, file, line });
    let process = (any::<[u32; 4]>(), any::<u64>(), proptest::collection::vec(text(), 0..4));
    let process = process.prop_map(|([id, parent, program, directory], start, arguments)| {
        let (program, directory) = (PathId(program), PathId(directory));
        Event::Process(Process { id, parent, start, program, arguments, directory })
    });
    prop_oneof![
        8 => call().prop_map(Event::Call),
        1 => (any::<u32>(), text()).prop_map(|(id, path)| Event::Path { id: PathId(id), path }),
        1 => any::<([u32; 3], u64)>().prop_map(|([id, module, process], address)| Event::Frame {
            id: FrameId(id),
            module: PathId(module),
            address,
            process,
        }),
        1 => any::<(u32, Vec<u32>, bool)>().prop_map(|(id, frames, truncated)| Event::Stack {
            id: StackId(id),
            frames: frames.into_iter().map(FrameId).collect(),
            truncated,
        }),
        1 => process,
        1 => any::<(u32, u64, i32, u64)>()
            .prop_map(|(process, at, status, processor)| {
                Event::Ended { process, at, status, processor }
            }),
        1 => any::<(u32, u32, u64)>()
            .prop_map(|(process, thread, at)| Event::Slept { process, thread, at }),
        1 => (any::<u32>(), proptest::collection::vec(location, 0..3))
            .prop_map(|(frame, locations)| Event::Locations { frame: FrameId(frame), locations }),
        1 => any::<u32>()
            .prop_map(|path| Event::Program { path: PathId(path), language: Language::Lisp }),
        1 => (".*", any::<u32>(), ".*")
            .prop_map(|(id, process, text)| Event::Note(Note { id, process, text })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_again(
        mut events in proptest::collection::vec(event(), 0..50),
        at: u64,
    ) {
        events.push(Event::End { at });
        let (_folder, path) = written(&events);
        let reader = Reader::open(&path).unwrap();
        prop_assert_eq!(reader.header(), &header());
        prop_assert_eq!(&read(&path).unwrap(), &events);
        let (_folder, plain) = written_plain(&events);
        prop_assert_eq!(&read(&plain).unwrap(), &events);
    }

    #[test]
    fn compressed_and_cut_anywhere_it_is_read_as_far_as_it_goes(
        mut events in proptest::collection::vec(event(), 1..20),
        cut: proptest::sample::Index,
    ) {
        events.push(Event::End { at: 1 });
        let (_folder, path) = written(&events);
        let whole = fs::read(&path).unwrap();
        // The last eight bytes check what is there already.
        fs::write(&path, &whole[..cut.index(whole.len() - 8)]).unwrap();
        match read(&path) {
            Ok(mut got) => {
                let last = got.pop();
                let is_cut = matches!(&last, Some(Event::Note(note)) if note.id == "cut-off");
                prop_assert!(is_cut || last == events.last().cloned());
                prop_assert_eq!(&got[..], &events[..got.len()]);
            }
            Err(error) => prop_assert!(error.to_string().contains("', line 1: ")),
        }
    }

    #[test]
    fn cut_anywhere_it_is_read_up_to_there_and_says_so(
        mut events in proptest::collection::vec(event(), 1..20),
        cut: proptest::sample::Index,
    ) {
        events.push(Event::End { at: 1 });
        let (_folder, path) = written_plain(&events);
        let whole = fs::read(&path).unwrap();
        let start = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        // Without the newline at its end the last line is still whole.
        let length = start + cut.index(whole.len() - 1 - start);
        fs::write(&path, &whole[..length]).unwrap();
        let mut got = read(&path).unwrap();
        let Some(Event::Note(note)) = got.pop() else { panic!("nothing was said") };
        prop_assert_eq!(&note.id, "cut-off");
        prop_assert!(note.text.contains("was cut off"));
        prop_assert_eq!(&got[..], &events[..got.len()]);
        let lines = whole[start..length].iter().filter(|&&byte| byte == b'\n').count();
        prop_assert!(got.len() == lines || got.len() == lines + 1);
    }

    #[test]
    fn any_bytes_behind_the_header_are_no_trouble(
        lines in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 0..9),
    ) {
        let (_folder, path) = written_plain(&[]);
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        lines.iter().for_each(|line| file.write_all(&[line, &b"\n"[..]].concat()).unwrap());
        if let Ok(events) = read(&path) {
            prop_assert!(events.len() <= lines.len() + 1);
        }
    }
}

#[test]
fn a_call_is_short() {
    let call = Call {
        start: 12_345_678_901,
        spent: 4_567,
        process: 31_131,
        thread: 31_131,
        name: Name::Newfstatat,
        arguments: [(-100_i64).cast_unsigned(), 0x7ffd_18c2_a930, 0x7ffd_18c2_a930, 256, 0, 0],
        path: PathId(7),
        file: PathId(8),
        answer: u64::MAX,
        stack: StackId(3),
        ..Call::default()
    };
    let line = serde_json::to_string(&Event::Call(call.clone())).unwrap();
    assert_eq!(
        line,
        concat!(
            r#"{"c":{"n":"newfstatat","t":12345678901,"d":4567,"p":31131,"#,
            r#""a":[-100,140725018863920,140725018863920,256],"x":7,"f":8,"#,
            r#""w":18446744073709551615,"s":3}}"#
        )
    );
    let close = Call { name: Name::Close, arguments: [3, 0, 0, 0, 0, 0], ..Call::default() };
    let line = serde_json::to_string(&Event::Call(close)).unwrap();
    assert_eq!(line, r#"{"c":{"n":"close","a":[3]}}"#);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let (_folder, path) = written_plain(&[Event::End { at: 5 }]);
    let whole = fs::read_to_string(&path).unwrap();
    let name = path.display().to_string();
    let trouble = |text: &str| {
        fs::write(&path, text).unwrap();
        read(&path).unwrap_err().to_string().replace(&name, "x")
    };
    let (first, end) = whole.split_at(whole.find('\n').unwrap() + 1);
    assert_eq!(
        trouble(&format!("{first}{{\"c\":{{\"n\":\"nonsense\"}}}}\n{end}")),
        "'x', line 2: 'nonsense' is no system call of Linux at byte 21"
    );
    assert_eq!(
        trouble(&format!("{first}{{\"c\":{{\"n\":\"read\",\"a\":[1,2,3,4,5,6,7]}}}}\n{end}")),
        "'x', line 2: a system call has six arguments at most at byte 37"
    );
    assert_eq!(trouble(&format!("{whole}{end}")), "'x', line 3: something stands behind the end");
    assert_eq!(trouble(""), "'x', line 1: this is no recording of fewer: it is empty");
    assert_eq!(trouble("\0\u{1b}[m"), "'x', line 1: this is no recording of fewer");
    assert_eq!(
        trouble(&whole.replace("\"v\":1", "\"v\":9")),
        "'x', line 1: version 9 of the format is not known here"
    );
    fs::remove_file(&path).unwrap();
    let error = Reader::open(&path).unwrap_err().to_string();
    assert_eq!(error.replace(&name, "x"), "cannot open 'x': No such file or directory");
}

#[test]
fn the_first_line_tells_a_recording_from_a_log() {
    let (folder, path) = written(&[Event::End { at: 5 }]);
    let read = |path| open(path).and_then(|events| events.collect::<Result<Vec<_>, _>>());
    assert_eq!(read(&path).unwrap(), [Event::End { at: 5 }]);
    let log = folder.path().join("log");
    fs::write(&log, "close(3) = 0\nclose(4) = 0\n").unwrap();
    let events = read(&log).unwrap();
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Call(_))).count(), 2);
    fs::write(&log, "{}\n").unwrap();
    assert!(read(&log).unwrap_err().to_string().contains("nor a log of strace"));
    fs::write(&log, "").unwrap();
    assert!(read(&log).is_err());
}

#[test]
fn what_a_killed_writer_has_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording");
    let mut writer = Writer::create(&path, &header()).unwrap();
    let event = |id| Event::Path { id: PathId(id), path: Text::from("/a/path/that/is/long") };
    (0..20_000).for_each(|id| writer.write(&event(id)).unwrap());
    drop(writer); // as SIGKILL leaves it
    let got = read(&path).unwrap();
    assert!(got.len() > 15_000, "{}", got.len());
    let note = got.last().unwrap();
    assert!(matches!(note, Event::Note(note) if note.text.contains("was cut off")), "{note:?}");
    assert!(got[..got.len() - 2].iter().zip(0..).all(|(got, id)| *got == event(id)));
}

#[test]
fn what_is_compressed_and_damaged_is_told_with_its_line() {
    let (_folder, path) = written(&[Event::End { at: 5 }]);
    let whole = fs::read(&path).unwrap();
    let mut checksum = whole.clone();
    checksum[whole.len() - 8] ^= 1;
    for damaged in [[&whole[..], b"something else"].concat(), checksum] {
        fs::write(&path, damaged).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("', line 3: "), "{error}");
    }
}

#[test]
fn a_file_without_lines_does_not_fill_the_memory() {
    let error = Reader::open("/dev/zero").unwrap_err().to_string();
    assert_eq!(error, "cannot read a line of '/dev/zero': File too large");
}

#[test]
fn a_full_disk_is_told_with_the_path() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut writer = Writer::from_owned(full, "/dev/full", &header());
    let event = Event::Path { id: PathId(1), path: Text::from(&[b'x'; 100_000][..]) };
    let error = (0..5).find_map(|_| writer.write(&event).err()).unwrap().to_string();
    assert_eq!(error, "cannot write '/dev/full': No space left on device");
    let small = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = Writer::from_owned(small, "/dev/full", &header()).finish().unwrap_err();
    assert_eq!(error.errno(), Some(fewer::Errno::NOSPC));
    let error = Writer::create("/no such/place", &header()).unwrap_err().to_string();
    assert_eq!(error, "cannot open '/no such/place': No such file or directory");
}
