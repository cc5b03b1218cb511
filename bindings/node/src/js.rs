//! Values of JavaScript, made by hand where the general way costs more than the value itself.

use napi::bindgen_prelude::ToNapiValue;
use napi::{Env, Result, check_status, sys};

/// A value of JavaScript, for the call that it is made in.
pub(crate) type Value = sys::napi_value;

/// What can become a value of JavaScript once the thread of JavaScript has it.
pub(crate) trait ToJs: Send {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value>;
}

/// A value that Node-API knows how to make.
pub(crate) fn value<T: ToNapiValue>(env: &Env, from: T) -> Result<Value> {
    // SAFETY: `env` is the one of this thread, which runs JavaScript.
    unsafe { T::to_napi_value(env.raw(), from) }
}

pub(crate) fn undefined(env: &Env) -> Result<Value> {
    value(env, ())
}

/// An array of these values.
pub(crate) fn array(env: &Env, values: &[Value]) -> Result<Value> {
    let mut made = std::ptr::null_mut();
    // SAFETY: `env` is the one of this thread, and the values are of the present call.
    unsafe {
        check_status!(sys::napi_create_array_with_length(env.raw(), values.len(), &mut made))?;
        for (index, value) in values.iter().enumerate() {
            check_status!(sys::napi_set_element(env.raw(), made, index as u32, *value))?;
        }
    }
    Ok(made)
}

/// A string of which each byte is a character.
pub(crate) fn latin1(env: &Env, bytes: &[u8]) -> Result<Value> {
    let mut made = std::ptr::null_mut();
    let (data, length) = (bytes.as_ptr().cast(), bytes.len() as isize);
    // SAFETY: `env` is the one of this thread; the bytes are borrowed for the call, which copies.
    check_status!(unsafe { sys::napi_create_string_latin1(env.raw(), data, length, &mut made) })?;
    Ok(made)
}

/// A string of these units.
pub(crate) fn utf16(env: &Env, units: &[u16]) -> Result<Value> {
    let mut made = std::ptr::null_mut();
    let (data, length) = (units.as_ptr(), units.len() as isize);
    // SAFETY: `env` is the one of this thread; the units are borrowed for the call, which copies.
    check_status!(unsafe { sys::napi_create_string_utf16(env.raw(), data, length, &mut made) })?;
    Ok(made)
}

/// A `Buffer` with a copy of the bytes.
pub(crate) fn buffer(env: &Env, bytes: &[u8]) -> Result<Value> {
    let (mut made, mut copy) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (data, length) = (bytes.as_ptr().cast(), bytes.len());
    // SAFETY: as above.
    check_status!(unsafe {
        sys::napi_create_buffer_copy(env.raw(), length, data, &mut copy, &mut made)
    })?;
    Ok(made)
}

/// An element of a typed array.
pub(crate) trait Element: Copy {
    const TYPE: sys::napi_typedarray_type;
}

impl Element for u32 {
    const TYPE: sys::napi_typedarray_type = sys::TypedarrayType::uint32_array;
}

impl Element for f64 {
    const TYPE: sys::napi_typedarray_type = sys::TypedarrayType::float64_array;
}

/// A typed array with a copy of the elements.
pub(crate) fn typed_array<T: Element>(env: &Env, elements: &[T]) -> Result<Value> {
    let (mut held, mut data) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (mut made, bytes) = (std::ptr::null_mut(), size_of_val(elements));
    // SAFETY: `env` is the one of this thread. The memory of a new array buffer has so many bytes,
    // is aligned for any element and nothing else has seen it yet.
    unsafe {
        check_status!(sys::napi_create_arraybuffer(env.raw(), bytes, &mut data, &mut held))?;
        if bytes > 0 {
            data.cast::<u8>().copy_from_nonoverlapping(elements.as_ptr().cast(), bytes);
        }
        let length = elements.len();
        check_status!(sys::napi_create_typedarray(env.raw(), T::TYPE, length, held, 0, &mut made))?;
    }
    Ok(made)
}
