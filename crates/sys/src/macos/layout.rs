//! The structures that the kernel reads and fills have the sizes and places that its headers give
//! them (xnu: `bsd/sys/stat.h`, `dirent.h`, `attr.h`, `mount.h`, with 64-bit inode numbers).

use std::mem::offset_of;

const _: () = {
    assert!(size_of::<libc::stat>() == 144);
    assert!(offset_of!(libc::stat, st_mode) == 4);
    assert!(offset_of!(libc::stat, st_ino) == 8);
    assert!(offset_of!(libc::stat, st_atime) == 32);
    assert!(offset_of!(libc::stat, st_birthtime) == 80);
    assert!(offset_of!(libc::stat, st_size) == 96);
    assert!(offset_of!(libc::stat, st_blocks) == 104);

    assert!(offset_of!(libc::dirent, d_ino) == 0);
    assert!(offset_of!(libc::dirent, d_seekoff) == 8);
    assert!(offset_of!(libc::dirent, d_reclen) == 16);
    assert!(offset_of!(libc::dirent, d_namlen) == 18);
    assert!(offset_of!(libc::dirent, d_type) == 20);
    assert!(offset_of!(libc::dirent, d_name) == 21);
    assert!(size_of::<libc::dirent>() == 1048);

    assert!(size_of::<libc::attrlist>() == 24);
    assert!(size_of::<libc::attrreference_t>() == 8);
    assert!(size_of::<libc::attribute_set_t>() == 20);

    assert!(size_of::<libc::statfs>() == 2168);
    assert!(offset_of!(libc::statfs, f_fsid) == 48);
    assert!(offset_of!(libc::statfs, f_fstypename) == 72);
    assert!(offset_of!(libc::statfs, f_mntonname) == 88);
    assert!(offset_of!(libc::statfs, f_mntfromname) == 1112);

    assert!(size_of::<libc::rusage>() == 144);
    assert!(size_of::<libc::sigaction>() == 16);
    assert!(size_of::<libc::timespec>() == 16);
};
