//! A program that does nothing, built as `fewer` is. The case runner traces it and takes its calls
//! away from those of `fewer`, so that a budget is about the job and not about the loader.

#![forbid(unsafe_code)]

fn main() {}
