//! One connection: request after request, until a fault ends it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::answer::{
    ACCESS_DENIED, Answer, BAD_REQUEST, INTERNAL_ERROR, METHOD_NOT_ALLOWED, NO_SUCH_BUCKET,
    NO_SUCH_KEY, PERMANENT_REDIRECT, SLOW_DOWN,
};
use crate::faults::{Faults, Spoil, Strike};
use crate::listing::Page;
use crate::object;
use crate::page::push_page;
use crate::request::{Action, Head, List};
use crate::server::Shared;

/// How long a head may be, in bytes. A key of 1024 bytes is 3072 in a URL.
const HEAD_LIMIT: usize = 64 << 10;
const BLOCK: usize = 16 << 10;

/// What becomes of the connection after an answer.
#[derive(PartialEq, Eq)]
enum After {
    Keep,
    Close,
    Reset,
}

struct Connection<'a> {
    shared: &'a Shared,
    stream: &'a TcpStream,
    /// What was read and not used.
    input: Vec<u8>,
    /// Whether the system still has the last byte of that.
    has_unread: bool,
    answer: Answer,
}

/// Answers requests until the client or a fault ends the connection, or the server stops.
pub(crate) fn serve(shared: &Shared, stream: &TcpStream) {
    // It only makes answers come faster.
    let _ = stream.set_nodelay(true);
    let (input, answer) = (Vec::new(), Answer::new());
    let mut connection = Connection { shared, stream, input, has_unread: false, answer };
    loop {
        match connection.serve_one() {
            Ok(After::Keep) => {}
            Ok(After::Reset) => return,
            // An error ends the connection: the client knows, and nobody else needs to.
            Ok(After::Close) | Err(_) => break,
        }
    }
    let _ = connection.take_unread();
}

