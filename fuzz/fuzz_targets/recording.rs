//! Any bytes as a recording, with or without a proper first line: no panic; and what is read can be
//! written, and is then read again as it was.
#![no_main]

use std::io::{Seek, Write};

use fewer::Lines;
use libfuzzer_sys::fuzz_target;
use trace::recording::{Header, Reader, Writer};
use trace::{Error, Event, Machine};

const HEADER: &[u8] =
    b"{\"fewer\":\"recording\",\"v\":1,\"version\":\"0\",\"machine\":\"x86_64\",\"command\":[]}\n";

fuzz_target!(|text: &[u8]| {
    let _ = read(file(text));
    let Ok(mut events) = read(file(&[HEADER, text].concat())) else { return };
    let is_cut = !matches!(events.last(), Some(Event::End { .. }));
    if is_cut {
        let Some(Event::Note(note)) = events.pop() else { panic!("nothing was said") };
        assert_eq!(note.id, "cut-off");
        events.push(Event::End { at: 0 });
    }
    let copy = file(b"");
    let again = copy.try_clone().expect("cannot duplicate");
    let mut writer = Writer::from_owned(copy, "copy", &Header::new(Vec::new()));
    for event in &events {
        writer.write(event).expect("cannot write");
    }
    writer.finish().expect("cannot finish");
    (&again).rewind().expect("cannot go back");
    assert_eq!(read(again).expect("cannot read what was written"), events);
});

fn read(file: std::fs::File) -> Result<Vec<Event>, Error> {
    let reader = Reader::from_lines(Lines::from_owned(file, "recording"), "recording")?;
    assert!(matches!(reader.header().machine, Machine::X86_64 | Machine::Aarch64));
    reader.collect()
}

/// A file without a name that holds the text.
fn file(text: &[u8]) -> std::fs::File {
    let path = format!("/dev/shm/fewer-fuzz-recording-{}", std::process::id());
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true).open(&path);
    let _ = std::fs::remove_file(path);
    let mut file = file.expect("cannot make a file");
    file.write_all(text).and_then(|()| file.rewind()).expect("cannot write the text");
    file
}
