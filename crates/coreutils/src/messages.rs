//! Messages of tools on standard error.

use fewer::Errno;

use crate::{Output, ToolError, ToolResult, quote};

/// Writes `tool: name: reason` to standard error.
pub(super) fn complain(
    errors: &mut dyn Output,
    utf8: bool,
    tool: &str,
    name: &[u8],
    errno: Errno,
) -> ToolResult {
    let name = quote::for_colon(name, utf8);
    let reason = errno.to_string();
    say(errors, &[tool.as_bytes(), b": ", &name, b": ", reason.as_bytes(), b"\n"])
}

/// Writes a message to standard error in one piece. A failure to write it is ignored.
pub(super) fn say(errors: &mut dyn Output, parts: &[&[u8]]) -> ToolResult {
    match errors.write(&parts.concat()) {
        Err(ToolError::Output(_)) | Ok(()) => Ok(()),
        Err(error) => Err(error),
    }
}
