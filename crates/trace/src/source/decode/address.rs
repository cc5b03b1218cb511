//! Calls on sockets: the address that they connect or send to, and what they ask of a server of
//! names.

use super::answer::{ANSWER, hash, length};
use super::decoder::Decoder;
use super::transfer::sent;
use crate::source::descriptors::NameServer;
use crate::source::ptrace::Pid;
use crate::source::tracees::Thread;
use crate::{Call, Class, Name};

/// How long an address may be: `struct sockaddr_un`.
const ADDRESS: usize = 110;
/// Where servers of the DNS listen.
const DNS: u16 = 53;
/// How long the header of a question to the DNS is: the name follows.
const DNS_HEADER: usize = 12;

impl Decoder {
    /// A call may have an address.
    pub(super) fn record_address(&mut self, id: Pid, thread: &Thread, call: &mut Call) {
        let (at, size) = match call.name {
            Name::Connect => (call.arguments[1], call.arguments[2]),
            Name::Sendto if call.arguments[4] != 0 => (call.arguments[4], call.arguments[5]),
            _ => return,
        };
        let mut bytes = [0; ADDRESS];
        let bytes = &mut bytes[..usize::try_from(size).unwrap_or(ADDRESS).min(ADDRESS)];
        if !self.view.read(id, at, bytes).is_ok_and(|read| read == bytes.len()) {
            return;
        }
        let Some((text, server)) = address(bytes) else { return };
        call.second = self.paths.id(&text, &mut self.events);
        let is_under_way = call.errno() == Some(libc::EINPROGRESS);
        if call.succeeded() || is_under_way {
            thread.descriptors.borrow_mut().set_server(call.int(0), server);
        }
    }

    /// A call that succeeded may have asked a server of names: what it asked is its answer.
    pub(super) fn record_question(&mut self, id: Pid, thread: &Thread, call: &mut Call) {
        let sends = matches!(call.name.class(), Class::Write | Class::Send);
        if !sends && call.name != Name::Sendmmsg {
            return;
        }
        let open = thread.descriptors.borrow().is_open(call.int(0));
        let server = open.map_or(NameServer::No, |open| open.server);
        if server == NameServer::No {
            return;
        }
        let mut block = std::mem::take(&mut self.block);
        // How many messages there were is the result of `sendmmsg`, not how long they are.
        let size = if call.name == Name::Sendmmsg { ANSWER } else { length(call.result, ANSWER) };
        block.resize(size, 0);
        if sent(&self.view, id, call, &mut block) {
            let asked =
                if server == NameServer::Dns { question(&block) } else { Some(hash(&block)) };
            call.answer = asked.unwrap_or(call.answer);
        }
        self.block = block;
    }
}

/// An address as text: a path, or a number and a port. `None` if it is of another kind.
fn address(bytes: &[u8]) -> Option<(Vec<u8>, NameServer)> {
    let family = i32::from(u16::from_ne_bytes(*bytes.first_chunk()?));
    let port = || Some(u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?));
    let server = |port| if port == DNS { NameServer::Dns } else { NameServer::No };
    match family {
        libc::AF_UNIX => {
            let name = bytes.get(2..)?.split(|byte| *byte == 0).next()?;
            name.starts_with(b"/").then(|| (name.to_vec(), NameServer::Local))
        }
        libc::AF_INET => {
            let number = std::net::Ipv4Addr::from(*bytes.get(4..)?.first_chunk::<4>()?);
            Some((format!("{number}:{}", port()?).into_bytes(), server(port()?)))
        }
        libc::AF_INET6 => {
            let number = std::net::Ipv6Addr::from(*bytes.get(8..)?.first_chunk::<16>()?);
            Some((format!("[{number}]:{}", port()?).into_bytes(), server(port()?)))
        }
        _ => None,
    }
}

/// A hash of the name and the kind of record that a message to the DNS asks for, without the
/// number that each message has. Some clients vary the case of letters to tell forged answers.
fn question(message: &[u8]) -> Option<u64> {
    // Through TCP its length is in front.
    let framed = message.len() > 2 && message.len() - 2 == usize::from(short(message));
    let message = if framed { &message[2..] } else { message };
    let rest = message.get(DNS_HEADER..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(hash(&rest.get(..end + 3)?.to_ascii_lowercase()))
}

fn short(bytes: &[u8]) -> u16 {
    bytes.first_chunk().map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_text() {
        let shown = |bytes: &[u8]| {
            address(bytes).map(|(text, server)| (String::from_utf8(text).unwrap(), server))
        };
        let mut inet = vec![2, 0, 0, 53, 127, 0, 0, 1];
        assert_eq!(shown(&inet), Some(("127.0.0.1:53".into(), NameServer::Dns)));
        inet[3] = 80;
        assert_eq!(shown(&inet), Some(("127.0.0.1:80".into(), NameServer::No)));
        let mut inet6 = [&[10, 0, 0, 53, 0, 0, 0, 0][..], &[0; 16]].concat();
        inet6[23] = 1;
        assert_eq!(shown(&inet6), Some(("[::1]:53".into(), NameServer::Dns)));
        let unix = [&[1, 0][..], b"/run/x\0\0\0"].concat();
        assert_eq!(shown(&unix), Some(("/run/x".into(), NameServer::Local)));
        for short in 0..8 {
            assert_eq!(shown(&inet[..short]), None);
        }
        assert_eq!(shown(&[1, 0, 0, b'x']), None);
        assert_eq!(shown(&[16, 0, 0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn the_same_question_is_the_same_whatever_its_number() {
        let ask = |number: u8, name: &[u8], kind: u8| {
            [&[number, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], name, &[0, 0, kind, 0, 1]].concat()
        };
        let one = question(&ask(1, b"\x01a\x03org", 1));
        assert!(one.is_some());
        assert_eq!(one, question(&ask(2, b"\x01A\x03oRg", 1)));
        assert_ne!(one, question(&ask(1, b"\x01b\x03org", 1)));
        assert_ne!(one, question(&ask(1, b"\x01a\x03org", 28)));
        let through_tcp = [&[0, 23][..], &ask(3, b"\x01a\x03org", 1)].concat();
        assert_eq!(through_tcp.len(), 25);
        assert_eq!(one, question(&through_tcp));
        for short in 0..20 {
            assert_eq!(question(&ask(1, b"\x01a\x03org", 1)[..short]), None);
        }
    }
}
