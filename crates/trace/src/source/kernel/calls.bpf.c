// Records the system calls of some processes, or of all, into a ring that `program.rs` reads.
//
// Build (clang 14 or later; no other headers are needed):
//
//     clang -O2 -g -fdebug-compilation-dir=. -target bpf -c calls.bpf.c -o calls.bpf.o
//     llvm-strip -g calls.bpf.o
//
// The object is checked in beside this file; a test builds it anew and compares the instructions.
// It is the same for x86-64 and aarch64: fields of the kernel's own structs are found when it is
// loaded, by the kernel's BTF.
//
// A call is recorded when it is done, by `on_exit`. What it needs of the time before (arguments,
// paths) is kept by thread in `THREADS`. Records are those of the agent, with another first word:
// crates/agent/src/layout.rs; `events.rs` reads these.

#include "kernel.bpf.h"

struct context {
    u64 arguments[3];
};

// What the watcher sets before anything is attached.
struct settings {
    u32 self;       // its own process, which is never watched
    u32 everything; // whether all processes are watched
    u32 every_call; // whether also calls without a plan are recorded
    u32 stacks;     // whether stacks are recorded
    u32 is_aarch64;
    u32 wakes_at; // how many bytes in the ring wake the watcher
};

// Bits of a plan, and where in it arguments are named: crates/agent/src/lib.rs, `Plan`.
enum {
    PLANNED = 1,
    FIRST_PATH = 2,
    SECOND_PATH = 4,
    WHOLE = 8,
    AS_RESULT = 16,
    // Recorded only if the fourth argument is there and the time is over.
    TIMED_OUT = 64,
    // The first argument points to a `struct clone_args`.
    CLONE_ARGS = 128,
    // The answer is read, whatever the result is.
    ALWAYS = 256 << 20,
    // The result, or the answer's two, are descriptors that were made.
    DESCRIPTORS = 512 << 20,
};

enum { NUMBERS = 512, SHORT = 256, PATH = 4096, STACK_BYTES = 2048, KEPT_STACK = 1024 };
enum { STACK_HEAD = 32, CHUNK = 128 };

// A thread, and the call that it is in.
struct thread {
    u64 is_in;
    // Six of them; a plan names one by three bits.
    u64 start, number, arguments[8];
    u64 clone_flags;
    // How many bytes of each path there are, with the NUL; 0 or less: it is read at the end.
    s64 lengths[2];
    s64 stack_bytes;
    u8 stack[STACK_HEAD + KEPT_STACK];
    u8 paths[2][SHORT];
};

// A record; pieces follow, each with its address and length.
struct record {
    u32 kind, process;
    u64 start, end, number, arguments[6], result;
    u32 thread, spare;
    u64 site;
    u8 pieces[];
};

enum { CALL, UNFINISHED, FORK, EXEC, EXIT, SIGNAL };

struct piece {
    u64 address, length;
    u8 bytes[];
};

// A piece with one of these addresses is the stack, what a program is called and was started with,
// where its code lies (its auxiliary vector), or the inodes of new descriptors.
enum { STACK_PIECE = 1, INTERPRETER_PIECE = 3, WORDS_PIECE, PLACES_PIECE, INODES_PIECE };

// The largest record begins below this; behind it there is room for the longest piece.
enum { ROOM = 1 << 14, SLACK = 8192 };

struct scratch {
    u8 bytes[ROOM + SLACK];
};

MAP(SETTINGS, ARRAY, u32, struct settings, 1, 0);
MAP(PLANS, ARRAY, u32, u64, NUMBERS, 0);
MAP(PROCESSES, HASH, u32, u32, 65536, NO_PREALLOC);
MAP(THREADS, HASH, u32, struct thread, 131072, NO_PREALLOC);
MAP(SCRATCH, PERCPU_ARRAY, u32, struct scratch, 1, 0);
MAP(EMPTY, PERCPU_ARRAY, u32, struct thread, 1, 0);
MAP(LOST, PERCPU_ARRAY, u32, u64, 1, 0);
struct {
    int (*type)[RINGBUF];
    int (*max_entries)[1 << 26];
} RING SECTION(".maps");

static const u32 FIRST = 0;

// Keeps the compiler from proving what the verifier then no longer sees.
#define BOUND(value, limit) asm volatile("%0 &= %1" : "+r"(value) : "i"((limit) - 1))

