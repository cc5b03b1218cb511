//! Errors: what `lib/errors.js` makes an `Error` of.

use fewer::{Action, Errno, Error, LineError};
use napi::{Env, Result};

use crate::js::{self, ToJs, Value};

/// Something that could not be done.
pub(crate) struct Failure {
    pub(crate) number: i32,
    pub(crate) action: Option<Action>,
    pub(crate) path: Vec<u8>,
    pub(crate) message: String,
}

impl Failure {
    /// A failure of the binding itself, or of how it is used.
    pub(crate) fn of(errno: Errno, words: &str) -> Failure {
        let message = format!("cannot {words}: {errno}");
        Failure { number: errno.raw_os_error(), action: None, path: Vec::new(), message }
    }

    /// An array, which no operation returns otherwise: number, action, path, message.
    pub(crate) fn value(&self, env: &Env) -> Result<Value> {
        let action = match self.action {
            Some(action) => js::latin1(env, action.words().as_bytes())?,
            None => js::undefined(env)?,
        };
        js::array(
            env,
            &[
                js::value(env, self.number)?,
                action,
                js::buffer(env, &self.path)?,
                js::value(env, self.message.as_str())?,
            ],
        )
    }
}

impl ToJs for Failure {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        self.value(env)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure {
            number: error.errno().raw_os_error(),
            action: Some(error.action()),
            path: error.path().as_os_str().as_encoded_bytes().to_vec(),
            message: error.to_string(),
        }
    }
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Failure {
        let message = error.to_string();
        match error {
            LineError::Failed(error) => error.into(),
            LineError::NotUtf8 { ref path, .. } => Failure {
                number: error.errno().raw_os_error(),
                action: Some(Action::DECODE),
                path: path.to_vec(),
                message,
            },
        }
    }
}

/// An array of failures.
pub(crate) fn failures_value(env: &Env, failures: &[Failure]) -> Result<Value> {
    let each = failures.iter().map(|failure| failure.value(env));
    js::array(env, &each.collect::<Result<Vec<_>>>()?)
}
