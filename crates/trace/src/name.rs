//! The system calls of Linux by name and number, and where each has its paths and descriptors.
//!
//! Numbers: the kernel's own tables for x86-64 and for aarch64 (its generic one), as of Linux 6.18.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::i386;

/// Where a call has its paths and descriptors, as positions among its arguments. A call with a
/// shape takes, gives or makes a descriptor, a path, a process or a thread: those are watched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// Watched, but neither a path nor a single descriptor is among the arguments: `pipe2`,
    /// `poll`, `getcwd`, `clone`.
    Nothing,
    /// A path, relative to the working directory.
    Path(usize),
    /// Two paths, each relative to the working directory: `rename`.
    Paths(usize, usize),
    /// A directory's descriptor and a path relative to it: `openat`.
    At(usize, usize),
    /// Twice a directory's descriptor and a path: `renameat`.
    Ats(usize, usize, usize, usize),
    /// A descriptor: `read`.
    Descriptor(usize),
    /// Two descriptors: `copy_file_range`.
    Descriptors(usize, usize),
    /// Not about files; seen only if all calls are asked for.
    Unwatched,
}

macro_rules! names {
    ($($variant:ident $text:literal $x86_64:tt $aarch64:tt $shape:ident
        $(($($position:literal),+))?;)+) => {
        /// A system call by name.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
            /// A call that this table does not know, by its number.
            Unknown(u32),
            /// A call of a 32-bit x86 program, by its number there.
            I386(u32),
            /// A call of another machine, by its number there.
            Foreign(u32),
        }

        impl Name {
            /// All names, in the order of the table.
            pub const ALL: &[Name] = &[$(Name::$variant,)+];

            fn row(self) -> Option<Row> {
                match self {
                    $(Name::$variant => Some(Row {
                        text: $text,
                        x86_64: number!($x86_64),
                        aarch64: number!($aarch64),
                        shape: Shape::$shape $(($($position),+))?,
                    }),)+
                    Name::Unknown(_) | Name::I386(_) | Name::Foreign(_) => None,
                }
            }
        }
    };
}

macro_rules! number {
    (-) => {
        None
    };
    ($number:literal) => {
        Some($number)
    };
}

struct Row {
    text: &'static str,
    x86_64: Option<u32>,
    aarch64: Option<u32>,
    shape: Shape,
}

/// The machines whose numbers are known.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Machine {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Machine {
    /// The one that this program was built for.
    pub const HERE: Machine =
        if cfg!(target_arch = "aarch64") { Machine::Aarch64 } else { Machine::X86_64 };
}

impl Name {
    /// The name behind a number.
    #[must_use]
    pub fn of(number: u32, machine: Machine) -> Name {
        let table = TABLES.get_or_init(Tables::new);
        let names = match machine {
            Machine::X86_64 => &table.x86_64,
            Machine::Aarch64 => &table.aarch64,
        };
        names.get(number as usize).copied().flatten().unwrap_or(Name::Unknown(number))
    }

    /// The number of a name; `None` if that machine has no such call.
    #[must_use]
    pub fn number(self, machine: Machine) -> Option<u32> {
        match (self, machine) {
            (Name::Unknown(number), _) => Some(number),
            (_, Machine::X86_64) => self.row()?.x86_64,
            (_, Machine::Aarch64) => self.row()?.aarch64,
        }
    }