// The argument that the last three bits name.
INLINE u64 argument(const struct thread *thread, u64 at) {
    BOUND(at, 8);
    return thread->arguments[at];
}

INLINE struct settings *settings(void) { return map_lookup(&SETTINGS, &FIRST); }

INLINE int is_watched(const struct settings *settings, u32 process) {
    if (settings->everything)
        return process != settings->self;
    return map_lookup(&PROCESSES, &process) != 0;
}

INLINE void lose(void) {
    u64 *lost = map_lookup(&LOST, &FIRST);
    if (lost)
        *lost += 1;
}

INLINE struct record *begin(u32 kind, u32 process, u32 thread) {
    struct record *record = map_lookup(&SCRATCH, &FIRST);
    if (record) {
        record->kind = kind;
        record->process = process;
        record->thread = thread;
        record->spare = 0;
        record->end = now();
        record->site = 0;
    }
    return record;
}

// Sends a record of so many bytes. `wakes`: the watcher has to look at /proc soon.
INLINE void send(const struct settings *settings, struct record *record, u64 size, int wakes) {
    BOUND(size, ROOM);
    u64 flags = wakes || ring_query(&RING, 0) >= settings->wakes_at ? FORCE_WAKEUP : NO_WAKEUP;
    if (ring_output(&RING, record, size, flags))
        lose();
}

// The place of a piece so far behind a record's beginning.
INLINE struct piece *piece(struct record *record, u64 at) {
    BOUND(at, ROOM);
    return (struct piece *)((u8 *)record + at);
}

// How far behind the beginning the next piece is.
INLINE u64 add(struct piece *piece, u64 at, u64 address, s64 length) {
    if (length <= 0)
        return at;
    piece->address = address;
    piece->length = length;
    return at + sizeof(struct piece) + ((length + 7) & ~7ULL);
}

// Copies where a thread is (instruction, stack and frame pointer, link register), and its stack
// from there on. How many bytes it is.
INLINE s64 copy_stack(u8 *to, const struct settings *settings, const void *registers, u32 most) {
    u64 *head = (u64 *)to;
    if (settings->is_aarch64) {
        u64 all[4];
        if (read_kernel(all, sizeof all, registers + 8 * 29))
            return 0;
        head[0] = all[3];
        head[1] = all[2];
        head[2] = all[0];
        head[3] = all[1];
    } else {
        u64 all[16];
        if (read_kernel(all, sizeof all, registers + 8 * 4))
            return 0;
        head[0] = all[12]; // rip
        head[1] = all[15]; // rsp
        head[2] = all[0];  // rbp
        head[3] = 0;
    }
    u64 from = head[1];
    to += STACK_HEAD;
    if (!read_user(to, most, (void *)from))
        return STACK_HEAD + most;
    // It ends before that: in pieces, up to the end.
    s64 length = 0;
    for (; length < most; length += CHUNK)
        if (read_user(to + length, CHUNK, (void *)(from + length)))
            break;
    return STACK_HEAD + length;
}

INLINE u64 add_stack(const void *registers, const struct settings *settings,
                     struct record *record, u64 at) {
    if (!settings->stacks)
        return at;
    struct piece *to = piece(record, at);
    return add(to, at, STACK_PIECE, copy_stack(to->bytes, settings, registers, STACK_BYTES));
}

// A path that was read when the call began, or is read now.
// `instead`: memory is another program's by now, and the path is there in the kernel's.
INLINE u64 add_path(struct record *record, const struct thread *thread, u32 which, u64 address,
                    const char *instead, u64 at) {
    struct piece *to = piece(record, at);
    s64 length = thread->lengths[which];
    if (length > 0)
        read_kernel(to->bytes, SHORT, thread->paths[which]);
    else if (instead)
        length = read_kernel_text(to->bytes, PATH, instead);
    else
        length = read_user_text(to->bytes, PATH + 8, (void *)address);
    // The kernel takes no longer one.
    return add(to, at, address, length > PATH ? 0 : length);
}

