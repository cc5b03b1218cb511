//! The functions and lines of a script that zsh runs.
//!
//! zsh has the line that it is at in `lineno`, and the calls that are under way in a list that
//! begins at `funcstack` (`struct funcstack` in `Src/zsh.h`): functions, files that are sourced,
//! and texts that are evaluated. A copy that it makes of itself has them, too. Which file and line
//! an entry stands for is worked out as for `$funcfiletrace` (`Src/Modules/parameter.c`).

use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::{Copies, Memory};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::Location;
use crate::source::registers::Registers;

/// zsh 5.0 and later. It offers its variables to its modules, so they have names.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "zsh",
    is_file: |name| name.strip_prefix(b"lib").unwrap_or(name).starts_with(b"zsh"),
    needs: &["lineno", "funcstack", "scriptfilename", "argzero"],
    also: &[],
    runs: &[],
    begin,
};

/// At most so many calls are under way.
const DEEPEST: usize = 128;

/// What an entry of the list stands for (`FS_SOURCE`, `FS_FUNC`, `FS_EVAL`).
const SOURCED: u64 = 0;
const FUNCTION: u64 = 1;
const EVALUATED: u64 = 2;

/// A zsh in an address space.
struct Zsh {
    places: Places,
    copies: Copies,
}

/// Where it has the line, the innermost call, the script's name and `$0`.
struct Places {
    line: u64,
    calls: u64,
    script: u64,
    zero: u64,
}

/// A call that is under way.
struct Call {
    outer: u64,
    name: u64,
    /// The caller's name; of the outermost one, the script.
    caller: u64,
    /// The file that the function is in, and the line that its own lines are counted from.
    file: u64,
    from: u64,
    /// The line that it was called at, as its caller counts.
    called_at: u64,
    kind: u64,
}

fn begin(_process: libc::pid_t, loaded: &Loaded) -> Begun {
    let place = |symbol| loaded.address(symbol).ok_or_else(|| format!("it has no {symbol}"));
    let places = Places {
        line: place("lineno")?,
        calls: place("funcstack")?,
        script: place("scriptfilename")?,
        zero: place("argzero")?,
    };
    Ok(Box::new(Zsh { places, copies: Copies::default() }))
}

impl Unwinder for Zsh {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Zsh { places, copies } = self;
        let locations = copies.with(stopped.thread, |memory| places.locations(memory));
        let locations = locations.unwrap_or_default().into_iter();
        locations.map(|location| Script { frame: frames(location), is_last: false }).collect()
    }

    fn words(&self, _: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.copies.words(words)
    }
}

impl Places {
    /// The calls that are under way, innermost first. Before the first line there are none.
    fn locations(&self, memory: &mut Memory) -> Option<Vec<Location>> {
        let (mut line, mut at) = (memory.word(self.line)?, memory.word(self.calls)?);
        let (mut locations, mut caller) = (Vec::new(), 0);
        while at != 0 && locations.len() < DEEPEST {
            let call = Call::at(memory, at)?;
            locations.push(call.location(memory, line)?);
            (line, at, caller) = (call.called_at, call.outer, call.caller);
        }
        if at == 0 && locations.len() < DEEPEST {
            // While a file is sourced the script's name is that file's.
            if caller == 0 {
                caller = memory.word(self.script)?;
            }
            if caller == 0 {
                caller = memory.word(self.zero)?;
            }
            let file = text(memory, caller)?;
            locations.push(Location { function: "main".to_owned(), file, line: number(line)? });
        }
        Some(locations)
    }
}

impl Call {
    fn at(memory: &mut Memory, at: u64) -> Option<Call> {
        let [outer, name, file, caller, from, called_at, kind] = memory.words(at)?;
        // Behind the kind of four bytes is nothing.
        let kind = kind & u64::from(u32::MAX);
        Some(Call { outer, name, caller, file, from, called_at, kind })
    }

    /// Where it is. `line` is counted from where the call's own begin.
    fn location(&self, memory: &mut Memory, line: u64) -> Option<Location> {
        let (function, line) = match self.kind {
            SOURCED => ("source".to_owned(), line),
            FUNCTION => (text(memory, self.name)?, self.from.checked_add(line)?),
            // The lines of a text begin at 1.
            EVALUATED => ("(eval)".to_owned(), self.from.checked_add(line)?.checked_sub(1)?),
            _ => return None,
        };
        Some(Location { function, file: text(memory, self.file)?, line: number(line)? })
    }
}

/// The number of a line.
fn number(line: u64) -> Option<u32> {
    u32::try_from(line).ok().filter(|line| *line > 0)
}

