//! A server that lists a container as Azure does: several requests at once, slowly, and refused now
//! and then.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// Every so many requests are refused with 503.
    pub(crate) refuse_every: Option<usize>,
    /// Each answer takes so long, and by chance up to four times as long.
    pub(crate) wait: Duration,
    /// This prefix is closed.
    pub(crate) closed: Option<&'static str>,
}

#[derive(Debug, Default)]
struct Counts {
    requests: AtomicUsize,
    refused: AtomicUsize,
    now: AtomicUsize,
    most: AtomicUsize,
    prefixes: Mutex<Vec<String>>,
}

pub(crate) struct Server {
    port: u16,
    counts: Arc<Counts>,
}

impl Server {
    /// A container with these keys, of which a page has so many and so many prefixes.
    pub(crate) fn start(mut keys: Vec<String>, page: usize, faults: Faults) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let counts = Arc::new(Counts::default());
        keys.sort();
        let (keys, kept) = (Arc::new(keys), counts.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (keys, counts) = (keys.clone(), kept.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &keys, page, faults, &counts));
            }
        });
        Server { port, counts }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn requests(&self) -> usize {
        self.counts.requests.load(SeqCst)
    }

    /// How many were refused.
    pub(crate) fn refused(&self) -> usize {
        self.counts.refused.load(SeqCst)
    }

    /// How many requests were under way at once.
    pub(crate) fn most_at_once(&self) -> usize {
        self.counts.most.load(SeqCst)
    }

    /// The prefixes that were asked for and answered, each as often.
    pub(crate) fn prefixes(&self) -> Vec<String> {
        let mut prefixes = self.counts.prefixes.lock().unwrap().clone();
        prefixes.sort();
        prefixes
    }
}

fn answer(mut stream: TcpStream, keys: &[String], page: usize, faults: Faults, counts: &Counts) {
    let target = target(&mut stream);
    let number = counts.requests.fetch_add(1, SeqCst) + 1;
    let now = counts.now.fetch_add(1, SeqCst) + 1;
    counts.most.fetch_max(now, SeqCst);
    std::thread::sleep(faults.wait * (1 + (number as u32).wrapping_mul(2_654_435_761) % 4));
    let prefix = parameter(&target, "prefix");
    let (status, body) = if faults.refuse_every.is_some_and(|every| number.is_multiple_of(every)) {
        counts.refused.fetch_add(1, SeqCst);
        ("503 Server Busy", "<Error><Code>ServerBusy</Code></Error>".to_owned())
    } else if faults.closed.is_some_and(|closed| closed == prefix) {
        ("403 Forbidden", "<Error><Code>Denied</Code><Message>Why.</Message></Error>".to_owned())
    } else {
        counts.prefixes.lock().unwrap().push(prefix.clone());
        let first = parameter(&target, "marker").parse().unwrap_or(0);
        ("200 OK", listing(keys, &prefix, parameter(&target, "delimiter") == "/", first, page))
    };
    counts.now.fetch_sub(1, SeqCst);
    let (head, length) = ("Connection: close\r\nContent-Length", body.len());
    // Who has enough goes away.
    let _ = write!(stream, "HTTP/1.1 {status}\r\n{head}: {length}\r\n\r\n{body}");
}

fn listing(keys: &[String], prefix: &str, one_level: bool, first: usize, page: usize) -> String {
    let mut items = Vec::new();
    for key in keys.iter().filter(|key| key.starts_with(prefix)) {
        let folder = key[prefix.len()..].find('/').filter(|_| one_level);
        let item = match folder {
            Some(end) => {
                let name = &key[..=prefix.len() + end];
                format!("<BlobPrefix><Name>{name}</Name></BlobPrefix>")
            }
            None => format!(
                "<Blob><Name>{key}</Name><Properties><Content-Length>7</Content-Length>\
                 <Last-Modified>Mon, 12 Oct 2009 17:50:30 GMT</Last-Modified><Etag>e</Etag>\
                 </Properties></Blob>"
            ),
        };
        if items.last() != Some(&item) {
            items.push(item);
        }
    }
    let end = items.len().min(first + page);
    let marker = if end < items.len() { end.to_string() } else { String::new() };
    let blobs = items[first..end].concat();
    format!(
        "<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker>{marker}</NextMarker>\
         </EnumerationResults>"
    )
}

fn target(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read_exact(&mut byte).is_err() {
            return String::new();
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    head.split(' ').nth(1).unwrap().to_owned()
}

/// A parameter of a query; empty if it is not there.
fn parameter(target: &str, name: &str) -> String {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let mut bytes = Vec::new();
    let mut rest = value.unwrap_or_default().bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || (rest.next().unwrap() as char).to_digit(16).unwrap() as u8;
        bytes.push(if byte == b'%' { digit() << 4 | digit() } else { byte });
    }
    String::from_utf8(bytes).unwrap()
}
