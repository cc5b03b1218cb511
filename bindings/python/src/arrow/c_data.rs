//! Arrow's C data interface: three C structs, their release functions, and the capsules that Python
//! passes on. See <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! `CStreamInterface.html`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null, null_mut};

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use super::table::{Buffer, Column, Field, Table};

/// What a stream reads its tables from.
pub(super) struct Source {
    pub(super) fields: Vec<Field>,
    /// The next table; `None` at the end; an errno and a message.
    pub(super) next: Box<dyn FnMut() -> Result<Option<Table>, Refusal> + Send>,
}

/// Why there is no table.
#[derive(Clone)]
pub(super) struct Refusal {
    pub(super) number: i32,
    pub(super) message: String,
}

impl Refusal {
    pub(super) fn new(errno: fewer::Errno, message: &str) -> Refusal {
        Refusal { number: errno.raw_os_error(), message: message.to_owned() }
    }
}

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

const NULLABLE: i64 = 2;

/// The data that a schema points to.
struct SchemaParts {
    /// Kept for the pointer to it.
    _name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

fn schema(format: &'static CStr, name: &str, flags: i64, within: Vec<ArrowSchema>) -> ArrowSchema {
    schema_with(format, name, flags, within, None)
}

fn schema_with(
    format: &'static CStr,
    name: &str,
    flags: i64,
    within: Vec<ArrowSchema>,
    dictionary: Option<ArrowSchema>,
) -> ArrowSchema {
    let children = within.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let dictionary = dictionary.map_or(null_mut(), |words| Box::into_raw(Box::new(words)));
    // Names are our own and have no NUL in them.
    let name = CString::new(name).unwrap_or_default();
    let mut parts = Box::new(SchemaParts { _name: name, children, dictionary });
    ArrowSchema {
        format: format.as_ptr(),
        name: parts._name.as_ptr(),
        metadata: null(),
        flags,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary,
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

fn schema_of(fields: &[Field]) -> ArrowSchema {
    let child = |field: &Field| {
        let flags = if field.nullable { NULLABLE } else { 0 };
        let words = field.has_words.then(|| schema(c"u", "", 0, Vec::new()));
        schema_with(field.format, field.name, flags, Vec::new(), words)
    };
    schema(c"+s", "", 0, fields.iter().map(child).collect())
}

/// Assumes, as the interface says: that `it` points to a schema of ours that was not released.
unsafe extern "C" fn release_schema(it: *mut ArrowSchema) {
    // SAFETY: see above; `private_data` is the box that was turned into a pointer when the schema
    // was made, and only this line turns it back. A child that the consumer moved out has no
    // `release` any more; its box belongs to this library either way.
    unsafe {
        let parts = Box::from_raw((*it).private_data.cast::<SchemaParts>());
        let words = (!parts.dictionary.is_null()).then_some(parts.dictionary);
        for child in parts.children.iter().copied().chain(words) {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*it).release = None;
    }
}

/// The data that an array points to.
struct ArrayParts {
    /// Kept for the pointers to them.
    _buffers: Vec<Buffer>,
    pointers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

fn array(
    length: usize,
    nulls: usize,
    buffers: Vec<Buffer>,
    within: Vec<ArrowArray>,
    dictionary: Option<ArrowArray>,
) -> ArrowArray {
    let pointers = buffers.iter().map(Buffer::pointer).collect();
    let children = within.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let dictionary = dictionary.map_or(null_mut(), |words| Box::into_raw(Box::new(words)));
    let mut parts = Box::new(ArrayParts { _buffers: buffers, pointers, children, dictionary });
    ArrowArray {
        length: length as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: parts.pointers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.pointers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary,
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

fn array_of(table: Table) -> ArrowArray {
    let child = |column: Column| {
        let words = column.words.map(|words| {
            let (length, buffers) = (words.length, words.buffers);
            array(length, 0, buffers, Vec::new(), None)
        });
        array(column.length, column.nulls, column.buffers, Vec::new(), words)
    };
    let columns = table.columns.into_iter().map(child).collect();
    array(table.length, 0, vec![Buffer::Absent], columns, None)
}

/// Assumes, as the interface says: that `it` points to an array of ours that was not released.
unsafe extern "C" fn release_array(it: *mut ArrowArray) {
    // SAFETY: as for `release_schema`.
    unsafe {
        let parts = Box::from_raw((*it).private_data.cast::<ArrayParts>());
        let words = (!parts.dictionary.is_null()).then_some(parts.dictionary);
        for child in parts.children.iter().copied().chain(words) {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*it).release = None;
    }
}

/// The data that a stream points to.
struct StreamParts {
    source: Source,
    last_error: Option<CString>,
    /// After an error there are no more tables: a consumer that ignored it would miss some.
    refused: Option<Refusal>,
}

impl StreamParts {
    /// Notes the reason of a failure.
    fn refuse(&mut self, refusal: Refusal) -> c_int {
        let message = refusal.message.replace('\0', "\\0");
        self.last_error = CString::new(message).ok();
        let number = refusal.number;
        self.refused = Some(refusal);
        number
    }
}

/// A bug of this library, not an error of the kernel: it must not unwind into C.
fn bug() -> Refusal {
    Refusal::new(fewer::Errno::NOTRECOVERABLE, "a bug in fewer")
}

/// Assumes, as the interface says: that `it` points to a stream of ours that was not released, that
/// `out` may be written to, and that no other code uses either meanwhile.
unsafe extern "C" fn get_schema(it: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: see above; `private_data` is such a box as long as the stream is not released.
    let parts = unsafe { &mut *(*it).private_data.cast::<StreamParts>() };
    let made = catch_unwind(AssertUnwindSafe(|| schema_of(&parts.source.fields)));
    match made {
        Ok(schema) => {
            // SAFETY: see above; there is no value yet, so nothing is dropped.
            unsafe { out.write(schema) };
            0
        }
        Err(_) => parts.refuse(bug()),
    }
}

/// Assumes the same.
unsafe extern "C" fn get_next(it: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above.
    let parts = unsafe { &mut *(*it).private_data.cast::<StreamParts>() };
    let made = catch_unwind(AssertUnwindSafe(|| {
        let table = match parts.refused.take() {
            Some(refusal) => return Err(refusal),
            None => (parts.source.next)()?,
        };
        Ok(table.map_or_else(released, array_of))
    }));
    match made {
        Ok(Ok(next)) => {
            // SAFETY: see above.
            unsafe { out.write(next) };
            0
        }
        Ok(Err(refusal)) => parts.refuse(refusal),
        Err(_) => parts.refuse(bug()),
    }
}

/// An array that was released already: the end of a stream.
fn released() -> ArrowArray {
    ArrowArray {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
}

/// Assumes the same.
unsafe extern "C" fn get_last_error(it: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as above; the string stays until the next call.
    let parts = unsafe { &*(*it).private_data.cast::<StreamParts>() };
    parts.last_error.as_ref().map_or(null(), |message| message.as_ptr())
}

/// Assumes the same.
unsafe extern "C" fn release_stream(it: *mut ArrowArrayStream) {
    // SAFETY: as above; this is the only place that turns the pointer into a box again.
    unsafe {
        let parts = Box::from_raw((*it).private_data.cast::<StreamParts>());
        (*it).release = None;
        // A walk that is dropped ends its threads; a panic there must not get into C.
        drop(catch_unwind(AssertUnwindSafe(|| drop(parts))));
    }
}

const NAME: &CStr = c"arrow_array_stream";

/// The stream in a capsule, as `__arrow_c_stream__` returns it.
pub(super) fn capsule<'py>(
    py: Python<'py>,
    source: Source,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(requested) = requested.filter(|requested| !requested.is_none()) {
        check_requested(requested, &source.fields)?;
    }
    let parts = Box::new(StreamParts { source, last_error: None, refused: None });
    let stream = Box::new(ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(parts).cast(),
    });
    let pointer = NonNull::from(Box::leak(stream)).cast();
    // SAFETY: the pointer is to a stream that lives until the destructor frees it.
    let made =
        unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, NAME, Some(destroy)) };
    Ok(made?.into_any())
}

/// Frees a stream, and releases it first if no consumer has taken it.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, for a capsule that `capsule` has made, while it is attached.
    unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr());
        let stream = Box::from_raw(pointer.cast::<ArrowArrayStream>());
        if let Some(release) = stream.release {
            let stream = Box::into_raw(stream);
            release(stream);
            drop(Box::from_raw(stream));
        }
    }
}

