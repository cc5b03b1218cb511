//! The system calls of Linux: one table gives each its name and numbers, the places of its paths
//! and descriptors, its class, and the place of its answer.
//!
//! Numbers: the kernel's own tables for x86-64 and for aarch64 (its generic one), as of Linux 6.18.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Class, i386};

/// Where a call has its paths and descriptors, as positions among its arguments. A call with a
/// shape takes, gives or makes a descriptor, a path, a process or a thread, or asks for what
/// programs ask for too often (the time, random bytes, who they are): those are watched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// Watched, but neither a path nor a single descriptor is among the arguments: `pipe2`,
    /// `poll`, `getcwd`, `clone`, `getpid`.
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
    ($($variant:ident $text:literal $x86_64:tt $aarch64:tt
        $($shape:ident $(($($position:literal),+))? $class:ident $(-> $answer:literal)?)?;)+) => {
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

            /// What the table says of it. It is looked up several times for each call.
            fn row(self) -> Option<&'static Row> {
                let at = match self {
                    $(Name::$variant => Variant::$variant as usize,)+
                    Name::Unknown(_) | Name::I386(_) | Name::Foreign(_) => return None,
                };
                ROWS.get(at)
            }
        }

        /// The names that have a row, by its number.
        enum Variant { $($variant,)+ }

        static ROWS: &[Row] = &[$(Row {
            text: $text,
            x86_64: optional!($x86_64),
            aarch64: optional!($aarch64),
            watched: optional!($((Shape::$shape $(($($position),+))?, Class::$class))?),
            answer: optional!($($($answer)?)?),
        },)+];
    };
}

macro_rules! optional {
    ($(-)?) => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

struct Row {
    text: &'static str,
    x86_64: Option<u16>,
    aarch64: Option<u16>,
    watched: Option<(Shape, Class)>,
    answer: Option<u8>,
}

/// A call that no table knows.
impl Default for Name {
    fn default() -> Name {
        Name::Unknown(u32::MAX)
    }
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
            (_, Machine::X86_64) => self.row()?.x86_64.map(u32::from),
            (_, Machine::Aarch64) => self.row()?.aarch64.map(u32::from),
        }
    }

    /// Whether it is a call of another machine than that which the process runs on.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Name::I386(_) | Name::Foreign(_))
    }

    /// Whether the thread ends in it, so that it never comes back.
    #[must_use]
    pub fn ends_the_thread(self) -> bool {
        match self {
            Name::Exit | Name::ExitGroup => true,
            Name::I386(number) => matches!(i386::name(number), Some("exit" | "exit_group")),
            _ => false,
        }
    }

    /// The name as strace and the manual have it. Back from `syscall_N`, `foreign_N` and
    /// `i386_NAME` as well.
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
        self.watched().map_or(Shape::Unwatched, |(shape, _)| shape)
    }

    /// What it does.
    #[must_use]
    pub fn class(self) -> Class {
        self.watched().map_or(Class::Other, |(_, class)| class)
    }

    fn watched(self) -> Option<(Shape, Class)> {
        self.row()?.watched
    }

    /// The argument that points to the memory which the kernel fills in with the answer. `None` if
    /// there is no answer but the result, or if the argument points to a list of blocks (`readv`).
    #[must_use]
    pub(crate) fn answer(self) -> Option<usize> {
        self.row()?.answer.map(usize::from)
    }

    /// Whether a call of this name, with these arguments, opens a file so that it may be written
    /// to. (`openat2` has its flags in memory.)
    pub(crate) fn opens_for_writing(self, arguments: &[u64; 6]) -> bool {
        let writes = |flags: u64| flags & u64::from(::agent::WRITES) != 0;
        match self {
            Name::Open => writes(arguments[1]),
            Name::Openat => writes(arguments[2]),
            _ => self.class() == Class::Open,
        }
    }

    /// Whether it is watched without being asked for: whatever takes or makes a path, a
    /// descriptor, a process or a thread, or asks for the time, random bytes or who it is.
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
    by_text: rustc_hash::FxHashMap<&'static str, Name>,
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

