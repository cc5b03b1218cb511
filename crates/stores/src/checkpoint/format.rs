//! A checkpoint as JSON. Keys are `{"text": …}`, or `{"bytes": …}` in base64 where they are not
//! UTF-8.

use std::path::Path;

use fewer::present::lossless::{from_base64, push_json};
use serde_json::Value;

use super::{Checkpoint, Listed, Written};
use crate::plan::KeyRange;

/// The version, which readers of another one refuse.
const VERSION: u64 = 1;

impl Checkpoint {
    pub(super) fn to_json(&self) -> Vec<u8> {
        let mut out = format!("{{\"fewer-checkpoint\":{VERSION},\n\"address\":").into_bytes();
        push_json(self.listed.address.as_bytes(), &mut out);
        out.extend_from_slice(b",\n\"endpoint\":");
        push_optional(self.listed.endpoint.as_ref().map(String::as_bytes), &mut out);
        out.extend_from_slice(b",\n\"flags\":[");
        push_list(&self.listed.flags, &mut out, |flag, out| push_json(flag, out));
        out.extend_from_slice(b"],\n\"counts\":[");
        push_list(&self.counts, &mut out, |count, out| {
            out.extend_from_slice(count.to_string().as_bytes());
        });
        let output = self.written.map_or("null".to_owned(), |Written { device, inode, bytes }| {
            format!("{{\"device\":{device},\"inode\":{inode},\"bytes\":{bytes}}}")
        });
        let is_final = self.is_final;
        out.extend_from_slice(
            format!("],\n\"output\":{output},\n\"final\":{is_final},\n\"left\":[\n").as_bytes(),
        );
        push_list(&self.left, &mut out, |KeyRange { after, end }, out| {
            out.extend_from_slice(b"{\"after\":");
            push_json(after, out);
            out.extend_from_slice(b",\"end\":");
            push_optional(end.as_deref(), out);
            out.extend_from_slice(b"}\n");
        });
        out.extend_from_slice(b"]}\n");
        out
    }

    /// Parses a checkpoint.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn parse(path: &Path, json: &[u8]) -> Result<Checkpoint, String> {
        if json.is_empty() {
            return Err("it is empty".to_owned());
        }
        let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        match value.get("fewer-checkpoint").map(Value::as_u64) {
            Some(Some(VERSION)) => {}
            Some(Some(other)) => return Err(format!("it has version {other}, not {VERSION}")),
            _ => return Err("it has no \"fewer-checkpoint\"".to_owned()),
        }
        let member = |name: &'static str| value.get(name).ok_or_else(|| missing(name));
        let list = |name| member(name)?.as_array().ok_or_else(|| missing(name));
        let utf8 = |bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned());
        let endpoint = optional(member("endpoint")?, "endpoint")?;
        let counts = list("counts")?.iter().map(|count| count.as_u64());
        let left = list("left")?.iter().map(range).collect::<Result<Vec<_>, _>>()?;
        if !KeyRange::are_disjoint(&left) {
            return Err("its ranges of keys overlap".to_owned());
        }
        Ok(Checkpoint {
            listed: Listed {
                address: utf8(bytes(member("address")?, "address")?)?,
                endpoint: endpoint.map(utf8).transpose()?,
                flags: list("flags")?
                    .iter()
                    .map(|it| bytes(it, "flags"))
                    .collect::<Result<_, _>>()?,
            },
            left,
            counts: counts.collect::<Option<_>>().ok_or_else(|| missing("counts"))?,
            written: written(member("output")?)?,
            is_final: member("final")?.as_bool().ok_or_else(|| missing("final"))?,
            path: path.to_owned(),
        })
    }
}

fn push_list<T>(items: &[T], out: &mut Vec<u8>, push: impl Fn(&T, &mut Vec<u8>)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push(item, out);
    }
}

fn push_optional(bytes: Option<&[u8]>, out: &mut Vec<u8>) {
    match bytes {
        Some(bytes) => push_json(bytes, out),
        None => out.extend_from_slice(b"null"),
    }
}

fn missing(name: &str) -> String {
    format!("\"{name}\" is not there, or not as it should be")
}

fn bytes(value: &Value, name: &'static str) -> Result<Vec<u8>, String> {
    let text = |name| value.get(name).and_then(Value::as_str);
    let text_bytes = text("text").map(|text| text.as_bytes().to_vec());
    text_bytes
        .or_else(|| text("bytes").and_then(|base64| from_base64(base64).ok()))
        .ok_or_else(|| missing(name))
}

fn optional(value: &Value, name: &'static str) -> Result<Option<Vec<u8>>, String> {
    if value.is_null() { Ok(None) } else { bytes(value, name).map(Some) }
}

fn range(value: &Value) -> Result<KeyRange, String> {
    let member = |name: &'static str| value.get(name).ok_or_else(|| missing(name));
    Ok(KeyRange { after: bytes(member("after")?, "after")?, end: optional(member("end")?, "end")? })
}

fn written(value: &Value) -> Result<Option<Written>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let number = |name: &str| {
        let number = value.get(name).and_then(Value::as_u64);
        number.ok_or_else(|| missing("output"))
    };
    let (device, inode, bytes) = (number("device")?, number("inode")?, number("bytes")?);
    Ok(Some(Written { device, inode, bytes }))
}
