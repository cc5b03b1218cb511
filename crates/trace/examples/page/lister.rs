//! A lister that does what listers do wrong.

use fewer_trace::explain::{Basis, Finding, Remedy, Saved};
use fewer_trace::{Call, Language, Name, StackId};

use super::made::{Made, Spot};

const PROGRAM: &str = "/home/ada/lister/lister";
const LIBC: &str = "/usr/lib/x86_64-linux-gnu/libc.so.6";
const SOURCE: &str = "/home/ada/lister/lister.c";

const FROM_MAIN: [Spot; 4] = [
    (PROGRAM, "main", SOURCE, 131),
    (LIBC, "__libc_start_call_main", "", 0),
    (LIBC, "__libc_start_main_impl", "", 0),
    (PROGRAM, "_start", "", 0),
];

/// The calls of one kind.
struct Kind {
    id: &'static str,
    verdict: &'static str,
    wasted: u64,
    micros: u64,
    basis: Basis,
    callers: Vec<(StackId, u64)>,
    examples: Vec<Call>,
    text: &'static str,
    snippet: &'static str,
    careful: &'static str,
}

/// 10,000 files, 50 owners: the zone, the owner's name and the attributes asked for each.
pub(crate) fn lister() -> Made {
    let mut made = Made::new(PROGRAM, &["lister", "-l", "/srv/files"]);
    let spots = |inner: &[Spot<'static>]| [inner, &FROM_MAIN].concat();
    let list = made.stack(&spots(&[
        (LIBC, "__getdents64", "", 0),
        (LIBC, "readdir64", "", 0),
        (PROGRAM, "list_directory", SOURCE, 118),
    ]));
    let zone = made.stack(&spots(&[
        (LIBC, "__GI___stat64", "", 0),
        (LIBC, "__tzfile_read", "", 0),
        (LIBC, "tzset_internal", "", 0),
        (LIBC, "__tz_convert", "", 0),
        (LIBC, "localtime", "", 0),
        (PROGRAM, "show_time", SOURCE, 42),
        (PROGRAM, "show_entry", SOURCE, 77),
        (PROGRAM, "list_directory", SOURCE, 121),
    ]));
    let owner = [
        (LIBC, "_nss_files_getpwuid_r", "", 0),
        (LIBC, "__getpwuid_r", "", 0),
        (LIBC, "getpwuid", "", 0),
        (PROGRAM, "show_owner", SOURCE, 58),
        (PROGRAM, "show_entry", SOURCE, 74),
        (PROGRAM, "list_directory", SOURCE, 121),
    ];
    let owners = ["__open64_nocancel", "__GI___fstat64", "__GI___read", "__GI___close"]
        .map(|call| made.stack(&spots(&[&[(LIBC, call, "", 0)], &owner[..]].concat())));
    let stat = made.stack(&spots(&[
        (LIBC, "__GI___lstat64", "", 0),
        (PROGRAM, "show_entry", SOURCE, 69),
        (PROGRAM, "list_directory", SOURCE, 121),
    ]));
    let attribute = made.stack(&spots(&[
        (LIBC, "lgetxattr", "", 0),
        (PROGRAM, "has_acl", SOURCE, 31),
        (PROGRAM, "show_entry", SOURCE, 80),
        (PROGRAM, "list_directory", SOURCE, 121),
    ]));
    let write = made.stack(&spots(&[
        (LIBC, "__GI___write", "", 0),
        (LIBC, "_IO_file_write", "", 0),
        (LIBC, "fflush", "", 0),
        (PROGRAM, "show_entry", SOURCE, 88),
        (PROGRAM, "list_directory", SOURCE, 121),
    ]));
    let examples = run(&mut made, [list, zone, stat, attribute, write], owners);
    for kind in kinds([zone, attribute, write], owners, examples) {
        tell(&mut made, kind);
    }
    made
}

/// Makes the calls; back come examples: of the zone, of owners, of attributes, of writes.
fn run(
    made: &mut Made,
    [list, zone, stat, attribute, write]: [StackId; 5],
    owners: [StackId; 4],
) -> [Vec<Call>; 4] {
    let localtime = made.path(b"/etc/localtime");
    let (directory, output) = (made.path(b"/srv/files"), made.path(b"pipe:[71422]"));
    let passwd = made.path(b"/etc/passwd");
    let mut at = 1_000_000;
    let mut examples: [Vec<Call>; 4] = Default::default();
    for entry in 0..10_000_u64 {
        let mut call = |made: &mut Made, name, file, result, stack| {
            at += 3_000 + entry % 7 * 700;
            made.call(at, name, file, result, stack);
        };
        if entry % 500 == 0 {
            call(made, Name::Getdents64, directory, 16_000, list);
        }
        let file = made.path(format!("/srv/files/report-{entry:05}.txt").as_bytes());
        call(made, Name::Newfstatat, file, 0, stat);
        if entry % 3 != 1 {
            call(made, Name::Lgetxattr, file, -61, attribute);
            examples[2] = made.last_calls(1);
        }
        call(made, Name::Newfstatat, localtime, 0, zone);
        examples[0] = vec![made.last_calls(1); 3].concat();
        // Owners come in blocks, and the last one is remembered.
        if entry % 40 == 0 {
            call(made, Name::Openat, passwd, 3, owners[0]);
            call(made, Name::Newfstatat, passwd, 0, owners[1]);
            call(made, Name::Read, passwd, 2_231, owners[2]);
            examples[1] = made.last_calls(3);
            call(made, Name::Close, passwd, 0, owners[3]);
        }
        if entry > 2_000 && entry % 2 == 0 {
            call(made, Name::Write, output, 71, write);
            examples[3] = made.last_calls(1);
        }
    }
    made.end(at + 2_000_000, 0);
    examples
}

fn kinds(
    [zone, attribute, write]: [StackId; 3],
    owners: [StackId; 4],
    [zones, passwds, attributes, writes]: [Vec<Call>; 4],
) -> [Kind; 4] {
    [
        Kind {
            id: "same-stat",
            verdict: "`/etc/localtime` was looked at 10,000 times and never changed",
            wasted: 9_999,
            micros: 9_840,
            basis: Basis::Replayed,
            callers: vec![(zone, 9_999)],
            examples: zones,
            text: "Set `TZ` in the environment, or call `tzset()` once and `localtime_r()` for \
                   each time: only `localtime()` looks at the zone's file again.",
            snippet: "tzset();                       /* once */\nstruct tm tm;\n\
                      localtime_r(&entry->mtime, &tm);",
            careful: "A file that changes between the looks is being watched on purpose.",
        },
        Kind {
            id: "xattr-per-entry",
            verdict: "6,667 files were asked for attributes, and none had any",
            wasted: 6_666,
            micros: 4_120,
            basis: Basis::Replayed,
            callers: vec![(attribute, 6_666)],
            examples: attributes,
            text: "Ask for attributes only where they are shown.",
            snippet: "if (options.acl)\n    entry->has_acl = has_acl(entry->path);",
            careful: "The mark of an access list may really be wanted.",
        },
        Kind {
            id: "owner-lookup",
            verdict: "the user database was read 250 times for 1 owner",
            wasted: 996,
            micros: 2_310,
            basis: Basis::Mixed,
            callers: owners.map(|stack| (stack, 249)).into(),
            examples: passwds,
            text: "Remember the name of each id, also that there is none.",
            snippet: "struct passwd *user = cached(uid);\nif (!user)\n    \
                      user = remember(uid, getpwuid(uid));",
            careful: "Names from LDAP or sssd come from elsewhere: ask NSS on a miss.",
        },
        Kind {
            id: "small-writes",
            verdict: "4,000 writes moved 71 bytes each",
            wasted: 3_996,
            micros: 1_450,
            basis: Basis::Calibrated,
            callers: vec![(write, 3_996)],
            examples: writes,
            text: "Write blocks: flush when 64 KiB have gathered, not for each line.",
            snippet: "setvbuf(stdout, NULL, _IOFBF, 1 << 16);",
            careful: "A log must survive a crash, a terminal wants each line.",
        },
    ]
}

fn tell(made: &mut Made, kind: Kind) {
    let finding = Finding {
        id: kind.id,
        verdict: kind.verdict.into(),
        program: made.path(PROGRAM.as_bytes()),
        language: Language::C,
        wasted: kind.wasted,
        made: made.counts.total().calls,
        callers: kind.callers,
        examples: kind.examples,
        spared: Vec::new(),
        replaces: Vec::new(),
        children: Default::default(),
        saved: Some(Saved::exactly(kind.micros * 1_000, kind.basis)),
        remedy: Remedy { text: kind.text.into(), snippet: kind.snippet.into() },
        careful: kind.careful.into(),
    };
    made.findings.push(finding);
}
