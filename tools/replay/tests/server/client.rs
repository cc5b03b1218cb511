//! A client of the plainest kind, which sees what it is sent.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use replay::Replay;

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(server: &Replay) -> Client {
        let address = server.address();
        let stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Client { stream: BufReader::new(stream) }
    }

    pub(crate) fn get(&mut self, target: &str) -> io::Result<Reply> {
        self.request("GET", target, "")
    }

    /// `headers` are whole lines.
    pub(crate) fn request(
        &mut self,
        method: &str,
        target: &str,
        headers: &str,
    ) -> io::Result<Reply> {
        self.send(method, target, headers)?;
        self.reply(method == "HEAD")
    }

    pub(crate) fn send(&mut self, method: &str, target: &str, headers: &str) -> io::Result<()> {
        let head = format!("{method} {target} HTTP/1.1\r\nHost: bucket\r\n{headers}\r\n");
        self.stream.get_mut().write_all(head.as_bytes())
    }

    /// An end before the end of the body is `UnexpectedEof`.
    pub(crate) fn reply(&mut self, is_head: bool) -> io::Result<Reply> {
        let status = self.line()?;
        let status = status.split(' ').nth(1).ok_or(io::ErrorKind::UnexpectedEof)?.parse().unwrap();
        let mut reply = Reply { status, headers: Vec::new(), body: Vec::new() };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            reply.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let length = reply.header("content-length").unwrap().parse().unwrap();
        if !is_head {
            reply.body.resize(length, 0);
            self.stream.read_exact(&mut reply.body)?;
        }
        Ok(reply)
    }

    pub(crate) fn set_timeout(&self, timeout: Duration) {
        self.stream.get_ref().set_read_timeout(Some(timeout)).unwrap();
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The texts of all elements of a name, references left as they are.
    pub(crate) fn elements(&self, name: &str) -> Vec<&str> {
        let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
        let parts = self.text().split(begin.as_str()).skip(1);
        parts.filter_map(|part| part.split(end.as_str()).next()).collect()
    }

    pub(crate) fn element(&self, name: &str) -> Option<&str> {
        self.elements(name).first().copied()
    }
}

/// One request on a connection of its own.
pub(crate) fn get(server: &Replay, target: &str) -> Reply {
    Client::new(server).get(target).unwrap()
}

/// All pages that tokens lead to, but not more than 100.
pub(crate) fn follow(server: &Replay, query: &str) -> Vec<Reply> {
    let mut client = Client::new(server);
    let mut pages = vec![client.get(&format!("/b?list-type=2&{query}")).unwrap()];
    while let Some(token) = pages[pages.len() - 1].element("NextContinuationToken") {
        if pages.len() == 100 {
            break;
        }
        let token = token.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
        let target = format!("/b?list-type=2&continuation-token={token}&{query}");
        pages.push(client.get(&target).unwrap());
    }
    pages
}

/// The keys of pages, in their order.
pub(crate) fn keys(pages: &[Reply]) -> Vec<&str> {
    pages.iter().flat_map(|page| page.elements("Key")).collect()
}
