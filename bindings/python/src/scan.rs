//! Rows of whole trees, and of units of a scan: tables for Arrow.

use std::sync::{Arc, Mutex, PoisonError};

use fewer::scan::{Scan, Tree, Unit};
use fewer::walk::Slice;
use fewer::{Fields, Walk};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrow;
use crate::walk_options::WalkOptions;

/// The keywords that mean the same for a unit as for the whole tree.
const KEYWORDS: [&str; 8] = [
    "glob", "exclude", "ignore_case", "full_path", "kinds", "hidden", "max_depth",
    "one_file_system",
];

/// A unit as Python keeps it: directories with their depths, the number of the slice and how many
/// slices there are, and whether the roots belong to it.
type UnitTuple = (Vec<(Vec<u8>, usize)>, Option<(u32, u32)>, bool);

fn walk(roots: &Bound<'_, PyTuple>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Walk> {
    for (key, _) in options.into_iter().flatten() {
        let key: String = key.extract()?;
        if !KEYWORDS.contains(&key.as_str()) {
            let why = format!("got an unexpected keyword argument '{key}'");
            return Err(PyTypeError::new_err(why));
        }
    }
    Ok(WalkOptions::new(roots, options)?.walk.stat(Fields::ALL))
}

/// What is known of all entries of a tree, as a table for Arrow. Made by ``fewer.rows``.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct TreeRows(Walk);

/// All that is known of the entries of trees, as a table for Arrow: ``pyarrow.table(rows("."))``.
///
/// Several threads read the trees. Each entry is a row, and so is each failure, with its message in
/// the column ``error``: nothing is raised. Keywords: ``glob``, ``exclude``, ``ignore_case``,
/// ``full_path``, ``kinds``, ``hidden``, ``max_depth`` and ``one_file_system`` as for ``walk``.
///
/// Price: that of the walk, and one statx for each entry, each time that the table is read.
///
/// >>> import polars
/// >>> polars.DataFrame(fewer.rows("python"))["path"].sort()[0]
/// 'python'
#[pyfunction]
#[pyo3(signature = (*roots, **options))]
pub(crate) fn rows(
    roots: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<TreeRows> {
    walk(roots, options).map(TreeRows)
}

#[pymethods]
impl TreeRows {
    /// The table, as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrow::tree_rows(py, self.0.batches(), requested_schema)
    }

    /// The columns of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::rows_schema(py)
    }
}

/// The rows of a unit: a table for Arrow that can be read once, and then the units that are left.
#[pyclass(frozen, module = "fewer")]
pub(crate) struct UnitRows {
    scan: Mutex<Option<Scan>>,
    left: Arc<Mutex<Option<Vec<Unit>>>>,
}

#[pymethods]
impl UnitRows {
    /// ``unit`` is a tuple as ``left`` returns them. It ends after ``budget`` entries, and cuts
    /// directories of more than ``most_names`` into slices.
    #[new]
    #[pyo3(signature = (roots, unit, budget, most_names, options=None))]
    fn new(
        roots: &Bound<'_, PyTuple>,
        unit: UnitTuple,
        budget: usize,
        most_names: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<UnitRows> {
        let walk = walk(roots, options)?;
        let scan = walk.scan(unit_of(unit)?, budget).most_names(most_names);
        let scan = Mutex::new(Some(scan));
        Ok(UnitRows { scan, left: Arc::default() })
    }

    /// The table, as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let scan = self.scan.lock().unwrap_or_else(PoisonError::into_inner).take();
        let scan = scan.ok_or_else(|| PyValueError::new_err("a unit can be read once"))?;
        arrow::unit_rows(py, scan, Arc::clone(&self.left), requested_schema)
    }

    /// The columns of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::rows_schema(py)
    }

    /// The units that are left when the table has been read.
    fn left(&self) -> PyResult<Vec<UnitTuple>> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).take();
        let left = left.ok_or_else(|| PyValueError::new_err("the table was not read"))?;
        Ok(left.into_iter().map(tuple_of).collect())
    }
}

fn unit_of((trees, slice, has_roots): UnitTuple) -> PyResult<Unit> {
    let slice = match slice {
        Some((index, of)) => {
            let slice = Slice::new(index, of);
            Some(slice.ok_or_else(|| PyValueError::new_err("there is no such slice"))?)
        }
        None => None,
    };
    let trees = trees.into_iter().map(|(path, depth)| Tree { depth, path }).collect();
    Ok(Unit { trees, slice, has_roots })
}

fn tuple_of(unit: Unit) -> UnitTuple {
    let trees = unit.trees.into_iter().map(|tree| (tree.path, tree.depth)).collect();
    (trees, unit.slice.map(|slice| (slice.index(), slice.of())), unit.has_roots)
}