    /// Whether it is a call of another machine than that which the process runs on.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Name::I386(_) | Name::Foreign(_))
    }

    /// The name as strace and the manual have it. Back from `syscall_N`, `foreign_N` and `i386_NAME`
    /// as well.
    #[must_use]
    pub fn parse(text: &str) -> Option<Name> {
        let table = TABLES.get_or_init(Tables::new);
        if let Some(name) = table.by_text.get(text) {
            return Some(*name);
        }
        if let Some(name) = text.strip_prefix("i386_") {
            return i386::number(name).or_else(|| name.parse().ok()).map(Name::I386);
        }
        let (kind, number) = text.rsplit_once('_')?;
        match (kind, number.parse()) {
            ("syscall", Ok(number)) => Some(Name::Unknown(number)),
            ("foreign", Ok(number)) => Some(Name::Foreign(number)),
            ("syscall", Err(_)) => {
                let number = u32::from_str_radix(number.strip_prefix("0x")?, 16).ok()?;
                Some(Name::Unknown(number))
            }
            _ => None,
        }
    }

    /// Where the paths and descriptors are.
    #[must_use]
    pub fn shape(self) -> Shape {
        self.row().map_or(Shape::Unwatched, |row| row.shape)
    }

    /// Whether it is watched without being asked for: whatever takes or makes a path, a
    /// descriptor, a process or a thread.
    #[must_use]
    pub fn is_watched(self) -> bool {
        self.shape() != Shape::Unwatched
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self, self.row()) {
            (Name::I386(number), _) => match i386::name(*number) {
                Some(name) => f.pad(&format!("i386_{name}")),
                None => f.pad(&format!("i386_{number}")),
            },
            (Name::Foreign(number), _) => f.pad(&format!("foreign_{number}")),
            (Name::Unknown(number), _) => f.pad(&format!("syscall_{number}")),
            (_, Some(row)) => f.pad(row.text),
            (_, None) => Ok(()),
        }
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.row() {
            Some(row) => to.serialize_str(row.text),
            None => to.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Name, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        Name::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format_args!("'{text}' is no system call of Linux"))
        })
    }
}

static TABLES: std::sync::OnceLock<Tables> = std::sync::OnceLock::new();

struct Tables {
    x86_64: Vec<Option<Name>>,
    aarch64: Vec<Option<Name>>,
    by_text: std::collections::HashMap<&'static str, Name>,
}

impl Tables {
    fn new() -> Tables {
        let mut table =
            Tables { x86_64: Vec::new(), aarch64: Vec::new(), by_text: Default::default() };
        for name in Name::ALL {
            let Some(row) = name.row() else { continue };
            put(&mut table.x86_64, row.x86_64, *name);
            put(&mut table.aarch64, row.aarch64, *name);
            table.by_text.insert(row.text, *name);
        }
        table
    }
}

fn put(names: &mut Vec<Option<Name>>, number: Option<u32>, name: Name) {
    let Some(number) = number else { return };
    let at = number as usize;
    if names.len() <= at {
        names.resize(at + 1, None);
    }
    names[at] = Some(name);
}

