//! A page as XML.

use crate::answer::push_element;
use crate::encoding::{push_number, push_url, push_xml};
use crate::keys::Keys;
use crate::listing::{Page, token_of};
use crate::object::{push_modified, push_tag, size_of};
use crate::request::List;

const OWNER: &[u8] = b"<Owner><ID>replay</ID><DisplayName>replay</DisplayName></Owner>";

/// Appends the page that answers a list request, its elements in the order in which S3 has them.
pub(crate) fn push_page(keys: &Keys, list: &List, page: &Page, out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
          <ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">",
    );
    push_element(out, "Name", &list.bucket);
    push_name(out, "Prefix", &list.prefix, list);
    if list.is_first_version {
        push_name(out, "Marker", list.start_after.as_deref().unwrap_or_default(), list);
        // Without a delimiter clients go on from the last key.
        if page.next.is_some() && !list.delimiter.is_empty() {
            push_name(out, "NextMarker", &page.last, list);
        }
    } else {
        push_continuation(list, page, out);
    }
    push_count(out, "MaxKeys", list.max_keys);
    if !list.delimiter.is_empty() {
        push_name(out, "Delimiter", &list.delimiter, list);
    }
    if list.encodes_url {
        push_element(out, "EncodingType", b"url");
    }
    let is_truncated: &[u8] = if page.next.is_some() { b"true" } else { b"false" };
    push_element(out, "IsTruncated", is_truncated);
    push_contents(keys, list, page, out);
    for prefix in &page.common_prefixes {
        out.extend_from_slice(b"<CommonPrefixes>");
        push_name(out, "Prefix", prefix, list);
        out.extend_from_slice(b"</CommonPrefixes>");
    }
    out.extend_from_slice(b"</ListBucketResult>");
}

/// What only ListObjectsV2 has.
fn push_continuation(list: &List, page: &Page, out: &mut Vec<u8>) {
    if let Some(start_after) = &list.start_after {
        push_name(out, "StartAfter", start_after, list);
    }
    if let Some(token) = &list.token {
        push_element(out, "ContinuationToken", token);
    }
    if let Some(next) = page.next {
        push_element(out, "NextContinuationToken", token_of(next).as_bytes());
    }
    push_count(out, "KeyCount", page.len());
}

fn push_contents(keys: &Keys, list: &List, page: &Page, out: &mut Vec<u8>) {
    let has_owner = list.is_first_version || list.fetches_owner;
    let mut key = Vec::with_capacity(256);
    // About what a page needs.
    out.reserve(page.keys.len() * 300);
    for index in &page.keys {
        key.clear();
        keys.push_key(*index, &mut key);
        out.extend_from_slice(b"<Contents><Key>");
        push_text(out, &key, list);
        out.extend_from_slice(b"</Key><LastModified>");
        push_modified(*index, out);
        out.extend_from_slice(b"</LastModified><ETag>&quot;");
        push_tag(*index, out);
        out.extend_from_slice(b"&quot;</ETag><Size>");
        push_number(size_of(*index), out);
        out.extend_from_slice(b"</Size>");
        if has_owner {
            out.extend_from_slice(OWNER);
        }
        out.extend_from_slice(b"<StorageClass>STANDARD</StorageClass></Contents>");
    }
}

/// Appends an element whose text is a key or a part of one.
fn push_name(out: &mut Vec<u8>, name: &str, text: &[u8], list: &List) {
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
    push_text(out, text, list);
    out.extend_from_slice(b"</");
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
}

fn push_text(out: &mut Vec<u8>, text: &[u8], list: &List) {
    match list.encodes_url {
        true => push_url(text, out),
        false => push_xml(text, out),
    }
}

fn push_count(out: &mut Vec<u8>, name: &str, count: u64) {
    let mut digits = Vec::with_capacity(20);
    push_number(count, &mut digits);
    push_element(out, name, &digits);
}
