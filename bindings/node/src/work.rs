//! An operation: at once on the thread that asks, or on a thread of Node's pool.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fewer::Errno;
use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Task, ValueType, sys};

use crate::failure::Failure;
use crate::js::{self, ToJs, Value};

/// What an operation makes; `None` is undefined.
pub(crate) type Made = Option<Box<dyn ToJs>>;

type Operation = Box<dyn FnOnce() -> Result<Made, Failure> + Send>;

/// Something to return: what was made, or the promise of it. A failure is returned like anything
/// else, as an instance of an array.
pub(crate) enum Answer {
    Now(Outcome),
    Later(AsyncTask<Work>),
}

/// An operation that waits for a thread.
pub(crate) struct Work(Option<Operation>);

/// What has become of an operation.
pub(crate) struct Outcome(Result<Made, Failure>);

/// Runs the operation, on a thread of the pool if `later`.
pub(crate) fn perform(
    later: bool,
    operation: impl FnOnce() -> Result<Made, Failure> + Send + 'static,
) -> Answer {
    match later {
        true => Answer::Later(AsyncTask::new(Work(Some(Box::new(operation))))),
        false => Answer::Now(run(operation)),
    }
}

/// No panic crosses over.
fn run(operation: impl FnOnce() -> Result<Made, Failure>) -> Outcome {
    let done = catch_unwind(AssertUnwindSafe(operation));
    Outcome(done.unwrap_or_else(|_| Err(Failure::of(Errno::NOTRECOVERABLE, "go on: a bug"))))
}

/// What an operation makes.
pub(crate) fn made(it: impl ToJs + 'static) -> Made {
    Some(Box::new(it))
}

impl Task for Work {
    type Output = Outcome;
    type JsValue = Outcome;

    fn compute(&mut self) -> napi::Result<Outcome> {
        let operation = self.0.take().unwrap_or_else(|| Box::new(|| Ok(None)));
        Ok(run(operation))
    }

    fn resolve(&mut self, _env: Env, outcome: Outcome) -> napi::Result<Outcome> {
        Ok(outcome)
    }
}

impl ToNapiValue for Outcome {
    unsafe fn to_napi_value(env: sys::napi_env, outcome: Outcome) -> napi::Result<Value> {
        let env = Env::from_raw(env);
        match outcome.0 {
            Ok(Some(made)) => made.to_js(&env),
            Ok(None) => js::undefined(&env),
            Err(failure) => failure.value(&env),
        }
    }
}

impl ToNapiValue for Answer {
    unsafe fn to_napi_value(env: sys::napi_env, answer: Answer) -> napi::Result<Value> {
        // SAFETY: the caller says so.
        unsafe {
            match answer {
                Answer::Now(outcome) => Outcome::to_napi_value(env, outcome),
                Answer::Later(task) => AsyncTask::to_napi_value(env, task),
            }
        }
    }
}

impl TypeName for Outcome {
    fn type_name() -> &'static str {
        "Outcome"
    }

    fn value_type() -> ValueType {
        ValueType::Unknown
    }
}
