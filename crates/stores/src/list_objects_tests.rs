use proptest::prelude::*;

use super::*;

/// From the reference of ListObjectsV2, with other names.
const TWO: &[u8] = br#"<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <Name>bucket</Name>
    <Prefix/>
    <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=</NextContinuationToken>
    <KeyCount>2</KeyCount>
    <MaxKeys>2</MaxKeys>
    <EncodingType>url</EncodingType>
    <IsTruncated>true</IsTruncated>
    <Contents>
        <Key>a+b%2Bc%0A.txt</Key>
        <LastModified>2009-10-12T17:50:30.000Z</LastModified>
        <ETag>&quot;fba9dede5f27731c9771645a39863328&quot;</ETag>
        <Size>434234</Size>
        <StorageClass>STANDARD</StorageClass>
    </Contents>
    <Contents>
        <Key>%C3%A9/</Key>
        <LastModified>1969-12-31T23:59:59.250Z</LastModified>
        <Size>0</Size>
        <Owner><ID>8a69</ID><DisplayName>Key</DisplayName></Owner>
    </Contents>
</ListBucketResult>"#;

fn keys(page: &Page) -> Vec<String> {
    page.objects().map(|object| String::from_utf8_lossy(object.key).into_owned()).collect()
}

#[test]
fn a_page_has_keys_sizes_and_times() {
    let page = parse(TWO).unwrap();
    assert_eq!(keys(&page), ["a b+c\n.txt", "é/"]);
    let (first, second) = (page.get(0).unwrap(), page.get(1).unwrap());
    assert_eq!((first.size, second.size), (434_234, 0));
    assert_eq!((first.etag, second.etag), ("fba9dede5f27731c9771645a39863328", ""));
    assert_eq!(first.modified, Time { seconds: 1_255_369_830, nanoseconds: 0 });
    assert_eq!(second.modified, Time { seconds: -1, nanoseconds: 250_000_000 });
    assert_eq!(page.token(), Some("1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM="));
    assert!(page.is_truncated());
}

#[test]
fn keys_that_are_not_encoded_may_have_entities() {
    let xml = b"<ListBucketResult><IsTruncated>false</IsTruncated><Contents>\
        <Key>a&amp;b&lt;&#x1;&#10;%41+</Key><Size>1</Size></Contents></ListBucketResult>";
    assert_eq!(keys(&parse(xml).unwrap()), ["a&b<\u{1}\n%41+"]);
}

/// From an answer of Google's in an issue of minio-go, 1410.
#[test]
fn google_says_in_its_own_way_that_keys_are_encoded() {
    let xml =
        b"<ListBucketResult xmlns=\"http://doc.s3.amazonaws.com/2006-03-01\"><Name>test</Name>\
        <IsTruncated>false</IsTruncated><Encoding-Type>url</Encoding-Type><Contents>\
        <Key>Foo/</Key><Generation>1605513310623194</Generation>\
        <MetaGeneration>1</MetaGeneration><LastModified>2020-11-16T07:55:10.623Z</LastModified>\
        <Size>0</Size></Contents><CommonPrefixes><Prefix>Foo/Foo+Bar+Baz/</Prefix>\
        </CommonPrefixes></ListBucketResult>";
    assert_eq!(keys(&parse(xml).unwrap()), ["Foo/", "Foo/Foo Bar Baz/"]);
}

#[test]
fn common_prefixes_stand_among_the_objects() {
    let xml = b"<ListBucketResult><IsTruncated>false</IsTruncated>\
        <Contents><Key>a</Key><Size>1</Size></Contents>\
        <Contents><Key>c</Key><Size>1</Size></Contents>\
        <CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes></ListBucketResult>";
    let page = parse(xml).unwrap();
    assert_eq!(keys(&page), ["a", "b/", "c"]);
    let prefixes: Vec<bool> = page.objects().map(|object| object.is_common_prefix).collect();
    assert_eq!(prefixes, [false, true, false]);
}

#[test]
fn every_part_of_a_page_is_refused() {
    for end in 1..TWO.len() {
        assert!(parse(&TWO[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn what_is_no_page_is_refused_with_the_reason() {
    for (xml, why) in [
        ("", "ends too early"),
        ("<html><body>hello</body></html>", "<html>"),
        ("<Error><Code>SlowDown</Code></Error>", "<Error>"),
        ("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>", "no token"),
        ("<ListBucketResult><IsTruncated>1</IsTruncated></ListBucketResult>", "IsTruncated '1'"),
        (
            "<ListBucketResult><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>",
            "size 'x'",
        ),
        ("<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>", "key"),
    ] {
        let error = parse(xml.as_bytes()).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

proptest! {
    /// Whatever a server sends, the parser says so in words, and in time.
    #[test]
    fn no_answer_is_too_broken_to_be_refused(
        changes in proptest::collection::vec((0..TWO.len(), any::<u8>()), 1..8),
        cut in 0..TWO.len(),
        noise in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut xml = TWO.to_vec();
        changes.iter().for_each(|&(at, byte)| xml[at] = byte);
        let _ = parse(&xml);
        xml.splice(cut..cut, noise.iter().copied());
        let _ = parse(&xml);
        prop_assert!(parse(&noise).is_err());
    }

    /// Any key comes back from the encoding that S3 describes.
    #[test]
    fn encoded_keys_are_decoded(key in "\\PC{1,40}|[\u{1}-\u{20}+%&<]{1,20}") {
        let all = percent_encoding::NON_ALPHANUMERIC;
        let encoded = percent_encoding::utf8_percent_encode(&key, all);
        let xml = format!(
            "<ListBucketResult><Contents><Key>{encoded}</Key><Size>1</Size></Contents>\
             <EncodingType>url</EncodingType></ListBucketResult>"
        );
        prop_assert_eq!(keys(&parse(xml.as_bytes()).unwrap()), [key]);
    }
}
