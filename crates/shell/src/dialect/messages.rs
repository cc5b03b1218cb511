//! Messages as data.

/// A message about something: the text before its name and the text behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around(pub(crate) &'static str, pub(crate) &'static str);

impl Around {
    /// The message about `subject`.
    pub(crate) fn of(self, subject: impl AsRef<[u8]>) -> Vec<u8> {
        [self.0.as_bytes(), subject.as_ref(), self.1.as_bytes()].concat()
    }
}
