//! Each fault does what it says.

use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, Instant};

use replay::{Faults, Keys, Replay};

use crate::client::{Client, Reply, follow, get, keys};

const LIST: &str = "/b?list-type=2";

fn server(count: u64, faults: Faults) -> Replay {
    Replay::start(Keys::numbered("k", count), faults).unwrap()
}

/// The first error of a client that asks again and again, and how many answers came before.
fn first_error(server: &Replay) -> (usize, ErrorKind) {
    let mut client = Client::new(server);
    (0..).find_map(|answers| Some((answers, client.get(LIST).err()?.kind()))).unwrap()
}

#[test]
fn each_third_request_is_refused_and_half_of_them_say_when_to_come_again() {
    let server = server(1, Faults { refuse_every: Some(3), ..Faults::default() });
    let mut client = Client::new(&server);
    let replies: Vec<Reply> = (0..300).map(|_| client.get(LIST).unwrap()).collect();
    let statuses: Vec<u16> = replies.iter().take(6).map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 200, 503, 200, 200, 503]);
    assert_eq!(replies[2].element("Code"), Some("SlowDown"));
    let later = replies.iter().filter(|reply| reply.header("retry-after") == Some("1")).count();
    assert!((30..=70).contains(&later), "{later} of 100");
    assert_eq!((server.requests(), server.answered()), (300, 200));
}

#[test]
fn the_seed_shifts_which_requests_fail() {
    let server = server(1, Faults { fail_every: Some(3), seed: 2, ..Faults::default() });
    let mut client = Client::new(&server);
    let replies: Vec<Reply> = (0..4).map(|_| client.get(LIST).unwrap()).collect();
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [500, 200, 200, 500]);
    assert_eq!(replies[0].element("Code"), Some("InternalError"));
}

#[test]
fn more_requests_at_once_than_the_limit_are_refused() {
    let first_byte = Duration::from_millis(300);
    let server = server(1, Faults { slow_down: Some(2), first_byte, ..Faults::default() });
    let statuses = thread::scope(|scope| {
        let ask = || get(&server, LIST).status;
        let threads: Vec<_> = (0..5).map(|_| scope.spawn(ask)).collect();
        let mut statuses: Vec<u16> =
            threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        statuses.sort_unstable();
        statuses
    });
    assert_eq!(statuses, [200, 200, 503, 503, 503]);
    assert_eq!(server.most_at_once(), 5);
    assert_eq!(get(&server, LIST).status, 200);
}

#[test]
fn one_connection_is_never_two_requests_at_once() {
    let server = server(1000, Faults::default());
    let mut client = Client::new(&server);
    for _ in 0..300 {
        client.get(LIST).unwrap();
    }
    assert_eq!(server.most_at_once(), 1);
}

#[test]
fn a_reset_ends_the_connection_in_the_middle() {
    let server = server(1000, Faults { reset_every: Some(3), ..Faults::default() });
    assert_eq!(first_error(&server), (2, ErrorKind::ConnectionReset));
    assert_eq!((server.requests(), server.answered()), (3, 2));
}

#[test]
fn a_cut_connection_ends_before_the_body_does() {
    let server = server(1000, Faults { cut_connection_every: Some(2), ..Faults::default() });
    assert_eq!(first_error(&server), (1, ErrorKind::UnexpectedEof));
}

#[test]
fn a_cut_body_has_half_of_the_xml_and_keeps_the_connection() {
    let server = server(100, Faults { cut_body_every: Some(2), ..Faults::default() });
    let mut client = Client::new(&server);
    let whole = client.get(LIST).unwrap();
    let half = client.get(LIST).unwrap();
    assert_eq!(half.body, whole.body[..whole.body.len() / 2]);
    assert_eq!(client.get(LIST).unwrap().body, whole.body);
    assert_eq!(server.answered(), 2);
}

#[test]
fn a_request_hangs_until_the_client_gives_up_and_others_do_not() {
    let server = server(1, Faults { hang_every: Some(2), ..Faults::default() });
    let mut client = Client::new(&server);
    client.set_timeout(Duration::from_millis(100));
    assert_eq!(client.get(LIST).unwrap().status, 200);
    let error = client.get(LIST).unwrap_err().kind();
    assert!(matches!(error, ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    assert_eq!(get(&server, LIST).status, 200);
    assert_eq!(server.most_at_once(), 2);
}

#[test]
fn a_server_that_is_dropped_ends_what_hangs_and_what_sleeps() {
    let first_byte = Duration::from_secs(60);
    let server = server(1, Faults { hang_every: Some(2), first_byte, ..Faults::default() });
    let mut clients = [Client::new(&server), Client::new(&server), Client::new(&server)];
    for client in &mut clients[..2] {
        client.send("GET", LIST, "").unwrap();
    }
    while server.requests() < 2 {
        thread::sleep(Duration::from_millis(1));
    }
    let begin = Instant::now();
    let address = server.address();
    drop(server);
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(clients.iter_mut().all(|client| client.reply(false).is_err()));
    assert!(std::net::TcpStream::connect(address.strip_prefix("http://").unwrap()).is_err());
}

#[test]
fn answers_come_after_the_latency_but_do_not_wait_for_each_other() {
    let (first_byte, slow_first_byte) = (Duration::from_secs(1), Duration::from_millis(400));
    let faults =
        Faults { first_byte, slow_first_byte_every: Some(9), slow_first_byte, ..Faults::default() };
    let server = server(1, faults);
    let begin = Instant::now();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| get(&server, LIST));
        }
    });
    let eight = begin.elapsed();
    // One after the other they would take the latency eight times.
    assert!((first_byte..8 * first_byte).contains(&eight), "{eight:?}");
    let begin = Instant::now();
    get(&server, LIST);
    assert!(begin.elapsed() >= first_byte + slow_first_byte);
}

