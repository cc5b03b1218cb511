//! Sets the name of the shared library for the loader; the number in it is raised when programs
//! have to be built anew. Equal functions are kept once.

use std::env;

#[path = "../../link/folding.rs"]
mod folding;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../link/folding.rs");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let unix = env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix");
    match &*system {
        // Programs say where they look for it.
        "macos" => name("-install_name,@rpath/libfewer.1.dylib"),
        _ if unix => name("-soname,libfewer.so.1"),
        // A library for Windows has the name of its file.
        _ => {}
    }
    for argument in folding::arguments() {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
}

fn name(argument: &str) {
    println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
}