INLINE u64 add_answer(struct record *record, const struct thread *thread, u64 plan, s64 result,
                      u64 at) {
    u64 size = plan >> 32;
    if (!(plan & (WHOLE | AS_RESULT)) || (result < 0 && !(plan & ALWAYS)))
        return at;
    if (plan & AS_RESULT && result < size)
        size = result;
    if (size > PATH)
        size = PATH;
    u64 address = argument(thread, plan >> 24);
    struct piece *to = piece(record, at);
    if (size == 0 || read_user(to->bytes, size, (void *)address))
        return at;
    return add(to, at, address, size);
}

INLINE u64 inode_of(u32 descriptor) {
    struct task_struct *task = (void *)current_task();
    struct files_struct *files = 0;
    struct fdtable *table = 0;
    struct file **all = 0, *file = 0;
    struct inode *inode = 0;
    unsigned long number = 0;
    READ(files, task->files);
    READ(table, files->fdt);
    READ(all, table->fd);
    read_kernel(&file, sizeof file, all + descriptor);
    READ(inode, file->f_inode);
    READ(number, inode->i_ino);
    return number;
}

// Which inodes the descriptors are of that a call has made: they may be closed soon.
INLINE u64 add_inodes(struct record *record, const struct thread *thread, u64 plan, s64 result,
                      u64 at) {
    if (!(plan & DESCRIPTORS) || result < 0)
        return at;
    u32 made[2] = {result, result};
    if (plan & WHOLE && read_user(made, sizeof made, (void *)argument(thread, plan >> 24)))
        return at;
    struct piece *to = piece(record, at);
    u64 *inodes = (u64 *)to->bytes;
    inodes[0] = inode_of(made[0]);
    inodes[1] = inode_of(made[1]);
    return add(to, at, INODES_PIECE, 16);
}

// The call of a thread, with its paths.
INLINE u64 add_call(struct record *record, const struct thread *thread, u64 plan,
                    const char *instead, u64 at) {
    record->start = thread->start;
    record->number = thread->number;
    for (int each = 0; each < 6; each++)
        record->arguments[each] = thread->arguments[each];
    if (plan & FIRST_PATH)
        at = add_path(record, thread, 0, argument(thread, plan >> 8), instead, at);
    if (plan & SECOND_PATH)
        at = add_path(record, thread, 1, argument(thread, plan >> 16), instead, at);
    return at;
}

INLINE u64 plan_of(const struct settings *settings, u64 number) {
    u32 at = number;
    u64 *plan = number < NUMBERS ? map_lookup(&PLANS, &at) : 0;
    if (plan && *plan)
        return *plan;
    return settings->every_call || number >> 32 ? PLANNED : 0;
}

// The number of a call; with bit 32 it is one of a program of 32 bits.
INLINE u64 number_of(const struct settings *settings, s64 number) {
    struct task_struct *task = (void *)current_task();
    u32 bits = 0;
    if (!settings->is_aarch64) {
        if (__builtin_preserve_field_info(task->thread_info.status, 2))
            READ(bits, task->thread_info.status);
        bits &= 2; // TS_COMPAT
    }
    return (u32)number | (bits ? 1ULL << 32 : 0);
}

INLINE void read_arguments(const struct settings *settings, struct thread *thread,
                           const void *registers) {
    u64 all[16];
    if (read_kernel(all, sizeof all - 8, registers))
        return;
    if (settings->is_aarch64) {
        for (int at = 0; at < 6; at++)
            thread->arguments[at] = all[at];
        return;
    }
    thread->arguments[0] = all[14]; // rdi
    thread->arguments[1] = all[13]; // rsi
    thread->arguments[2] = all[12]; // rdx
    thread->arguments[3] = all[7];  // r10
    thread->arguments[4] = all[9];  // r8
    thread->arguments[5] = all[8];  // r9
}

INLINE struct thread *known(u32 id) {
    struct thread *thread = map_lookup(&THREADS, &id);
    if (thread)
        return thread;
    struct thread *empty = map_lookup(&EMPTY, &FIRST);
    if (empty)
        map_update(&THREADS, &id, empty, ANY);
    return map_lookup(&THREADS, &id);
}

// Reads what is in a path now. If it is not in memory yet, or is long, it is read at the end.
INLINE void keep_path(struct thread *thread, u32 which, u64 address) {
    s64 length = read_user_text(thread->paths[which], SHORT, (void *)address);
    thread->lengths[which] = length < SHORT ? length : 0;
}

