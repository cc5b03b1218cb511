//! Sets the name of the shared library for the loader; the number in it is raised when programs
//! have to be built anew. Equal functions are kept once.

use std::env;

#[path = "../../link/folding.rs"]
mod folding;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../link/folding.rs");
    // A library for Windows has the name of its file.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfewer.so.1");
    }
    for argument in folding::arguments() {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
}
