//! Units of a scan and what came of them, as JSON: so they go from one process to the next, in any
//! language. Paths and keys are `{"text": …}`, or `{"bytes": …}` in base64 where they are not
//! UTF-8.
//!
//! ```json
//! {"id": "0.2", "weight": 0.25, "trees": [[{"text": "/data/a"}, 1]], "slice": [3, 10]}
//! ```

use fewer::present::lossless::{from_base64, push_json};
use fewer::scan::{Tree, Unit};
use fewer::walk::Slice;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::part::Contents;

/// An id is a part of the name of a file, so its length has an end.
const ID_BYTES: usize = 64;

/// So long an id may be that somebody gave.
const GIVEN_ID_BYTES: usize = 160;

/// The members that a unit can have.
const MEMBERS: [&str; 7] = ["id", "trees", "slice", "has_roots", "single", "ranges", "weight"];

/// A range of the keys of a bucket: behind a key, up to and with another, or to the end.
pub type Range = (Vec<u8>, Option<Vec<u8>>);

/// A unit that can be handed on.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedUnit {
    /// Which it is: a part of the name of a file.
    pub id: String,
    /// Where to scan.
    pub unit: Unit,
    /// Whether it ends after one directory.
    pub single: bool,
    /// Of the only tree, a bucket, the keys that belong to it; none stands for all.
    pub ranges: Vec<Range>,
    /// The part of the whole scan that it is taken for.
    pub weight: f64,
}

impl NamedUnit {
    /// The whole scan.
    #[must_use]
    pub fn first(unit: Unit) -> NamedUnit {
        NamedUnit { id: "0".to_owned(), unit, single: false, ranges: Vec::new(), weight: 1.0 }
    }

    /// Parses a unit.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(json: &[u8]) -> Result<NamedUnit, String> {
        let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let members = value.as_object().ok_or("it is no object")?;
        if members.contains_key("shard") {
            return Err("it is a shard, which only fewer-scan can do".to_owned());
        }
        if let Some(other) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            return Err(format!("it has \"{other}\", which no unit has"));
        }
        let list = |name| value.get(name).map(|it| it.as_array().ok_or_else(|| wrong(name)));
        let flag = |name| value.get(name).map_or(Ok(false), |it| it.as_bool().ok_or(wrong(name)));
        let id = value.get("id").and_then(Value::as_str).filter(|id| is_id(id));
        let trees = list("trees").ok_or_else(|| wrong("trees"))??;
        let trees = trees.iter().map(tree).collect::<Option<Vec<_>>>();
        let trees = trees.filter(|trees| !trees.is_empty()).ok_or_else(|| wrong("trees"))?;
        let slice = value.get("slice").map(|it| slice(it).ok_or_else(|| wrong("slice")));
        // All that is in no range is nothing, and not all keys, as without the member.
        let some =
            |it: &Vec<Value>| if it.is_empty() { None } else { it.iter().map(range).collect() };
        let ranges = list("ranges").transpose()?.map(some);
        let unit = NamedUnit {
            id: id.ok_or_else(|| wrong("id"))?.to_owned(),
            unit: Unit { trees, slice: slice.transpose()?, has_roots: flag("has_roots")? },
            single: flag("single")?,
            ranges: ranges.unwrap_or(Some(Vec::new())).ok_or_else(|| wrong("ranges"))?,
            weight: match value.get("weight") {
                None => 1.0,
                Some(weight) => weight.as_f64().ok_or_else(|| wrong("weight"))?,
            },
        };
        if unit.unit.trees.len() > 1 && (unit.unit.slice.is_some() || !unit.ranges.is_empty()) {
            return Err("a slice and ranges are of one tree".to_owned());
        }
        Ok(unit)
    }

    /// The units that are left of it.
    #[must_use]
    pub fn children(&self, left: Vec<(Unit, Vec<Range>)>) -> Vec<NamedUnit> {
        let weight = self.weight / (left.len() + 1) as f64;
        let child = |(number, (unit, ranges))| {
            let id = self.child_id(number);
            NamedUnit { id, unit, single: false, ranges, weight }
        };
        left.into_iter().enumerate().map(child).collect()
    }

    /// The id of what was left of it.
    fn child_id(&self, number: usize) -> String {
        let id = format!("{}.{number}", self.id);
        if id.len() <= ID_BYTES {
            return id;
        }
        Sha256::digest(id.as_bytes())[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Appends it as JSON.
    pub fn push_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(
            format!("{{\"id\":\"{}\",\"weight\":{},\"trees\":", self.id, self.weight).as_bytes(),
        );
        push_list(&self.unit.trees, out, |Tree { depth, path }, out| {
            out.push(b'[');
            push_json(path, out);
            out.extend_from_slice(format!(",{depth}]").as_bytes());
        });
        if let Some(slice) = self.unit.slice {
            let slice = format!(",\"slice\":[{},{}]", slice.index(), slice.of());
            out.extend_from_slice(slice.as_bytes());
        }
        if !self.ranges.is_empty() {
            out.extend_from_slice(b",\"ranges\":");
            push_list(&self.ranges, out, push_range);
        }
        for (name, is_so) in [("has_roots", self.unit.has_roots), ("single", self.single)] {
            if is_so {
                out.extend_from_slice(format!(",\"{name}\":true").as_bytes());
            }
        }
        out.push(b'}');
    }
}