#[test]
fn start_after_is_ignored_but_a_token_is_not() {
    let server = server(3, Faults { ignores_start_after: true, ..Faults::default() });
    assert_eq!(get(&server, "/b?list-type=2&start-after=k1").elements("Key"), ["k0", "k1", "k2"]);
    assert_eq!(keys(&follow(&server, "max-keys=1&start-after=k1")), ["k0", "k1", "k2"]);
}

#[test]
fn another_order_has_each_key_once() {
    let server = server(100, Faults { unordered: true, ..Faults::default() });
    let pages = follow(&server, "max-keys=30");
    let mut found = keys(&pages);
    assert!(!found[..30].is_sorted());
    assert_eq!(found, keys(&follow(&server, "max-keys=7")));
    found.sort_unstable();
    let expected: Vec<String> = (0..100).map(|number| format!("k{number:02}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_page_repeats_the_last_key_of_the_page_before() {
    let server = server(5, Faults { duplicates: true, ..Faults::default() });
    let found = keys(&follow(&server, "max-keys=3")).join(" ");
    assert_eq!(found, "k0 k1 k2 k2 k3 k4");
    assert_eq!(keys(&follow(&server, "max-keys=1")).join(" "), "k0 k1 k2 k3 k4");
}

#[test]
fn short_pages_give_each_key_once() {
    let server = server(200, Faults { short_pages: true, ..Faults::default() });
    let pages = follow(&server, "max-keys=20");
    assert!(pages.len() > 10);
    assert!(pages.iter().all(|page| (1..=20).contains(&page.elements("Key").len())));
    let expected: Vec<String> = (0..200).map(|number| format!("k{number:03}")).collect();
    assert_eq!(keys(&pages), expected);
}

#[test]
fn an_empty_page_goes_on_where_it_would_have_begun() {
    let server = server(5, Faults { empty_pages_every: Some(2), ..Faults::default() });
    let pages = follow(&server, "max-keys=2");
    let counts: Vec<usize> = pages.iter().map(|page| page.elements("Key").len()).collect();
    assert_eq!(counts, [2, 0, 2, 0, 1]);
    assert_eq!(pages[1].element("IsTruncated"), Some("true"));
    assert_eq!(keys(&pages), ["k0", "k1", "k2", "k3", "k4"]);
}

#[test]
fn a_token_that_leads_to_the_same_page_never_ends() {
    let server = server(5, Faults { repeats_token: true, ..Faults::default() });
    let pages = follow(&server, "max-keys=2");
    assert_eq!(pages.len(), 100);
    assert!(pages.iter().all(|page| page.elements("Key") == ["k0", "k1"]));
}

#[test]
fn another_region_is_named_until_the_request_is_signed_for_it() {
    let server = server(1, Faults { wrong_region: Some("eu-west-1".into()), ..Faults::default() });
    let signed = |region: &str| {
        let credential = format!("AKIA/20240117/{region}/s3/aws4_request");
        let header = format!("Authorization: AWS4-HMAC-SHA256 Credential={credential}, Sig=0\r\n");
        Client::new(&server).request("GET", LIST, &header).unwrap()
    };
    for reply in [get(&server, LIST), signed("us-east-1")] {
        assert_eq!((reply.status, reply.element("Code")), (301, Some("PermanentRedirect")));
        assert_eq!(reply.header("x-amz-bucket-region"), Some("eu-west-1"));
    }
    assert_eq!(signed("eu-west-1").status, 200);
    let head = Client::new(&server).request("HEAD", "/b", "").unwrap();
    assert_eq!((head.status, head.header("x-amz-bucket-region")), (301, Some("eu-west-1")));
}

#[test]
fn denied_and_missing_buckets_say_so_until_the_faults_change() {
    let server = server(1, Faults { denied: true, ..Faults::default() });
    let reply = get(&server, LIST);
    assert_eq!((reply.status, reply.element("Code")), (403, Some("AccessDenied")));
    server.set_faults(Faults { no_bucket: true, ..Faults::default() });
    let reply = get(&server, LIST);
    assert_eq!((reply.status, reply.element("Code")), (404, Some("NoSuchBucket")));
    server.set_faults(Faults::default());
    assert_eq!(get(&server, LIST).status, 200);
    assert_eq!((server.requests(), server.answered()), (3, 1));
}
