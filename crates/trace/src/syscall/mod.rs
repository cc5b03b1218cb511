//! The system calls of Linux: their names, numbers, arguments and classes; and the
//! operations of io_uring.

mod class;
mod i386;
mod name;
mod operation;

pub use class::Class;
pub use name::{Machine, Name, Shape};
pub use operation::{Operand, Operation};