enum { EXECVE_X86 = 59, EXECVEAT_X86 = 322, EXECVE_ARM = 221, EXECVEAT_ARM = 281 };

INLINE int is_exec(const struct settings *settings, u64 number) {
    if (settings->is_aarch64)
        return number == EXECVE_ARM || number == EXECVEAT_ARM;
    return number == EXECVE_X86 || number == EXECVEAT_X86;
}

SECTION("raw_tracepoint/sys_enter") int on_enter(struct context *context) {
    u64 ids = current_ids();
    struct settings *its = settings();
    if (!its || !is_watched(its, ids >> 32))
        return 0;
    u64 number = number_of(its, context->arguments[1]);
    u64 plan = plan_of(its, number);
    if (!plan)
        return 0;
    struct thread *thread = known(ids);
    if (!thread) {
        lose();
        return 0;
    }
    thread->is_in = 1;
    thread->number = number;
    read_arguments(its, thread, (void *)context->arguments[0]);
    if (plan & FIRST_PATH)
        keep_path(thread, 0, argument(thread, plan >> 8));
    if (plan & SECOND_PATH)
        keep_path(thread, 1, argument(thread, plan >> 16));
    if (plan & CLONE_ARGS)
        read_user(&thread->clone_flags, 8, (void *)thread->arguments[0]);
    thread->stack_bytes = 0;
    // Its stack is gone when it is done.
    if (is_exec(its, number) && its->stacks)
        thread->stack_bytes =
            copy_stack(thread->stack, its, (void *)context->arguments[0], KEPT_STACK);
    thread->start = now();
    return 0;
}

SECTION("raw_tracepoint/sys_exit") int on_exit(struct context *context) {
    u64 ids = current_ids();
    u32 id = ids;
    struct settings *its = settings();
    if (!its || !is_watched(its, ids >> 32))
        return 0;
    struct thread *thread = map_lookup(&THREADS, &id);
    if (!thread || !thread->is_in)
        return 0;
    thread->is_in = 0;
    u64 plan = plan_of(its, thread->number);
    s64 result = context->arguments[1];
    if (plan & TIMED_OUT && !its->every_call && (result != -110 || !thread->arguments[3]))
        return 0;
    struct record *record = begin(CALL, ids >> 32, ids);
    if (!record)
        return 0;
    record->result = result;
    u64 at = add_call(record, thread, plan, 0, sizeof *record);
    at = add_answer(record, thread, plan, result, at);
    at = add_inodes(record, thread, plan, result, at);
    at = add_stack((void *)context->arguments[0], its, record, at);
    send(its, record, at, 0);
    return 0;
}

// A call that does not come back: of a thread that ends or becomes another program.
INLINE void send_unfinished(const struct settings *its, struct thread *thread, u32 process,
                            u32 id, const char *instead) {
    u64 plan = plan_of(its, thread->number);
    thread->is_in = 0;
    struct record *record = begin(UNFINISHED, process, id);
    if (!record)
        return;
    record->result = 0;
    u64 at = add_call(record, thread, plan, instead, sizeof *record);
    if (thread->stack_bytes > 0) {
        struct piece *to = piece(record, at);
        read_kernel(to->bytes, sizeof thread->stack, thread->stack);
        at = add(to, at, STACK_PIECE, thread->stack_bytes);
    }
    send(its, record, at, 0);
}

// Arguments: the parent and the child.
SECTION("raw_tracepoint/sched_process_fork") int on_fork(struct context *context) {
    u64 ids = current_ids();
    u32 id = ids, process = ids >> 32;
    struct settings *its = settings();
    if (!its || !is_watched(its, process))
        return 0;
    struct task_struct *child = (void *)context->arguments[1];
    s32 thread = 0, group = 0;
    READ(thread, child->pid);
    READ(group, child->tgid);
    u32 one = 1;
    if (!its->everything && group != process)
        if (map_update(&PROCESSES, &group, &one, ANY))
            lose();
    struct record *record = begin(FORK, process, id);
    if (!record)
        return 0;
    struct thread *maker = map_lookup(&THREADS, &id);
    record->arguments[0] = thread;
    record->arguments[1] = group;
    record->arguments[2] = maker && maker->is_in;
    record->arguments[3] = maker ? maker->number : 0;
    record->arguments[4] = maker ? maker->arguments[0] : 0;
    record->arguments[5] = maker ? maker->clone_flags : 0;
    send(its, record, sizeof *record, group != process);
    return 0;
}

