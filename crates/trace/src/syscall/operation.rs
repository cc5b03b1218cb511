//! The operations of io_uring: no system calls, but of the same classes. One table gives each its
//! name, the places of its paths and descriptors in a submission, and its class.
//!
//! Numbers: `include/uapi/linux/io_uring.h`, as of Linux 6.18.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Class;

/// Where a submission has its paths and descriptors.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operand {
    /// Nowhere.
    Nothing,
    /// `fd` is a descriptor.
    Descriptor,
    /// Bytes move from the descriptor `splice_fd_in` to the descriptor `fd`.
    Descriptors,
    /// `addr` is a path relative to the directory `fd`.
    At,
    /// So it is, and `addr2` is one relative to the directory `len`.
    Ats,
    /// `addr2` is a path relative to the directory `fd`; `addr` is a text.
    SecondAt,
    /// `addr3` is a path relative to the working directory.
    ThirdPath,
}

macro_rules! operations {
    ($($text:literal $operand:ident $class:ident;)+) => {
        /// All that have names, by their numbers.
        const ROWS: &[(&str, Operand, Class)] =
            &[$(($text, Operand::$operand, Class::$class),)+];
    };
}

/// What a submission to a ring asks for, as the kernel numbers it.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Operation(pub u8);

operations! {
    "NOP" Nothing Other;
    "READV" Descriptor Read;
    "WRITEV" Descriptor Write;
    "FSYNC" Descriptor Sync;
    "READ_FIXED" Descriptor Read;
    "WRITE_FIXED" Descriptor Write;
    "POLL_ADD" Descriptor Wait;
    "POLL_REMOVE" Nothing Other;
    "SYNC_FILE_RANGE" Descriptor Sync;
    "SENDMSG" Descriptor Send;
    "RECVMSG" Descriptor Receive;
    "TIMEOUT" Nothing Wait;
    "TIMEOUT_REMOVE" Nothing Other;
    "ACCEPT" Descriptor Wait;
    "ASYNC_CANCEL" Nothing Other;
    "LINK_TIMEOUT" Nothing Wait;
    "CONNECT" Descriptor Other;
    "FALLOCATE" Descriptor Resize;
    "OPENAT" At Open;
    "CLOSE" Descriptor Close;
    "FILES_UPDATE" Nothing Other;
    "STATX" At Stat;
    "READ" Descriptor Read;
    "WRITE" Descriptor Write;
    "FADVISE" Descriptor Other;
    "MADVISE" Nothing Other;
    "SEND" Descriptor Send;
    "RECV" Descriptor Receive;
    "OPENAT2" At Open;
    "EPOLL_CTL" Descriptor Other;
    "SPLICE" Descriptors Splice;
    "PROVIDE_BUFFERS" Nothing Other;
    "REMOVE_BUFFERS" Nothing Other;
    "TEE" Descriptors Splice;
    "SHUTDOWN" Descriptor Other;
    "RENAMEAT" Ats Change;
    "UNLINKAT" At Change;
    "MKDIRAT" At Change;
    "SYMLINKAT" SecondAt Change;
    "LINKAT" Ats Change;
    "MSG_RING" Nothing Other;
    "FSETXATTR" Descriptor Change;
    "SETXATTR" ThirdPath Change;
    "FGETXATTR" Descriptor GetXattr;
    "GETXATTR" ThirdPath GetXattr;
    "SOCKET" Nothing Anonymous;
    "URING_CMD" Descriptor Other;
    "SEND_ZC" Descriptor Send;
    "SENDMSG_ZC" Descriptor Send;
    "READ_MULTISHOT" Descriptor Read;
    "WAITID" Nothing Wait;
    "FUTEX_WAIT" Nothing Wait;
    "FUTEX_WAKE" Nothing Other;
    "FUTEX_WAITV" Nothing Wait;
    "FIXED_FD_INSTALL" Descriptor Duplicate;
    "FTRUNCATE" Descriptor Resize;
    "BIND" Descriptor Other;
    "LISTEN" Descriptor Other;
    "RECV_ZC" Descriptor Receive;
    "EPOLL_WAIT" Descriptor Wait;
    "READV_FIXED" Descriptor Read;
    "WRITEV_FIXED" Descriptor Write;
    "PIPE" Nothing Anonymous;
    "NOP128" Nothing Other;
    "URING_CMD128" Descriptor Other;
}

impl Operation {
    /// `IORING_OP_RECVMSG`
    pub const RECVMSG: Operation = Operation(10);
    /// `IORING_OP_ACCEPT`
    pub const ACCEPT: Operation = Operation(13);
    /// `IORING_OP_OPENAT`
    pub const OPENAT: Operation = Operation(18);
    /// `IORING_OP_CLOSE`
    pub const CLOSE: Operation = Operation(19);
    /// `IORING_OP_FILES_UPDATE`
    pub const FILES_UPDATE: Operation = Operation(20);
    /// `IORING_OP_OPENAT2`
    pub const OPENAT2: Operation = Operation(28);
    /// `IORING_OP_FIXED_FD_INSTALL`
    pub const FIXED_FD_INSTALL: Operation = Operation(54);
    /// `IORING_OP_PIPE`
    pub const PIPE: Operation = Operation(62);

    fn row(self) -> Option<&'static (&'static str, Operand, Class)> {
        ROWS.get(usize::from(self.0))
    }

    /// The operation with a name, as `Display` writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Operation> {
        let number = match name.strip_prefix("OP_") {
            Some(number) => number.parse().ok()?,
            None => ROWS.iter().position(|row| row.0 == name)?.try_into().ok()?,
        };
        Some(Operation(number))
    }

    /// Where its submissions have paths and descriptors.
    #[must_use]
    pub fn operand(self) -> Operand {
        self.row().map_or(Operand::Nothing, |row| row.1)
    }

    /// What it does.
    #[must_use]
    pub fn class(self) -> Class {
        self.row().map_or(Class::Other, |row| row.2)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.row() {
            Some(row) => f.pad(row.0),
            None => f.pad(&format!("OP_{}", self.0)),
        }
    }
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Operation, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(from)?;
        let unknown = || serde::de::Error::custom(format!("'{name}' is no operation of io_uring"));
        Operation::parse(&name).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_kernels() {
        // From linux/io_uring.h, by hand.
        for (number, name) in [
            (0, "NOP"),
            (3, "FSYNC"),
            (18, "OPENAT"),
            (21, "STATX"),
            (22, "READ"),
            (28, "OPENAT2"),
            (36, "UNLINKAT"),
            (48, "SENDMSG_ZC"),
            (55, "FTRUNCATE"),
            (64, "URING_CMD128"),
            (200, "OP_200"),
        ] {
            assert_eq!(Operation(number).to_string(), name);
            assert_eq!(Operation::parse(name), Some(Operation(number)));
        }
        for (operation, name) in [
            (Operation::RECVMSG, "RECVMSG"),
            (Operation::ACCEPT, "ACCEPT"),
            (Operation::OPENAT, "OPENAT"),
            (Operation::CLOSE, "CLOSE"),
            (Operation::FILES_UPDATE, "FILES_UPDATE"),
            (Operation::OPENAT2, "OPENAT2"),
            (Operation::FIXED_FD_INSTALL, "FIXED_FD_INSTALL"),
            (Operation::PIPE, "PIPE"),
        ] {
            assert_eq!(operation.to_string(), name);
        }
        assert_eq!(Operation::parse("nonsense"), None);
        assert_eq!(Operation::parse("OP_256"), None);
    }
}
