//! `fewer::Scope` has no verb of its own. This program makes steps with it, so that a case can list
//! them with their price:
//!
//!     scope [--calls] STEP...
//!
//! | step | does |
//! |---|---|
//! | `enter DIR` | enters a directory; a failure leaves the scope as it is |
//! | `enter-logical DIR` | likewise, `..` as words |
//! | `leave` | goes back to the scope before the last step in |
//! | `clone` | a step in that changes nothing: a clone of the scope |
//! | `stat NAME`, `link NAME`, `read FILE` | prints kind and size, the target, the contents |
//! | `chmod BITS PATH` | sets permissions (octal) |
//! | `symlink PATH TARGET`, `hard-link PATH TARGET` | makes a link at the path |
//! | `mkdir BITS PATH`, `create BITS PATH` | makes a directory; a file |
//! | `remove FILE`, `remove-directory DIR`, `remove-tree DIR` | removes it |
//! | `walk ROOT` | prints what is in it, sorted |
//! | `logical`, `physical` | prints the path of the scope |
//! | `threads N NAME` | `stat NAME` on so many threads at once, in clones |
//! | `run PROGRAM ARGUMENT... ;` | a child that has this program's own streams |
//! | `output PROGRAM ARGUMENT... ;` | a child whose output is collected, then printed |
//! | `env NAME=VALUE` | for all children from here on |
//!
//! Exit status: 0 all well, 1 some steps failed, 2 an unknown step.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::ffi::OsString;
use std::process::ExitCode;

use fewer::scope::ExitStatus;
use fewer::{Command, Error, Fields, Kind, Order, Scope, Walk};
use sys::{OsStrExt, OsStringExt};

fn main() -> ExitCode {
    let mut words: VecDeque<OsString> = std::env::args_os().skip(1).collect();
    let counts = words.front().is_some_and(|word| word == "--calls");
    if counts {
        words.pop_front();
    }
    let mut steps = Steps { inside: vec![Scope::start()], variables: Vec::new(), words };
    let mut exit = 0;
    while let Some(step) = steps.words.pop_front() {
        match steps.take(&step.to_string_lossy()) {
            None => {
                say(format!("scope: '{}' is no step\n", step.display()).as_bytes());
                exit = 2;
                break;
            }
            Some(Ok(bytes)) => {
                if !bytes.is_empty() && sys::write_all(sys::STDOUT, &bytes).is_err() {
                    exit = 2;
                    break;
                }
            }
            Some(Err(error)) => {
                say(format!("scope: {error}\n").as_bytes());
                exit = 1;
            }
        }
    }
    drop(steps);
    if counts {
        let calls = sys::calls();
        let rows = std::iter::once(("total", calls.total())).chain(calls.by_name());
        let text: String = rows.map(|(name, count)| format!("{count:>8} {name}\n")).collect();
        say(text.as_bytes());
    }
    ExitCode::from(exit)
}

/// If this cannot be written either, there is nowhere to report it.
fn say(text: &[u8]) {
    let _ = sys::write_all(sys::STDERR, text);
}

struct Steps {
    inside: Vec<Scope>,
    variables: Vec<OsString>,
    words: VecDeque<OsString>,
}

impl Steps {
    /// The output of the step; `None` if it is unknown.
    fn take(&mut self, step: &str) -> Option<Result<Vec<u8>, Error>> {
        let scope = self.inside.last()?.clone();
        let line = |bytes: &[u8]| [bytes, b"\n"].concat();
        Some(match step {
            "enter" => scope.enter(self.words.pop_front()?).map(|inner| self.go_in(inner)),
            "enter-logical" => {
                scope.enter_logical(self.words.pop_front()?).map(|inner| self.go_in(inner))
            }
            "leave" if self.inside.len() > 1 => {
                self.inside.pop();
                Ok(Vec::new())
            }
            "clone" => Ok(self.go_in(scope)),
            "stat" => stat(&scope, self.words.pop_front()?),
            "link" => scope.read_link(self.words.pop_front()?).map(|target| line(&target)),
            "read" => read(&scope, self.words.pop_front()?),
            "walk" => walk(&scope, self.words.pop_front()?),
            "logical" => scope.logical().map(|path| line(path.as_os_str().as_bytes())),
            "physical" => scope.physical().map(|path| line(path.as_os_str().as_bytes())),
            "threads" => {
                let number = self.words.pop_front()?.to_str()?.parse().ok()?;
                threads(&scope, number, self.words.pop_front()?)
            }
            "env" => {
                self.variables.push(self.words.pop_front()?);
                Ok(Vec::new())
            }
            "run" => self.command(&scope)?.status().map(ending),
            "output" => self.command(&scope)?.output().map(|output| {
                say(&output.stderr);
                [output.stdout, ending(output.status)].concat()
            }),
            _ => return self.change(&scope, step),
        })
    }

