//! A server of WebDAV: files, and collections that are made of their names.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is not as it should be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    /// Answers for these paths: a status, and lines of its head.
    pub(crate) answers: BTreeMap<&'static str, (&'static str, String)>,
    /// Every so many requests are refused with 503.
    pub(crate) refuse_every: Option<usize>,
    /// Every so many answers are cut off.
    pub(crate) cut_every: Option<usize>,
    /// Each answer takes so long.
    pub(crate) wait: Duration,
    /// This has to be in the head.
    pub(crate) authorization: Option<&'static str>,
}

#[derive(Debug, Default)]
struct Counts {
    heads: Mutex<Vec<String>>,
    now: AtomicUsize,
    most: AtomicUsize,
}

pub(crate) struct Server {
    port: u16,
    counts: Arc<Counts>,
}

impl Server {
    /// A server that has these files, whose contents are their paths; a collection ends in a slash.
    pub(crate) fn start(files: &[String], faults: Faults) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let counts = Arc::new(Counts::default());
        let files: BTreeSet<String> = files.iter().cloned().collect();
        let (files, kept) = (Arc::new(files), counts.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (files, counts, faults) = (files.clone(), kept.clone(), faults.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &files, &faults, &counts));
            }
        });
        Server { port, counts }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The heads of the requests so far, with their bodies.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.counts.heads.lock().unwrap().clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.counts.most.load(SeqCst)
    }
}

fn answer(mut stream: TcpStream, files: &BTreeSet<String>, faults: &Faults, counts: &Counts) {
    let head = head(&mut stream);
    let number = {
        let mut heads = counts.heads.lock().unwrap();
        heads.push(head.clone());
        heads.len()
    };
    counts.most.fetch_max(counts.now.fetch_add(1, SeqCst) + 1, SeqCst);
    std::thread::sleep(faults.wait);
    let is = |every: Option<usize>| every.is_some_and(|every| number.is_multiple_of(every));
    let (status, lines, body) = if is(faults.refuse_every) {
        ("503 Service Unavailable", String::new(), Vec::new())
    } else {
        answer_of(&head, files, faults)
    };
    counts.now.fetch_sub(1, SeqCst);
    let sent = if is(faults.cut_every) { body.len() / 2 } else { body.len() };
    let head = format!(
        "HTTP/1.1 {status}\r\n{lines}Connection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), &body[..sent]].concat());
}

fn answer_of(
    head: &str,
    files: &BTreeSet<String>,
    faults: &Faults,
) -> (&'static str, String, Vec<u8>) {
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let target = target.strip_prefix('/').unwrap();
    let (asked, path) = (decoded(target), decoded(target.split('?').next().unwrap()));
    if faults.authorization.is_some_and(|it| header(head, "authorization").as_deref() != Some(it)) {
        return ("401 Unauthorized", "WWW-Authenticate: Basic\r\n".to_owned(), Vec::new());
    }
    if let Some((status, lines)) = faults.answers.get(&*asked) {
        return (status, lines.clone(), Vec::new());
    }
    match method {
        "PROPFIND" => {
            assert_eq!(header(head, "depth").as_deref(), Some("1"), "{head}");
            assert!(head.contains("<getetag/></prop></propfind>"), "{head}");
            match path.is_empty() || files.iter().any(|file| file.starts_with(&path)) {
                true => ("207 Multi-Status", String::new(), multistatus(&path, files).into()),
                false => ("404 Not Found", String::new(), Vec::new()),
            }
        }
        "GET" if files.contains(&path) => part(head, &path.repeat(400_000)),
        _ => ("404 Not Found", String::new(), Vec::new()),
    }
}

/// What a range says of contents.
fn part(head: &str, contents: &str) -> (&'static str, String, Vec<u8>) {
    let range = header(head, "range").unwrap();
    let (first, last) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let (end, size) = (contents.len().min(last + 1), contents.len());
    let lines = format!("Content-Range: bytes {first}-{}/{size}\r\nETag: \"e\"\r\n", end - 1);
    ("206 Partial Content", lines, contents[first..end].into())
}

/// The collection itself, and what is directly in it.
fn multistatus(path: &str, files: &BTreeSet<String>) -> String {
    let below = files.iter().filter_map(|file| file.strip_prefix(path));
    let names = below.filter(|name| !name.is_empty());
    let mut members: Vec<&str> =
        names.map(|name| name.find('/').map_or(name, |slash| &name[..=slash])).collect();
    members.dedup();
    let responses: String =
        std::iter::once("").chain(members).map(|name| response(path, name)).collect();
    format!("<?xml version='1.0'?>\n<D:multistatus xmlns:D='DAV:'>{responses}</D:multistatus>\n")
}

fn response(path: &str, name: &str) -> String {
    let is_collection = name.is_empty() || name.ends_with('/');
    let (kind, properties) = match is_collection {
        true => ("<D:collection/>", String::new()),
        false => {
            let length = name.len();
            let properties = format!(
                "<D:getcontentlength>{length}</D:getcontentlength><D:getetag>\"e\"</D:getetag>"
            );
            ("", properties)
        }
    };
    // Some have a server in front of the path, and no slash behind a collection.
    let server = if name.len() % 2 == 1 { "http://dav.example" } else { "" };
    let name = if name.len().is_multiple_of(3) { name.trim_end_matches('/') } else { name };
    format!(
        "<D:response><D:href>{server}/{}</D:href><D:propstat><D:prop>{properties}\
         <D:getlastmodified>Mon, 12 Oct 2009 17:50:30 GMT</D:getlastmodified>\
         <D:resourcetype>{kind}</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status>\
         </D:propstat><D:propstat><D:prop><D:quota/></D:prop>\
         <D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>",
        encoded(&format!("{path}{name}"))
    )
}

fn encoded(path: &str) -> String {
    let encode = |byte: u8| match byte {
        b'/' | b'.' | b'-' => (byte as char).to_string(),
        _ if byte.is_ascii_alphanumeric() => (byte as char).to_string(),
        _ => format!("%{byte:02x}"),
    };
    path.bytes().map(encode).collect()
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || (rest.next().unwrap() as char).to_digit(16).unwrap() as u8;
        bytes.push(if byte == b'%' { digit() << 4 | digit() } else { byte });
    }
    String::from_utf8(bytes).unwrap()
}

/// A field of a head.
pub(crate) fn header(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let (field, value) = line.split_once(": ")?;
        field.eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}

/// A head, and the body behind it.
fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let mut text = String::from_utf8(head).unwrap();
    let length = header(&text, "content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    text += std::str::from_utf8(&body).unwrap();
    text
}
