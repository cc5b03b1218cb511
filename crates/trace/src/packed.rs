//! Texts that the build script has packed, because they are seldom read.

use std::io::Read;

use flate2::read::GzDecoder;

/// A text that `build.rs` names. Free of calls.
macro_rules! packed {
    ($name:literal) => {
        $crate::packed::unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")))
    };
}

pub(crate) use packed;

/// What was packed; nothing if it is damaged, which tests would see.
pub(crate) fn unpacked(packed: &[u8]) -> String {
    String::from_utf8(unpacked_bytes(packed)).unwrap_or_default()
}

/// The same of what is no text.
pub(crate) fn unpacked_bytes(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).map_or_else(|_| Vec::new(), |_| bytes)
}
