//! Scopes: what changes files in them.

use std::ffi::c_char;

use sys::RawFile;

use crate::boundary::{in_scope, path};
use crate::scope::put_descriptor;

in_scope! {
    fn fewer_scope_create(scope, path, permissions: u32, descriptor: *mut RawFile) {
        put_descriptor(descriptor, || Ok(scope.create(path, permissions)?))
    }

    fn fewer_scope_set_permissions(scope, path, permissions: u32) {
        Ok(scope.set_permissions(path, permissions)?)
    }

    fn fewer_scope_make_symlink(scope, at, target: *const c_char, target_length: usize) {
        Ok(scope.make_symlink(at, path(target, target_length)?)?)
    }

    fn fewer_scope_make_hard_link(scope, at, target: *const c_char, target_length: usize) {
        Ok(scope.make_hard_link(at, path(target, target_length)?)?)
    }

    fn fewer_scope_make_directory(scope, path, permissions: u32) {
        Ok(scope.make_directory(path, permissions)?)
    }

    fn fewer_scope_remove_file(scope, path) { Ok(scope.remove_file(path)?) }

    fn fewer_scope_remove_directory(scope, path) { Ok(scope.remove_directory(path)?) }

    fn fewer_scope_remove_tree(scope, path) { Ok(scope.remove_tree(path)?) }
}