impl Connection<'_> {
    fn serve_one(&mut self) -> io::Result<After> {
        let Some(head) = self.read_head()? else { return Ok(After::Close) };
        self.answer.identify(self.shared.receive(&head.target));
        let faults = self.shared.faults();
        let after = match Action::new(&head) {
            Action::List(list) => self.list(&list, &head, &faults)?,
            action => {
                self.shared.sleep(faults.first_byte);
                if !self.refuse_everything(&head, &faults) {
                    self.answer_other(&action, &head, &faults);
                }
                self.send(&head)?
            }
        };
        if head.has_body && after == After::Keep {
            self.discard_body()?;
            return Ok(After::Close);
        }
        Ok(after)
    }

    /// The next request's head, or nothing at the end of the connection.
    fn read_head(&mut self) -> io::Result<Option<Head>> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; 64];
            let mut request = httparse::Request::new(&mut headers);
            match request.parse(&self.input) {
                Ok(httparse::Status::Complete(length)) => {
                    let head = Head::new(&request);
                    self.input.drain(..length);
                    return Ok(Some(head));
                }
                Ok(httparse::Status::Partial) if self.input.len() < HEAD_LIMIT => {}
                _ => {
                    self.answer.refuse(&BAD_REQUEST);
                    let length = self.answer.body_length() as u64;
                    self.stream.write_all(self.answer.bytes(length, false))?;
                    return Ok(None);
                }
            }
            if !self.read_more()? {
                return Ok(None);
            }
        }
    }

    /// Appends to the input what has come. False at the end of the connection.
    ///
    /// If answers may end with a reset, the last byte stays with the system besides: closing a
    /// connection that has something unread is what resets it.
    fn read_more(&mut self) -> io::Result<bool> {
        self.take_unread()?;
        let mut block = [0; BLOCK];
        let length = self.stream.peek(&mut block)?;
        if length > 0 {
            self.has_unread = self.shared.faults().reset_every.is_some();
            let taken = length - usize::from(self.has_unread);
            self.stream.read_exact(&mut block[..taken])?;
        }
        self.input.extend_from_slice(&block[..length]);
        Ok(length > 0)
    }

    /// Takes the byte that the system has still, but the input has already.
    fn take_unread(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.has_unread) {
            self.stream.read_exact(&mut [0])?;
        }
        Ok(())
    }

    fn list(&mut self, list: &List, head: &Head, faults: &Faults) -> io::Result<After> {
        let answering = self.shared.begin_list();
        let number = answering.number;
        let strike = faults.strike(number, answering.at_once);
        if strike == Some(Strike::Hang) {
            self.hang();
            return Ok(After::Close);
        }
        self.shared.sleep(faults.latency(number));
        match strike {
            Some(Strike::SlowDown { retry_after }) => {
                self.answer.refuse(&SLOW_DOWN);
                if retry_after {
                    self.answer.header("Retry-After", b"1");
                }
            }
            Some(_) => self.answer.refuse(&INTERNAL_ERROR),
            None if self.refuse_everything(head, faults) => {}
            None => match Page::new(&self.shared.keys, list, faults, number) {
                Err(refusal) => self.answer.refuse(refusal),
                Ok(page) => {
                    self.answer.begin("200 OK");
                    self.answer.header("x-amz-bucket-region", faults.region().as_bytes());
                    self.answer.header("Content-Type", b"application/xml");
                    push_page(&self.shared.keys, list, &page, self.answer.body());
                    // Counted before it is sent, so that a client that has it sees the new counts.
                    drop(answering);
                    return self.send_page(head, faults.spoil(number));
                }
            },
        }
        drop(answering);
        self.send(head)
    }

    fn send_page(&mut self, head: &Head, spoil: Option<Spoil>) -> io::Result<After> {
        let length = self.answer.body_length();
        let Some(spoil) = spoil else {
            self.shared.count_answered();
            return self.send(head);
        };
        self.answer.truncate_body(length / 2);
        if spoil == Spoil::CutBody {
            return self.send(head);
        }
        self.stream.write_all(self.answer.bytes(length as u64, head.keep_alive))?;
        Ok(if spoil == Spoil::Reset { After::Reset } else { After::Close })
    }

    /// Whether the whole bucket is closed to the client; then the answer says so.
    fn refuse_everything(&mut self, head: &Head, faults: &Faults) -> bool {
        if faults.denied {
            self.answer.refuse(&ACCESS_DENIED);
        } else if faults.no_bucket {
            self.answer.refuse(&NO_SUCH_BUCKET);
        } else if faults.wrong_region.is_some() && faults.wrong_region != head.region {
            let region = faults.region().as_bytes();
            let endpoint = [b"s3.", region, b".amazonaws.com"].concat();
            self.answer.refuse_with(&PERMANENT_REDIRECT, &[("Endpoint", &endpoint)]);
            self.answer.header("x-amz-bucket-region", region);
        } else {
            return false;
        }
        true
    }

    /// Answers what asks for no list.
    fn answer_other(&mut self, action: &Action, head: &Head, faults: &Faults) {
        let answer = &mut self.answer;
        match action {
            Action::HeadBucket => {
                answer.begin("200 OK");
                answer.header("x-amz-bucket-region", faults.region().as_bytes());
            }
            Action::Location => push_location(answer, faults),
            Action::Object(key) => match self.shared.keys.find(key) {
                Some(index) if head.method == "HEAD" => object::describe(answer, index),
                Some(index) => object::content(answer, index, key, head.range.as_deref()),
                None => answer.refuse(&NO_SUCH_KEY),
            },
            Action::List(_) | Action::Unknown => answer.refuse(&METHOD_NOT_ALLOWED),
        }
    }

    fn send(&mut self, head: &Head) -> io::Result<After> {
        let mut length = self.answer.body_length() as u64;
        if head.method == "HEAD" {
            length = self.answer.described_length().unwrap_or(length);
            self.answer.truncate_body(0);
        }
        let keep_alive = head.keep_alive && !head.has_body;
        self.stream.write_all(self.answer.bytes(length, keep_alive))?;
        Ok(if head.keep_alive { After::Keep } else { After::Close })
    }

    /// Never answers: until the client closes the connection or the server stops.
    fn hang(&mut self) {
        let mut block = [0; BLOCK];
        while matches!(self.stream.read(&mut block), Ok(1..)) {}
    }

    /// Reads a body that nobody wants: a connection that is closed before would be reset, and the
    /// answer lost.
    fn discard_body(&mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)?;
        self.stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        self.hang();
        Ok(())
    }
}

fn push_location(answer: &mut Answer, faults: &Faults) {
    answer.begin("200 OK");
    answer.header("Content-Type", b"application/xml");
    let body = answer.body();
    body.extend_from_slice(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
          <LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">",
    );
    // The first region has no name here.
    match faults.region() {
        "us-east-1" => {}
        region => crate::encoding::push_xml(region.as_bytes(), body),
    }
    body.extend_from_slice(b"</LocationConstraint>");
}
