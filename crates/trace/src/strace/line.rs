//! What a line of a log is: which thread, when, and what happened.

/// A line.
#[derive(Debug, PartialEq)]
pub(super) struct Line<'t> {
    /// The thread, where lines have it.
    pub(super) thread: Option<u32>,
    /// The time, where lines have it.
    pub(super) time: Option<Time>,
    /// What happened.
    pub(super) what: What<'t>,
}

/// A time as the options say: `-ttt`, `-t` and `-tt`, or `-r`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Time {
    /// Nanoseconds since 1970.
    Since1970(u64),
    /// Nanoseconds since midnight.
    SinceMidnight(u64),
    /// Nanoseconds since the line before.
    SinceLast(u64),
}

/// What happened.
#[derive(Debug, PartialEq)]
pub(super) enum What<'t> {
    /// A call and what follows its parenthesis.
    Call(&'t str, &'t [u8]),
    /// The beginning of a call whose end comes in a later line.
    Unfinished(&'t str, &'t [u8]),
    /// The end of a call whose beginning came in an earlier line.
    Resumed(&'t str, &'t [u8]),
    /// A thread, or a process, ended with a status.
    Exited(i32),
    /// The same, by a signal; whether it left a core dump.
    Killed(&'t str, bool),
    /// A thread is gone because another one, of this number, made an `execve`.
    Superseded(u32),
    /// A frame of the stack of the call before.
    Frame(Frame<'t>),
    /// A process of another machine.
    Foreign(u32),
    /// A signal, or a word of strace's own.
    Other,
    /// Nothing that strace writes: the program's own output, maybe.
    Nonsense,
}

/// A frame as `-k` shows it: ` > /lib/libc.so.6(read+0x1f) [0xf5c4c]`.
#[derive(Debug, PartialEq)]
pub(super) struct Frame<'t> {
    /// The mapped file.
    pub(super) module: &'t [u8],
    /// The function; empty if it is not known.
    pub(super) function: &'t [u8],
    /// The place in the file.
    pub(super) address: u64,
    /// The source file, with `-kk`; else empty.
    pub(super) file: &'t [u8],
    /// The line in it.
    pub(super) line: u32,
}

const NANOSECONDS: u64 = 1_000_000_000;

impl Line<'_> {
    /// Reads a line without its end.
    pub(super) fn parse(line: &[u8]) -> Line<'_> {
        if let Some(frame) = line.strip_prefix(b" > ") {
            let what = Frame::parse(frame).map_or(What::Other, What::Frame);
            return Line { thread: None, time: None, what };
        }
        let (thread, rest) = thread(line);
        let (time, rest) = time(rest);
        Line { thread, time, what: What::parse(behind_brackets(rest)) }
    }
}

/// `[pid  123] ` or `123   ` in front.
fn thread(line: &[u8]) -> (Option<u32>, &[u8]) {
    let number = line.strip_prefix(b"[pid").map(<[u8]>::trim_ascii_start);
    let (digits, rest) = digits(number.unwrap_or(line));
    let rest = match number {
        Some(_) => rest.strip_prefix(b"] "),
        None => rest.strip_prefix(b" "),
    };
    match (u32::try_from(digits.unwrap_or(u64::MAX)), rest) {
        (Ok(thread), Some(rest)) => (Some(thread), rest.trim_ascii_start()),
        _ => (None, line),
    }
}

/// `12:34:56.789 `, `1795284575.192243 ` or `     0.000012 ` in front.
fn time(text: &[u8]) -> (Option<Time>, &[u8]) {
    // `-r` together with another one: `12:34:56 (+     0.000012) `.
    let trimmed = text.trim_ascii_start();
    let (first, rest) = digits(trimmed);
    let Some(first) = first else { return (None, text) };
    let clock = (|| {
        let (minutes, rest) = digits(rest.strip_prefix(b":")?);
        let (seconds, rest) = digits(rest.strip_prefix(b":")?);
        let seconds = first.min(99) * 3600 + minutes?.min(99) * 60 + seconds?.min(99);
        Some((seconds, rest))
    })();
    let (seconds, rest) = clock.unwrap_or((first, rest));
    let (nanoseconds, rest) = fraction(rest);
    let Some(rest) = rest.strip_prefix(b" ") else { return (None, text) };
    let total = seconds.saturating_mul(NANOSECONDS).saturating_add(nanoseconds);
    let time = match clock {
        Some(_) => Time::SinceMidnight(total),
        // No call takes thirty years.
        None if seconds < 1_000_000_000 => Time::SinceLast(total),
        None => Time::Since1970(total),
    };
    let rest = match rest.strip_prefix(b"(+").and_then(|rest| {
        let end = memchr::memmem::find(rest, b") ")?;
        Some(&rest[end + 2..])
    }) {
        Some(behind) => behind,
        None => rest,
    };
    (Some(time), rest)
}

