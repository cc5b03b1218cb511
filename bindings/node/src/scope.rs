//! A working directory as a value.

use std::sync::{Mutex, PoisonError};

use fewer::Scope;
use napi::{Env, Result};
use napi_derive::napi;
use sys::OwnedFile;

use crate::descriptor::number_of;
use crate::failure::Failure;
use crate::js::{self, ToJs, Value};
use crate::stat::{OneStat, fields};
use crate::text::{Encoding, Text};
use crate::walk_options::{path, wrong};
use crate::work::{Answer, Made, made, perform};

/// A directory held open, as JavaScript holds it; `None` once it is closed.
#[napi]
pub(crate) struct NativeScope(Mutex<Option<Scope>>);

/// The scope to work in: the process's own if none was passed. A clone, which costs nothing.
pub(crate) fn scope_of(scope: Option<&NativeScope>) -> Result<Scope> {
    scope.map_or_else(|| Ok(Scope::start()), NativeScope::open_scope)
}

impl NativeScope {
    fn new(scope: Scope) -> NativeScope {
        NativeScope(Mutex::new(Some(scope)))
    }

    pub(crate) fn open_scope(&self) -> Result<Scope> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.clone().ok_or_else(|| wrong("this scope is closed"))
    }
}

/// What is done with a path and nothing else.
fn one(scope: &Scope, what: &str, bytes: &[u8], number: u32) -> Option<Done> {
    let path = path(bytes);
    Some(match what {
        "enter" => scope.enter(path).map(|entered| made(Entered(entered))),
        "enterLogical" => scope.enter_logical(path).map(|entered| made(Entered(entered))),
        "logical" => scope.logical().map(|path| text(path.into_os_string().into_encoded_bytes())),
        "physical" => scope.physical().map(|path| text(path.into_os_string().into_encoded_bytes())),
        "readLink" => scope.read_link(path).map(text),
        "open" => scope.open(path).map(descriptor),
        "create" => scope.create(path, number).map(descriptor),
        "setPermissions" => scope.set_permissions(path, number).map(nothing),
        "makeDirectory" => scope.make_directory(path, number).map(nothing),
        "removeFile" => scope.remove_file(path).map(nothing),
        "removeDirectory" => scope.remove_directory(path).map(nothing),
        "removeTree" => scope.remove_tree(path).map(nothing),
        _ => return None,
    })
}

type Done = std::result::Result<Made, fewer::Error>;

fn nothing((): ()) -> Made {
    None
}

fn text(bytes: Vec<u8>) -> Made {
    made(Text::new(bytes, Encoding::Lossless))
}

fn descriptor(file: impl Into<OwnedFile>) -> Made {
    made(Descriptor(file.into()))
}

#[napi]
impl NativeScope {
    /// The working directory of the process.
    #[napi(factory)]
    pub fn start() -> NativeScope {
        NativeScope::new(Scope::start())
    }

    /// Does `what` with a path; `number` are permissions, where it takes them.
    #[napi]
    pub fn one(&self, what: String, path: &[u8], number: u32, later: bool) -> Result<Answer> {
        let (scope, path) = (self.open_scope()?, path.to_vec());
        Ok(perform(later, move || {
            let unknown = || Err(Failure::of(fewer::Errno::INVAL, &what));
            one(&scope, &what, &path, number).map_or_else(unknown, |done| Ok(done?))
        }))
    }

    /// Makes a link at a path: a symbolic one, or another name.
    #[napi]
    pub fn link(&self, hard: bool, at: &[u8], target: &[u8], later: bool) -> Result<Answer> {
        let (scope, at, target) = (self.open_scope()?, at.to_vec(), target.to_vec());
        Ok(perform(later, move || {
            match hard {
                true => scope.make_hard_link(path(&at), path(&target))?,
                false => scope.make_symlink(path(&at), path(&target))?,
            }
            Ok(None)
        }))
    }

    /// The metadata of the file that a path leads to, or of a link itself.
    #[napi]
    pub fn stat(
        &self,
        at: &[u8],
        follow: bool,
        names: Option<Vec<String>>,
        later: bool,
    ) -> Result<Answer> {
        let (scope, at, fields) = (self.open_scope()?, at.to_vec(), fields(names.as_deref())?);
        Ok(perform(later, move || {
            let stat = match follow {
                true => scope.stat_target(path(&at), fields)?,
                false => scope.stat(path(&at), fields)?,
            };
            Ok(made(OneStat(stat)))
        }))
    }

    /// Closes the directory, if nothing else uses it.
    #[napi]
    pub fn close(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// A scope that was entered.
struct Entered(Scope);

impl ToJs for Entered {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        js::value(env, NativeScope::new(self.0))
    }
}

/// A descriptor for JavaScript to close.
struct Descriptor(OwnedFile);

impl ToJs for Descriptor {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        js::value(env, number_of(self.0))
    }
}