/// The result of a unit as a line of JSON: its part, unless there was no row, and what is left.
#[must_use]
pub fn result_json(
    unit: &NamedUnit,
    part: Option<&str>,
    contents: &Contents,
    left: &[NamedUnit],
) -> Vec<u8> {
    let Contents { rows, errors, bytes, checksum } = contents;
    // Neither an id nor the name of a part has anything to escape.
    let part = part.map_or_else(|| "null".to_owned(), |part| format!("\"{part}\""));
    let mut out = format!(
        "{{\"unit\":\"{}\",\"part\":{part},\"rows\":{rows},\"bytes\":{bytes},\
         \"checksum\":\"{checksum}\",\"errors\":{errors},\"left\":",
        unit.id
    )
    .into_bytes();
    push_list(left, &mut out, NamedUnit::push_json);
    out.extend_from_slice(b"}\n");
    out
}

/// Whether a text can be an id: a part of the name of a file that leads nowhere else.
fn is_id(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !text.is_empty() && text.len() <= GIVEN_ID_BYTES && text.bytes().all(is_letter)
}

fn wrong(name: &str) -> String {
    format!("its \"{name}\" is not there, or not as it should be")
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    let text = |name| value.get(name).and_then(Value::as_str);
    let utf8 = text("text").map(|text| text.as_bytes().to_vec());
    utf8.or_else(|| text("bytes").and_then(|base64| from_base64(base64).ok()))
}

fn tree(value: &Value) -> Option<Tree> {
    let [path, depth] = value.as_array()?.as_slice() else { return None };
    let path = bytes(path).filter(|path| !path.is_empty())?;
    Some(Tree { depth: usize::try_from(depth.as_u64()?).ok()?, path })
}

fn slice(value: &Value) -> Option<Slice> {
    let [index, of] = value.as_array()?.as_slice() else { return None };
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    Slice::new(number(index)?, number(of)?)
}

fn range(value: &Value) -> Option<Range> {
    let end = value.get("end")?;
    let end = if end.is_null() { None } else { Some(bytes(end)?) };
    Some((bytes(value.get("after")?)?, end))
}

fn push_range((after, end): &Range, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"after\":");
    push_json(after, out);
    out.extend_from_slice(b",\"end\":");
    match end {
        Some(end) => push_json(end, out),
        None => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
}

fn push_list<T>(items: &[T], out: &mut Vec<u8>, push: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push(item, out);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = concat!(
        r#"{"id":"a_1.-","weight":0.5,"trees":[[{"bytes":"/w=="},7]],"slice":[3,10],"#,
        r#""ranges":[{"after":{"text":"\""},"end":null}],"has_roots":true,"single":true}"#,
    );

    fn json(unit: &NamedUnit) -> String {
        let mut out = Vec::new();
        unit.push_json(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_unit_comes_back_from_its_json() {
        let unit = NamedUnit::parse(WHOLE.as_bytes()).unwrap();
        assert_eq!(unit.unit.trees, [Tree { depth: 7, path: b"\xff".to_vec() }]);
        assert_eq!(unit.unit.slice, Slice::new(3, 10));
        assert_eq!(unit.ranges, [(b"\"".to_vec(), None)]);
        assert_eq!(json(&unit), WHOLE);
        let least = r#"{"id":"0","trees":[[{"text":"/"},0]]}"#;
        let least = NamedUnit::parse(least.as_bytes()).unwrap();
        assert_eq!(json(&least), r#"{"id":"0","weight":1,"trees":[[{"text":"/"},0]]}"#);
    }

    #[test]
    fn no_ranges_are_not_all_keys() {
        let none = br#"{"id":"0","trees":[[{"text":"s3://b/"},0]],"ranges":[]}"#;
        let wrong = NamedUnit::parse(none).unwrap_err();
        assert_eq!(wrong, "its \"ranges\" is not there, or not as it should be");
    }

    #[test]
    fn what_is_left_shares_the_weight_and_has_ids_of_its_own() {
        let mut unit = NamedUnit::parse(WHOLE.as_bytes()).unwrap();
        let left = || vec![(unit.unit.clone(), Vec::new()), (unit.unit.clone(), Vec::new())];
        let ids = |units: Vec<NamedUnit>| units.into_iter().map(|it| it.id).collect::<Vec<_>>();
        let children = unit.children(left());
        assert!(children.iter().all(|it| !it.single && it.weight == 0.5 / 3.0));
        assert_eq!(ids(children), ["a_1.-.0", "a_1.-.1"]);
        let left = left();
        // By Python: sha256(b"a" * 63 + b".0").hexdigest()[:32].
        unit.id = "a".repeat(63);
        let ids = ids(unit.children(left));
        assert_eq!(ids[0], "378e62fe1024320e2227fac1a4b09128");
    }

    #[test]
    fn a_result_is_a_line() {
        let unit = NamedUnit::parse(br#"{"id":"0","trees":[[{"text":"/"},0]]}"#).unwrap();
        let contents = Contents { rows: 3, errors: 1, bytes: 9, checksum: "ab".to_owned() };
        let line =
            result_json(&unit, Some("part-0.parquet"), &contents, std::slice::from_ref(&unit));
        let expected = concat!(
            r#"{"unit":"0","part":"part-0.parquet","rows":3,"bytes":9,"checksum":"ab","#,
            r#""errors":1,"left":[{"id":"0","weight":1,"trees":[[{"text":"/"},0]]}]}"#,
        );
        assert_eq!(String::from_utf8(line).unwrap(), format!("{expected}\n"));
    }
}
