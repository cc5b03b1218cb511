//! Names that servers are asked for.

use super::stream::Stream;

/// One look-up of the C library: the file, then the DNS, through a socket of its own.
fn look_up(stream: &mut Stream, question: u64) {
    stream.stat("/etc/resolv.conf", 4);
    let file = stream.open("/etc/hosts");
    stream.fstat(file, 5);
    stream.read(file, 4096, 100, 6);
    stream.read(file, 4096, 0, 0);
    stream.close(file);
    ask(stream, "10.0.0.1:53", question);
}

/// 8 calls.
fn ask(stream: &mut Stream, server: &str, question: u64) {
    let socket = 9;
    stream.have(socket, "socket:[7]");
    stream.call("socket", "socket:[7]", 9);
    stream.on("setsockopt", socket, [0, 11], 0);
    connect(stream, socket, server);
    stream.call("poll", "", 1);
    let call = stream.on("sendto", socket, [0, 30], 30);
    (call.moved, call.answer) = (30, question);
    stream.call("poll", "", 1);
    stream.on("recvfrom", socket, [0, 2048], 60).moved = 60;
    stream.close(socket);
}

fn connect(stream: &mut Stream, socket: i32, server: &str) {
    let address = stream.path(server);
    stream.on("connect", socket, [0, 16], 0).second = address;
}

#[test]
fn the_same_name_is_asked_of_the_dns_for_every_item() {
    let stream = Stream::repeated(200, |stream, _| look_up(stream, 1));
    // But for the first one: 6 calls on the file and what is looked at before it, 8 on the server.
    // (Whatever is looked at for the first time is needed.)
    stream.found(
        "host-lookup",
        199 * 14,
        "to look up hosts or services, `/etc/hosts` was opened and read 200 times, `10.0.0.1:53` \
         was asked 200 times anew",
    );
}

#[test]
fn other_names_are_no_waste() {
    let stream = Stream::repeated(200, |stream, round| look_up(stream, 1 + round));
    assert_eq!(stream.wastes(), []);
}

#[test]
fn four_names_are_asked_for_once() {
    let stream = Stream::repeated(200, |stream, round| look_up(stream, 1 + round % 4));
    assert_eq!(stream.wastes(), [("host-lookup", 196 * 14)]);
}

#[test]
fn a_question_that_is_sent_again_because_nothing_came_is_one() {
    let stream = Stream::repeated(100, |stream, round| {
        stream.have(9, "socket:[7]");
        connect(stream, 9, "10.0.0.1:53");
        for _ in 0..3 {
            stream.on("sendto", 9, [0, 30], 30).answer = 1 + round;
        }
        stream.close(9);
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn caches_are_asked_through_sockets_that_have_a_path() {
    let resolved = "/run/systemd/resolve/io.systemd.Resolve";
    let stream = Stream::repeated(150, |stream, _| ask(stream, resolved, 1));
    let server = format!("to look up hosts or services, `{resolved}` was asked 150 times anew");
    stream.found("host-lookup", 149 * 8, &server);
    let stream = Stream::repeated(150, |stream, _| ask(stream, "/var/run/nscd/socket", 1));
    assert_eq!(stream.wastes(), [("owner-lookup", 149 * 8)]);
}

#[test]
fn one_socket_serves_many_questions() {
    let mut stream = Stream::new();
    stream.have(9, "socket:[7]");
    connect(&mut stream, 9, "[::1]:53");
    for round in 0..200 {
        stream.on("sendto", 9, [0, 30], 30).answer = 1 + round % 50;
        stream.on("recvfrom", 9, [0, 2048], 60);
    }
    // Of 401 calls three quarters.
    assert_eq!(stream.wastes(), [("host-lookup", 401 * 150 / 200)]);
}

#[test]
fn what_is_sent_elsewhere_is_no_question() {
    for server in ["10.0.0.1:80", "10.0.0.1:5353", "/run/mysqld/mysqld.sock"] {
        let stream = Stream::repeated(200, |stream, _| ask(stream, server, 1));
        assert_eq!(stream.wastes(), [], "{server}");
    }
}