// Arguments: the task, the former number of its thread, what it runs.
SECTION("raw_tracepoint/sched_process_exec") int on_exec(struct context *context) {
    u64 ids = current_ids();
    struct settings *its = settings();
    if (!its || !is_watched(its, ids >> 32))
        return 0;
    u32 former = context->arguments[1];
    struct linux_binprm *program = (void *)context->arguments[2];
    const char *name = 0;
    READ(name, program->filename);
    struct thread *thread = map_lookup(&THREADS, &former);
    if (thread && thread->is_in)
        send_unfinished(its, thread, ids >> 32, former, name);
    if (former != (u32)ids)
        map_delete(&THREADS, &former);
    struct record *record = begin(EXEC, ids >> 32, ids);
    if (!record)
        return 0;
    record->arguments[0] = former;
    u64 at = sizeof *record;
    READ(name, program->interp);
    struct piece *to = piece(record, at);
    at = add(to, at, INTERPRETER_PIECE, read_kernel_text(to->bytes, PATH, name));
    struct task_struct *task = (void *)current_task();
    struct mm_struct *memory = 0;
    READ(memory, task->mm);
    u64 from = 0, end = 0;
    READ(from, memory->start_code);
    record->arguments[1] = from;
    to = piece(record, at);
    const void *vector = __builtin_preserve_access_index(&memory->saved_auxv);
    if (!read_kernel(to->bytes, 8 * 40, vector))
        at = add(to, at, PLACES_PIECE, 8 * 40);
    READ(from, memory->arg_start);
    READ(end, memory->arg_end);
    u64 size = end - from;
    if (size > PATH)
        size = PATH;
    to = piece(record, at);
    if (size && !read_user(to->bytes, size, (void *)from))
        at = add(to, at, WORDS_PIECE, size);
    send(its, record, at, 1);
    return 0;
}

SECTION("raw_tracepoint/sched_process_exit") int on_end(struct context *context) {
    u64 ids = current_ids();
    u32 id = ids, process = ids >> 32;
    struct settings *its = settings();
    if (!its || !is_watched(its, process))
        return 0;
    struct thread *thread = map_lookup(&THREADS, &id);
    if (thread && thread->is_in)
        send_unfinished(its, thread, process, id, 0);
    map_delete(&THREADS, &id);
    struct task_struct *task = (void *)current_task();
    struct signal_struct *group = 0;
    s32 live = 0, code = 0, group_code = 0;
    u64 its_time = 0, others = 0, of_users = 0, of_kernel = 0;
    READ(group, task->signal);
    READ(live, group->live.counter);
    READ(code, task->exit_code);
    READ(group_code, group->group_exit_code);
    READ(its_time, task->se.sum_exec_runtime);
    READ(others, group->sum_sched_runtime);
    READ(of_users, group->cutime);
    READ(of_kernel, group->cstime);
    if (live == 0)
        map_delete(&PROCESSES, &process);
    struct record *record = begin(EXIT, process, id);
    if (!record)
        return 0;
    record->arguments[0] = live == 0;
    record->arguments[1] = group_code ? group_code : code;
    record->arguments[2] = its_time + others + of_users + of_kernel;
    send(its, record, sizeof *record, live == 0);
    return 0;
}

// A signal reaches a thread. Arguments: which, what is known of it, what is done about it.
SECTION("raw_tracepoint/signal_deliver") int on_signal(struct context *context) {
    u64 ids = current_ids();
    struct settings *its = settings();
    u32 signal = context->arguments[0];
    // Those that ask a program to end: SIGHUP, SIGINT, SIGQUIT, SIGTERM.
    if (signal > 15 || !(1 << signal & (1 << 1 | 1 << 2 | 1 << 3 | 1 << 15)))
        return 0;
    if (!its || !is_watched(its, ids >> 32))
        return 0;
    struct record *record = begin(SIGNAL, ids >> 32, ids);
    if (!record)
        return 0;
    record->arguments[0] = signal;
    send(its, record, sizeof *record, 1);
    return 0;
}

char LICENSE[] SECTION("license") = "Dual MIT/GPL";