/// Has an exception of the main thread raised in the Python code that the consumer's C returns to,
/// in place of what C makes of the failure. False if that cannot be: in another thread, or while a
/// debugger traces this one. A KeyboardInterrupt is then left to Python, which raises it later.
pub(super) fn raise_behind_c(py: Python<'_>, error: &PyErr) -> bool {
    let is_ours = || -> PyResult<bool> {
        let threading = py.import("threading")?;
        let main = threading.call_method0("main_thread")?.getattr("ident")?;
        let is_main = threading.call_method0("get_ident")?.eq(main)?;
        Ok(is_main && py.import("sys")?.call_method0("gettrace")?.is_none())
    };
    if cfg!(not(feature = "abi3")) && is_ours().unwrap_or(false) {
        raise_at_next_event(error.value(py));
        return true;
    }
    let is_interrupt = error.is_instance_of::<PyKeyboardInterrupt>(py);
    if is_interrupt {
        // SAFETY: it only notes that, and may be called by any thread, attached or not.
        unsafe { ffi::PyErr_SetInterrupt() };
    }
    is_interrupt
}

/// Python calls a trace function when an exception gets into a frame; what the function raises
/// takes the exception's place.
#[cfg(not(feature = "abi3"))]
fn raise_at_next_event(exception: &Bound<'_, PyAny>) {
    extern "C" fn raise(
        exception: *mut ffi::PyObject,
        _frame: *mut ffi::PyFrameObject,
        _event: c_int,
        _argument: *mut ffi::PyObject,
    ) -> c_int {
        // SAFETY: Python calls this in an attached thread, with the object that was given below,
        // and holds that until the trace function is taken away; this holds it a little longer.
        unsafe {
            ffi::Py_INCREF(exception);
            ffi::PyEval_SetTrace(None, null_mut());
            ffi::PyErr_SetObject(ffi::Py_TYPE(exception).cast(), exception);
            ffi::Py_DECREF(exception);
        }
        -1
    }
    // SAFETY: this thread is attached; Python takes a reference to the object.
    unsafe { ffi::PyEval_SetTrace(Some(raise), exception.as_ptr()) };
}

