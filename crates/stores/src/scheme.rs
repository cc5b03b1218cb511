//! The scheme of an address.

/// The scheme of an address, in any case.
pub(crate) fn scheme(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| !byte.is_ascii_alphanumeric())?;
    (end > 0 && text[end..].starts_with(b"://")).then_some(&text[..end])
}