    /// The steps that change something.
    fn change(&mut self, scope: &Scope, step: &str) -> Option<Result<Vec<u8>, Error>> {
        let mut word = || self.words.pop_front();
        let bits = |word: OsString| u32::from_str_radix(word.to_str()?, 8).ok();
        let done = match step {
            "chmod" => {
                let bits = bits(word()?)?;
                scope.set_permissions(word()?, bits)
            }
            "mkdir" => {
                let bits = bits(word()?)?;
                scope.make_directory(word()?, bits)
            }
            "create" => {
                let bits = bits(word()?)?;
                scope.create(word()?, bits).map(drop)
            }
            "symlink" => scope.make_symlink(word()?, word()?),
            "hard-link" => scope.make_hard_link(word()?, word()?),
            "remove" => scope.remove_file(word()?),
            "remove-directory" => scope.remove_directory(word()?),
            "remove-tree" => scope.remove_tree(word()?),
            _ => return None,
        };
        Some(done.map(|()| Vec::new()))
    }

    fn go_in(&mut self, scope: Scope) -> Vec<u8> {
        self.inside.push(scope);
        Vec::new()
    }

    /// The words up to `;` as a command.
    fn command(&mut self, scope: &Scope) -> Option<Command> {
        let end = self.words.iter().position(|word| word == ";")?;
        let mut words = self.words.drain(..=end);
        let mut command = scope.command(words.next().filter(|_| end > 0)?);
        command = command.args(words.take(end - 1));
        for variable in &self.variables {
            let bytes = variable.as_bytes();
            let equals = bytes.iter().position(|&byte| byte == b'=')?;
            let value = OsString::from_vec(bytes[equals + 1..].to_vec());
            command = command.env(OsString::from_vec(bytes[..equals].to_vec()), value);
        }
        Some(command)
    }
}

fn ending(status: ExitStatus) -> Vec<u8> {
    if status.success() { Vec::new() } else { format!("{status}\n").into_bytes() }
}

fn stat(scope: &Scope, name: OsString) -> Result<Vec<u8>, Error> {
    let stat = scope.stat(&name, Fields::KIND | Fields::SIZE)?;
    Ok(match stat.kind() {
        Kind::File => format!("file {}\n", stat.size()).into_bytes(),
        kind => format!("{kind:?}\n").to_lowercase().into_bytes(),
    })
}

fn read(scope: &Scope, name: OsString) -> Result<Vec<u8>, Error> {
    let file = scope.open(&name)?;
    let mut block = vec![0; 64 << 10];
    let got =
        sys::read(&file, &mut block).map_err(|errno| Error::new(errno, "read", name.as_bytes()))?;
    block.truncate(got);
    Ok(block)
}

fn walk(scope: &Scope, root: OsString) -> Result<Vec<u8>, Error> {
    let mut printed = Vec::new();
    for entry in &Walk::new(root).within(scope).order(Order::Sorted) {
        printed.extend_from_slice(entry?.path().as_os_str().as_bytes());
        printed.push(b'\n');
    }
    Ok(printed)
}

fn threads(scope: &Scope, number: usize, name: OsString) -> Result<Vec<u8>, Error> {
    std::thread::scope(|all| {
        let start = |_| {
            let (scope, name) = (scope.clone(), name.clone());
            all.spawn(move || stat(&scope, name))
        };
        let threads: Vec<_> = (0..number).map(start).collect();
        let answers = threads.into_iter().map(|thread| thread.join());
        let answers = answers.map(|it| it.unwrap_or_else(|why| std::panic::resume_unwind(why)));
        answers.collect::<Result<Vec<_>, _>>()
    })
    .map(|answers| answers.concat())
}
