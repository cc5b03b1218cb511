//! Lines.

use std::ffi::c_char;

use fewer::lines::{Check, Column, Count, End};
use fewer::{Errno, Lines, Scope};
use sys::{BorrowedFile, RawFile};

use crate::boundary::{
    borrow_mut, close, functions, hand_out, only, options, path, put, put_or_zeros, without_nul,
    writable,
};
use crate::error::Failed;
use crate::scope::scope_or_start;

/// `fewer_lines_options`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct LinesOptions {
    pub(crate) flags: u32,
    pub(crate) check: u32,
    pub(crate) threads: u32,
    pub(crate) block_bytes: u32,
}

pub(crate) const NUL: u32 = 1 << 0;
pub(crate) const CRLF: u32 = 1 << 1;
pub(crate) const READ_AHEAD: u32 = 1 << 2;
pub(crate) const ALL: u32 = (1 << 3) - 1;

/// The checks, by the numbers of FEWER_CHECK_...
pub(crate) const CHECKS: [Check; 4] = [Check::Ascii, Check::Nothing, Check::Utf8, Check::Strict];

/// `fewer_lines_batch`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct LinesBatch {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) ends: *const u64,
    pub(crate) flags: *const u8,
    pub(crate) lines_count: usize,
    pub(crate) number: u64,
    pub(crate) offset: u64,
}

/// `fewer_lines_column`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct LinesColumn {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) offsets: *const i64,
    pub(crate) lines_count: usize,
    pub(crate) is_ascii: u32,
    pub(crate) is_utf8: u32,
}

/// `fewer_lines_total`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct LinesTotal {
    pub(crate) lines: u64,
    pub(crate) ends: u64,
    pub(crate) bytes: u64,
}

/// `fewer_lines`
pub struct LinesHandle {
    lines: Lines<'static>,
    /// The column that was returned last.
    column: Option<Column>,
}

fn configure(lines: Lines<'static>, options: &LinesOptions) -> Result<LinesHandle, Failed> {
    only(options.flags, ALL)?;
    let Some(&check) = CHECKS.get(options.check as usize) else {
        return Err(Failed::of(Errno::INVAL, "read the options"));
    };
    let end = if options.flags & NUL != 0 { End::Nul } else { End::Newline };
    let mut lines = lines.ends_with(end).crlf(options.flags & CRLF != 0).check(check);
    if options.threads > 0 {
        lines = lines.threads(options.threads as usize);
    }
    if options.block_bytes > 0 {
        lines = lines.block_bytes(options.block_bytes as usize);
    }
    lines.set_read_ahead(options.flags & READ_AHEAD != 0)?;
    Ok(LinesHandle { lines, column: None })
}

functions! {
    fn fewer_lines_open(
        scope: *const Scope, at: *const c_char, length: usize, given: *const LinesOptions,
        given_size: usize, handle: *mut *mut LinesHandle
    ) {
        let given = options(given, given_size)?;
        let lines = Lines::open_within(&scope_or_start(scope), path(at, length)?)?;
        hand_out(handle, configure(lines, &given)?)
    }

    fn fewer_lines_borrow(
        descriptor: RawFile, name: *const c_char, length: usize, given: *const LinesOptions,
        given_size: usize, handle: *mut *mut LinesHandle
    ) {
        let given = options(given, given_size)?;
        let name = path(name, length)?;
        let name_bytes = without_nul(name.as_os_str().as_encoded_bytes())?;
        if sys::is_no_file(descriptor) {
            return Err(fewer::Error::new(Errno::BADF, "read", name_bytes).into());
        }
        // SAFETY: the caller keeps it open for as long as the handle is.
        let lines = Lines::from_descriptor(BorrowedFile::borrow_raw(descriptor), name);
        hand_out(handle, configure(lines, &given)?)
    }

    fn fewer_lines_next(handle: *mut LinesHandle, batch: *mut LinesBatch) {
        writable(batch)?;
        let handle = borrow_mut(handle)?;
        handle.column = None;
        let next = handle.lines.next_batch()?.map(|lines| LinesBatch {
            bytes: lines.bytes().as_ptr().cast(),
            bytes_length: lines.bytes().len(),
            ends: lines.ends().as_ptr(),
            flags: lines.flags().as_ptr(),
            lines_count: lines.len(),
            number: lines.number(),
            offset: lines.offset(),
        });
        put_or_zeros(batch, next)
    }

    fn fewer_lines_count(handle: *mut LinesHandle, total: *mut LinesTotal) {
        let handle = borrow_mut(handle)?;
        handle.column = None;
        let mut count = Count::default();
        let counted = handle.lines.count_into(&mut count, &|_| ());
        put(total, LinesTotal { lines: count.lines(), ends: count.ends, bytes: count.bytes })?;
        Ok(counted?)
    }

    fn fewer_lines_last(handle: *mut LinesHandle, count: u64) {
        let handle = borrow_mut(handle)?;
        handle.column = None;
        Ok(handle.lines.last(count)?)
    }

    fn fewer_lines_collect(handle: *mut LinesHandle, column: *mut LinesColumn) {
        let handle = borrow_mut(handle)?;
        handle.column = None;
        let lines = handle.column.insert(handle.lines.collect()?);
        put(
            column,
            LinesColumn {
                bytes: lines.bytes().as_ptr().cast(),
                bytes_length: lines.bytes().len(),
                offsets: lines.offsets().as_ptr(),
                lines_count: lines.len(),
                is_ascii: lines.is_ascii().into(),
                is_utf8: lines.is_utf8().into(),
            },
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_lines_close(handle: *mut LinesHandle) {
    // SAFETY: it came from fewer_lines_open or fewer_lines_borrow.
    unsafe { close(handle) };
}