/// `.192243` as nanoseconds.
fn fraction(text: &[u8]) -> (u64, &[u8]) {
    let Some(behind) = text.strip_prefix(b".") else { return (0, text) };
    let count = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let places =
        (0..9).map(|at| behind[..count].get(at).map_or(0, |digit| u64::from(digit - b'0')));
    (places.fold(0, |value, digit| value * 10 + digit), &behind[count..])
}

/// `[00007f12] ` of `-i` and `[ 257] ` of `-n` in front.
fn behind_brackets(text: &[u8]) -> &[u8] {
    let mut rest = text;
    for _ in 0..2 {
        let Some(inner) = rest.strip_prefix(b"[") else { break };
        let Some(end) = memchr::memmem::find(inner, b"] ") else { break };
        let is_number = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'?');
        if !inner[..end].iter().all(is_number) {
            break;
        }
        rest = &inner[end + 2..];
    }
    rest
}

/// The number at the beginning; `None` if there is none, or it is too large.
pub(super) fn digits(text: &[u8]) -> (Option<u64>, &[u8]) {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..count]).ok().and_then(|text| text.parse().ok());
    (number, &text[count..])
}

impl What<'_> {
    fn parse(text: &[u8]) -> What<'_> {
        if let Some(rest) = text.strip_prefix(b"+++ ") {
            return What::end(rest.strip_suffix(b" +++").unwrap_or(rest));
        }
        if let Some(rest) = text.strip_prefix(b"<... ") {
            return What::resumed(rest).unwrap_or(What::Nonsense);
        }
        if let Some(at) = memchr::memmem::find(text, b"[ Process PID=")
            && text.ends_with(b"bit mode. ]")
        {
            let number = digits(&text[at + b"[ Process PID=".len()..]).0;
            let is_foreign = memchr::memmem::find(text, b"runs in 64 bit").is_none();
            return match number.and_then(|number| u32::try_from(number).ok()) {
                Some(process) if is_foreign => What::Foreign(process),
                _ => What::Other,
            };
        }
        let own: [&[u8]; 3] = [b"--- ", b"strace: ", b"Process "];
        if own.iter().any(|beginning| text.starts_with(beginning)) || text.is_empty() {
            return What::Other;
        }
        What::call(text).unwrap_or(What::Nonsense)
    }

    fn end(text: &[u8]) -> What<'_> {
        let number = |text: &[u8]| digits(text).0.and_then(|number| u32::try_from(number).ok());
        if let Some(status) = text.strip_prefix(b"exited with ") {
            return What::Exited(number(status).unwrap_or(0).cast_signed());
        }
        if let Some(signal) = text.strip_prefix(b"killed by ") {
            let is_dumped = signal.ends_with(b"(core dumped)");
            let signal = signal.split(|&byte| byte == b' ').next().unwrap_or_default();
            return What::Killed(std::str::from_utf8(signal).unwrap_or_default(), is_dumped);
        }
        match text.strip_prefix(b"superseded by execve in pid ").and_then(number) {
            Some(thread) => What::Superseded(thread),
            None => What::Other,
        }
    }

    fn call(text: &[u8]) -> Option<What<'_>> {
        let (name, rest) = name(text)?;
        let rest = rest.strip_prefix(b"(")?;
        for ending in [&b"<unfinished ...>"[..], b"<detached ...>"] {
            if let Some(begun) = rest.strip_suffix(ending) {
                return Some(What::Unfinished(name, begun));
            }
        }
        Some(What::Call(name, rest))
    }

    fn resumed(text: &[u8]) -> Option<What<'_>> {
        let (name, rest) = name(text)?;
        Some(What::Resumed(name, rest.strip_prefix(b" resumed>")?))
    }
}

/// The name of a call at the beginning.
fn name(text: &[u8]) -> Option<(&str, &[u8])> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = text.iter().take_while(is_part).count();
    let name = std::str::from_utf8(&text[..length]).ok()?;
    name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        .then_some((name, &text[length..]))
}

