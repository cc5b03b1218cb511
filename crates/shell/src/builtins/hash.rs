//! `hash`.

use std::rc::Rc;

use fewer::compact;

use super::options::{Options, known, no_value, refuse};
use crate::Text;
use crate::dialect::HashList;
use crate::run::state::Found;
use crate::run::{Flow, Shell};

/// What is asked for.
#[derive(Default)]
struct HashOptions {
    list: bool,
    forget: bool,
    tell: bool,
    delete: bool,
    path: Option<Text>,
}

pub(crate) fn hash(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if shell.profile.builtins.lookup.hash_is_an_option
        && !shell.options.letters(shell.profile).contains(&b'h')
    {
        return Ok(shell.builtin_error(words, b"hashing disabled", 1));
    }
    let mut request = HashOptions::default();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.hash) {
            b'r' => request.forget = true,
            b'l' => request.list = true,
            b't' => request.tell = true,
            b'd' => request.delete = true,
            b'p' => match options.value() {
                Some(path) => request.path = Some(Text::from_slice(path)),
                None => return Ok(no_value(shell, words, letter)),
            },
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if request.forget {
        shell.caches.programs.forget_all();
    }
    if rest.is_empty() {
        return if request.forget { Ok(0) } else { list(shell, &request) };
    }
    let mut status = 0;
    let mut out = Vec::new();
    for name in rest {
        if !one(shell, &request, name, rest.len() > 1, &mut out) {
            status = 1;
            let written = shell.print("hash", &out)?;
            out.clear();
            if written != 0 {
                return Ok(written);
            }
            if shell.profile.builtins.lookup.hash_finds_unknown {
                shell.builtin_error(words, &[name, b": not found".as_slice()].concat(), 1);
            } else {
                status = 0;
            }
        }
    }
    let written = shell.print("hash", &out)?;
    Ok(status.max(written))
}

/// One name; false if it is not found.
fn one(
    shell: &mut Shell,
    request: &HashOptions,
    name: &[u8],
    several: bool,
    out: &mut Vec<u8>,
) -> bool {
    if let Some(path) = &request.path {
        let found = Found { path: path.clone(), tool: None, hits: 0.into() };
        shell.caches.programs.keep(name, Rc::new(found));
        return true;
    }
    if request.delete {
        return shell.caches.programs.forget(name);
    }
    if request.tell {
        let Some(found) = shell.caches.programs.known(name) else { return false };
        found.hits.set(found.hits.get().saturating_add(1));
        if several {
            out.extend_from_slice(name);
            out.push(b'\t');
        }
        out.extend_from_slice(&found.path);
        out.push(b'\n');
        return true;
    }
    if name.contains(&b'/')
        || crate::dialect::builtin_table::find(name, shell.profile.dialect).is_some()
    {
        return true;
    }
    shell.caches.programs.forget(name);
    shell.find_program(name).is_some()
}

/// All that is remembered.
fn list(shell: &mut Shell, request: &HashOptions) -> Flow<i32> {
    let mut entries: Vec<_> = shell.caches.programs.iter().collect();
    let row = shell.profile.builtins.lookup.programs_in_buckets;
    compact::sort_by_key(&mut entries, |(name, _)| (row.map_or(0, |row| row(name)), name.to_vec()));
    let style = shell.profile.builtins.lookup.hash_list;
    let mut out = Vec::new();
    if style == HashList::Hits && !request.list {
        let text: &[u8] =
            if entries.is_empty() { b"hash: hash table empty\n" } else { b"hits\tcommand\n" };
        out.extend_from_slice(text);
    }
    for (name, found) in entries {
        match style {
            HashList::Hits if request.list => {
                out.extend_from_slice(&[b"builtin hash -p ", &*found.path, b" ", name].concat());
            }
            HashList::Hits => {
                out.extend_from_slice(format!("{:4}\t", found.hits.get()).as_bytes());
                out.extend_from_slice(&found.path);
            }
            HashList::Paths => out.extend_from_slice(&found.path),
            HashList::Assignments => {
                out.extend_from_slice(&[name, b"=".as_slice(), &found.path].concat())
            }
        }
        out.push(b'\n');
    }
    shell.print("hash", &out)
}
