//! Programs that run in a scope.

use std::ffi::OsStr;

use fewer::scope::{ExitStatus, Stdio};
use napi::bindgen_prelude::ClassInstance;
use napi::{Env, Result};
use napi_derive::napi;
use sys::OsStrExt;

use crate::js::{self, ToJs, Value};
use crate::scope::NativeScope;
use crate::walk_options::wrong;
use crate::work::{Answer, made, perform};

/// Runs a program and waits for it: see `Ended`. `words` are the program and its arguments with a
/// NUL between them; `environment` is all of it, each `NAME=VALUE` with a NUL behind it.
#[napi]
pub(crate) fn run_in(
    scope: ClassInstance<NativeScope>,
    words: &[u8],
    environment: Option<&[u8]>,
    capture: bool,
    later: bool,
) -> Result<Answer> {
    let mut words = words.split(|byte| *byte == 0).map(OsStr::from_bytes);
    let program = words.next().ok_or_else(|| wrong("there is no program"))?;
    let mut command = scope.open_scope()?.command(program).args(words);
    if let Some(environment) = environment {
        command = command.env_clear();
        for pair in environment.split(|byte| *byte == 0).filter(|pair| !pair.is_empty()) {
            let at = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
            let value = pair.get(at + 1..).unwrap_or_default();
            command = command.env(OsStr::from_bytes(&pair[..at]), OsStr::from_bytes(value));
        }
    }
    Ok(perform(later, move || {
        let ended = match capture {
            true => {
                let output = command.stdin(Stdio::inherit()).output()?;
                Ended { status: output.status, output: Some((output.stdout, output.stderr)) }
            }
            false => Ended { status: command.status()?, output: None },
        };
        Ok(made(ended))
    }))
}

/// How a program ended, in JavaScript an array: its status or undefined, the signal or undefined,
/// and what it wrote, if that was collected.
struct Ended {
    status: ExitStatus,
    output: Option<(Vec<u8>, Vec<u8>)>,
}

impl ToJs for Ended {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        let number = |number: Option<i32>| match number {
            Some(number) => js::value(env, number),
            None => js::undefined(env),
        };
        let bytes = |bytes: Option<&Vec<u8>>| match bytes {
            Some(bytes) => js::buffer(env, bytes),
            None => js::undefined(env),
        };
        let (stdout, stderr) = self.output.as_ref().map(|(out, err)| (out, err)).unzip();
        let status = number(self.status.code())?;
        let signal = number(self.status.signal())?;
        // Undefined is first, so that it is not taken for a failure, which begins with a number.
        let first = js::undefined(env)?;
        js::array(env, &[first, status, signal, bytes(stdout)?, bytes(stderr)?])
    }
}
