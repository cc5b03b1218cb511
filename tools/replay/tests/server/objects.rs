//! Objects and the bucket itself.

use replay::{Faults, Keys, Replay, size_of};

use crate::client::{Client, get};

fn server() -> Replay {
    let keys = Keys::listed(vec!["a b".into(), "c/d".into(), "é".into()]);
    Replay::start(keys, Faults::default()).unwrap()
}

#[test]
fn the_bucket_says_where_it_is() {
    let server = server();
    let reply = Client::new(&server).request("HEAD", "/b", "").unwrap();
    assert_eq!((reply.status, reply.header("x-amz-bucket-region")), (200, Some("us-east-1")));
    assert_eq!(get(&server, "/b?location").text().matches("LocationConstraint").count(), 2);
    let faults = Faults { wrong_region: Some("eu-west-1".into()), ..Faults::default() };
    server.set_faults(faults);
    let signed =
        "Authorization: AWS4-HMAC-SHA256 Credential=A/20240117/eu-west-1/s3/aws4_request\r\n";
    let reply = Client::new(&server).request("GET", "/b?location", signed).unwrap();
    assert!(reply.text().ends_with(">eu-west-1</LocationConstraint>"));
}

#[test]
fn an_object_has_the_size_that_the_list_says_up_to_a_mebibyte() {
    let keys = Keys::numbered("k", 40);
    let server = Replay::start(keys.clone(), Faults::default()).unwrap();
    let mut client = Client::new(&server);
    for index in 0..40 {
        let target = format!("/b/{}", keys.key(index));
        let head = client.request("HEAD", &target, "").unwrap();
        assert_eq!(head.header("content-length"), Some(size_of(index).to_string().as_str()));
        let body = client.get(&target).unwrap().body;
        assert_eq!(body.len() as u64, size_of(index).min(1 << 20));
        let line = format!("{} line 1\n", keys.key(index));
        assert_eq!(
            &body[..line.len().min(body.len())],
            &line.as_bytes()[..line.len().min(body.len())]
        );
    }
    assert_eq!(server.requests(), 0);
}

#[test]
fn a_range_is_a_part_of_the_object() {
    let server = Replay::start(Keys::numbered("k", 40), Faults::default()).unwrap();
    let index = (0..40).find(|index| (100..100_000).contains(&size_of(*index))).unwrap();
    let target = format!("/b/k{index:02}");
    let mut client = Client::new(&server);
    let reply = client.request("GET", &target, "Range: bytes=4-8\r\n").unwrap();
    assert_eq!((reply.status, reply.text()), (206, "line "));
    let range = format!("bytes 4-8/{}", size_of(index));
    assert_eq!(reply.header("content-range"), Some(range.as_str()));
    let beyond = client.request("GET", &target, "Range: bytes=100000-\r\n").unwrap();
    assert_eq!((beyond.status, beyond.element("Code")), (416, Some("InvalidRange")));
}

#[test]
fn keys_in_paths_are_decoded_but_a_plus_is_a_plus() {
    let server = server();
    for (target, status) in [
        ("/b/a%20b", 200),
        ("/b/a+b", 404),
        ("/b/c/d", 200),
        ("/b/c%2Fd", 200),
        ("/b/%C3%A9", 200),
        ("/b/c", 404),
    ] {
        assert_eq!(get(&server, target).status, status, "{target}");
    }
    assert_eq!(get(&server, "/b/none").element("Code"), Some("NoSuchKey"));
}

#[test]
fn what_changes_the_bucket_is_not_allowed() {
    let server = server();
    let reply = Client::new(&server).request("DELETE", "/b/a", "").unwrap();
    assert_eq!((reply.status, reply.element("Code")), (405, Some("MethodNotAllowed")));
    let body = "Content-Length: 4\r\n";
    let reply = Client::new(&server).request("PUT", "/b/a", body).unwrap();
    assert_eq!((reply.status, reply.header("connection")), (405, Some("close")));
    assert_eq!(get(&server, "/b?versions").status, 405);
    assert_eq!(get(&server, "/").status, 405);
}
