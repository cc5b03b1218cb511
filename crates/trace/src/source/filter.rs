//! The seccomp filter that decides in the kernel which calls stop: a program for its small
//! machine. Calls that it lets through cost the tracee nothing.

use crate::{Machine, Name};

/// The kernel's number for the machine that this program was built for.
pub(crate) const AUDIT_HERE: u32 =
    if cfg!(target_arch = "aarch64") { 0xc000_00b7 } else { 0xc000_003e };

/// The kernel's number for 32-bit x86.
pub(crate) const AUDIT_I386: u32 = 0x4000_0003;

/// x32 programs call with this bit set, on x86-64 with the number of the machine of x86-64.
pub(crate) const X32: u32 = 0x4000_0000;

/// The calls that are looked at although they were not asked for, because what they do changes what
/// tracing sees (a filter or a tracer of the program's own, which processors it may use, how many
/// descriptors) or what the process may do (who it is), or because they sleep.
pub(crate) fn is_attended(name: Name) -> bool {
    matches!(
        name,
        Name::Seccomp
            | Name::Prctl
            | Name::Ptrace
            | Name::ArchPrctl
            | Name::SchedGetaffinity
            | Name::SchedSetaffinity
            | Name::Prlimit64
            | Name::Setrlimit
            | Name::Futex
            | Name::Nanosleep
    ) || changes_identity(name)
}

/// Whether it changes who a process is.
pub(crate) fn changes_identity(name: Name) -> bool {
    matches!(
        name,
        Name::Setuid
            | Name::Setgid
            | Name::Setreuid
            | Name::Setregid
            | Name::Setresuid
            | Name::Setresgid
            | Name::Setgroups
            | Name::Setfsuid
            | Name::Setfsgid
            | Name::Capset
    )
}

// Where the number of the call, the machine, the address and some arguments lie in
// `struct seccomp_data`.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const ADDRESS: u32 = 8;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;
const FOURTH_ARGUMENT: u32 = 40;

const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
const EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const AND: u16 = 0x54; // BPF_ALU | BPF_AND | BPF_K
const RETURN: u16 = 0x06; // BPF_RET | BPF_K
const JUMP: u16 = 0x05; // BPF_JMP | BPF_JA

const STOP: u32 = libc::SECCOMP_RET_TRACE;
const PASS: u32 = libc::SECCOMP_RET_ALLOW;

/// With it a program sees its calls itself, depending on where they are made from.
const PR_SET_SYSCALL_USER_DISPATCH: u32 = 59;

/// What `arch_prctl` is asked for if a program uses %gs for itself.
const ARCH_SET_GS: u32 = 0x1001;
/// The same.
const ARCH_GET_GS: u32 = 0x1004;

/// What a futex is asked for, without its flags.
const FUTEX_CMD: u32 = !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) as u32;

fn step(code: u16, value: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: 0, k: value }
}

fn unless(code: u16, value: u32, skip: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: skip, k: value }
}

fn when(code: u16, value: u32, skip: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt: skip, jf: 0, k: value }
}

/// Stops at a call with this number if its first argument is one of three, and otherwise lets it
/// pass.
fn by_first_argument(number: u32, kinds: [u32; 3]) -> [libc::sock_filter; 7] {
    [
        unless(EQUAL, number, 6),
        step(LOAD, FIRST_ARGUMENT),
        when(EQUAL, kinds[0], 2),
        when(EQUAL, kinds[1], 1),
        unless(EQUAL, kinds[2], 1),
        step(RETURN, STOP),
        step(RETURN, PASS),
    ]
}

