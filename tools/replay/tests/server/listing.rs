//! Lists of keys from a store without faults.

use replay::{Faults, Keys, Replay, modified_of, size_of};

use crate::client::{Client, follow, get, keys};

fn server(keys: &[&str]) -> Replay {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    Replay::start(Keys::listed(keys), Faults::default()).unwrap()
}

fn numbered(count: u64) -> Replay {
    Replay::start(Keys::numbered("k", count), Faults::default()).unwrap()
}

#[test]
fn a_bucket_of_two_keys_is_this_xml() {
    // Sizes, times and tags are those of splitmix64 in another language.
    let reply = get(&server(&["a&b", "c d"]), "/bucket?list-type=2");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("application/xml"));
    assert_eq!(reply.header("x-amz-request-id"), Some("0000000000000001"));
    assert_eq!(
        reply.text(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
         <Name>bucket</Name><Prefix></Prefix><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys>\
         <IsTruncated>false</IsTruncated>\
         <Contents><Key>a&amp;b</Key><LastModified>2023-06-20T16:33:23.000Z</LastModified>\
         <ETag>&quot;8038149790bf2c0ce294de2c89d7f549&quot;</ETag><Size>227</Size>\
         <StorageClass>STANDARD</StorageClass></Contents>\
         <Contents><Key>c d</Key><LastModified>2022-06-22T19:43:26.000Z</LastModified>\
         <ETag>&quot;e7c0bcfd76f3a986dc679331de37db8b&quot;</ETag><Size>56</Size>\
         <StorageClass>STANDARD</StorageClass></Contents>\
         </ListBucketResult>"
    );
}

#[test]
fn a_page_in_the_middle_says_what_was_asked_for() {
    let server = server(&["p/a b", "p/c+d", "p/e", "q"]);
    let target = "/x?list-type=2&prefix=p/&start-after=p/a&max-keys=1&encoding-type=url\
                  &delimiter=%7C&fetch-owner=true";
    let reply = get(&server, target);
    assert_eq!(
        reply.text().split("<LastModified>").next(),
        Some(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
             <Name>x</Name><Prefix>p/</Prefix><StartAfter>p/a</StartAfter>\
             <NextContinuationToken>1/5eedc0de11570b1f+ed612d36=</NextContinuationToken>\
             <KeyCount>1</KeyCount><MaxKeys>1</MaxKeys><Delimiter>%7C</Delimiter>\
             <EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>\
             <Contents><Key>p/a+b</Key>"
        )
    );
    assert_eq!(reply.element("DisplayName"), Some("replay"));
    let all = follow(&server, "prefix=p/&max-keys=1&encoding-type=url");
    assert_eq!(keys(&all), ["p/a+b", "p/c%2Bd", "p/e"]);
    let token = all[0].element("NextContinuationToken");
    assert_eq!(all[1].element("ContinuationToken"), token);
}

#[test]
fn pages_followed_by_tokens_give_each_key_once() {
    let server = numbered(2500);
    let pages = follow(&server, "");
    let counts: Vec<_> = pages.iter().map(|page| page.element("KeyCount").unwrap()).collect();
    assert_eq!(counts, ["1000", "1000", "500"]);
    let expected: Vec<String> = (0..2500).map(|number| format!("k{number:04}")).collect();
    assert_eq!(keys(&pages), expected);
    assert_eq!((server.requests(), server.answered()), (3, 3));
}

#[test]
fn pages_followed_by_the_last_key_give_each_key_once() {
    for (version, parameter) in [("2", "start-after"), ("1", "marker")] {
        let skewed = Keys::skewed(3000, 5);
        let server = Replay::start(skewed.clone(), Faults::default()).unwrap();
        let mut client = Client::new(&server);
        let mut found: Vec<String> = Vec::new();
        loop {
            let last = found.last().map_or("", String::as_str);
            let target = format!("/b?list-type={version}&max-keys=700&{parameter}={last}");
            let page = client.get(&target).unwrap();
            found.extend(page.elements("Key").into_iter().map(str::to_owned));
            if page.element("IsTruncated") == Some("false") {
                break;
            }
        }
        let expected: Vec<String> = (0..3000).map(|index| skewed.key(index)).collect();
        assert_eq!(found, expected);
        assert_eq!(server.requests(), 5);
    }
}

#[test]
fn sizes_and_times_are_those_of_the_index() {
    let page = get(&numbered(50), "/b?list-type=2&start-after=k09");
    let sizes: Vec<u64> = page.elements("Size").iter().map(|size| size.parse().unwrap()).collect();
    assert_eq!(sizes, (10..50).map(size_of).collect::<Vec<u64>>());
    assert!((1_609_459_200..1_735_689_600).contains(&modified_of(10)));
    let tags = page.elements("ETag");
    assert!(tags.iter().all(|tag| tag.len() == "&quot;&quot;".len() + 32));
}

