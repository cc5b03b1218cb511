//! The running server, and what its connections share.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::connection;
use crate::faults::Faults;
use crate::keys::Keys;

/// How many request targets are kept.
const TARGETS: usize = 10_000;

/// A running server. All of its threads and connections end when it is dropped.
pub struct Replay {
    shared: Arc<Shared>,
    address: SocketAddr,
    running: Option<JoinHandle<()>>,
}

/// What the connections share.
pub(crate) struct Shared {
    pub(crate) keys: Keys,
    faults: Mutex<Arc<Faults>>,
    /// All requests, also those that ask for no list.
    received: AtomicU64,
    lists: AtomicU64,
    answered: AtomicU64,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    targets: Mutex<VecDeque<String>>,
    connections: Mutex<Connections>,
    stopping: Condvar,
}

#[derive(Default)]
struct Connections {
    is_stopped: bool,
    open: HashMap<u64, Arc<TcpStream>>,
}

/// A list request that is being answered, until this is dropped.
pub(crate) struct Answering<'a> {
    shared: &'a Shared,
    /// The number of the list request, from 1.
    pub(crate) number: u64,
    /// How many are being answered, this one included.
    pub(crate) at_once: usize,
}

impl Replay {
    /// Starts a server on 127.0.0.1 and a free port.
    ///
    /// # Errors
    ///
    /// No port or no thread is to be had.
    pub fn start(keys: Keys, faults: Faults) -> io::Result<Replay> {
        Replay::start_at("127.0.0.1:0", keys, faults)
    }

    /// Starts a server at an address such as `127.0.0.1:9000`; port 0 is a free one.
    ///
    /// # Errors
    ///
    /// The address is none of this machine or in use, or no thread is to be had.
    pub fn start_at(address: &str, keys: Keys, faults: Faults) -> io::Result<Replay> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::new(keys, faults));
        let running = thread::Builder::new().name("replay".into()).spawn({
            let shared = Arc::clone(&shared);
            move || run(&shared, &listener)
        })?;
        Ok(Replay { shared, address, running: Some(running) })
    }

    /// Starts a server at the URL of one that is gone. Another program may have got its port for a
    /// moment: that is waited for.
    ///
    /// # Errors
    ///
    /// It keeps the port for half a minute, or no thread is to be had.
    pub fn start_again(url: &str, keys: Keys, faults: Faults) -> io::Result<Replay> {
        let address = url.trim_start_matches("http://");
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            match Replay::start_at(address, keys.clone(), faults.clone()) {
                Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(50)),
                started => return started,
            }
        }
    }

    /// The URL of the server, such as `http://127.0.0.1:40123`.
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many list requests were received so far.
    pub fn requests(&self) -> u64 {
        self.shared.lists.load(Ordering::SeqCst)
    }

    /// How many of them were answered with 200 and a whole page.
    pub fn answered(&self) -> u64 {
        self.shared.answered.load(Ordering::SeqCst)
    }

    /// The greatest number of list requests that were being answered at one time. An answer is over
    /// when it begins to be sent, so that this is never more than the client had open.
    pub fn most_at_once(&self) -> usize {
        self.shared.most_at_once.load(Ordering::SeqCst)
    }

    /// Changes the faults, for requests from now on.
    pub fn set_faults(&self, faults: Faults) {
        *locked(&self.shared.faults) = Arc::new(faults);
    }

    /// The targets (path and query, as they were sent) of the last 10,000 requests of any kind,
    /// oldest first.
    pub fn last_requests(&self) -> Vec<String> {
        locked(&self.shared.targets).iter().cloned().collect()
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        self.shared.stop();
        // A connection wakes the thread that waits for one.
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
        if let Some(running) = self.running.take() {
            // It fails only if a connection's thread panicked, which was reported already.
            let _ = running.join();
        }
    }
}

/// A connection and its number.
type Connected = (u64, Arc<TcpStream>);

/// Serves each connection in a thread, until the server stops and all have ended.
fn run(shared: &Shared, listener: &TcpListener) {
    let (sender, connected) = mpsc::channel::<Connected>();
    thread::scope(|scope| {
        // Connections wait for their thread here and not in the system, which keeps 128 of them: if
        // more clients than that connect at one time, the next one tries again after a second.
        let accepting =
            thread::Builder::new().spawn_scoped(scope, move || accept(shared, listener, &sender));
        if accepting.is_err() {
            return;
        }
        for (id, stream) in connected {
            let serve = move || {
                connection::serve(shared, &stream);
                // With the stream itself, which the closure owns, this closes the socket.
                shared.close(id);
            };
            if thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, serve).is_err() {
                shared.close(id);
            }
        }
    });
}

/// Accepts connections until the server stops.
fn accept(shared: &Shared, listener: &TcpListener, sender: &mpsc::Sender<Connected>) {
    for id in 0.. {
        match listener.accept() {
            Ok((stream, _)) => {
                let stream = Arc::new(stream);
                if !shared.open(id, &stream) || sender.send((id, stream)).is_err() {
                    return;
                }
            }
            Err(_) if shared.is_stopped() => return,
            // There are too many descriptors; some connections will end.
            Err(_) => shared.sleep(Duration::from_millis(10)),
        }
    }
}

impl Shared {
    fn new(keys: Keys, faults: Faults) -> Shared {
        Shared {
            keys,
            faults: Mutex::new(Arc::new(faults)),
            received: AtomicU64::new(0),
            lists: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            targets: Mutex::default(),
            connections: Mutex::default(),
            stopping: Condvar::new(),
        }
    }

    pub(crate) fn faults(&self) -> Arc<Faults> {
        Arc::clone(&locked(&self.faults))
    }

    /// Keeps a request's target, and gives the request's number, from 1.
    pub(crate) fn receive(&self, target: &str) -> u64 {
        let mut targets = locked(&self.targets);
        let mut kept = if targets.len() == TARGETS { targets.pop_front() } else { None };
        let text = kept.get_or_insert_default();
        target.clone_into(text);
        targets.extend(kept);
        self.received.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn begin_list(&self) -> Answering<'_> {
        let number = self.lists.fetch_add(1, Ordering::SeqCst) + 1;
        let at_once = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(at_once, Ordering::SeqCst);
        Answering { shared: self, number, at_once }
    }

    pub(crate) fn count_answered(&self) {
        self.answered.fetch_add(1, Ordering::SeqCst);
    }

    /// Sleeps, but not longer than the server runs.
    pub(crate) fn sleep(&self, duration: Duration) {
        if !duration.is_zero() {
            let connections = locked(&self.connections);
            let runs = |connections: &mut Connections| !connections.is_stopped;
            drop(self.stopping.wait_timeout_while(connections, duration, runs));
        }
    }

    fn is_stopped(&self) -> bool {
        locked(&self.connections).is_stopped
    }

    /// Notes a connection, so that stopping ends it. False if the server has stopped.
    fn open(&self, id: u64, stream: &Arc<TcpStream>) -> bool {
        let mut connections = locked(&self.connections);
        if !connections.is_stopped {
            connections.open.insert(id, Arc::clone(stream));
        }
        !connections.is_stopped
    }

    fn close(&self, id: u64) {
        locked(&self.connections).open.remove(&id);
    }

    fn stop(&self) {
        let mut connections = locked(&self.connections);
        connections.is_stopped = true;
        self.stopping.notify_all();
        for stream in connections.open.values() {
            // It fails if the client has closed the connection before.
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.shared.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a panicked thread had locked is whole: nothing is changed in several steps.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
