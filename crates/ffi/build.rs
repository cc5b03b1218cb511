//! Sets the name of the shared library for the loader; the number in it is raised when programs
//! have to be built anew.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfewer.so.1");
}