#[test]
fn keys_with_the_delimiter_are_groups_and_each_counts_as_one() {
    let server = server(&["a/1", "a/2", "b", "c/1", "c/2/3", "d"]);
    let page = get(&server, "/b?list-type=2&delimiter=/");
    assert_eq!(page.elements("Key"), ["b", "d"]);
    assert_eq!(page.element("KeyCount"), Some("4"));
    let groups = "<CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes>\
                  <CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes></ListBucketResult>";
    assert!(page.text().ends_with(groups), "{}", page.text());
    let page = get(&server, "/b?list-type=2&delimiter=/&prefix=c/");
    assert_eq!(page.elements("Key"), ["c/1"]);
    assert_eq!(page.elements("Prefix"), ["c/", "c/2/"]);
}

#[test]
fn pages_of_groups_go_on_behind_the_last_one() {
    let server = server(&["a/1", "a/2", "b", "c/1", "c/2", "d"]);
    let pages = follow(&server, "delimiter=/&max-keys=1");
    let prefixes: Vec<_> = pages.iter().map(|page| page.elements("Prefix")).collect();
    assert_eq!(prefixes, [vec!["", "a/"], vec![""], vec!["", "c/"], vec![""]]);
    assert_eq!(keys(&pages), ["b", "d"]);
    let first = get(&server, "/b?delimiter=/&max-keys=1");
    assert_eq!(first.element("NextMarker"), Some("a/"));
    let second = get(&server, "/b?delimiter=/&max-keys=1&marker=a/");
    assert_eq!((second.element("Key"), second.element("NextMarker")), (Some("b"), Some("b")));
    // Within the group there are keys that are still to come.
    let within = get(&server, "/b?list-type=2&delimiter=/&start-after=a/1");
    assert_eq!(within.elements("Prefix"), ["", "a/", "c/"]);
}

#[test]
fn the_first_version_has_markers_and_owners() {
    let page = get(&numbered(3), "/b/?marker=k0&max-keys=1&encoding-type=url");
    assert_eq!(
        page.text().split("<LastModified>").next(),
        Some(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
             <Name>b</Name><Prefix></Prefix><Marker>k0</Marker><MaxKeys>1</MaxKeys>\
             <EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>\
             <Contents><Key>k1</Key>"
        )
    );
    assert_eq!(page.element("DisplayName"), Some("replay"));
}

#[test]
fn control_characters_are_references_in_xml_and_percents_in_urls() {
    let server = server(&["a\u{1}\n", "é\r"]);
    assert_eq!(get(&server, "/b?list-type=2").elements("Key"), ["a&#x1;&#xa;", "é&#xd;"]);
    let encoded = get(&server, "/b?list-type=2&encoding-type=url");
    assert_eq!(encoded.elements("Key"), ["a%01%0A", "%C3%A9%0D"]);
    let after = get(&server, "/b?list-type=2&start-after=a%01%0A");
    assert_eq!(after.elements("Key"), ["é&#xd;"]);
}

#[test]
fn a_prefix_without_keys_and_no_keys_at_all_are_whole_pages() {
    for target in ["/b?list-type=2&prefix=x", "/b?list-type=2&max-keys=0"] {
        let page = get(&numbered(10), target);
        assert_eq!(page.status, 200);
        assert_eq!((page.element("KeyCount"), page.element("Key")), (Some("0"), None));
        assert_eq!(page.element("IsTruncated"), Some("false"));
    }
}

#[test]
fn bad_parameters_are_invalid_arguments() {
    let server = numbered(10);
    for query in ["continuation-token=x", "max-keys=-1", "encoding-type=base64"] {
        let reply = get(&server, &format!("/b?list-type=2&{query}"));
        assert_eq!((reply.status, reply.element("Code")), (400, Some("InvalidArgument")));
    }
    assert_eq!((server.requests(), server.answered()), (3, 0));
}

#[test]
fn the_last_ten_thousand_requests_are_kept() {
    let server = numbered(1);
    let mut client = Client::new(&server);
    for number in 0..10_002 {
        client.get(&format!("/b?list-type=2&max-keys=0&n={number}")).unwrap();
    }
    let targets = server.last_requests();
    assert_eq!(targets.len(), 10_000);
    assert_eq!(targets[0], "/b?list-type=2&max-keys=0&n=2");
    assert_eq!(targets[9999], "/b?list-type=2&max-keys=0&n=10001");
}

#[test]
fn requests_that_come_together_are_answered_in_their_order() {
    let server = numbered(2);
    let mut client = Client::new(&server);
    client.send("GET", "/b?list-type=2&max-keys=1", "").unwrap();
    client.send("GET", "/b?list-type=2&start-after=k0", "").unwrap();
    assert_eq!(client.reply(false).unwrap().elements("Key"), ["k0"]);
    assert_eq!(client.reply(false).unwrap().elements("Key"), ["k1"]);
}
