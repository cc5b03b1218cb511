//! The system calls of Linux: their names, numbers, arguments and classes.

mod class;
mod i386;
mod name;

pub use class::Class;
pub use name::{Machine, Name, Shape};
