// What programs that the kernel runs (eBPF) need of it: its functions, kinds of maps, and the
// fields of its structs that are read here.

typedef unsigned char u8;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;

#define SECTION(name) __attribute__((section(name), used))
#define INLINE static __attribute__((always_inline))
#define FIELDS __attribute__((preserve_access_index))

// The kinds of maps, as linux/bpf.h numbers them.
enum { HASH = 1, ARRAY = 2, PERCPU_ARRAY = 6, RINGBUF = 27 };
enum { NO_PREALLOC = 1 };
enum { ANY = 0 };

// The kernel's functions, as linux/bpf.h numbers them.
static void *(*map_lookup)(void *map, const void *key) = (void *)1;
static long (*map_update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static long (*map_delete)(void *map, const void *key) = (void *)3;
static u64 (*now)(void) = (void *)5;
static u64 (*current_ids)(void) = (void *)14;
static u64 (*current_task)(void) = (void *)35;
static long (*read_user)(void *to, u32 size, const void *from) = (void *)112;
static long (*read_kernel)(void *to, u32 size, const void *from) = (void *)113;
static long (*read_user_text)(void *to, u32 size, const void *from) = (void *)114;
static long (*read_kernel_text)(void *to, u32 size, const void *from) = (void *)115;
static long (*ring_output)(void *ring, void *data, u64 size, u64 flags) = (void *)130;
static u64 (*ring_query)(void *ring, u64 flags) = (void *)134;

enum { NO_WAKEUP = 1, FORCE_WAKEUP = 2 };

// Fields of the kernel's structs that are read. What is not there has no price.
struct thread_info {
    u32 status;
} FIELDS;
struct counter {
    s32 counter;
} FIELDS;
struct signal_struct {
    struct counter live;
    s32 group_exit_code;
    u64 sum_sched_runtime;
    u64 cutime, cstime;
} FIELDS;
struct sched_entity {
    u64 sum_exec_runtime;
} FIELDS;
struct mm_struct {
    u64 start_code, arg_start, arg_end;
    u64 saved_auxv[48];
} FIELDS;
struct inode {
    unsigned long i_ino;
} FIELDS;
struct file {
    struct inode *f_inode;
} FIELDS;
struct fdtable {
    struct file **fd;
} FIELDS;
struct files_struct {
    struct fdtable *fdt;
} FIELDS;
struct task_struct {
    struct thread_info thread_info;
    s32 pid, tgid, exit_code;
    u32 flags;
    struct sched_entity se;
    struct mm_struct *mm;
    struct files_struct *files;
    struct signal_struct *signal;
} FIELDS;
struct linux_binprm {
    const char *filename, *interp;
} FIELDS;

#define READ(to, from) read_kernel(&(to), sizeof(to), __builtin_preserve_access_index(&(from)))

#define MAP(name, kind, key_type, value_type, count, how)                                          \
    struct {                                                                                       \
        int (*type)[kind];                                                                         \
        key_type *key;                                                                             \
        value_type *value;                                                                         \
        int (*max_entries)[count];                                                                 \
        int (*map_flags)[how];                                                                     \
    } name SECTION(".maps")
