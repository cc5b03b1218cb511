//! The handles that a child inherits: these, and no other that happens to be inheritable.

use std::os::windows::io::{AsHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{
    DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::System::Threading::{
    DeleteProcThreadAttributeList, GetCurrentProcess, InitializeProcThreadAttributeList,
    LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, UpdateProcThreadAttribute,
};

use super::Descriptor;
use super::descriptor::handle_of;
use super::errno::last_error;
use crate::Errno;
use crate::counter::{Call, count};

/// Inheritable duplicates of three streams, and the list that names them.
pub(super) struct Inherited {
    streams: [Option<Descriptor>; 3],
    list: AttributeList,
}

impl Inherited {
    /// Of these handles; one that is nothing or invalid stays nothing.
    pub(super) fn new(handles: [HANDLE; 3]) -> Result<Inherited, Errno> {
        let mut streams = [const { None }; 3];
        for (stream, handle) in streams.iter_mut().zip(handles) {
            if !handle.is_null() && handle != INVALID_HANDLE_VALUE {
                *stream = Some(inheritable(handle)?);
            }
        }
        let handles: Vec<HANDLE> =
            streams.iter().flatten().map(|stream| handle_of(stream.as_handle())).collect();
        Ok(Inherited { streams, list: AttributeList::new(handles)? })
    }

    pub(super) fn are_some(&self) -> bool {
        self.streams.iter().any(Option::is_some)
    }

    pub(super) fn handles(&self) -> [HANDLE; 3] {
        let handle = |stream: &Descriptor| handle_of(stream.as_handle());
        self.streams.each_ref().map(|stream| stream.as_ref().map_or(null_mut(), handle))
    }

    pub(super) fn attribute_list(&self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.list.memory.as_ptr().cast_mut().cast()
    }
}

fn inheritable(handle: HANDLE) -> Result<Descriptor, Errno> {
    let mut copy = null_mut();
    count(Call::DuplicateObject);
    // SAFETY: the caller has the handle open; both processes are this one, and the copy is written
    // there.
    let done = unsafe {
        let here = GetCurrentProcess();
        DuplicateHandle(here, handle, here, &raw mut copy, 0, 1, DUPLICATE_SAME_ACCESS)
    };
    if done == 0 {
        return Err(last_error());
    }
    // SAFETY: the call has opened it, and nothing else has it.
    Ok(Descriptor::from(unsafe { OwnedHandle::from_raw_handle(copy) }))
}

/// The list of attributes with which a child is started. It points to the handles, which are kept
/// with it and do not move.
struct AttributeList {
    memory: Vec<u64>,
    handles: Vec<HANDLE>,
}

impl AttributeList {
    fn new(handles: Vec<HANDLE>) -> Result<AttributeList, Errno> {
        let mut bytes = 0;
        // SAFETY: without memory the call only says how much is needed.
        unsafe { InitializeProcThreadAttributeList(null_mut(), 1, 0, &raw mut bytes) };
        let mut memory = vec![0_u64; bytes.div_ceil(8)];
        // SAFETY: the memory has as many bytes as the call has asked for, aligned for pointers.
        let done = unsafe {
            InitializeProcThreadAttributeList(memory.as_mut_ptr().cast(), 1, 0, &raw mut bytes)
        };
        if done == 0 {
            return Err(last_error());
        }
        // From here on it is deleted when it is dropped.
        let mut list = AttributeList { memory, handles };
        if list.handles.is_empty() {
            return Ok(list);
        }
        // SAFETY: the list is initialised, and the handles stay where they are as long as it.
        let done = unsafe {
            UpdateProcThreadAttribute(
                list.memory.as_mut_ptr().cast(),
                0,
                PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize,
                list.handles.as_ptr().cast(),
                size_of_val(&*list.handles),
                null_mut(),
                null(),
            )
        };
        if done == 0 { Err(last_error()) } else { Ok(list) }
    }
}

impl Drop for AttributeList {
    fn drop(&mut self) {
        // SAFETY: it is initialised, and not used any more.
        unsafe { DeleteProcThreadAttributeList(self.memory.as_mut_ptr().cast()) };
    }
}
