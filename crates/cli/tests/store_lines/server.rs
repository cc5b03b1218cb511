//! A server that has one object, and may cut, change or refuse it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// Every so many answers end after so many bytes of what they promised.
    pub(crate) cut_every: Option<usize>,
    /// Every so many requests are refused with 503.
    pub(crate) refuse_every: Option<usize>,
    /// From this request on the object is another one.
    pub(crate) change_at: Option<usize>,
    /// So many bytes of the object come, and no other ever.
    pub(crate) stall_at: Option<usize>,
    /// All bytes come, whatever was asked.
    pub(crate) ignores_ranges: bool,
}

pub(crate) struct Server {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Each key stands for the object.
    pub(crate) fn start(object: Vec<u8>, faults: Faults) -> Server {
        Server::of(vec![(String::new(), object)], faults)
    }

    /// Each key stands for the first object whose key it begins with.
    pub(crate) fn of(objects: Vec<(String, Vec<u8>)>, faults: Faults) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let objects = Arc::new(objects);
        let kept = heads.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (objects, heads) = (objects.clone(), kept.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &objects, faults, &heads));
            }
        });
        Server { port, heads }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The heads of the requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// Which bytes were asked for, in order.
    pub(crate) fn ranges(&self) -> Vec<String> {
        let mut ranges: Vec<String> =
            self.heads().iter().filter_map(|head| header(head, "range")).collect();
        ranges.sort_by_key(|range| first_of(range));
        ranges
    }
}

/// A field of a head.
pub(crate) fn header(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let (field, value) = line.split_once(": ")?;
        field.eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}

/// Answers one request, and closes the connection.
fn answer(
    mut stream: TcpStream,
    objects: &[(String, Vec<u8>)],
    faults: Faults,
    heads: &Mutex<Vec<String>>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read_exact(&mut byte).is_err() {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let number = {
        let mut heads = heads.lock().unwrap();
        heads.push(head.clone());
        heads.len()
    };
    let is_one = |every: Option<usize>| every.is_some_and(|every| number.is_multiple_of(every));
    let tag = if faults.change_at.is_some_and(|at| number >= at) { "\"b\"" } else { "\"a\"" };
    let is_other = header(&head, "if-match").is_some_and(|wanted| wanted != tag);
    let key = head.strip_prefix("GET /b/").unwrap_or("\n");
    let object = objects.iter().find(|(begin, _)| key.starts_with(begin.as_str()));
    let object = object.filter(|_| key != "\n").map(|(_, object)| &object[..]);
    let (status, fields, body) = match () {
        () if object.is_none() => ("404 Not Found", String::new(), &b""[..]),
        () if is_one(faults.refuse_every) => ("503 Slow Down", String::new(), &b""[..]),
        () if is_other => ("412 Precondition Failed", String::new(), &b""[..]),
        () if faults.ignores_ranges => {
            ("200 OK", format!("ETag: {tag}\r\n"), object.unwrap_or_default())
        }
        () => part(&head, object.unwrap_or_default(), tag),
    };
    let length = body.len();
    let fields = format!("{fields}Connection: close\r\nContent-Length: {length}\r\n\r\n");
    let body = if is_one(faults.cut_every) { &body[..length * 2 / 3] } else { body };
    // Who had enough closes the connection.
    let _ = stream.write_all(format!("HTTP/1.1 {status}\r\n{fields}").as_bytes());
    let first = header(&head, "range").map_or(0, |range| first_of(&range));
    if let Some(left) = faults.stall_at.map(|at| at.saturating_sub(first)).filter(|it| *it < length)
    {
        let _ = stream.write_all(&body[..left]);
        std::thread::park();
    }
    let _ = stream.write_all(body);
}

fn part<'o>(head: &str, object: &'o [u8], tag: &str) -> (&'static str, String, &'o [u8]) {
    let range = header(head, "range").unwrap();
    let (first, last) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let size = object.len();
    if first >= size {
        return ("416 Range Not Satisfiable", format!("Content-Range: bytes */{size}\r\n"), b"");
    }
    let last = last.min(size - 1);
    let fields = format!("Content-Range: bytes {first}-{last}/{size}\r\nETag: {tag}\r\n");
    ("206 Partial Content", fields, &object[first..=last])
}

/// The first byte of `bytes=0-9`.
fn first_of(range: &str) -> usize {
    range[6..range.find('-').unwrap()].parse().unwrap()
}
