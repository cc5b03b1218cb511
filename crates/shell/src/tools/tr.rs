//! `tr`: bytes changed, deleted, squeezed.

use super::arguments::{Arguments, Known};
use super::source::failed;
use super::{Broken, Lent, Tool, source};
use crate::Text;
use set::Set;

mod set;

pub(super) const TR: Tool =
    Tool { name: "tr", fits: |arguments, lent| Job::new(arguments, lent).is_some(), run };

const OPTIONS: Known = Known {
    short: b"Ccdst",
    long: &[
        ("complement", b'c', false),
        ("delete", b'd', false),
        ("squeeze-repeats", b's', false),
        ("truncate-set1", b't', false),
    ],
    anywhere: false,
};

/// What becomes of each byte.
struct Job {
    become_: [u8; 256],
    delete: Option<[bool; 256]>,
    /// Of those that stand side by side, after what was said above, one is left.
    squeeze: Option<[bool; 256]>,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    complement: bool,
    delete: bool,
    squeeze: bool,
    truncate: bool,
}

impl Job {
    fn new(arguments: &[Text], lent: &Lent<'_>) -> Option<Job> {
        let mut flags = Flags::default();
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'd' => flags.delete = true,
                b's' => flags.squeeze = true,
                b't' => flags.truncate = true,
                _ => flags.complement = true,
            }
        }
        let operands = options.operands(lent)?;
        let first = Set::new(operands.first()?)?;
        let second = match operands.len() {
            1 => None,
            2 => Some(Set::new(operands[1])?),
            _ => return None,
        };
        Job::of(flags, &first, second.as_ref())
    }

    fn of(flags: Flags, first: &Set, second: Option<&Set>) -> Option<Job> {
        let mut job = Job { become_: IDENTITY, delete: None, squeeze: None };
        let chosen = first.members(flags.complement)?;
        match (flags.delete, flags.squeeze, second) {
            (true, false, None) => job.delete = Some(chosen),
            (true, true, Some(second)) => {
                job.delete = Some(chosen);
                job.squeeze = Some(second.members(false)?);
            }
            (false, true, None) => job.squeeze = Some(chosen),
            (false, squeeze, Some(second)) => {
                let pairs = first.pairs(second, flags.complement, flags.truncate)?;
                // Of several pairs for a byte the last holds.
                for &(from, to) in &pairs {
                    job.become_[usize::from(from)] = to;
                }
                job.squeeze = squeeze.then(|| second.members_beside(pairs.len()));
            }
            _ => return None,
        }
        Some(job)
    }
}

const IDENTITY: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte as u8;
        byte += 1;
    }
    table
};

/// What is changed at a time, so that the block stays in the cache.
const BLOCK_BYTES: usize = 32 << 10;

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::new(arguments, lent) else { return Ok(1) };
    let mut out = Vec::new();
    let mut last = None;
    loop {
        let block = match lent.input.fill() {
            Ok(b"") => return Ok(0),
            Ok(block) => &block[..block.len().min(BLOCK_BYTES)],
            Err(errno) => {
                if let Err(errno) = failed::<()>(errno)? {
                    let reason = source::reason(errno);
                    source::say(lent.errors, &[b"tr: read error: ", reason.as_bytes(), b"\n"])?;
                }
                return Ok(1);
            }
        };
        out.clear();
        match &job.delete {
            None => out.extend(block.iter().map(|&byte| job.become_[usize::from(byte)])),
            Some(delete) => delete_from(block, delete, &mut out),
        }
        if let Some(squeeze) = &job.squeeze {
            squeeze_in(&mut out, squeeze, &mut last);
        }
        lent.output.write(&out)?;
        let used = block.len();
        lent.input.consume(used);
    }
}

/// Without a branch: each byte is written, and the place for the next moves on or not.
fn delete_from(block: &[u8], delete: &[bool; 256], out: &mut Vec<u8>) {
    out.resize(block.len(), 0);
    let mut end = 0;
    for &byte in block {
        out[end] = byte;
        end += usize::from(!delete[usize::from(byte)]);
    }
    out.truncate(end);
}

