//! Texts that the build script has packed, because they are seldom read.

use std::io::Read;

use flate2::read::GzDecoder;

/// The text of a file that `build.rs` names. Free of calls.
macro_rules! packed {
    ($name:literal) => {
        $crate::packed::unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")))
    };
}

pub(crate) use packed;

/// What was packed; nothing if it is damaged, which tests would see.
pub(crate) fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).map_or_else(|_| String::new(), |_| text)
}
