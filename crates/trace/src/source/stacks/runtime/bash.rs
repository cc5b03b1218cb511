//! The functions and lines of a script that bash runs.
//!
//! bash has the line that it is at in `line_number`, and keeps the calls that are under way in the
//! arrays FUNCNAME, BASH_SOURCE and BASH_LINENO, which are variables like those of a script. A copy
//! that it makes of itself for a pipeline or a `$(…)` has them, too.

use super::super::StoppedThread;
use super::super::words::{Address, Word};
use super::copies::{Copies, Memory, word};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::Location;
use crate::source::registers::Registers;

/// bash 5.0 to 5.3. It offers its variables to builtins that it loads, so they have names.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "bash",
    is_file: |name| name.starts_with(b"bash") || name == b"rbash" || name == b"sh",
    needs: &["line_number", "global_variables", "dollar_vars", "command_execution_string"],
    also: &[],
    runs: &[],
    begin,
};

/// At most so many calls are under way.
const DEEPEST: usize = 128;

/// In an element of an array: its value, the next one. So much of it is needed.
const VALUE: usize = 8;
const NEXT: usize = 16;
const ELEMENT: usize = 24;

/// The elements of so many calls lie elsewhere each time: they are those of the innermost ones,
/// which come first. The others stay.
const FRESH: usize = 4;

/// At most so many variables share a bucket.
const LONGEST_BUCKET: usize = 1 << 10;

/// A bash in an address space.
struct Bash {
    places: Places,
    /// Where the variables FUNCNAME, BASH_SOURCE and BASH_LINENO are, once they are.
    calls: Option<[u64; 3]>,
    copies: Copies,
}

/// Where it has the line, the variables, `$0` and the text of `-c`.
struct Places {
    line: u64,
    variables: u64,
    zero: u64,
    command: u64,
}

const CALLS: [&[u8]; 3] = [b"FUNCNAME", b"BASH_SOURCE", b"BASH_LINENO"];

fn begin(_process: libc::pid_t, loaded: &Loaded) -> Begun {
    let place = |symbol| loaded.address(symbol).ok_or_else(|| format!("it has no {symbol}"));
    let places = Places {
        line: place("line_number")?,
        variables: place("global_variables")?,
        zero: place("dollar_vars")?,
        command: place("command_execution_string")?,
    };
    Ok(Box::new(Bash { places, calls: None, copies: Copies::default() }))
}

impl Unwinder for Bash {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Bash { places, calls, copies } = self;
        let locations = copies.with(stopped.thread, |memory| places.locations(memory, calls));
        let locations = locations.unwrap_or_default();
        let scripts = locations.into_iter();
        scripts.map(|location| Script { frame: frames(location), is_last: false }).collect()
    }

    fn words(&self, _: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.copies.words(words)
    }
}

impl Places {
    /// The calls that are under way, innermost first. Before the first line there are none.
    fn locations(
        &self,
        memory: &mut Memory,
        calls: &mut Option<[u64; 3]>,
    ) -> Option<Vec<Location>> {
        let mut line = u32::try_from(memory.int(self.line)?).ok().filter(|line| *line > 0)?;
        if calls.is_none() {
            *calls = self.find_calls(memory);
        }
        let mut locations = Vec::new();
        if let Some([names, files, lines]) = *calls {
            let names = array(memory, names, CALLS[0])?;
            let files = array(memory, files, CALLS[1])?;
            let lines = array(memory, lines, CALLS[2])?;
            for ((name, file), called) in names.into_iter().zip(files).zip(lines) {
                let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
                locations.push(Location { function: text(name), file: text(file), line });
                line = std::str::from_utf8(&called).ok()?.parse().ok()?;
            }
        }
        // Commands that come from no file are in no call.
        if locations.last().is_none_or(|outermost| outermost.function != "main")
            && line > 0
            && locations.len() < DEEPEST
        {
            let (function, file) = ("main".to_owned(), self.origin(memory)?);
            for location in &mut locations {
                if location.file == "environment" || location.file == "main" {
                    location.file.clone_from(&file);
                }
            }
            locations.push(Location { function, file, line });
        }
        Some(locations)
    }

    /// What stands for the file of commands that come from none.
    fn origin(&self, memory: &mut Memory) -> Option<String> {
        let zero = memory.word(self.zero)?;
        let zero = String::from_utf8_lossy(&memory.text(zero)?).into_owned();
        let is_text = memory.word(self.command)? != 0;
        Some(if is_text { format!("{zero} -c") } else { zero })
    }

