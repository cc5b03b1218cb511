//! Gives the shared library its name for the loader: with the number that is raised when programs
//! have to be built anew.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfewer.so.1");
}