#[cfg(feature = "abi3")]
fn raise_at_next_event(_: &Bound<'_, PyAny>) {}

const SCHEMA_NAME: &CStr = c"arrow_schema";

/// The columns in a capsule, as `__arrow_c_schema__` returns them.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    fields: &[Field],
) -> PyResult<Bound<'py, PyAny>> {
    let pointer = NonNull::from(Box::leak(Box::new(schema_of(fields)))).cast();
    // SAFETY: the pointer is to a schema that lives until the destructor frees it.
    let made = unsafe {
        PyCapsule::new_with_pointer_and_destructor(py, pointer, SCHEMA_NAME, Some(destroy_schema))
    };
    Ok(made?.into_any())
}

/// Frees a schema, and releases it first if no consumer has taken it.
unsafe extern "C" fn destroy_schema(capsule: *mut ffi::PyObject) {
    // SAFETY: as for `destroy`, for a capsule that `schema_capsule` has made.
    unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule, SCHEMA_NAME.as_ptr());
        let schema = pointer.cast::<ArrowSchema>();
        if let Some(release) = (*schema).release {
            release(schema);
        }
        drop(Box::from_raw(schema));
    }
}

/// Raises ValueError if the requested schema has other columns than the table. Its types are only a
/// wish; a consumer that needs them converts the columns.
fn check_requested(requested: &Bound<'_, PyAny>, fields: &[Field]) -> PyResult<()> {
    let capsule = requested.cast::<PyCapsule>().map_err(|_| {
        crate::arguments::expected("a capsule with an Arrow schema as requested_schema", requested)
    })?;
    let pointer = capsule.pointer_checked(Some(SCHEMA_NAME))?.cast::<ArrowSchema>();
    // SAFETY: a capsule of this name has a schema in it that is valid as long as the capsule, which
    // is borrowed for this call. Of a released schema nothing but that is read.
    let names = unsafe {
        let schema = pointer.as_ref();
        if schema.release.is_none() {
            return Err(PyValueError::new_err("the requested schema is released"));
        }
        let is_table = CStr::from_ptr(schema.format) == c"+s";
        let length = usize::try_from(schema.n_children).unwrap_or(0);
        let name = |index| {
            let name = (**schema.children.add(index)).name;
            if name.is_null() { c"" } else { CStr::from_ptr(name) }.to_bytes().to_vec()
        };
        is_table.then(|| (0..length).map(name).collect::<Vec<_>>())
    };
    let ours = fields.iter().map(|field| field.name.as_bytes());
    if names.is_some_and(|names| ours.eq(names.iter().map(Vec::as_slice))) {
        return Ok(());
    }
    let ours: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let why = format!("the requested schema has other columns than these: {}", ours.join(", "));
    Err(PyValueError::new_err(why))
}
