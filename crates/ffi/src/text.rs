//! UTF-8 into code points.

use std::ffi::{c_char, c_int};

use fewer::{Errno, utf8};

use crate::boundary::{array_mut, bytes, guard};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_decode_utf8(
    at: *const c_char,
    length: usize,
    points: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    let decode = || {
        if count.is_null() {
            return Err(Errno::INVAL);
        }
        // SAFETY: so many bytes may be read there, and so many code points written, as the header
        // says.
        let (bytes, room) = unsafe {
            let room = array_mut(points, capacity);
            (bytes(at, length).map_err(|_| Errno::INVAL)?, room.map_err(|_| Errno::INVAL)?)
        };
        let text = utf8::checked(bytes).ok_or(Errno::ILSEQ)?;
        let characters = utf8::characters(bytes);
        // SAFETY: it is not NULL, and may be written to.
        unsafe { count.write(characters) };
        if characters <= capacity {
            utf8::fill_points(text, room);
        }
        Ok(())
    };
    match guard(Err(Errno::NOTRECOVERABLE), decode) {
        Ok(()) => 0,
        Err(errno) => errno.raw_os_error(),
    }
}