// name, text, number on x86-64, number on aarch64, shape
names! {
    Read "read" 0 63 Descriptor(0);
    Write "write" 1 64 Descriptor(0);
    Open "open" 2 - Path(0);
    Close "close" 3 57 Descriptor(0);
    Stat "stat" 4 - Path(0);
    Fstat "fstat" 5 80 Descriptor(0);
    Lstat "lstat" 6 - Path(0);
    Poll "poll" 7 - Nothing;
    Lseek "lseek" 8 62 Descriptor(0);
    Mmap "mmap" 9 222 Descriptor(4);
    Mprotect "mprotect" 10 226 Unwatched;
    Munmap "munmap" 11 215 Unwatched;
    Brk "brk" 12 214 Unwatched;
    RtSigaction "rt_sigaction" 13 134 Unwatched;
    RtSigprocmask "rt_sigprocmask" 14 135 Unwatched;
    RtSigreturn "rt_sigreturn" 15 139 Unwatched;
    Ioctl "ioctl" 16 29 Descriptor(0);
    Pread64 "pread64" 17 67 Descriptor(0);
    Pwrite64 "pwrite64" 18 68 Descriptor(0);
    Readv "readv" 19 65 Descriptor(0);
    Writev "writev" 20 66 Descriptor(0);
    Access "access" 21 - Path(0);
    Pipe "pipe" 22 - Nothing;
    Select "select" 23 - Nothing;
    SchedYield "sched_yield" 24 124 Unwatched;
    Mremap "mremap" 25 216 Unwatched;
    Msync "msync" 26 227 Unwatched;
    Mincore "mincore" 27 232 Unwatched;
    Madvise "madvise" 28 233 Unwatched;
    Shmget "shmget" 29 194 Unwatched;
    Shmat "shmat" 30 196 Unwatched;
    Shmctl "shmctl" 31 195 Unwatched;
    Dup "dup" 32 23 Descriptor(0);
    Dup2 "dup2" 33 - Descriptor(0);
    Pause "pause" 34 - Unwatched;
    Nanosleep "nanosleep" 35 101 Unwatched;
    Getitimer "getitimer" 36 102 Unwatched;
    Alarm "alarm" 37 - Unwatched;
    Setitimer "setitimer" 38 103 Unwatched;
    Getpid "getpid" 39 172 Unwatched;
    Sendfile "sendfile" 40 71 Descriptors(0, 1);
    Socket "socket" 41 198 Nothing;
    Connect "connect" 42 203 Descriptor(0);
    Accept "accept" 43 202 Descriptor(0);
    Sendto "sendto" 44 206 Descriptor(0);
    Recvfrom "recvfrom" 45 207 Descriptor(0);
    Sendmsg "sendmsg" 46 211 Descriptor(0);
    Recvmsg "recvmsg" 47 212 Descriptor(0);
    Shutdown "shutdown" 48 210 Descriptor(0);
    Bind "bind" 49 200 Descriptor(0);
    Listen "listen" 50 201 Descriptor(0);
    Getsockname "getsockname" 51 204 Descriptor(0);
    Getpeername "getpeername" 52 205 Descriptor(0);
    Socketpair "socketpair" 53 199 Nothing;
    Setsockopt "setsockopt" 54 208 Descriptor(0);
    Getsockopt "getsockopt" 55 209 Descriptor(0);
    Clone "clone" 56 220 Nothing;
    Fork "fork" 57 - Nothing;
    Vfork "vfork" 58 - Nothing;
    Execve "execve" 59 221 Path(0);
    Exit "exit" 60 93 Unwatched;
    Wait4 "wait4" 61 260 Unwatched;
    Kill "kill" 62 129 Unwatched;
    Uname "uname" 63 160 Unwatched;
    Semget "semget" 64 190 Unwatched;
    Semop "semop" 65 193 Unwatched;
    Semctl "semctl" 66 191 Unwatched;
    Shmdt "shmdt" 67 197 Unwatched;
    Msgget "msgget" 68 186 Unwatched;
    Msgsnd "msgsnd" 69 189 Unwatched;
    Msgrcv "msgrcv" 70 188 Unwatched;
    Msgctl "msgctl" 71 187 Unwatched;
    Fcntl "fcntl" 72 25 Descriptor(0);
    Flock "flock" 73 32 Descriptor(0);
    Fsync "fsync" 74 82 Descriptor(0);
    Fdatasync "fdatasync" 75 83 Descriptor(0);
    Truncate "truncate" 76 45 Path(0);
    Ftruncate "ftruncate" 77 46 Descriptor(0);
    Getdents "getdents" 78 - Descriptor(0);
    Getcwd "getcwd" 79 17 Nothing;
    Chdir "chdir" 80 49 Path(0);
    Fchdir "fchdir" 81 50 Descriptor(0);
    Rename "rename" 82 - Paths(0, 1);
    Mkdir "mkdir" 83 - Path(0);
    Rmdir "rmdir" 84 - Path(0);
    Creat "creat" 85 - Path(0);
    Link "link" 86 - Paths(0, 1);
    Unlink "unlink" 87 - Path(0);
    Symlink "symlink" 88 - Path(1);
    Readlink "readlink" 89 - Path(0);
    Chmod "chmod" 90 - Path(0);
    Fchmod "fchmod" 91 52 Descriptor(0);
    Chown "chown" 92 - Path(0);
    Fchown "fchown" 93 55 Descriptor(0);
    Lchown "lchown" 94 - Path(0);
    Umask "umask" 95 166 Unwatched;
    Gettimeofday "gettimeofday" 96 169 Unwatched;
    Getrlimit "getrlimit" 97 163 Unwatched;
    Getrusage "getrusage" 98 165 Unwatched;
    Sysinfo "sysinfo" 99 179 Unwatched;
    Times "times" 100 153 Unwatched;
    Ptrace "ptrace" 101 117 Unwatched;
    Getuid "getuid" 102 174 Unwatched;
    Syslog "syslog" 103 116 Unwatched;
    Getgid "getgid" 104 176 Unwatched;
    Setuid "setuid" 105 146 Unwatched;
    Setgid "setgid" 106 144 Unwatched;
    Geteuid "geteuid" 107 175 Unwatched;
    Getegid "getegid" 108 177 Unwatched;
    Setpgid "setpgid" 109 154 Unwatched;
    Getppid "getppid" 110 173 Unwatched;
    Getpgrp "getpgrp" 111 - Unwatched;
    Setsid "setsid" 112 157 Unwatched;
    Setreuid "setreuid" 113 145 Unwatched;
    Setregid "setregid" 114 143 Unwatched;
    Getgroups "getgroups" 115 158 Unwatched;
    Setgroups "setgroups" 116 159 Unwatched;
    Setresuid "setresuid" 117 147 Unwatched;
    Getresuid "getresuid" 118 148 Unwatched;
    Setresgid "setresgid" 119 149 Unwatched;
    Getresgid "getresgid" 120 150 Unwatched;
    Getpgid "getpgid" 121 155 Unwatched;
    Setfsuid "setfsuid" 122 151 Unwatched;
    Setfsgid "setfsgid" 123 152 Unwatched;
    Getsid "getsid" 124 156 Unwatched;
    Capget "capget" 125 90 Unwatched;
    Capset "capset" 126 91 Unwatched;
    RtSigpending "rt_sigpending" 127 136 Unwatched;
    RtSigtimedwait "rt_sigtimedwait" 128 137 Unwatched;
    RtSigqueueinfo "rt_sigqueueinfo" 129 138 Unwatched;
    RtSigsuspend "rt_sigsuspend" 130 133 Unwatched;
    Sigaltstack "sigaltstack" 131 132 Unwatched;
    Utime "utime" 132 - Path(0);
    Mknod "mknod" 133 - Path(0);
    Uselib "uselib" 134 - Path(0);
    Personality "personality" 135 92 Unwatched;
    Ustat "ustat" 136 - Nothing;
    Statfs "statfs" 137 43 Path(0);
    Fstatfs "fstatfs" 138 44 Descriptor(0);
    Sysfs "sysfs" 139 - Nothing;
    Getpriority "getpriority" 140 141 Unwatched;
    Setpriority "setpriority" 141 140 Unwatched;
    SchedSetparam "sched_setparam" 142 118 Unwatched;
    SchedGetparam "sched_getparam" 143 121 Unwatched;
    SchedSetscheduler "sched_setscheduler" 144 119 Unwatched;
    SchedGetscheduler "sched_getscheduler" 145 120 Unwatched;
    SchedGetPriorityMax "sched_get_priority_max" 146 125 Unwatched;
    SchedGetPriorityMin "sched_get_priority_min" 147 126 Unwatched;
    SchedRrGetInterval "sched_rr_get_interval" 148 127 Unwatched;
    Mlock "mlock" 149 228 Unwatched;
    Munlock "munlock" 150 229 Unwatched;
    Mlockall "mlockall" 151 230 Unwatched;
    Munlockall "munlockall" 152 231 Unwatched;
    Vhangup "vhangup" 153 58 Unwatched;
    ModifyLdt "modify_ldt" 154 - Unwatched;
    PivotRoot "pivot_root" 155 41 Paths(0, 1);
    Sysctl "_sysctl" 156 - Unwatched;
    Prctl "prctl" 157 167 Unwatched;
    ArchPrctl "arch_prctl" 158 - Unwatched;
    Adjtimex "adjtimex" 159 171 Unwatched;
    Setrlimit "setrlimit" 160 164 Unwatched;
    Chroot "chroot" 161 51 Path(0);
    Sync "sync" 162 81 Nothing;
    Acct "acct" 163 89 Path(0);
    Settimeofday "settimeofday" 164 170 Unwatched;
    Mount "mount" 165 40 Path(1);
    Umount2 "umount2" 166 39 Path(0);
    Swapon "swapon" 167 224 Path(0);
    Swapoff "swapoff" 168 225 Path(0);
    Reboot "reboot" 169 142 Unwatched;
    Sethostname "sethostname" 170 161 Unwatched;
    Setdomainname "setdomainname" 171 162 Unwatched;
    Iopl "iopl" 172 - Unwatched;
    Ioperm "ioperm" 173 - Unwatched;
    CreateModule "create_module" 174 - Unwatched;
    InitModule "init_module" 175 105 Unwatched;
    DeleteModule "delete_module" 176 106 Unwatched;
    GetKernelSyms "get_kernel_syms" 177 - Unwatched;
    QueryModule "query_module" 178 - Unwatched;
    Quotactl "quotactl" 179 60 Path(1);
    Nfsservctl "nfsservctl" 180 42 Unwatched;
    Getpmsg "getpmsg" 181 - Unwatched;
    Putpmsg "putpmsg" 182 - Unwatched;
    AfsSyscall "afs_syscall" 183 - Unwatched;
    Tuxcall "tuxcall" 184 - Unwatched;
    Security "security" 185 - Unwatched;
    Gettid "gettid" 186 178 Unwatched;
    Readahead "readahead" 187 213 Descriptor(0);
    Setxattr "setxattr" 188 5 Path(0);
    Lsetxattr "lsetxattr" 189 6 Path(0);
    Fsetxattr "fsetxattr" 190 7 Descriptor(0);
    Getxattr "getxattr" 191 8 Path(0);
    Lgetxattr "lgetxattr" 192 9 Path(0);
    Fgetxattr "fgetxattr" 193 10 Descriptor(0);
    Listxattr "listxattr" 194 11 Path(0);
    Llistxattr "llistxattr" 195 12 Path(0);
    Flistxattr "flistxattr" 196 13 Descriptor(0);
    Removexattr "removexattr" 197 14 Path(0);
    Lremovexattr "lremovexattr" 198 15 Path(0);
    Fremovexattr "fremovexattr" 199 16 Descriptor(0);
    Tkill "tkill" 200 130 Unwatched;
    Time "time" 201 - Unwatched;
    Futex "futex" 202 98 Unwatched;
    SchedSetaffinity "sched_setaffinity" 203 122 Unwatched;
    SchedGetaffinity "sched_getaffinity" 204 123 Unwatched;
    SetThreadArea "set_thread_area" 205 - Unwatched;
    IoSetup "io_setup" 206 0 Unwatched;
    IoDestroy "io_destroy" 207 1 Unwatched;
    IoGetevents "io_getevents" 208 4 Unwatched;
    IoSubmit "io_submit" 209 2 Unwatched;
    IoCancel "io_cancel" 210 3 Unwatched;
    GetThreadArea "get_thread_area" 211 - Unwatched;
    LookupDcookie "lookup_dcookie" 212 18 Unwatched;
    EpollCreate "epoll_create" 213 - Nothing;
    EpollCtlOld "epoll_ctl_old" 214 - Unwatched;
    EpollWaitOld "epoll_wait_old" 215 - Unwatched;
    RemapFilePages "remap_file_pages" 216 234 Unwatched;
    Getdents64 "getdents64" 217 61 Descriptor(0);
    SetTidAddress "set_tid_address" 218 96 Unwatched;
    RestartSyscall "restart_syscall" 219 128 Unwatched;
    Semtimedop "semtimedop" 220 192 Unwatched;
    Fadvise64 "fadvise64" 221 223 Descriptor(0);
    TimerCreate "timer_create" 222 107 Unwatched;
    TimerSettime "timer_settime" 223 110 Unwatched;
    TimerGettime "timer_gettime" 224 108 Unwatched;
    TimerGetoverrun "timer_getoverrun" 225 109 Unwatched;
    TimerDelete "timer_delete" 226 111 Unwatched;
    ClockSettime "clock_settime" 227 112 Unwatched;
    ClockGettime "clock_gettime" 228 113 Unwatched;
    ClockGetres "clock_getres" 229 114 Unwatched;
    ClockNanosleep "clock_nanosleep" 230 115 Unwatched;
    ExitGroup "exit_group" 231 94 Unwatched;
    EpollWait "epoll_wait" 232 - Descriptor(0);
    EpollCtl "epoll_ctl" 233 21 Descriptor(0);
    Tgkill "tgkill" 234 131 Unwatched;
    Utimes "utimes" 235 - Path(0);
    Vserver "vserver" 236 - Unwatched;
    Mbind "mbind" 237 235 Unwatched;
    SetMempolicy "set_mempolicy" 238 237 Unwatched;
    GetMempolicy "get_mempolicy" 239 236 Unwatched;
    MqOpen "mq_open" 240 180 Nothing;
    MqUnlink "mq_unlink" 241 181 Nothing;
    MqTimedsend "mq_timedsend" 242 182 Descriptor(0);
    MqTimedreceive "mq_timedreceive" 243 183 Descriptor(0);
    MqNotify "mq_notify" 244 184 Descriptor(0);
    MqGetsetattr "mq_getsetattr" 245 185 Descriptor(0);
    KexecLoad "kexec_load" 246 104 Unwatched;
    Waitid "waitid" 247 95 Unwatched;
    AddKey "add_key" 248 217 Unwatched;
    RequestKey "request_key" 249 218 Unwatched;
    Keyctl "keyctl" 250 219 Unwatched;
    IoprioSet "ioprio_set" 251 30 Unwatched;
    IoprioGet "ioprio_get" 252 31 Unwatched;
    InotifyInit "inotify_init" 253 - Nothing;
    InotifyAddWatch "inotify_add_watch" 254 27 Path(1);
    InotifyRmWatch "inotify_rm_watch" 255 28 Descriptor(0);
    MigratePages "migrate_pages" 256 238 Unwatched;
    Openat "openat" 257 56 At(0, 1);
    Mkdirat "mkdirat" 258 34 At(0, 1);
    Mknodat "mknodat" 259 33 At(0, 1);
    Fchownat "fchownat" 260 54 At(0, 1);
    Futimesat "futimesat" 261 - At(0, 1);
    Newfstatat "newfstatat" 262 79 At(0, 1);
    Unlinkat "unlinkat" 263 35 At(0, 1);
    Renameat "renameat" 264 38 Ats(0, 1, 2, 3);
    Linkat "linkat" 265 37 Ats(0, 1, 2, 3);
    Symlinkat "symlinkat" 266 36 At(1, 2);
    Readlinkat "readlinkat" 267 78 At(0, 1);
    Fchmodat "fchmodat" 268 53 At(0, 1);
    Faccessat "faccessat" 269 48 At(0, 1);
    Pselect6 "pselect6" 270 72 Nothing;
    Ppoll "ppoll" 271 73 Nothing;
    Unshare "unshare" 272 97 Nothing;
    SetRobustList "set_robust_list" 273 99 Unwatched;
    GetRobustList "get_robust_list" 274 100 Unwatched;
    Splice "splice" 275 76 Descriptors(0, 2);
    Tee "tee" 276 77 Descriptors(0, 1);
    SyncFileRange "sync_file_range" 277 84 Descriptor(0);
    Vmsplice "vmsplice" 278 75 Descriptor(0);
    MovePages "move_pages" 279 239 Unwatched;
    Utimensat "utimensat" 280 88 At(0, 1);
    EpollPwait "epoll_pwait" 281 22 Descriptor(0);
    Signalfd "signalfd" 282 - Descriptor(0);
    TimerfdCreate "timerfd_create" 283 85 Nothing;
    Eventfd "eventfd" 284 - Nothing;
    Fallocate "fallocate" 285 47 Descriptor(0);
    TimerfdSettime "timerfd_settime" 286 86 Descriptor(0);
    TimerfdGettime "timerfd_gettime" 287 87 Descriptor(0);
    Accept4 "accept4" 288 242 Descriptor(0);
    Signalfd4 "signalfd4" 289 74 Descriptor(0);
    Eventfd2 "eventfd2" 290 19 Nothing;
    EpollCreate1 "epoll_create1" 291 20 Nothing;
    Dup3 "dup3" 292 24 Descriptor(0);
    Pipe2 "pipe2" 293 59 Nothing;
    InotifyInit1 "inotify_init1" 294 26 Nothing;
    Preadv "preadv" 295 69 Descriptor(0);
    Pwritev "pwritev" 296 70 Descriptor(0);
    RtTgsigqueueinfo "rt_tgsigqueueinfo" 297 240 Unwatched;
    PerfEventOpen "perf_event_open" 298 241 Nothing;
    Recvmmsg "recvmmsg" 299 243 Descriptor(0);
    FanotifyInit "fanotify_init" 300 262 Nothing;
    FanotifyMark "fanotify_mark" 301 263 At(3, 4);
    Prlimit64 "prlimit64" 302 261 Unwatched;
    NameToHandleAt "name_to_handle_at" 303 264 At(0, 1);
    OpenByHandleAt "open_by_handle_at" 304 265 Descriptor(0);
    ClockAdjtime "clock_adjtime" 305 266 Unwatched;
    Syncfs "syncfs" 306 267 Descriptor(0);
    Sendmmsg "sendmmsg" 307 269 Descriptor(0);
    Setns "setns" 308 268 Descriptor(0);
    Getcpu "getcpu" 309 168 Unwatched;
    ProcessVmReadv "process_vm_readv" 310 270 Unwatched;
    ProcessVmWritev "process_vm_writev" 311 271 Unwatched;
    Kcmp "kcmp" 312 272 Unwatched;
    FinitModule "finit_module" 313 273 Descriptor(0);
    SchedSetattr "sched_setattr" 314 274 Unwatched;
    SchedGetattr "sched_getattr" 315 275 Unwatched;
    Renameat2 "renameat2" 316 276 Ats(0, 1, 2, 3);
    Seccomp "seccomp" 317 277 Unwatched;
    Getrandom "getrandom" 318 278 Unwatched;
    MemfdCreate "memfd_create" 319 279 Nothing;
    KexecFileLoad "kexec_file_load" 320 294 Unwatched;
    Bpf "bpf" 321 280 Nothing;
    Execveat "execveat" 322 281 At(0, 1);
    Userfaultfd "userfaultfd" 323 282 Nothing;
    Membarrier "membarrier" 324 283 Unwatched;
    Mlock2 "mlock2" 325 284 Unwatched;
    CopyFileRange "copy_file_range" 326 285 Descriptors(0, 2);
    Preadv2 "preadv2" 327 286 Descriptor(0);
    Pwritev2 "pwritev2" 328 287 Descriptor(0);
    PkeyMprotect "pkey_mprotect" 329 288 Unwatched;
    PkeyAlloc "pkey_alloc" 330 289 Unwatched;
    PkeyFree "pkey_free" 331 290 Unwatched;
    Statx "statx" 332 291 At(0, 1);
    IoPgetevents "io_pgetevents" 333 292 Unwatched;
    Rseq "rseq" 334 293 Unwatched;
    PidfdSendSignal "pidfd_send_signal" 424 424 Descriptor(0);
    IoUringSetup "io_uring_setup" 425 425 Nothing;
    IoUringEnter "io_uring_enter" 426 426 Descriptor(0);
    IoUringRegister "io_uring_register" 427 427 Descriptor(0);
    OpenTree "open_tree" 428 428 At(0, 1);
    MoveMount "move_mount" 429 429 Ats(0, 1, 2, 3);
    Fsopen "fsopen" 430 430 Nothing;
    Fsconfig "fsconfig" 431 431 Descriptor(0);
    Fsmount "fsmount" 432 432 Descriptor(0);
    Fspick "fspick" 433 433 At(0, 1);
    PidfdOpen "pidfd_open" 434 434 Nothing;
    Clone3 "clone3" 435 435 Nothing;
    CloseRange "close_range" 436 436 Descriptor(0);
    Openat2 "openat2" 437 437 At(0, 1);
    PidfdGetfd "pidfd_getfd" 438 438 Descriptor(0);
    Faccessat2 "faccessat2" 439 439 At(0, 1);
    ProcessMadvise "process_madvise" 440 440 Descriptor(0);
    EpollPwait2 "epoll_pwait2" 441 441 Descriptor(0);
    MountSetattr "mount_setattr" 442 442 At(0, 1);
    QuotactlFd "quotactl_fd" 443 443 Descriptor(0);
    LandlockCreateRuleset "landlock_create_ruleset" 444 444 Nothing;
    LandlockAddRule "landlock_add_rule" 445 445 Nothing;
    LandlockRestrictSelf "landlock_restrict_self" 446 446 Nothing;
    MemfdSecret "memfd_secret" 447 447 Nothing;
    ProcessMrelease "process_mrelease" 448 448 Descriptor(0);
    FutexWaitv "futex_waitv" 449 449 Unwatched;
    SetMempolicyHomeNode "set_mempolicy_home_node" 450 450 Unwatched;
    Cachestat "cachestat" 451 451 Descriptor(0);
    Fchmodat2 "fchmodat2" 452 452 At(0, 1);
    MapShadowStack "map_shadow_stack" 453 453 Unwatched;
    FutexWake "futex_wake" 454 454 Unwatched;
    FutexWait "futex_wait" 455 455 Unwatched;
    FutexRequeue "futex_requeue" 456 456 Unwatched;
    Statmount "statmount" 457 457 Unwatched;
    Listmount "listmount" 458 458 Unwatched;
    LsmGetSelfAttr "lsm_get_self_attr" 459 459 Unwatched;
    LsmSetSelfAttr "lsm_set_self_attr" 460 460 Unwatched;
    LsmListModules "lsm_list_modules" 461 461 Unwatched;
    Mseal "mseal" 462 462 Unwatched;
    Setxattrat "setxattrat" 463 463 At(0, 1);
    Getxattrat "getxattrat" 464 464 At(0, 1);
    Listxattrat "listxattrat" 465 465 At(0, 1);
    Removexattrat "removexattrat" 466 466 At(0, 1);
    OpenTreeAttr "open_tree_attr" 467 467 At(0, 1);
    FileGetattr "file_getattr" 468 468 At(0, 1);
    FileSetattr "file_setattr" 469 469 At(0, 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_kernels() {
        // From asm/unistd_64.h and asm-generic/unistd.h, by hand.
        for (text, x86_64, aarch64) in [
            ("read", Some(0), Some(63)),
            ("openat", Some(257), Some(56)),
            ("newfstatat", Some(262), Some(79)),
            ("statx", Some(332), Some(291)),
            ("stat", Some(4), None),
            ("clone3", Some(435), Some(435)),
        ] {
            let name = Name::parse(text).unwrap();
            assert_eq!(name.number(Machine::X86_64), x86_64, "{text}");
            assert_eq!(name.number(Machine::Aarch64), aarch64, "{text}");
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn every_name_is_found_by_its_text_and_its_numbers() {
        for name in Name::ALL {
            assert_eq!(Name::parse(&name.to_string()), Some(*name));
            for machine in [Machine::X86_64, Machine::Aarch64] {
                if let Some(number) = name.number(machine) {
                    assert_eq!(Name::of(number, machine), *name);
                }
            }
        }
        assert_eq!(Name::of(100_000, Machine::X86_64), Name::Unknown(100_000));
        assert_eq!(Name::parse("syscall_0x1c3"), Some(Name::Unknown(451)));
        assert_eq!(Name::parse("foreign_5"), Some(Name::Foreign(5)));
        for (text, number) in [("i386_open", 5), ("i386_stat64", 195), ("i386_9999", 9999)] {
            assert_eq!(Name::parse(text), Some(Name::I386(number)));
            assert_eq!(Name::I386(number).to_string(), text);
        }
        assert_eq!(Name::parse("nonsense"), None);
    }
}