impl Frame<'_> {
    fn parse(text: &[u8]) -> Option<Frame<'_>> {
        let at = memchr::memmem::rfind(text, b" [0x")?;
        let (front, behind) = (&text[..at], &text[at + b" [0x".len()..]);
        let end = memchr::memchr(b']', behind)?;
        let address = std::str::from_utf8(&behind[..end]).ok()?;
        let address = u64::from_str_radix(address, 16).ok()?;
        let place = behind[end + 1..].trim_ascii();
        let (file, line) = match memchr::memrchr(b':', place) {
            Some(colon) => (&place[..colon], digits(&place[colon + 1..]).0.unwrap_or(0)),
            None => (&b""[..], 0),
        };
        let front = front.strip_suffix(b")").unwrap_or(front);
        let (module, symbol) = match memchr::memchr(b'(', front) {
            Some(open) => (&front[..open], &front[open + 1..]),
            None => (front, &b""[..]),
        };
        let function = match memchr::memmem::rfind(symbol, b"+0x") {
            Some(plus) => &symbol[..plus],
            None => symbol,
        };
        Some(Frame { module, function, address, file, line: u32::try_from(line).unwrap_or(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> (Option<u32>, Option<Time>, What<'_>) {
        let Line { thread, time, what } = Line::parse(line.as_bytes());
        (thread, time, what)
    }

    #[test]
    fn who_and_when_stand_in_front() {
        use Time::{Since1970, SinceLast, SinceMidnight};
        let call = || What::Call("close", b"3) = 0");
        let lines: &[(&str, Option<u32>, Option<Time>)] = &[
            ("close(3) = 0", None, None),
            ("12345 close(3) = 0", Some(12_345), None),
            ("7     close(3) = 0", Some(7), None),
            ("[pid 12345] close(3) = 0", Some(12_345), None),
            ("[pid     7] close(3) = 0", Some(7), None),
            ("01:00:02 close(3) = 0", None, Some(SinceMidnight(3602 * NANOSECONDS))),
            ("7 00:00:01.000002 close(3) = 0", Some(7), Some(SinceMidnight(1_000_002_000))),
            (
                "[pid 7] 1795284575.192243 close(3) = 0",
                Some(7),
                Some(Since1970(1_795_284_575_192_243_000)),
            ),
            ("     0.000012 close(3) = 0", None, Some(SinceLast(12_000))),
            ("7      0.000012 close(3) = 0", Some(7), Some(SinceLast(12_000))),
            ("00:00:01 (+     0.000012) close(3) = 0", None, Some(SinceMidnight(NANOSECONDS))),
            ("7 [00007f24a0190a10] close(3) = 0", Some(7), None),
            ("[   3] [00007f24a0190a10] close(3) = 0", None, None),
        ];
        for (line, thread, time) in lines {
            assert_eq!(parse(line), (*thread, *time, call()), "{line}");
        }
    }

    #[test]
    fn what_happened_stands_behind() {
        let lines: &[(&str, What)] = &[
            ("+++ exited with 3 +++", What::Exited(3)),
            ("+++ killed by SIGKILL +++", What::Killed("SIGKILL", false)),
            ("+++ killed by SIGSEGV (core dumped) +++", What::Killed("SIGSEGV", true)),
            ("+++ superseded by execve in pid 12 +++", What::Superseded(12)),
            ("--- SIGCHLD {si_signo=SIGCHLD} ---", What::Other),
            ("strace: Process 12 attached", What::Other),
            ("strace: [ Process PID=12 runs in 32 bit mode. ]", What::Foreign(12)),
            ("[ Process PID=12 runs in x32 mode. ]", What::Nonsense),
            ("strace: [ Process PID=12 runs in 64 bit mode. ]", What::Other),
            ("read(3,  <unfinished ...>", What::Unfinished("read", b"3,  ")),
            ("<... read resumed>\"x\", 1) = 1", What::Resumed("read", b"\"x\", 1) = 1")),
            ("hello world", What::Nonsense),
            ("Hello(world)", What::Nonsense),
            ("", What::Other),
        ];
        for (line, what) in lines {
            assert_eq!(&parse(line).2, what, "{line}");
        }
    }

    #[test]
    fn frames_have_module_function_and_place() {
        let is = |line, module: &str, function: &str, address, file: &str, at| {
            let (module, function) = (module.as_bytes(), function.as_bytes());
            let frame = Frame { module, function, address, file: file.as_bytes(), line: at };
            assert_eq!(parse(line).2, What::Frame(frame));
        };
        is(" > /lib/libc.so.6(read+0x1f) [0xf5c4c]", "/lib/libc.so.6", "read", 0xf5c4c, "", 0);
        is(" > /bin/x() [0x12]", "/bin/x", "", 0x12, "", 0);
        is(" > /bin/x(a::b(int)+0x3) [0x12]", "/bin/x", "a::b(int)", 0x12, "", 0);
        is(" > /bin/x(main+0x3) [0x12] ./x y.c:17", "/bin/x", "main", 0x12, "./x y.c", 17);
        assert_eq!(parse(" > unexpected_backtracing_error").2, What::Other);
    }
}
