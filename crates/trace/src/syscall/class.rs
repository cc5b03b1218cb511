//! What a system call does, roughly. The table in `name` gives each call its class; rules, prices,
//! reports and decoders match on classes and name a call only where its own arguments matter.

/// What a system call does. [`Name::class`](crate::Name::class) gives it, and
/// [`Name::shape`](crate::Name::shape) says whether the call does it to a path or to a descriptor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Class {
    /// Asks for the metadata of a file: `stat`, `fstat`, `statx`.
    Stat,
    /// Asks for the metadata of a file system: `statfs`, `fstatfs`.
    Statfs,
    /// Asks whether a file may be accessed: `access`, `faccessat`.
    Access,
    /// Asks for the target of a symbolic link: `readlink`.
    Readlink,
    /// Asks for the value of an extended attribute: `getxattr`.
    GetXattr,
    /// Asks for the names of the extended attributes: `listxattr`.
    ListXattr,
    /// Opens a file by its path: `open`, `openat2`, `creat`.
    Open,
    /// Closes descriptors: `close`, `close_range`.
    Close,
    /// Copies a descriptor: `dup`, `dup3`.
    Duplicate,
    /// Makes a descriptor for a kernel object without a path: `memfd_create`, `epoll_create1`.
    Anonymous,
    /// Reads from a descriptor into memory: `read`, `preadv2`.
    Read,
    /// Makes the content of a file available without copying it: `mmap`, `readahead`.
    Map,
    /// Writes from memory to a descriptor: `write`, `pwritev2`.
    Write,
    /// Copies from one file to another inside the kernel: `sendfile`, `copy_file_range`.
    Copy,
    /// Moves bytes into or out of a pipe: `splice`, `tee`, `vmsplice`.
    Splice,
    /// Sends to a socket: `sendto`, `sendmsg`.
    Send,
    /// Receives from a socket: `recvfrom`, `recvmsg`.
    Receive,
    /// Changes the size of a file: `truncate`, `fallocate`.
    Resize,
    /// Waits until written data is on the disk: `fsync`, `sync`.
    Sync,
    /// Asks for the position in an open file, or changes it: `lseek`.
    Seek,
    /// Reads the entries of a directory: `getdents64`.
    ReadDirectory,
    /// Creates, renames or removes a name, or changes metadata: `mkdir`, `unlink`, `chmod`.
    Change,
    /// Changes the working directory: `chdir`, `fchdir`.
    Chdir,
    /// Asks for the path of the working directory: `getcwd`.
    Getcwd,
    /// Creates a process or a thread: `fork`, `clone3`.
    Fork,
    /// Replaces the program of a process: `execve`.
    Execute,
    /// Waits for events, or for a connection: `poll`, `epoll_wait`, `accept`.
    Wait,
    /// Waits for a time: `clock_nanosleep`.
    Sleep,
    /// Controls a descriptor: `fcntl`.
    Fcntl,
    /// Controls a device: `ioctl`.
    Ioctl,
    /// Asks for a number of the process or of its user: `getpid`, `getuid`.
    Identity,
    /// Asks for the time: `clock_gettime`. (Most programs ask without a call, through the vDSO.)
    Clock,
    /// Asks for random bytes: `getrandom`.
    Random,
    /// Locks a file: `flock`.
    Lock,
    /// Anything else.
    Other,
}

impl Class {
    /// Whether the result of a call that succeeds is the number of bytes it moved through a
    /// descriptor. (The result of `getdents64` is too, but its bytes are not a file's content.)
    #[must_use]
    pub fn moves_bytes(self) -> bool {
        matches!(
            self,
            Class::Read | Class::Write | Class::Copy | Class::Splice | Class::Send | Class::Receive
        )
    }
}