fn put(names: &mut Vec<Option<Name>>, number: Option<u16>, name: Name) {
    let Some(number) = number else { return };
    let at = usize::from(number);
    if names.len() <= at {
        names.resize(at + 1, None);
    }
    names[at] = Some(name);
}

// Name, text, number on x86-64, number on aarch64, shape, class -> where the answer goes. Calls
// that are not watched have no shape; several of them share a row.
names! {
    Read "read" 0 63 Descriptor(0) Read -> 1;
    Write "write" 1 64 Descriptor(0) Write;
    Open "open" 2 - Path(0) Open;
    Close "close" 3 57 Descriptor(0) Close;
    Stat "stat" 4 - Path(0) Stat -> 1;
    Fstat "fstat" 5 80 Descriptor(0) Stat -> 1;
    Lstat "lstat" 6 - Path(0) Stat -> 1;
    Poll "poll" 7 - Nothing Wait;
    Lseek "lseek" 8 62 Descriptor(0) Seek;
    Mmap "mmap" 9 222 Descriptor(4) Map;
    Mprotect "mprotect" 10 226; Munmap "munmap" 11 215; Brk "brk" 12 214;
    RtSigaction "rt_sigaction" 13 134; RtSigprocmask "rt_sigprocmask" 14 135;
    RtSigreturn "rt_sigreturn" 15 139;
    Ioctl "ioctl" 16 29 Descriptor(0) Ioctl;
    Pread64 "pread64" 17 67 Descriptor(0) Read -> 1;
    Pwrite64 "pwrite64" 18 68 Descriptor(0) Write;
    Readv "readv" 19 65 Descriptor(0) Read;
    Writev "writev" 20 66 Descriptor(0) Write;
    Access "access" 21 - Path(0) Access;
    Pipe "pipe" 22 - Nothing Other;
    Select "select" 23 - Nothing Wait;
    SchedYield "sched_yield" 24 124; Mremap "mremap" 25 216; Msync "msync" 26 227;
    Mincore "mincore" 27 232; Madvise "madvise" 28 233; Shmget "shmget" 29 194;
    Shmat "shmat" 30 196; Shmctl "shmctl" 31 195;
    Dup "dup" 32 23 Descriptor(0) Duplicate;
    Dup2 "dup2" 33 - Descriptor(0) Duplicate;
    Pause "pause" 34 -; Nanosleep "nanosleep" 35 101; Getitimer "getitimer" 36 102;
    Alarm "alarm" 37 -; Setitimer "setitimer" 38 103; Getpid "getpid" 39 172 Nothing Identity;
    Sendfile "sendfile" 40 71 Descriptors(0, 1) Copy;
    Socket "socket" 41 198 Nothing Other;
    Connect "connect" 42 203 Descriptor(0) Other;
    Accept "accept" 43 202 Descriptor(0) Wait;
    Sendto "sendto" 44 206 Descriptor(0) Send;
    Recvfrom "recvfrom" 45 207 Descriptor(0) Receive;
    Sendmsg "sendmsg" 46 211 Descriptor(0) Send;
    Recvmsg "recvmsg" 47 212 Descriptor(0) Receive;
    Shutdown "shutdown" 48 210 Descriptor(0) Other;
    Bind "bind" 49 200 Descriptor(0) Other;
    Listen "listen" 50 201 Descriptor(0) Other;
    Getsockname "getsockname" 51 204 Descriptor(0) Other;
    Getpeername "getpeername" 52 205 Descriptor(0) Other;
    Socketpair "socketpair" 53 199 Nothing Other;
    Setsockopt "setsockopt" 54 208 Descriptor(0) Other;
    Getsockopt "getsockopt" 55 209 Descriptor(0) Other;
    Clone "clone" 56 220 Nothing Fork;
    Fork "fork" 57 - Nothing Fork;
    Vfork "vfork" 58 - Nothing Fork;
    Execve "execve" 59 221 Path(0) Execute;
    Exit "exit" 60 93; Wait4 "wait4" 61 260; Kill "kill" 62 129; Uname "uname" 63 160;
    Semget "semget" 64 190; Semop "semop" 65 193; Semctl "semctl" 66 191; Shmdt "shmdt" 67 197;
    Msgget "msgget" 68 186; Msgsnd "msgsnd" 69 189; Msgrcv "msgrcv" 70 188; Msgctl "msgctl" 71 187;
    Fcntl "fcntl" 72 25 Descriptor(0) Fcntl;
    Flock "flock" 73 32 Descriptor(0) Lock;
    Fsync "fsync" 74 82 Descriptor(0) Sync;
    Fdatasync "fdatasync" 75 83 Descriptor(0) Sync;
    Truncate "truncate" 76 45 Path(0) Resize;
    Ftruncate "ftruncate" 77 46 Descriptor(0) Resize;
    Getdents "getdents" 78 - Descriptor(0) ReadDirectory -> 1;
    Getcwd "getcwd" 79 17 Nothing Getcwd -> 0;
    Chdir "chdir" 80 49 Path(0) Chdir;
    Fchdir "fchdir" 81 50 Descriptor(0) Chdir;
    Rename "rename" 82 - Paths(0, 1) Change;
    Mkdir "mkdir" 83 - Path(0) Change;
    Rmdir "rmdir" 84 - Path(0) Change;
    Creat "creat" 85 - Path(0) Open;
    Link "link" 86 - Paths(0, 1) Change;
    Unlink "unlink" 87 - Path(0) Change;
    Symlink "symlink" 88 - Path(1) Change;
    Readlink "readlink" 89 - Path(0) Readlink -> 1;
    Chmod "chmod" 90 - Path(0) Change;
    Fchmod "fchmod" 91 52 Descriptor(0) Change;
    Chown "chown" 92 - Path(0) Change;
    Fchown "fchown" 93 55 Descriptor(0) Change;
    Lchown "lchown" 94 - Path(0) Change;
    Umask "umask" 95 166; Gettimeofday "gettimeofday" 96 169 Nothing Clock;
    Getrlimit "getrlimit" 97 163;
    Getrusage "getrusage" 98 165; Sysinfo "sysinfo" 99 179; Times "times" 100 153;
    Ptrace "ptrace" 101 117; Getuid "getuid" 102 174 Nothing Identity; Syslog "syslog" 103 116;
    Getgid "getgid" 104 176 Nothing Identity; Setuid "setuid" 105 146; Setgid "setgid" 106 144;
    Geteuid "geteuid" 107 175 Nothing Identity; Getegid "getegid" 108 177 Nothing Identity;
    Setpgid "setpgid" 109 154;
    Getppid "getppid" 110 173 Nothing Identity; Getpgrp "getpgrp" 111 -; Setsid "setsid" 112 157;
    Setreuid "setreuid" 113 145; Setregid "setregid" 114 143; Getgroups "getgroups" 115 158;
    Setgroups "setgroups" 116 159; Setresuid "setresuid" 117 147; Getresuid "getresuid" 118 148;
    Setresgid "setresgid" 119 149; Getresgid "getresgid" 120 150; Getpgid "getpgid" 121 155;
    Setfsuid "setfsuid" 122 151; Setfsgid "setfsgid" 123 152; Getsid "getsid" 124 156;
    Capget "capget" 125 90; Capset "capset" 126 91; RtSigpending "rt_sigpending" 127 136;
    RtSigtimedwait "rt_sigtimedwait" 128 137; RtSigqueueinfo "rt_sigqueueinfo" 129 138;
    RtSigsuspend "rt_sigsuspend" 130 133; Sigaltstack "sigaltstack" 131 132;
    Utime "utime" 132 - Path(0) Change;
    Mknod "mknod" 133 - Path(0) Change;
    Uselib "uselib" 134 - Path(0) Other;
    Personality "personality" 135 92;
    Ustat "ustat" 136 - Nothing Other;
    Statfs "statfs" 137 43 Path(0) Statfs -> 1;
    Fstatfs "fstatfs" 138 44 Descriptor(0) Statfs -> 1;
    Sysfs "sysfs" 139 - Nothing Other;
    Getpriority "getpriority" 140 141; Setpriority "setpriority" 141 140;
    SchedSetparam "sched_setparam" 142 118; SchedGetparam "sched_getparam" 143 121;
    SchedSetscheduler "sched_setscheduler" 144 119; SchedGetscheduler "sched_getscheduler" 145 120;
    SchedGetPriorityMax "sched_get_priority_max" 146 125;
    SchedGetPriorityMin "sched_get_priority_min" 147 126;
    SchedRrGetInterval "sched_rr_get_interval" 148 127; Mlock "mlock" 149 228;
    Munlock "munlock" 150 229; Mlockall "mlockall" 151 230; Munlockall "munlockall" 152 231;
    Vhangup "vhangup" 153 58; ModifyLdt "modify_ldt" 154 -;
    PivotRoot "pivot_root" 155 41 Paths(0, 1) Other;
    Sysctl "_sysctl" 156 -; Prctl "prctl" 157 167; ArchPrctl "arch_prctl" 158 -;
    Adjtimex "adjtimex" 159 171; Setrlimit "setrlimit" 160 164;
    Chroot "chroot" 161 51 Path(0) Other;
    Sync "sync" 162 81 Nothing Sync;
    Acct "acct" 163 89 Path(0) Other;
    Settimeofday "settimeofday" 164 170;
    Mount "mount" 165 40 Path(1) Other;
    Umount2 "umount2" 166 39 Path(0) Other;
    Swapon "swapon" 167 224 Path(0) Other;
    Swapoff "swapoff" 168 225 Path(0) Other;
    Reboot "reboot" 169 142; Sethostname "sethostname" 170 161;
    Setdomainname "setdomainname" 171 162; Iopl "iopl" 172 -; Ioperm "ioperm" 173 -;
    CreateModule "create_module" 174 -; InitModule "init_module" 175 105;
    DeleteModule "delete_module" 176 106; GetKernelSyms "get_kernel_syms" 177 -;
    QueryModule "query_module" 178 -;
    Quotactl "quotactl" 179 60 Path(1) Other;
    Nfsservctl "nfsservctl" 180 42; Getpmsg "getpmsg" 181 -; Putpmsg "putpmsg" 182 -;
    AfsSyscall "afs_syscall" 183 -; Tuxcall "tuxcall" 184 -; Security "security" 185 -;
    Gettid "gettid" 186 178;
    Readahead "readahead" 187 213 Descriptor(0) Map;
    Setxattr "setxattr" 188 5 Path(0) Change;
    Lsetxattr "lsetxattr" 189 6 Path(0) Change;
    Fsetxattr "fsetxattr" 190 7 Descriptor(0) Change;
    Getxattr "getxattr" 191 8 Path(0) GetXattr -> 2;
    Lgetxattr "lgetxattr" 192 9 Path(0) GetXattr -> 2;
    Fgetxattr "fgetxattr" 193 10 Descriptor(0) GetXattr -> 2;
    Listxattr "listxattr" 194 11 Path(0) ListXattr -> 1;
    Llistxattr "llistxattr" 195 12 Path(0) ListXattr -> 1;
    Flistxattr "flistxattr" 196 13 Descriptor(0) ListXattr -> 1;
    Removexattr "removexattr" 197 14 Path(0) Change;
    Lremovexattr "lremovexattr" 198 15 Path(0) Change;
    Fremovexattr "fremovexattr" 199 16 Descriptor(0) Change;
    Tkill "tkill" 200 130; Time "time" 201 - Nothing Clock; Futex "futex" 202 98;
    SchedSetaffinity "sched_setaffinity" 203 122; SchedGetaffinity "sched_getaffinity" 204 123;
    SetThreadArea "set_thread_area" 205 -; IoSetup "io_setup" 206 0; IoDestroy "io_destroy" 207 1;
    IoGetevents "io_getevents" 208 4; IoSubmit "io_submit" 209 2; IoCancel "io_cancel" 210 3;
    GetThreadArea "get_thread_area" 211 -; LookupDcookie "lookup_dcookie" 212 18;
    EpollCreate "epoll_create" 213 - Nothing Anonymous;
    EpollCtlOld "epoll_ctl_old" 214 -; EpollWaitOld "epoll_wait_old" 215 -;
    RemapFilePages "remap_file_pages" 216 234;
    Getdents64 "getdents64" 217 61 Descriptor(0) ReadDirectory -> 1;
    SetTidAddress "set_tid_address" 218 96; RestartSyscall "restart_syscall" 219 128;
    Semtimedop "semtimedop" 220 192;
    Fadvise64 "fadvise64" 221 223 Descriptor(0) Other;
    TimerCreate "timer_create" 222 107; TimerSettime "timer_settime" 223 110;
    TimerGettime "timer_gettime" 224 108; TimerGetoverrun "timer_getoverrun" 225 109;
    TimerDelete "timer_delete" 226 111; ClockSettime "clock_settime" 227 112;
    ClockGettime "clock_gettime" 228 113 Nothing Clock; ClockGetres "clock_getres" 229 114;
    ClockNanosleep "clock_nanosleep" 230 115 Nothing Sleep; ExitGroup "exit_group" 231 94;
    EpollWait "epoll_wait" 232 - Descriptor(0) Wait;
    EpollCtl "epoll_ctl" 233 21 Descriptor(0) Other;
    Tgkill "tgkill" 234 131;
    Utimes "utimes" 235 - Path(0) Change;
    Vserver "vserver" 236 -; Mbind "mbind" 237 235; SetMempolicy "set_mempolicy" 238 237;
    GetMempolicy "get_mempolicy" 239 236;
    MqOpen "mq_open" 240 180 Nothing Other;
    MqUnlink "mq_unlink" 241 181 Nothing Other;
    MqTimedsend "mq_timedsend" 242 182 Descriptor(0) Other;
    MqTimedreceive "mq_timedreceive" 243 183 Descriptor(0) Other;
    MqNotify "mq_notify" 244 184 Descriptor(0) Other;
    MqGetsetattr "mq_getsetattr" 245 185 Descriptor(0) Other;
    KexecLoad "kexec_load" 246 104; Waitid "waitid" 247 95; AddKey "add_key" 248 217;
    RequestKey "request_key" 249 218; Keyctl "keyctl" 250 219; IoprioSet "ioprio_set" 251 30;
    IoprioGet "ioprio_get" 252 31;
    InotifyInit "inotify_init" 253 - Nothing Anonymous;
    InotifyAddWatch "inotify_add_watch" 254 27 Path(1) Other;
    InotifyRmWatch "inotify_rm_watch" 255 28 Descriptor(0) Other;
    MigratePages "migrate_pages" 256 238;
    Openat "openat" 257 56 At(0, 1) Open;
    Mkdirat "mkdirat" 258 34 At(0, 1) Change;
    Mknodat "mknodat" 259 33 At(0, 1) Change;
    Fchownat "fchownat" 260 54 At(0, 1) Change;
    Futimesat "futimesat" 261 - At(0, 1) Change;
    Newfstatat "newfstatat" 262 79 At(0, 1) Stat -> 2;
    Unlinkat "unlinkat" 263 35 At(0, 1) Change;
    Renameat "renameat" 264 38 Ats(0, 1, 2, 3) Change;
    Linkat "linkat" 265 37 Ats(0, 1, 2, 3) Change;
    Symlinkat "symlinkat" 266 36 At(1, 2) Change;
    Readlinkat "readlinkat" 267 78 At(0, 1) Readlink -> 2;
    Fchmodat "fchmodat" 268 53 At(0, 1) Change;
    Faccessat "faccessat" 269 48 At(0, 1) Access;
    Pselect6 "pselect6" 270 72 Nothing Wait;
    Ppoll "ppoll" 271 73 Nothing Wait;
    Unshare "unshare" 272 97 Nothing Other;
    SetRobustList "set_robust_list" 273 99; GetRobustList "get_robust_list" 274 100;
    Splice "splice" 275 76 Descriptors(0, 2) Splice;
    Tee "tee" 276 77 Descriptors(0, 1) Splice;
    SyncFileRange "sync_file_range" 277 84 Descriptor(0) Sync;
    Vmsplice "vmsplice" 278 75 Descriptor(0) Splice;
    MovePages "move_pages" 279 239;
    Utimensat "utimensat" 280 88 At(0, 1) Change;
    EpollPwait "epoll_pwait" 281 22 Descriptor(0) Wait;
    Signalfd "signalfd" 282 - Descriptor(0) Anonymous;
    TimerfdCreate "timerfd_create" 283 85 Nothing Anonymous;
    Eventfd "eventfd" 284 - Nothing Anonymous;
    Fallocate "fallocate" 285 47 Descriptor(0) Resize;
    TimerfdSettime "timerfd_settime" 286 86 Descriptor(0) Other;
    TimerfdGettime "timerfd_gettime" 287 87 Descriptor(0) Other;
    Accept4 "accept4" 288 242 Descriptor(0) Wait;
    Signalfd4 "signalfd4" 289 74 Descriptor(0) Anonymous;
    Eventfd2 "eventfd2" 290 19 Nothing Anonymous;
    EpollCreate1 "epoll_create1" 291 20 Nothing Anonymous;
    Dup3 "dup3" 292 24 Descriptor(0) Duplicate;
    Pipe2 "pipe2" 293 59 Nothing Other;
    InotifyInit1 "inotify_init1" 294 26 Nothing Anonymous;
    Preadv "preadv" 295 69 Descriptor(0) Read;
    Pwritev "pwritev" 296 70 Descriptor(0) Write;
    RtTgsigqueueinfo "rt_tgsigqueueinfo" 297 240;
    PerfEventOpen "perf_event_open" 298 241 Nothing Anonymous;
    Recvmmsg "recvmmsg" 299 243 Descriptor(0) Other;
    FanotifyInit "fanotify_init" 300 262 Nothing Anonymous;
    FanotifyMark "fanotify_mark" 301 263 At(3, 4) Other;
    Prlimit64 "prlimit64" 302 261;
    NameToHandleAt "name_to_handle_at" 303 264 At(0, 1) Other;
    OpenByHandleAt "open_by_handle_at" 304 265 Descriptor(0) Other;
    ClockAdjtime "clock_adjtime" 305 266;
    Syncfs "syncfs" 306 267 Descriptor(0) Sync;
    Sendmmsg "sendmmsg" 307 269 Descriptor(0) Other;
    Setns "setns" 308 268 Descriptor(0) Other;
    Getcpu "getcpu" 309 168; ProcessVmReadv "process_vm_readv" 310 270;
    ProcessVmWritev "process_vm_writev" 311 271; Kcmp "kcmp" 312 272;
    FinitModule "finit_module" 313 273 Descriptor(0) Other;
    SchedSetattr "sched_setattr" 314 274; SchedGetattr "sched_getattr" 315 275;
    Renameat2 "renameat2" 316 276 Ats(0, 1, 2, 3) Change;
    Seccomp "seccomp" 317 277; Getrandom "getrandom" 318 278 Nothing Random;
    MemfdCreate "memfd_create" 319 279 Nothing Anonymous;
    KexecFileLoad "kexec_file_load" 320 294;
    Bpf "bpf" 321 280 Nothing Other;
    Execveat "execveat" 322 281 At(0, 1) Execute;
    Userfaultfd "userfaultfd" 323 282 Nothing Anonymous;
    Membarrier "membarrier" 324 283; Mlock2 "mlock2" 325 284;
    CopyFileRange "copy_file_range" 326 285 Descriptors(0, 2) Copy;
    Preadv2 "preadv2" 327 286 Descriptor(0) Read;
    Pwritev2 "pwritev2" 328 287 Descriptor(0) Write;
    PkeyMprotect "pkey_mprotect" 329 288; PkeyAlloc "pkey_alloc" 330 289;
    PkeyFree "pkey_free" 331 290;
    Statx "statx" 332 291 At(0, 1) Stat -> 4;
    IoPgetevents "io_pgetevents" 333 292; Rseq "rseq" 334 293;
    PidfdSendSignal "pidfd_send_signal" 424 424 Descriptor(0) Other;
    IoUringSetup "io_uring_setup" 425 425 Nothing Anonymous;
    IoUringEnter "io_uring_enter" 426 426 Descriptor(0) Other;
    IoUringRegister "io_uring_register" 427 427 Descriptor(0) Other;
    OpenTree "open_tree" 428 428 At(0, 1) Other;
    MoveMount "move_mount" 429 429 Ats(0, 1, 2, 3) Other;
    Fsopen "fsopen" 430 430 Nothing Other;
    Fsconfig "fsconfig" 431 431 Descriptor(0) Other;
    Fsmount "fsmount" 432 432 Descriptor(0) Other;
    Fspick "fspick" 433 433 At(0, 1) Other;
    PidfdOpen "pidfd_open" 434 434 Nothing Anonymous;
    Clone3 "clone3" 435 435 Nothing Fork;
    CloseRange "close_range" 436 436 Descriptor(0) Close;
    Openat2 "openat2" 437 437 At(0, 1) Open;
    PidfdGetfd "pidfd_getfd" 438 438 Descriptor(0) Other;
    Faccessat2 "faccessat2" 439 439 At(0, 1) Access;
    ProcessMadvise "process_madvise" 440 440 Descriptor(0) Other;
    EpollPwait2 "epoll_pwait2" 441 441 Descriptor(0) Wait;
    MountSetattr "mount_setattr" 442 442 At(0, 1) Other;
    QuotactlFd "quotactl_fd" 443 443 Descriptor(0) Other;
    LandlockCreateRuleset "landlock_create_ruleset" 444 444 Nothing Anonymous;
    LandlockAddRule "landlock_add_rule" 445 445 Nothing Other;
    LandlockRestrictSelf "landlock_restrict_self" 446 446 Nothing Other;
    MemfdSecret "memfd_secret" 447 447 Nothing Anonymous;
    ProcessMrelease "process_mrelease" 448 448 Descriptor(0) Other;
    FutexWaitv "futex_waitv" 449 449; SetMempolicyHomeNode "set_mempolicy_home_node" 450 450;
    Cachestat "cachestat" 451 451 Descriptor(0) Other;
    Fchmodat2 "fchmodat2" 452 452 At(0, 1) Change;
    MapShadowStack "map_shadow_stack" 453 453; FutexWake "futex_wake" 454 454;
    FutexWait "futex_wait" 455 455; FutexRequeue "futex_requeue" 456 456;
    Statmount "statmount" 457 457; Listmount "listmount" 458 458;
    LsmGetSelfAttr "lsm_get_self_attr" 459 459; LsmSetSelfAttr "lsm_set_self_attr" 460 460;
    LsmListModules "lsm_list_modules" 461 461; Mseal "mseal" 462 462;
    Setxattrat "setxattrat" 463 463 At(0, 1) Change;
    Getxattrat "getxattrat" 464 464 At(0, 1) GetXattr;
    Listxattrat "listxattrat" 465 465 At(0, 1) ListXattr;
    Removexattrat "removexattrat" 466 466 At(0, 1) Change;
    OpenTreeAttr "open_tree_attr" 467 467 At(0, 1) Other;
    FileGetattr "file_getattr" 468 468 At(0, 1) Other;
    FileSetattr "file_setattr" 469 469 At(0, 1) Other;
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

    #[test]
    fn calls_without_a_row_have_no_class() {
        assert_eq!(Name::Openat2.class(), Class::Open);
        for name in [Name::Unknown(7), Name::I386(5), Name::Foreign(0)] {
            assert_eq!((name.class(), name.answer()), (Class::Other, None));
        }
    }
}
