//! An empty program: what the loader and the runtime cost before the first line of one's own.

fn main() {}