    /// Where the three variables are.
    fn find_calls(&self, memory: &mut Memory) -> Option<[u64; 3]> {
        let mut found = [0; 3];
        for (found, name) in found.iter_mut().zip(CALLS) {
            *found = self.find(memory, name)?;
        }
        Some(found)
    }

    /// Where a global variable is. The table is that of the outermost context (`variables.h`), and
    /// has chained buckets, chosen by FNV-1 of the name (`hashlib.c`).
    fn find(&self, memory: &mut Memory, name: &[u8]) -> Option<u64> {
        let context = memory.word(self.variables)?;
        // Behind the name: scope and flags, the contexts inside and outside of it.
        let table = memory.word(context.checked_add(32)?)?;
        let [buckets, sizes] = memory.words(table)?;
        let count = (sizes as u32).checked_sub(1)?;
        let hash = name
            .iter()
            .fold(0x811c_9dc5_u32, |hash, byte| hash.wrapping_mul(0x0100_0193) ^ u32::from(*byte));
        let bucket = buckets.checked_add(8 * u64::from(hash & count))?;
        let mut item = memory.word(bucket)?;
        for _ in 0..LONGEST_BUCKET {
            let [next, key, variable] = memory.words(item)?;
            if memory.text(key)? == name {
                return Some(variable);
            }
            item = next;
        }
        None
    }
}

/// The values of an array, in order.
fn array(memory: &mut Memory, variable: u64, expected: &[u8]) -> Option<Vec<Vec<u8>>> {
    let [name, array] = memory.words(variable)?;
    if memory.text(name)? != expected {
        return None;
    }
    let [_, count, third, fourth] = memory.words::<4>(array)?;
    // Up to 5.1 the kind of array stood before the largest index. A count is no pointer.
    let (count, head) = if third <= u64::from(u32::MAX) {
        (third & u64::from(u32::MAX), fourth)
    } else {
        (count, third)
    };
    let mut values = Vec::new();
    let mut element = word(&memory.parts(head, ELEMENT, &[])?, NEXT)?;
    for number in 0..usize::try_from(count).ok()?.min(DEEPEST) {
        if element == head {
            return None;
        }
        let bytes = memory.parts(element, ELEMENT, &[])?;
        let (value, next) = (word(&bytes, VALUE)?, word(&bytes, NEXT)?);
        let text = memory.look_text(value)?;
        if number < FRESH {
            lead_to(memory, head, number);
            memory.use_at(Address::PointerBehind(VALUE as u64), &[]);
            memory.use_text(Address::Behind(0), &text);
        } else {
            if number == FRESH {
                lead_to(memory, head, number - 1);
                memory.use_at(Address::Behind(NEXT as u64), &element.to_ne_bytes());
            }
            memory.use_parts(element, &bytes, &[(VALUE, 8), (NEXT, 8)]);
            memory.use_text(Address::At(value), &text);
        }
        values.push(text);
        element = next;
    }
    Some(values)
}

/// What is behind the pointers along which an element of an array is reached matters, and not where
/// they lead to.
fn lead_to(memory: &mut Memory, head: u64, number: usize) {
    memory.use_at(Address::Pointer(head + NEXT as u64), &[]);
    (0..number).for_each(|_| memory.use_at(Address::PointerBehind(NEXT as u64), &[]));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::trial::{Folder, marked};
    use super::super::trial::with_lies;
    use super::*;

    /// Each mark is what bash itself says of where it is: LINENO, BASH_LINENO, FUNCNAME. Where it
    /// makes a copy of itself it is not followed.
    const SCRIPT: &str = r#"#!/bin/bash
:
[ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]
inner() {
    local x=(1 2) y

    [ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]
    while read -r y; do
        [ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]
    done <<< "one"
}
function outer
{
    for i in 1 2; do
        inner
    done
    if [ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]; then :; fi
    case $1 in
    a)
        inner ||
            : < "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ;;
    esac
}
outer a
. "$1"
eval '[ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]'
helped
down() {
    if (( $1 )); then down $(($1 - 1)); else [ -r "/trial/deep" ]; fi
}
down 300
: $(
    exit 1
)
[[ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]] || :
"#;

    const HELPER: &str = r#"
[ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]
helped() {
    trap '[ -r "/trial/trap" ]' USR1
    kill -USR1 $$
    [ -r "/trial/$LINENO ${BASH_LINENO[*]} ${FUNCNAME[*]}" ]
}
"#;

    #[test]
    fn calls_are_as_bash_itself_tells_them() {
        let folder = Folder::new("bash");
        let (script, helper) = (folder.0.join("t.bash"), folder.0.join("helper.bash"));
        std::fs::write(&script, SCRIPT).unwrap();
        std::fs::write(&helper, HELPER).unwrap();
        let [script, helper] = [&script, &helper].map(|path| path.to_str().unwrap());
        let found = marked(Path::new("/usr/bin/bash"), &[script, helper]);
        let marks: Vec<&str> = found.iter().map(|stack| &*stack.mark).collect();
        assert_eq!(found.len(), 15, "{marks:?}");
        for stack in &found {
            let lines: Vec<String> = stack.locations.iter().map(|it| it.2.to_string()).collect();
            let names: Vec<&str> = stack.locations.iter().map(|it| &*it.0).collect();
            match stack.mark.as_str() {
                "deep" => assert_eq!(lines.len(), 128),
                "trap" => assert_eq!(names, ["helped", "main"]),
                mark => {
                    // `main` is called from line 0, and outside of functions FUNCNAME is hidden.
                    let called = format!("{} 0 ", lines.join(" "));
                    let said = mark.strip_prefix(&called).expect(mark);
                    assert!(said.is_empty() || said == names.join(" "), "{mark}: {names:?}");
                }
            }
        }
        let file = |mark: &str, depth: usize| {
            let stack = found.iter().find(|stack| stack.mark == mark).unwrap();
            stack.locations[depth].1.clone()
        };
        assert_eq!(file("7 15 24 0 inner outer main", 2), script);
        assert_eq!(file("2 25 0 ", 0), helper);
        assert_eq!(file("6 27 0 helped main", 0), helper);
        assert_eq!(file("6 27 0 helped main", 1), script);
    }

    #[test]
    fn commands_that_come_from_no_file_have_lines() {
        let text = "f() {\n[ -r /trial/in ]\n}\n:\nf\n[ -r /trial/out ]";
        let found = marked(Path::new("/usr/bin/bash"), &["-c", text, "tool"]);
        let places: Vec<_> = found.iter().map(|stack| stack.locations.clone()).collect();
        let place = |function: &str, line| (function.to_owned(), "tool -c".to_owned(), line);
        assert_eq!(places, [vec![place("f", 2), place("main", 5)], vec![place("main", 6)]]);
    }

    #[test]
    fn memory_that_lies_is_read_to_an_end() {
        let names = [c"FUNCNAME", c"BASH_SOURCE", c"BASH_LINENO", c"work", c"/s.bash", c"7"];
        let names = names.map(|text| text.as_ptr() as u64);
        let mut words = vec![0u64; 96];
        let start = words.as_ptr() as u64;
        let at = |word: usize| start + 8 * word as u64;
        let (context, table, buckets) = (8, 16, 18);
        (words[0], words[1], words[2]) = (5, at(context), names[3]);
        words[context + 4] = at(table);
        (words[table], words[table + 1]) = (at(buckets), 1);
        words[buckets] = at(24);
        // Each variable: its place in the bucket, itself, its array, the array's head and element.
        for one in 0..3 {
            let item = 24 + 20 * one;
            let (variable, array, head, element) = (item + 3, item + 5, item + 9, item + 13);
            let next = if one == 2 { 0 } else { at(item + 20) };
            words[item..item + 3].copy_from_slice(&[next, names[one], at(variable)]);
            words[variable..variable + 2].copy_from_slice(&[names[one], at(array)]);
            words[array..array + 4].copy_from_slice(&[0, 1, at(head), 0]);
            words[head + 2] = at(element);
            (words[element + 1], words[element + 2]) = (names[3 + one], at(head));
        }
        let this = std::process::id().cast_signed();
        let places = Places { line: start, variables: at(1), zero: at(2), command: at(3) };
        let read = || {
            let found = Copies::default().with(this, |memory| places.locations(memory, &mut None));
            found.unwrap_or_default().len()
        };
        assert_eq!(read(), 2);
        with_lies(&mut words, DEEPEST, read);
    }
}
