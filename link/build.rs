//! Which machines have a tracer, and how programs are linked with the GNU C library on Linux, where
//! a process of a millisecond feels it. The build script of the command, and of the empty program
//! that its calls are measured against.
//!
//! The unwinder is linked in: as a library of its own (libgcc_s) it costs a dozen calls to load,
//! and asks the processor what it is, for which a virtual machine stops each time. And the code has
//! a fixed place in memory, so that 8,000 addresses in it need not be set at each start. Together
//! that is a fifth of `fewer ls -l` of three files.

use std::env;
use std::path::Path;

mod folding;

fn main() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    tracer(is);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_static = features.split(',').any(|feature| feature == "crt-static");
    let package = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folders = Path::new(&package).ancestors().map(|folder| folder.join("link"));
    // The standard library asks for `gcc_s`; what is here is found first, and stands for the
    // archives.
    let Some(here) = folders.into_iter().find(|link| link.join("libgcc_s.so").is_file()) else {
        return;
    };
    println!("cargo::rerun-if-changed={}", here.display());
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_static {
        println!("cargo::rustc-link-search=native={}", here.display());
        println!("cargo::rustc-link-arg-bins=-no-pie");
        // A table that an unwinder searches. A panic ends the command and says where it was; only
        // the stack below it (RUST_BACKTRACE) is lost, of which what is published has no names in
        // any case. Tracers read the frames themselves. It would be a fiftieth of the command.
        if is("PROFILE", "release") {
            println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
        }
    }
    for argument in folding::arguments() {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

/// `cfg(tracer)`: what needs the tracer is compiled, because it is wanted and the machine has one.
/// The command's Cargo.toml names the same machines.
fn tracer(is: impl Fn(&str, &str) -> bool) {
    let processor = ["x86_64", "aarch64"].iter().any(|name| is("CARGO_CFG_TARGET_ARCH", name));
    println!("cargo::rustc-check-cfg=cfg(tracer)");
    if is("CARGO_FEATURE_TRACE", "1") && is("CARGO_CFG_TARGET_OS", "linux") && processor {
        println!("cargo::rustc-cfg=tracer");
    }
}