fn squeeze_in(out: &mut Vec<u8>, squeeze: &[bool; 256], last: &mut Option<u8>) {
    let mut end = 0;
    for at in 0..out.len() {
        let byte = out[at];
        let repeated = *last == Some(byte) && squeeze[usize::from(byte)];
        *last = Some(byte);
        out[end] = byte;
        end += usize::from(!repeated);
    }
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::{Judge, same};

    #[test]
    fn usual_sets() {
        let every: Vec<u8> = (0..=255).chain(*b"aabbccAABBCC  \n\n--  zz[]]").collect();
        for arguments in [
            &["a-z", "A-Z"][..],
            &["[:lower:]", "[:upper:]"],
            &["[:upper:]", "[:lower:]"],
            &["[A-Z]", "[a-z]"],
            &["[:space:]", "_"],
            &["abc", "x"],
            &["abc", "xy"],
            &["-t", "abc", "x"],
            &["a", "xyz"],
            &["aa", "xy"],
            &["-d", "\\n"],
            &["-d", "a-c[:digit:]"],
            &["-cd", "[:alnum:]\n"],
            &["-s", " "],
            &["-s", "[:space:]", "\\n"],
            &["-cs", "A-Za-z", "\\n"],
            &["-cs", "A-Za-z", "[\\n*]"],
            &["-C", "a-z", "."],
            &["-ds", "a", "b"],
            &["-s", "a-z", "A-Z"],
            &["-sc", "a"],
            &["\\000-\\037", "?"],
            &["\\\\/", "/\\\\"],
            &["[=a=]", "x"],
            &["a-c", "[x*2]y"],
            &["a-c", "[x*]y"],
            &["a-d", "x[y*02]z"],
            &["a\\-z", "123"],
            &["--", "-a", "_b"],
            &["a-", "_b"],
            &["-", "_"],
            &["\\a\\b\\f\\r\\t\\v", "123456"],
            &["[:xdigit:][:punct:]", "x"],
            &["-d", "[:blank:][:cntrl:][:graph:]"],
            &["-dc", "[:print:]"],
            &["[", "("],
            &["[]", "()"],
            &["", ""],
            &["-d", ""],
            &["-c", "", "x"],
            &["[a]", "(b)"],
            &["[:lower:]x", "[:upper:]y"],
            &["x[:lower:]", "y[:upper:]"],
            &["\\q", "x"],
            &["[:", "12"],
            &["[a*", "1234"],
            &["a-\\d", "1234"],
            &["[:lower:]", "a-c"],
            &["\\12", "x"],
            &["é", "e"],
        ] {
            assert!(same("tr", arguments, &every), "{arguments:?}");
            assert!(Judge::new().pieces(3).same("tr", arguments, &every));
        }
    }

    #[test]
    fn what_is_wrong_or_rare_is_left_to_the_real_one() {
        for arguments in [
            &[][..],
            &["a"],
            &["a", "b", "c"],
            &["-d", "a", "b"],
            &["z-a", "x"],
            &["a", ""],
            &["[:foo:]", "x"],
            &["a", "[:alpha:]"],
            &["[:alpha:]", "[:upper:]"],
            &["a-z", "[:upper:]"],
            &["[x*]", "a"],
            &["abc", "[x*][y*]"],
            &["a\\", "bc"],
            &["\\400", "x"],
            &["-c", "[:alpha:]", "xy"],
            &["-ds", "a"],
        ] {
            assert!(!same("tr", arguments, b"abc"), "{arguments:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn any_sets(
            first in prop::collection::vec(
                "[abc-]|[a-b]-[b-d]|\\[:(lower|upper|digit|alpha|space):\\]|\\\\[0-2n]|\\[a|\\]",
                0..5,
            ),
            second in prop::collection::vec(
                "[abc-]|[a-b]-[b-d]|\\[:(lower|upper):\\]|\\\\[0-2n]|\\[[xn]\\*[0-3]?\\]",
                0..5,
            ),
            flags in prop::sample::select(vec![
                "-s", "-d", "-c", "-t", "-ds", "-cs", "-cd", "-ct", "-cds",
            ]),
            input in "[ABCabcdxn\\[\\]: \n-]{0,40}",
            pieces in 1_usize..9,
        ) {
            let judge = Judge::new().pieces(pieces);
            let (first, second) = (first.concat(), second.concat());
            judge.same("tr", &["--", &first, &second], input.as_bytes());
            judge.same("tr", &[flags, "--", &first, &second], input.as_bytes());
            judge.same("tr", &[flags, "--", &first], input.as_bytes());
        }
    }
}
