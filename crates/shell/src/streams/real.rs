//! Descriptors that the kernel knows.

use std::os::fd::{AsFd, BorrowedFd};
use std::rc::Rc;

use fewer::Descriptor;

/// A descriptor that the kernel knows.
#[derive(Clone, Debug)]
pub enum Real {
    /// 0, 1 or 2 of this process.
    Standard(BorrowedFd<'static>),
    /// One that was opened, closed with the last reference.
    Own(Rc<Descriptor>),
}

impl AsFd for Real {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Real::Standard(file) => *file,
            Real::Own(file) => (**file).as_fd(),
        }
    }
}
