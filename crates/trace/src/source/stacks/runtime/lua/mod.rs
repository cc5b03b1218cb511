//! The functions of a program that Lua 5.4 runs: the calls of the states that are running. Which
//! these are the native stack shows, since all functions of Lua's in C are handed theirs.
//!
//! | module | what is in it |
//! |---|---|
//! | `state` | the states on a native stack, and their calls |
//! | `code` | from a place in a function's code to its line, and the function's name |

mod code;
mod state;

use self::state::States;
use super::super::StoppedThread;
use super::super::words::Word;
use super::copies::Copies;
use super::seen::Seen;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::registers::Registers;

/// A Lua whose version is known. Debian's program has the library in it, and offers its functions
/// to modules.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "Lua",
    is_file: |name| name.starts_with(b"lua") || name.starts_with(b"liblua"),
    needs: &["lua_ident", "lua_newstate"],
    also: &[],
    runs: &[],
    begin,
};

/// Versions of 5.4 whose structures are laid out as they are read here. Those from 4 to 9 were not
/// all tried, but what is read did not change in between.
const PATCHES: std::ops::RangeInclusive<u32> = 4..=9;

/// At most so many functions.
const DEEPEST: usize = 128;

/// A Lua in an address space.
#[derive(Default)]
struct Lua {
    states: States,
    seen: Seen,
    copies: Copies,
}

fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    let ident = loaded
        .address("lua_ident")
        .and_then(|at| Copies::default().with(process, |memory| memory.text(at)));
    let ident = String::from_utf8_lossy(&ident.unwrap_or_default()).into_owned();
    // `$LuaVersion: Lua 5.4.4  Copyright …`
    let version = ident.split_whitespace().nth(2).unwrap_or_default();
    let patch = version.strip_prefix("5.4.").and_then(|patch| patch.parse().ok());
    if patch.is_some_and(|patch| PATCHES.contains(&patch)) {
        return Ok(Box::<Lua>::default());
    }
    Err(format!("its version, {version}, is not known"))
}

impl Unwinder for Lua {
    fn functions(
        &mut self,
        stopped: StoppedThread,
        registers: &Registers,
        frames: Frames,
    ) -> Vec<Script> {
        let Lua { states, seen, copies } = self;
        let thread = stopped.thread;
        copies.with(thread, |memory| {
            let mut functions = Vec::new();
            for state in states.running(memory, registers.sp) {
                for call in state.calls(memory, DEEPEST - functions.len()) {
                    let key = (call.function, call.at);
                    let content = call.content(memory);
                    let locate = || code::location(memory, call);
                    let frame = seen.frame(key, &content, frames, locate);
                    let frame = frame.or_else(|| memory.doubted());
                    functions.extend(frame.map(|frame| Script { frame, is_last: false }));
                }
            }
            functions
        })
    }