/// A filter that stops at the calls that are watched, and at every call of another machine.
///
/// The numbers are cut into ranges of calls with one fate. The kernel works out beforehand what
/// happens to each number (since Linux 5.11), so that the length of the program costs nothing.
///
/// `agent`: calls with one of these addresses, which have the same upper half, behind their
/// instruction pass. The kernel does not work that out beforehand, so only calls that would stop
/// are asked for it.
pub(crate) fn program(agent: Option<[u64; 2]>) -> Vec<libc::sock_filter> {
    let prctl = Name::Prctl.number(Machine::HERE).unwrap_or(u32::MAX);
    let futex = Name::Futex.number(Machine::HERE).unwrap_or(u32::MAX);
    let sigaction = agent.and(Name::RtSigaction.number(Machine::HERE)).unwrap_or(u32::MAX);
    let arch_prctl = Name::ArchPrctl.number(Machine::HERE).unwrap_or(u32::MAX);
    let mut stops: Vec<u32> = Name::ALL
        .iter()
        .filter(|name| name.is_watched() || is_attended(**name))
        .filter_map(|name| name.number(Machine::HERE))
        .filter(|number| ![prctl, futex, arch_prctl].contains(number))
        .collect();
    stops.sort_unstable();
    let mut program = vec![
        step(LOAD, MACHINE),
        when(EQUAL, AUDIT_HERE, 1),
        step(RETURN, STOP),
        step(LOAD, NUMBER),
    ];
    // Calls that are common; only two kinds of each are of interest. Every program sets %fs by
    // `arch_prctl`, few care for %gs. What a program does about faults matters if an agent may
    // cause some.
    let seccomp = libc::PR_SET_SECCOMP as u32;
    for (number, kinds) in [
        (prctl, [seccomp, seccomp, PR_SET_SYSCALL_USER_DISPATCH]),
        (arch_prctl, [ARCH_SET_GS, ARCH_SET_GS, ARCH_GET_GS]),
        (sigaction, [libc::SIGSEGV as u32, libc::SIGBUS as u32, libc::SIGTRAP as u32]),
    ] {
        program.extend(by_first_argument(number, kinds));
    }
    program.extend([
        // Threads wait by futex all the time. What waits with a time-out may sleep.
        unless(EQUAL, futex, 8),
        step(LOAD, SECOND_ARGUMENT),
        step(AND, FUTEX_CMD),
        when(EQUAL, libc::FUTEX_WAIT as u32, 1),
        unless(EQUAL, libc::FUTEX_WAIT_BITSET as u32, 3),
        // The lower half of a pointer.
        step(LOAD, FOURTH_ARGUMENT),
        when(EQUAL, 0, 1),
        step(RETURN, STOP),
        step(RETURN, PASS),
    ]);
    let (mut from, mut to_end) = (0, Vec::new());
    for range in stops.chunk_by(|a, b| a + 1 == *b) {
        let (first, last) = (range[0], range[range.len() - 1]);
        if first > from {
            program.extend([when(AT_LEAST, first, 1), step(RETURN, PASS)]);
        }
        from = last + 1;
        program.push(when(AT_LEAST, from, 1));
        to_end.push(program.len());
        program.push(step(JUMP, 0));
    }
    if Machine::HERE == Machine::X86_64 {
        program.extend([when(AT_LEAST, X32, 1), step(RETURN, PASS), step(RETURN, STOP)]);
    } else {
        program.push(step(RETURN, PASS));
    }
    let end = program.len();
    for at in to_end {
        program[at].k = u32::try_from(end - at - 1).unwrap_or(0);
    }
    if let Some([first, second]) = agent {
        debug_assert_eq!(first >> 32, second >> 32);
        program.extend([
            step(LOAD, ADDRESS),
            when(EQUAL, first as u32, 1),
            unless(EQUAL, second as u32, 3),
            step(LOAD, ADDRESS + 4),
            unless(EQUAL, (first >> 32) as u32, 1),
            step(RETURN, PASS),
        ]);
    }
    program.push(step(RETURN, STOP));
    program
}

