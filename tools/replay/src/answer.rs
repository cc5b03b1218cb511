//! An answer in one buffer, so that one write sends it, and the errors of S3.

use crate::encoding::{push_number, push_xml};

/// What is kept free for the head in front of the body.
const HEAD_SPACE: usize = 4096;

/// An error as S3 answers it.
pub(crate) struct Refusal {
    status: &'static str,
    code: &'static str,
    message: &'static str,
}

const fn refusal(status: &'static str, code: &'static str, message: &'static str) -> Refusal {
    Refusal { status, code, message }
}

pub(crate) const PERMANENT_REDIRECT: Refusal = refusal(
    "301 Moved Permanently",
    "PermanentRedirect",
    "The bucket you are attempting to access must be addressed using the specified endpoint. \
     Please send all future requests to this endpoint.",
);
pub(crate) const BAD_REQUEST: Refusal =
    refusal("400 Bad Request", "BadRequest", "The request cannot be understood.");
pub(crate) const BAD_TOKEN: Refusal =
    refusal("400 Bad Request", "InvalidArgument", "The continuation token provided is incorrect");
pub(crate) const BAD_MAX_KEYS: Refusal =
    refusal("400 Bad Request", "InvalidArgument", "Provided max-keys not an integer");
pub(crate) const BAD_ENCODING: Refusal =
    refusal("400 Bad Request", "InvalidArgument", "Invalid Encoding Method specified in Request");
pub(crate) const ACCESS_DENIED: Refusal = refusal("403 Forbidden", "AccessDenied", "Access Denied");
pub(crate) const NO_SUCH_BUCKET: Refusal =
    refusal("404 Not Found", "NoSuchBucket", "The specified bucket does not exist");
pub(crate) const NO_SUCH_KEY: Refusal =
    refusal("404 Not Found", "NoSuchKey", "The specified key does not exist.");
pub(crate) const METHOD_NOT_ALLOWED: Refusal = refusal(
    "405 Method Not Allowed", "MethodNotAllowed",
    "The specified method is not allowed against this resource.",
);
pub(crate) const INVALID_RANGE: Refusal = refusal(
    "416 Requested Range Not Satisfiable", "InvalidRange", "The requested range is not satisfiable",
);
pub(crate) const INTERNAL_ERROR: Refusal = refusal(
    "500 Internal Server Error", "InternalError",
    "We encountered an internal error. Please try again.",
);
pub(crate) const SLOW_DOWN: Refusal =
    refusal("503 Slow Down", "SlowDown", "Please reduce your request rate.");

/// An answer, made in buffers that the next one uses again.
pub(crate) struct Answer {
    status: &'static str,
    headers: Vec<u8>,
    /// Room for the head, and the body.
    buffer: Vec<u8>,
    head: Vec<u8>,
    /// What `x-amz-request-id` says in hexadecimal digits.
    id: u64,
    /// The length that HEAD reports of a body that is not made.
    described_length: Option<u64>,
}

impl Answer {
    pub(crate) fn new() -> Answer {
        Answer {
            status: "",
            headers: Vec::new(),
            buffer: Vec::new(),
            head: Vec::new(),
            id: 0,
            described_length: None,
        }
    }

    /// Which request the answers from now on are to.
    pub(crate) fn identify(&mut self, id: u64) {
        self.id = id;
    }

    /// Begins an answer without headers and body.
    pub(crate) fn begin(&mut self, status: &'static str) {
        self.status = status;
        self.described_length = None;
        self.headers.clear();
        self.buffer.clear();
        self.buffer.resize(HEAD_SPACE, 0);
    }

    pub(crate) fn status(&mut self, status: &'static str) {
        self.status = status;
    }

    pub(crate) fn header(&mut self, name: &str, value: &[u8]) {
        self.headers.extend_from_slice(name.as_bytes());
        self.headers.extend_from_slice(b": ");
        self.headers.extend_from_slice(value);
        self.headers.extend_from_slice(b"\r\n");
    }

    /// What the body is appended to: the buffer, which has the room for the head already.
    pub(crate) fn body(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Begins an error, which has this body.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) {
        self.refuse_with(refusal, &[]);
    }

    /// The same with more elements, which are name and text.
    pub(crate) fn refuse_with(&mut self, refusal: &Refusal, more: &[(&str, &[u8])]) {
        self.begin(refusal.status);
        self.header("Content-Type", b"application/xml");
        let id = format!("{:016X}", self.id);
        let body = &mut self.buffer;
        body.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>");
        push_element(body, "Code", refusal.code.as_bytes());
        push_element(body, "Message", refusal.message.as_bytes());
        for (name, text) in more {
            push_element(body, name, text);
        }
        push_element(body, "RequestId", id.as_bytes());
        push_element(body, "HostId", b"replay");
        body.extend_from_slice(b"</Error>");
    }

    /// The length of the body in bytes.
    pub(crate) fn body_length(&self) -> usize {
        self.buffer.len() - HEAD_SPACE
    }

    /// The length that HEAD reports, if it is not that of the body.
    pub(crate) fn described_length(&self) -> Option<u64> {
        self.described_length
    }

    pub(crate) fn describe_length(&mut self, length: u64) {
        self.described_length = Some(length);
    }

    /// Cuts the body.
    pub(crate) fn truncate_body(&mut self, length: usize) {
        self.buffer.truncate(HEAD_SPACE + length);
    }

    /// Head and body, in one piece. `length` is what the head says of the body.
    pub(crate) fn bytes(&mut self, length: u64, keep_alive: bool) -> &[u8] {
        let head = &mut self.head;
        head.clear();
        head.extend_from_slice(b"HTTP/1.1 ");
        head.extend_from_slice(self.status.as_bytes());
        head.extend_from_slice(b"\r\nx-amz-request-id: ");
        head.extend_from_slice(format!("{:016X}", self.id).as_bytes());
        head.extend_from_slice(b"\r\nServer: replay\r\n");
        head.extend_from_slice(&self.headers);
        if !keep_alive {
            head.extend_from_slice(b"Connection: close\r\n");
        }
        head.extend_from_slice(b"Content-Length: ");
        push_number(length, head);
        head.extend_from_slice(b"\r\n\r\n");
        match HEAD_SPACE.checked_sub(head.len()) {
            Some(first) => {
                self.buffer[first..HEAD_SPACE].copy_from_slice(head);
                &self.buffer[first..]
            }
            // Only the name of a region could be as long as that.
            None => {
                self.buffer.splice(..HEAD_SPACE, head.iter().copied());
                &self.buffer
            }
        }
    }
}

/// Appends an element that contains text only.
pub(crate) fn push_element(out: &mut Vec<u8>, name: &str, text: &[u8]) {
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
    push_xml(text, out);
    out.extend_from_slice(b"</");
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
}