fn text(memory: &mut Memory, at: u64) -> Option<String> {
    Some(String::from_utf8_lossy(&memory.text(at)?).into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::trial::{Folder, marked};
    use super::*;

    /// What zsh itself says of where it is: file and line here, and of each caller. (In a text that
    /// is evaluated `%I` would change the line, by a mistake in `Src/prompt.c` of 5.9.)
    const HERE: &str = "${(%):-%x:%I} $funcfiletrace";

    const SCRIPT: &str = r#"#!/bin/zsh
:
[ -r "/trial/HERE" ]
inner() {
    local x=(1 2) y

    [ -r "/trial/HERE" ]
    while read -r y; do
        [[ -r "/trial/HERE" ]]
    done <<< "one"
}
function outer
{
    for i in 1 2; do
        inner
    done
    if [ -r "/trial/HERE" ]; then :; fi
    case $1 in
    a)
        inner ||
            : < "/trial/HERE" ;;
    esac
    () { [ -r "/trial/HERE" ] }
    eval '
        [ -r "/trial/t.zsh:25 $funcfiletrace" ]'
}
outer a
. "$1"
helped
( [ -r "/trial/HERE" ] )
: $( [ -r "/trial/HERE" ] )
"#;

    const HELPER: &str = r#"
[ -r "/trial/HERE" ]
helped() {
    trap '[ -r "/trial/trap" ]' USR1
    kill -USR1 $$
    [ -r "/trial/HERE" ]
}
"#;

    #[test]
    fn calls_are_as_zsh_itself_tells_them() {
        if !Path::new("/usr/bin/zsh").exists() {
            return;
        }
        let folder = Folder::new("zsh");
        std::fs::write(folder.0.join("t.zsh"), SCRIPT.replace("HERE", HERE)).unwrap();
        std::fs::write(folder.0.join("helper.zsh"), HELPER.replace("HERE", HERE)).unwrap();
        let words = "cd \"$1\" && exec zsh t.zsh ./helper.zsh";
        let found = marked(Path::new("/bin/sh"), &["-c", words, "sh", folder.0.to_str().unwrap()]);
        let marks: Vec<&str> = found.iter().map(|stack| &*stack.mark).collect();
        assert_eq!(found.len(), 14, "{marks:?}");
        for stack in &found {
            let places = stack.locations.iter().map(|it| format!("{}:{}", it.1, it.2));
            let places = places.collect::<Vec<_>>().join(" ");
            if stack.mark == "trap" {
                assert!(places.starts_with("./helper.zsh:5 "), "{places}");
            } else {
                assert_eq!(places, stack.mark.trim_end());
            }
        }
        let names = |at: usize| -> Vec<&str> {
            found[at].locations.iter().map(|location| &*location.0).collect()
        };
        assert_eq!(names(1), ["inner", "outer", "main"]);
        assert_eq!(names(9), ["(anon)", "outer", "main"]);
    }

    /// Memory as zsh would have it: one function, called from line 5 of the script.
    fn laid_out(texts: &[&[u8]; 3]) -> Vec<u64> {
        let [name, file, zero] = texts.map(|text| text.as_ptr() as u64);
        // lineno, funcstack, scriptfilename, argzero, then the function.
        vec![2, 0, 0, zero, 0, name, file, 0, 10, 5, 1]
    }

    fn read(words: &[u64]) -> Option<Vec<(String, String, u32)>> {
        let start = words.as_ptr() as u64;
        let places = Places { line: start, calls: start + 8, script: start + 16, zero: start + 24 };
        let this = std::process::id().cast_signed();
        let found = Copies::default().with(this, |memory| places.locations(memory));
        Some(found?.into_iter().map(|it| (it.function, it.file, it.line)).collect())
    }

    #[test]
    fn memory_that_lies_gives_no_functions_and_ends() {
        let texts: [&[u8]; 3] = [b"work\0", b"/s.zsh\0", b"zsh\0"];
        let place = |function: &str, file: &str, line| (function.into(), file.into(), line);
        let mut words = laid_out(&texts);
        let call = words.as_ptr() as u64 + 32;
        words[1] = call;
        let whole = vec![place("work", "/s.zsh", 12), place("main", "zsh", 5)];
        assert_eq!(read(&words), Some(whole));
        // In a circle, into nothing, of no kind, on no line.
        words[4] = call;
        assert_eq!(read(&words).map(|found| found.len()), Some(DEEPEST));
        for (at, value) in [(4, 64), (4, call + 1), (5, 64), (10, 7), (0, u64::MAX), (1, 3)] {
            let mut words = words.clone();
            let call = words.as_ptr() as u64 + 32;
            (words[1], words[4]) = (call, 0);
            words[at] = value;
            assert_eq!(read(&words), None, "{at}");
        }
    }
}
