//! Where the bytes of visitors go.

/// Takes the bytes of one worker.
pub(crate) trait Output {
    /// Takes the bytes, leaving `out` empty; false if the walk is over.
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool;
}
