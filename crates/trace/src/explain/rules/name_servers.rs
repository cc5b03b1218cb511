//! Questions to servers of names (the DNS, the caches of systemd and of the C library) through
//! sockets: which of them were asked before.

use fewer::compact;

use super::prelude::*;

/// Sockets and questions that are known at a time.
const MOST: usize = 1 << 16;

/// What goes on between processes and servers of one kind.
#[derive(Default)]
pub(super) struct NameServers {
    /// Sockets that are not connected yet, by process and descriptor: calls on each.
    sockets: FxHashMap<(u32, i32), u64>,
    /// By process and descriptor.
    exchanges: FxHashMap<(u32, i32), Exchange>,
    /// Questions that processes asked.
    asked: FxHashSet<(u32, u64)>,
    /// The socket that a thread used last: it waits for an answer there.
    latest: FxHashMap<u32, (u32, i32)>,
}

/// What was said through one socket.
pub(super) struct Exchange {
    /// The server's address.
    pub(super) server: PathId,
    /// The call that connected to it.
    pub(super) opening: Call,
    /// All calls on the socket, and waits for it.
    pub(super) calls: u64,
    /// Questions.
    pub(super) asked: u64,
    /// Those that the process had asked before.
    pub(super) again: u64,
    /// The last one. If it comes once more the answer was late.
    latest: u64,
}

impl NameServers {
    /// A call was made. Gives back the exchange that it ends.
    pub(super) fn see(
        &mut self,
        call: &Call,
        context: Context,
        kind: FileKind,
    ) -> Option<Exchange> {
        if call.name.class() == Class::Wait {
            let socket = self.latest.get(&call.thread)?;
            self.exchanges.get_mut(socket)?.calls += 1;
            return None;
        }
        if call.name == Name::Socket {
            self.made(call);
            return None;
        }
        let Shape::Descriptor(0) = call.name.shape() else { return None };
        let socket = (call.process, call.int(0));
        let is_address = matches!(call.name, Name::Connect | Name::Sendto);
        if is_address && call.second.is_some() && context.kind(call.second) == kind {
            let begins = call.name == Name::Connect || !self.exchanges.contains_key(&socket);
            let ended = if begins { self.begin(socket, call) } else { None };
            self.go_on(socket, call);
            return ended;
        }
        let is_over = matches!(call.name, Name::Close | Name::Connect);
        if is_over {
            self.sockets.remove(&socket);
        } else if let Some(calls) = self.sockets.get_mut(&socket) {
            *calls += 1;
        }
        if self.exchanges.is_empty() {
            return None;
        }
        self.go_on(socket, call);
        if is_over { self.end(socket) } else { None }
    }

    /// A socket was made.
    fn made(&mut self, call: &Call) {
        let Ok(descriptor @ 0..) = i32::try_from(call.result) else { return };
        if self.sockets.len() < MOST {
            self.sockets.insert((call.process, descriptor), 1);
        }
    }

    fn begin(&mut self, socket: (u32, i32), call: &Call) -> Option<Exchange> {
        let before = self.end(socket);
        let calls = self.sockets.remove(&socket).unwrap_or_default();
        if self.exchanges.len() < MOST {
            let exchange = Exchange {
                server: call.second,
                opening: call.clone(),
                calls,
                asked: 0,
                again: 0,
                latest: 0,
            };
            self.exchanges.insert(socket, exchange);
        }
        before
    }

    fn go_on(&mut self, socket: (u32, i32), call: &Call) {
        let Some(exchange) = self.exchanges.get_mut(&socket) else {
            self.latest.remove(&call.thread);
            return;
        };
        if self.latest.len() < MOST || self.latest.contains_key(&call.thread) {
            self.latest.insert(call.thread, socket);
        }
        exchange.calls += 1;
        let sends =
            matches!(call.name.class(), Class::Write | Class::Send) || call.name == Name::Sendmmsg;
        if !sends || call.answer == 0 || call.answer == exchange.latest {
            return;
        }
        exchange.latest = call.answer;
        exchange.asked += 1;
        if self.asked.len() >= MOST {
            self.asked.clear();
        }
        exchange.again += u64::from(!self.asked.insert((call.process, call.answer)));
    }

    fn end(&mut self, socket: (u32, i32)) -> Option<Exchange> {
        self.latest.retain(|_, other| *other != socket);
        self.exchanges.remove(&socket)
    }

    /// A process ended: its exchanges have, too.
    pub(super) fn gone(&mut self, process: u32) -> Vec<Exchange> {
        let mut ended: Vec<Exchange> =
            self.exchanges.extract_if(|(of, _), _| *of == process).map(|(_, it)| it).collect();
        compact::sort_by_key(&mut ended, |exchange| exchange.opening.start);
        self.sockets.retain(|(of, _), _| *of != process);
        self.latest.retain(|_, (of, _)| *of != process);
        self.asked.retain(|(of, _)| *of != process);
        ended
    }
}
