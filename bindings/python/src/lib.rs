//! `fewer` for Python: on top of the Rust crate, without any file-system logic of its own.
//!
//! | module | what is in it |
//! |---|---|
//! | `arguments` | arguments: paths, flags, numbers, words |
//! | `failure` | exceptions; waiting for the kernel without the interpreter |
//! | `on_error` | what to do with an error of an entry |
//! | `watch` | signals, while the library works |
//! | `forks` | a guard for values with threads, which do not survive a fork |
//! | `lock` | a lock that lets the interpreter and signals through |
//! | `calls` | the system calls made so far |
//! | `stat` | metadata |
//! | `scope` | `Scope` |
//! | `walk_options` | the keywords of a walk |
//! | `entry` | an entry of a tree |
//! | `walk` | `walk`, `paths`, `iter_paths` |
//! | `snapshot` | `Snapshot`, and what has changed since |
//! | `space` | the numbers of `size` and `summary` |
//! | `os_walk` | `os_walk` |
//! | `list` | `list` |
//! | `arrow` | all of it as tables |
//! | `decode` | bytes of a line into `str` or `bytes` |
//! | `lines` | `lines`, `read_lines`, `last_lines`, `count_lines` |
//! | `scan` | `rows`, and the units of `fewer.scan` |
//! | `reader` | reads lines and makes objects of them |
//! | `raw` | raw CPython calls: one of two modules with `unsafe` |

use pyo3::prelude::*;

mod arguments;
mod arrow;
mod calls;
mod decode;
mod entry;
mod failure;
mod forks;
mod lines;
mod list;
mod lock;
mod on_error;
mod os_walk;
mod raw;
mod reader;
mod scan;
mod scope;
mod snapshot;
mod space;
mod stat;
mod walk;
mod walk_options;
mod watch;

/// The part of ``fewer`` that is written in Rust.
#[pymodule(gil_used = false)]
mod _fewer {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::calls::calls;
    #[pymodule_export]
    use crate::entry::{_entry, PyEntry};
    #[pymodule_export]
    use crate::lines::{Lines, count_lines, last_lines, lines, read_lines};
    #[pymodule_export]
    use crate::list::{PyListing, PyRow, Rows, list};
    #[pymodule_export]
    use crate::os_walk::{OsWalk, os_walk};
    #[pymodule_export]
    use crate::scan::{TreeRows, UnitRows, rows};
    #[pymodule_export]
    use crate::scope::PyScope;
    #[pymodule_export]
    use crate::snapshot::{PyChange, PyChanges, PySnapshot};
    #[pymodule_export]
    use crate::space::{_size, _summary};
    #[pymodule_export]
    use crate::stat::{_stat, PyStat};
    #[pymodule_export]
    use crate::walk::{Paths, PyWalk, iter_paths, paths, walk};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::forks::watch(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
