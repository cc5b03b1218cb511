//! The lines of a script that dash runs. It keeps the line of the command for its complaints, but
//! neither the names of functions nor their callers: the script says which function it is.
//!
//! | module | what is in it |
//! |---|---|
//! | `anchors` | where in memory it keeps the line |
//! | `script` | which file a line is of, and which function |

mod anchors;
mod script;

use self::anchors::Anchors;
use self::script::Sources;
use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::{Copies, Memory};
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::Location;
use crate::source::registers::Registers;

/// dash 0.5.11 and later; before, it had no line for complaints.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "dash",
    is_file: |name| name == b"dash" || name == b"sh",
    needs: &[],
    also: &[],
    runs: &[],
    begin,
};

/// A dash in an address space.
struct Dash {
    anchors: Anchors,
    sources: Option<Sources>,
    copies: Copies,
}

fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    if !cfg!(target_arch = "x86_64") {
        return Err("its code can be read on x86-64 only".to_owned());
    }
    let anchors = anchors::find(process, loaded.path)
        .ok_or_else(|| "where it keeps the line was not found".to_owned())?;
    Ok(Box::new(Dash { anchors, sources: None, copies: Copies::default() }))
}

impl Unwinder for Dash {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        _registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Dash { anchors, sources, copies } = self;
        let thread = stopped.thread;
        let location = copies.with(thread, |memory| location(memory, thread, *anchors, sources));
        let script = location.map(|location| Script { frame: frames(location), is_last: false });
        script.into_iter().collect()
    }

    // Which of several files a line is of depends on what was found at the calls before.
    fn depends_on_words(&self) -> bool {
        self.sources.as_ref().is_none_or(|sources| !sources.are_several())
    }

    fn words(&self, _: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.copies.words(words)
    }
}

/// The line that it is at.
fn location(
    memory: &mut Memory,
    process: libc::pid_t,
    anchors: Anchors,
    sources: &mut Option<Sources>,
) -> Option<Location> {
    // Before the first command there is none.
    let line = u32::try_from(memory.int(anchors.line)?).ok().filter(|line| *line > 0)?;
    let begin = anchors.function.and_then(|function| memory.int(function));
    let begin = begin.and_then(|begin| u32::try_from(begin).ok()).filter(|begin| *begin > 0);
    let zero = memory.word(anchors.zero)?;
    let command = memory.word(anchors.command)?;
    let command = if command == 0 { Vec::new() } else { memory.text(command)? };
    let sources = match sources {
        Some(sources) => sources,
        unknown => unknown.insert(Sources::of(process, &memory.text(zero)?)),
    };
    let (function, file) = sources.location(process, line, begin, &command)?;
    Some(Location { function, file, line })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::trial::{Folder, marked};

    const SCRIPT: &str = r#"#!/bin/sh
[ -r /trial/first ]
inner() {
    x=1

    [ -r /trial/inner ]
}

outer() {
    for i in 1; do
        inner
    done
    while read -r x; do
        [ -r /trial/loop ]
    done < "$0"
    true < /trial/opened || :
}
outer
. "$1"
helped
[ -r /trial/last ] || exit 3
"#;

    #[test]
    fn lines_are_those_of_the_commands() {
        let folder = Folder::new("dash");
        let (script, helper) = (folder.0.join("t.sh"), folder.0.join("helper.sh"));
        std::fs::write(&script, SCRIPT).unwrap();
        let text = "\n\n{ :; } < /trial/sourced || :\nhelped() {\n :\n\n [ -r /trial/helped ]\n}\n";
        std::fs::write(&helper, text).unwrap();
        let [script, helper] = [&script, &helper].map(|path| path.to_str().unwrap());
        let found = marked(Path::new("/usr/bin/dash"), &[script, helper]);
        for (mark, function, file, line) in [
            ("first", "main", script, 2),
            ("inner", "inner", script, 6),
            ("loop", "outer", script, 14),
            ("opened", "outer", script, 16),
            ("sourced", "source", helper, 3),
            ("helped", "helped", helper, 7),
            ("last", "main", script, 21),
        ] {
            let stack = found.iter().find(|stack| stack.mark == mark).expect(mark);
            let expected = (function.to_owned(), file.to_owned(), line);
            assert_eq!(stack.locations, [expected], "{mark}");
        }
    }

    #[test]
    fn commands_that_come_from_no_file_have_lines() {
        let text = "f() {\n[ -r /trial/in ]\n}\n:\nf\n[ -r /trial/out ]";
        let found = marked(Path::new("/usr/bin/dash"), &["-c", text]);
        let places: Vec<_> = found.iter().flat_map(|stack| stack.locations.clone()).collect();
        let place =
            |function: &str, line| (function.to_owned(), "/usr/bin/dash -c".to_owned(), line);
        assert_eq!(places, [place("f", 2), place("main", 6)]);
    }
}
