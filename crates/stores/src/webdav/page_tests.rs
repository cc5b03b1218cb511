use super::*;

fn members(xml: &str, prefix: &str) -> Result<Vec<(String, u64, i64, String)>, String> {
    let page = parse(xml.as_bytes(), prefix)?;
    let member = |object: Object<'_>| {
        let key = String::from_utf8(object.key.to_vec()).unwrap();
        (key, object.size, object.modified.seconds, object.etag.to_owned())
    };
    Ok(page.objects().map(member).collect())
}

fn names(xml: &str, prefix: &str) -> Vec<String> {
    members(xml, prefix).unwrap().into_iter().map(|(key, ..)| key).collect()
}

/// After section 9.1.5 of RFC 4918, with the address of a server, and with properties that are not
/// there.
const EXAMPLE: &str = r#"<?xml version="1.0" encoding="utf-8" ?>
<D:multistatus xmlns:D="DAV:" xmlns:R="http://ns.example.com/boxschema/">
  <D:response>
    <D:href>http://www.example.com/container/</D:href>
    <D:propstat>
      <D:prop><R:bigbox><R:BoxType>Box type A</R:BoxType></R:bigbox>
        <D:resourcetype><D:collection/></D:resourcetype></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status>
    </D:propstat>
    <D:propstat>
      <D:prop><D:getcontentlength/><D:getetag/></D:prop>
      <D:status>HTTP/1.1 404 Not Found</D:status>
    </D:propstat>
  </D:response>
  <D:response>
    <D:href>/container/front%20page%2Ehtml</D:href>
    <D:propstat>
      <D:prop>
        <D:getcontentlength>4525</D:getcontentlength>
        <D:getetag>"zzyzx"</D:getetag>
        <D:getlastmodified>Mon, 12 Jan 1998 09:25:56 GMT</D:getlastmodified>
        <D:resourcetype/>
      </D:prop>
      <D:status>HTTP/1.1 200 OK</D:status>
    </D:propstat>
  </D:response>
  <D:response>
    <D:href>http://www.example.com/container/a%26b</D:href>
    <D:propstat>
      <D:prop><D:resourcetype><D:collection></D:collection></D:resourcetype></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status>
    </D:propstat>
    <D:propstat>
      <D:prop><D:getcontentlength>77</D:getcontentlength><D:getetag>no</D:getetag></D:prop>
      <D:status>HTTP/1.1 404 Not Found</D:status>
    </D:propstat>
  </D:response>
</D:multistatus>"#;

#[test]
fn the_members_of_a_collection_are_a_page_and_it_itself_is_not() {
    let expected = vec![
        ("container/a&b/".to_owned(), 0, 0, String::new()),
        ("container/front page.html".to_owned(), 4525, 884_597_156, "zzyzx".to_owned()),
    ];
    assert_eq!(members(EXAMPLE, "container/").unwrap(), expected);
    for prefix in ["xmlns=\"DAV:\"", "xmlns:lp1=\"DAV:\""] {
        let name = if prefix.contains("lp1") { "lp1:" } else { "" };
        let other = EXAMPLE.replace("xmlns:D=\"DAV:\"", prefix);
        let other = other.replace("<D:", &format!("<{name}")).replace("</D:", &format!("</{name}"));
        assert_eq!(members(&other, "container/").unwrap(), expected);
    }
}

fn response(href: &str, rest: &str) -> String {
    format!("<d:response><d:href>{href}</d:href>{rest}</d:response>")
}

const FOLDER: &str = "<d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>\
    </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>";

fn multistatus(responses: &[String]) -> String {
    format!("<d:multistatus xmlns:d='DAV:'>{}</d:multistatus>", responses.concat())
}

const FILE: &str = "<d:propstat><d:prop><d:resourcetype/></d:prop>\
    <d:status>HTTP/1.1 200 OK</d:status></d:propstat>";

#[test]
fn names_are_what_was_encoded_and_nothing_twice() {
    let xml = multistatus(&[
        response("/", FOLDER),
        response("/%C3%A9%2541+%25", FILE),
        response("https://b.example:8443/x&amp;y", FILE),
        response("\n  /x&amp;y \n", FILE),
        response("/b%0Ac", FILE),
        response("/a://b", FILE).replace("/a://b", "/a:%2F%2Fb"),
    ]);
    // A slash in a name cannot be.
    assert!(parse(xml.as_bytes(), "").unwrap_err().contains("is not in the collection '/'"));
    let xml = xml.replace("a:%2F%2Fb", "a:b");
    assert_eq!(names(&xml, ""), ["a:b", "b\nc", "x&y", "é%41+%"]);
}

#[test]
fn what_cannot_be_looked_at_has_a_name_at_least() {
    let closed = "<d:status>HTTP/1.1 403 Forbidden</d:status>";
    let xml = multistatus(&[
        response("/p/", FOLDER),
        response("/p/closed", closed),
        response("/p/folder/", closed),
    ]);
    assert_eq!(names(&xml, "p/"), ["p/closed", "p/folder/"]);
}

#[test]
fn what_is_no_answer_about_the_collection_is_refused() {
    for (xml, prefix, part) in [
        ("<html></html>".to_owned(), "", "it begins with <html>"),
        (EXAMPLE.split_at(600).0.to_owned(), "container/", "it ends too early"),
        (EXAMPLE.to_owned(), "other/", "is not in the collection '/other'"),
        (multistatus(&[response("/p/a/b", FILE)]), "p/", "'/p/a/b' is not in the collection '/p'"),
        (multistatus(&[response("/p/..", FILE)]), "p/", "is not in the collection"),
        (multistatus(&[response("/p/%2E/", FILE)]), "p/", "is not in the collection"),
        (multistatus(&[response("/p/file", FILE)]), "p/file/", "it is no collection"),
        (multistatus(&[response("/p/file/", FILE)]), "p/file/", "it is no collection"),
        (EXAMPLE.replace("4525", "-1"), "container/", "size '-1'"),
    ] {
        let why = parse(xml.as_bytes(), prefix).err().unwrap_or_default();
        assert!(why.contains(part), "{why}, and not {part}");
    }
}
