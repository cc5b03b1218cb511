//! The keywords of a walk.

use fewer::filter::Names;
use fewer::{Filter, Kind, Kinds, Order, Scope, Walk};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{Flavour, PathArgument, flag, strings, whole_or_none};
use crate::on_error::OnError;
use crate::scope::{self, PyScope};
use crate::snapshot::PySnapshot;

/// The options of a walk, and those that do not concern the walk itself.
pub(crate) struct WalkOptions {
    pub(crate) walk: Walk,
    pub(crate) flavour: Flavour,
    pub(crate) scope: Scope,
    pub(crate) follow: bool,
    pub(crate) on_error: OnError,
}

#[derive(Default)]
struct Patterns {
    globs: Vec<String>,
    excluded: Vec<String>,
    ignore_case: bool,
    full_path: bool,
}

/// The walk through some paths, or through the working directory.
pub(crate) fn roots(roots: &Bound<'_, PyTuple>) -> PyResult<(Walk, Flavour)> {
    let mut roots = roots.extract::<Vec<PathArgument>>()?.into_iter();
    let first = roots.next().unwrap_or_else(PathArgument::here);
    let (mut walk, flavour) = (Walk::new(first.path()), first.flavour);
    for root in roots {
        if root.flavour != flavour {
            return Err(PyTypeError::new_err("paths must be all str or all bytes"));
        }
        walk = walk.add_root(root.path());
    }
    Ok((walk, flavour))
}

impl WalkOptions {
    pub(crate) fn new(
        roots: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<WalkOptions> {
        let (walk, flavour) = self::roots(roots)?;
        let scope = Scope::start();
        let mut parsed =
            WalkOptions { walk, flavour, scope, follow: false, on_error: OnError::Raise };
        let (mut filter, mut patterns) = (Filter::new(), Patterns::default());
        for (key, value) in options.into_iter().flatten() {
            let key: String = key.extract()?;
            let mut take = || {
                if !parsed.take(&key, &value)? && !patterns.take(&key, &value)? {
                    filter = take_condition(
                        std::mem::replace(&mut filter, Filter::new()),
                        &key,
                        &value,
                    )?;
                }
                PyResult::Ok(())
            };
            take().map_err(|error| while_processing(key.as_str(), error, value.py()))?;
        }
        if let Some(names) = patterns.names()? {
            filter = filter.names(names);
        }
        parsed.walk = parsed.walk.filter(filter);
        Ok(parsed)
    }

    /// Takes a keyword about the walk itself; false if it is about something else.
    fn take(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let walk = self.walk.clone();
        self.walk = match key {
            "sort" => walk.order(if flag(value)? { Order::Sorted } else { Order::Any }),
            "threads" => whole_or_none(value)?.map_or(walk.clone(), |n| walk.threads(n)),
            "max_threads" => whole_or_none(value)?.map_or(walk.clone(), |n| walk.max_threads(n)),
            "max_depth" => whole_or_none(value)?.map_or(walk.clone(), |n| walk.max_depth(n)),
            "one_file_system" => walk.one_file_system(flag(value)?),
            "gitignore" => walk.gitignore(flag(value)?),
            "follow" => {
                self.follow = flag(value)?;
                walk.follow(self.follow)
            }
            "scope" => {
                let scope: Option<Bound<'_, PyScope>> = value.extract()?;
                self.scope = scope::of(scope.as_ref())?;
                walk.within(&self.scope)
            }
            "since" => {
                let since: Option<Bound<'_, PySnapshot>> = value.extract()?;
                since.map_or(walk.clone(), |since| walk.since(&since.get().since()))
            }
            "on_error" => {
                self.on_error = OnError::new(value)?;
                walk
            }
            _ => return Ok(false),
        };
        Ok(true)
    }
}

impl Patterns {
    fn take(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match key {
            "glob" => self.globs = strings(value)?,
            "exclude" => self.excluded = strings(value)?,
            "ignore_case" => self.ignore_case = flag(value)?,
            "full_path" => self.full_path = flag(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn names(&self) -> PyResult<Option<Names>> {
        if self.globs.is_empty() && self.excluded.is_empty() {
            return Ok(None);
        }
        Names::new()
            .ignore_case(self.ignore_case)
            .full_path(self.full_path)
            .globs(&self.globs)
            .and_then(|names| names.exclude_globs(&self.excluded))
            .map(Some)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn take_condition(filter: Filter, key: &str, value: &Bound<'_, PyAny>) -> PyResult<Filter> {
    Ok(match key {
        "kinds" if value.is_none() => filter,
        "kinds" => {
            let kind = |word: String| {
                let wrong = |why| PyValueError::new_err(format!("'{word}' is no kind; {why}"));
                word.parse::<Kind>().map_err(wrong)
            };
            filter.kinds(strings(value)?.into_iter().map(kind).collect::<PyResult<Kinds>>()?)
        }
        "min_depth" => filter.min_depth(whole_or_none(value)?.unwrap_or(0)),
        "hidden" => filter.skip_hidden(!flag(value)?),
        _ => {
            let why = format!("got an unexpected keyword argument '{key}'");
            return Err(PyTypeError::new_err(why));
        }
    })
}

/// Adds the keyword to the error as a note, if this Python has notes.
fn while_processing(key: &str, error: PyErr, py: Python<'_>) -> PyErr {
    let _ = error.value(py).call_method1("add_note", (format!("while processing '{key}'"),));
    error
}