/// A filter for a process that stops at every call anyway, once it has stopped for the first time.
pub(crate) fn execve_only() -> Vec<libc::sock_filter> {
    let execve = Name::Execve.number(Machine::HERE).unwrap_or(u32::MAX);
    vec![step(LOAD, NUMBER), unless(EQUAL, execve, 1), step(RETURN, STOP), step(RETURN, PASS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the program as the kernel would.
    fn fate(program: &[libc::sock_filter], data: [u32; 16]) -> u32 {
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let step = program[at];
            at += 1;
            let jump = |yes: bool| usize::from(if yes { step.jt } else { step.jf });
            match step.code {
                LOAD => accumulator = data[step.k as usize / 4],
                AND => accumulator &= step.k,
                EQUAL => at += jump(accumulator == step.k),
                AT_LEAST => at += jump(accumulator >= step.k),
                JUMP => at += step.k as usize,
                RETURN => return step.k,
                code => panic!("{code:#x} is not used"),
            }
        }
    }

    fn of(number: u32, machine: u32, arguments: &[u32]) -> u32 {
        let mut data = [0; 16];
        data[0] = number;
        data[1] = machine;
        for (at, argument) in arguments.iter().enumerate() {
            data[4 + 2 * at] = *argument;
        }
        fate(&program(None), data)
    }

    #[test]
    fn watched_calls_stop_and_no_others() {
        for name in Name::ALL {
            let Some(number) = name.number(Machine::HERE) else { continue };
            let stops = name.is_watched()
                || (is_attended(*name)
                    && !matches!(name, Name::Prctl | Name::Futex | Name::ArchPrctl));
            let expected = if stops { STOP } else { PASS };
            assert_eq!(of(number, AUDIT_HERE, &[]), expected, "{name}");
        }
        assert_eq!(of(5000, AUDIT_HERE, &[]), PASS);
    }

    #[test]
    fn watched_calls_of_the_agent_pass_and_nobody_elses() {
        let agent = 0x2a5b_f3e0_0123;
        let addresses = [agent, agent + 0x40];
        let of = |name: Name, address: u64| {
            let (low, high) = (address as u32, (address >> 32) as u32);
            let number = name.number(Machine::HERE).unwrap();
            let mut data = [0; 16];
            data[..4].copy_from_slice(&[number, AUDIT_HERE, low, high]);
            fate(&program(Some(addresses)), data)
        };
        for name in [Name::Openat, Name::Close, Name::Newfstatat, Name::Statx] {
            for address in addresses {
                assert_eq!(of(name, address), PASS, "{name}");
            }
            for other in [0x1234, agent + 1, agent ^ (1 << 40)] {
                assert_eq!(of(name, other), STOP, "{name}");
            }
        }
        assert_eq!(of(Name::Brk, 0x1234), PASS);
        assert_eq!(of(Name::RtSigaction, 0x1234), PASS);
        let mut data = [0; 16];
        data[1] = AUDIT_HERE;
        let all = [libc::SIGSEGV, libc::SIGBUS, libc::SIGTRAP].map(|signal| (signal, STOP));
        for (signal, expected) in all.into_iter().chain([(libc::SIGINT, PASS)]) {
            data[0] = Name::RtSigaction.number(Machine::HERE).unwrap();
            data[4] = signal.cast_unsigned();
            assert_eq!(fate(&program(Some(addresses)), data), expected, "{signal}");
            assert_eq!(fate(&program(None), data), PASS, "{signal}");
        }
        assert_eq!(of(Name::Seccomp, 0x1234), STOP);
    }

    #[test]
    fn a_program_that_installs_a_filter_is_noticed() {
        let prctl = Name::Prctl.number(Machine::HERE).unwrap();
        assert_eq!(of(prctl, AUDIT_HERE, &[22]), STOP);
        assert_eq!(of(prctl, AUDIT_HERE, &[PR_SET_SYSCALL_USER_DISPATCH]), STOP);
        assert_eq!(of(prctl, AUDIT_HERE, &[15]), PASS);
    }

    #[test]
    fn a_program_that_uses_gs_is_noticed() {
        let Some(arch_prctl) = Name::ArchPrctl.number(Machine::HERE) else { return };
        for (kind, fate) in [(0x1001, STOP), (0x1002, PASS), (0x1003, PASS), (0x1004, STOP)] {
            assert_eq!(of(arch_prctl, AUDIT_HERE, &[kind]), fate, "{kind:#x}");
        }
    }

    #[test]
    fn a_futex_stops_if_it_waits_with_a_time_out() {
        let futex = Name::Futex.number(Machine::HERE).unwrap();
        let (wait, wake, wait_bitset, private, realtime) = (0, 1, 9, 128, 256);
        let fate = |operation, time_out| of(futex, AUDIT_HERE, &[1, operation, 0, time_out]);
        assert_eq!(fate(wait, 1), STOP);
        assert_eq!(fate(wait | private, 1), STOP);
        assert_eq!(fate(wait_bitset | private | realtime, 1), STOP);
        assert_eq!(fate(wait_bitset | private, 0), PASS);
        // The fourth argument of others is a number.
        assert_eq!(fate(wake | private, 1), PASS);
    }

    #[test]
    fn calls_of_other_machines_are_noticed() {
        assert_eq!(of(20, AUDIT_I386, &[]), STOP);
        if Machine::HERE == Machine::X86_64 {
            assert_eq!(of(X32 | 39, AUDIT_HERE, &[]), STOP);
        }
    }
}
