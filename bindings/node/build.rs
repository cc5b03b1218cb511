//! Tells the linker that the functions of Node-API come from the program that loads the library.

fn main() {
    napi_build::setup();
}
