//! `alias` and `unalias`. A script is read whole before it runs, so an alias whose name it runs is
//! not done here (`lower` says so); those that are never run are kept and listed.

use std::rc::Rc;

use fewer::compact;

use super::options::{Options, refuse};
use crate::Text;
use crate::formats::quote::{For, quote};
use crate::run::{Flow, Shell};

pub(crate) fn alias(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let lookup = &shell.profile.builtins.lookup;
    let mut options = Options::new(words);
    let mut lists = words.len() == 1;
    let mut prints = false;
    while shell.profile.builtins.letters.alias.is_some()
        && let Some(letter) = options.next()
    {
        match letter {
            b'p' => (lists, prints) = (true, true),
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    lists &= rest.is_empty() || lookup.alias_lists_beside_names;
    let mut text = Vec::new();
    let prefixed = lookup.alias_prefix && (prints || !shell.options.posix());
    if lists {
        let aliases = shell.builtins.aliases.clone();
        let mut aliases: Vec<_> = aliases.iter().collect();
        if let Some(row) = lookup.aliases_in_buckets {
            compact::sort_by_key(&mut aliases, |(name, _)| row(name));
        }
        for (name, value) in aliases {
            show(shell, name, value, prefixed, &mut text);
        }
    }
    let mut status = 0;
    for word in rest {
        let equals = word.iter().skip(1).position(|byte| *byte == b'=').map(|index| index + 1);
        match equals {
            Some(equals) => status |= set(shell, words, &word[..equals], &word[equals + 1..]),
            None => match shell.builtins.aliases.get(&**word).cloned() {
                Some(value) => show(shell, word, &value, prefixed, &mut text),
                None => {
                    not_found(shell, words, word);
                    status = 1;
                }
            },
        }
    }
    shell.say(1, &text);
    Ok(status)
}

fn set(shell: &mut Shell, words: &[Text], name: &[u8], value: &[u8]) -> i32 {
    let bad = |byte: &u8| b"/$`=\\'\"()<>|&; \t\n".contains(byte);
    if shell.profile.builtins.lookup.checks_alias_names && name.iter().any(bad) {
        let text = [b"`", name, b"': invalid alias name"].concat();
        return shell.builtin_error(words, &text, 1);
    }
    Rc::make_mut(&mut shell.builtins.aliases).insert(name.to_vec(), Text::from_slice(value));
    0
}

fn not_found(shell: &mut Shell, words: &[Text], name: &[u8]) {
    if shell.profile.builtins.lookup.alias_unknown_is_bare {
        shell.say(2, &[&*words[0], b": ", name, b" not found\n"].concat());
    } else {
        shell.builtin_error(words, &[name, b": not found"].concat(), 1);
    }
}

fn show(shell: &Shell, name: &[u8], value: &[u8], prefixed: bool, text: &mut Vec<u8>) {
    if prefixed {
        text.extend_from_slice(b"alias ");
    }
    text.extend_from_slice(name);
    text.push(b'=');
    quote(value, For::Trap, shell.profile.dialect, shell.expansion.utf8, text);
    text.push(b'\n');
}

pub(crate) fn unalias(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut options = Options::new(words);
    match options.next() {
        None => {}
        Some(b'a') => {
            shell.builtins.aliases = Rc::default();
            return Ok(0);
        }
        Some(letter) => return refuse(shell, words, letter),
    }
    let rest = options.operands();
    if words.len() == 1 && shell.profile.builtins.lookup.unalias_needs_name {
        return Ok(shell.builtin_error(words, b"usage: unalias [-a] name [name ...]", 2));
    }
    let mut status = 0;
    for name in rest {
        if !shell.builtins.aliases.contains_key(&**name) {
            not_found(shell, words, name);
            status = 1;
            continue;
        }
        Rc::make_mut(&mut shell.builtins.aliases).remove(&**name);
    }
    Ok(status)
}