    fn words(&self, _: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.copies.words(words)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::trial::{Folder, marked};
    use super::super::trial::with_lies;
    use super::*;

    const PROGRAM: &str = r#"#!/usr/bin/lua5.4
local function look(path)
  local file = io.open("/trial/" .. path)
  return 1
end
local Store = {}
function Store:load(depth)
  if depth > 0 then return 1 + self:load(depth - 1) end
  local parts = { 1,
    look("method"),
  }
  return #parts
end
Store.visit = function(path)
  local ok = pcall(function()
    local x = look(path) + 1
    error("none")
  end)
  return ok
end
local each = coroutine.wrap(function()
  local x = look("coroutine")
  coroutine.yield(x)
  local inner = coroutine.wrap(function() return 1 + look("inner") end)
  return 1 + inner()
end)
Store:load(1)
Store.visit("field")
each()
local between = look("between") + each()
local late = setmetatable({}, { __index = function(t, k)
  return 1 + look("index")
end })
local x = late.x

  + look("main")
local text = load("local look = ...\n\nreturn 1 + look('text')", "=said")(look)
local kept = {}
for n = 1, 200000 do kept[n] = { n } end
for n = 1, 50 do
  kept[n] = coroutine.create(function() local x = look(n == 50 and "grown" or "other") end)
  coroutine.resume(kept[n])
end
"#;

    /// What is expected of a mark behind `look`: functions and lines, the innermost first.
    const EXPECTED: [(&str, &[(&str, u32)]); 9] = [
        ("method", &[("Store:load", 10), ("Store:load", 8), ("main chunk", 27)]),
        ("field", &[("function <t.lua:15>", 16), ("Store.visit", 15), ("main chunk", 28)]),
        ("coroutine", &[("function <t.lua:21>", 22), ("main chunk", 29)]),
        ("between", &[("main chunk", 30)]),
        ("inner", &[("function <t.lua:24>", 24), ("function <t.lua:21>", 25), ("main chunk", 30)]),
        ("index", &[("__index", 32), ("main chunk", 36)]),
        ("main", &[("main chunk", 36)]),
        ("text", &[("main chunk", 3), ("main chunk", 37)]),
        ("grown", &[("function <t.lua:41>", 41), ("main chunk", 42)]),
    ];

    #[test]
    fn functions_and_lines_of_programs_and_of_coroutines() {
        let lua = Path::new("/usr/bin/lua5.4");
        if !lua.exists() {
            return;
        }
        let folder = Folder::new("lua");
        std::fs::write(folder.0.join("t.lua"), PROGRAM).unwrap();
        let script = folder.0.join("t.lua");
        let script = script.to_str().unwrap();
        let found = marked(lua, &[script]);
        for (mark, expected) in EXPECTED {
            let stack = found.iter().find(|stack| stack.mark == mark).expect(mark);
            let own = stack.locations.iter().filter(|location| location.2 > 0);
            let own: Vec<(String, u32)> =
                own.map(|it| (it.0.replace(script, "t.lua"), it.2)).collect();
            let look = ("look".to_owned(), 3);
            let rest = expected.iter().map(|(function, line)| ((*function).to_owned(), *line));
            let expected: Vec<_> = std::iter::once(look).chain(rest).collect();
            assert_eq!(own, expected, "{mark}");
        }
    }

    #[test]
    fn memory_that_lies_is_read_to_an_end() {
        let mut words = vec![0u64; 6 * 1024];
        let start = words.as_ptr() as u64;
        let at = |word: usize| start + 8 * word as u64;
        let (state, base, call, stack) = (8, 20, 40, 58);
        let (closure, code, prototype, lines, source) = (72, 80, 90, 106, 110);
        let mut put = |from: usize, values: &[u64]| {
            words[from..from + values.len()].copy_from_slice(values);
        };
        put(0, &[at(state)]);
        put(state, &[0, 8, at(stack + 8), at(0), at(call), at(stack + 12), at(stack)]);
        put(base, &[at(stack)]);
        put(call, &[at(stack + 2), 0, at(base), 0, at(code + 1)]);
        put(stack + 2, &[at(closure), 6 + 64]);
        put(closure, &[0, 6, 0, at(prototype)]);
        put(prototype, &[0, 10, 0, 4 | 4 << 32, 0, 7 << 32, 0, 0, at(code), 0, 0, at(lines)]);
        put(prototype + 14, &[at(source)]);
        put(lines, &[u64::from_le_bytes([1, 1, 0, 0, 0, 0, 0, 0])]);
        put(source, &[0, 4 | 5 << 24, 0, u64::from_le_bytes(*b"=made\0\0\0")]);
        let thread = std::process::id().cast_signed();
        let stopped = StoppedThread { space: 0, process: std::process::id(), thread };
        let registers = Registers { sp: at(0), ..Registers::default() };
        let read = || {
            let (mut lua, mut found) = (Lua::default(), Vec::new());
            let mut frames = |location: crate::Location| {
                found.push((location.function, location.file, location.line));
                crate::FrameId(1)
            };
            let functions = lua.functions(stopped, &registers, &mut frames);
            (functions.len(), found)
        };
        let made = ("function <made:7>".to_owned(), "<made>".to_owned(), 9);
        assert_eq!(read(), (1, vec![made]));
        with_lies(&mut words[..116], DEEPEST, || read().0);
    }
}
