//! `command`, `builtin`, `type`, `whence`, `caller`.

use super::options::{Options, known, refuse, show_usage, wrong_use};
use crate::arithmetic::Slot;
use crate::dialect::Hashed;
use crate::dialect::builtin_table::{self, Builtin};
use crate::run::texts::as_path;
use crate::run::{Flow, Shell};
use crate::{Text, syntax};

pub(crate) use super::hash::hash;

/// What a name can stand for.
enum What {
    Keyword,
    Function(Slot),
    Builtin(&'static Builtin),
    File(Text),
}

/// How it is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    /// As one would write it: `command -v`.
    Short,
    /// In words: `type`, `command -V`.
    Long,
    /// bash's `type -t`.
    Kind,
}

/// What is looked for.
#[derive(Clone, Copy, Default)]
struct Search {
    all: bool,
    /// Programs only.
    files: bool,
    no_functions: bool,
    /// bash's `type -p`: programs, and nothing if it is something else.
    only_if_file: bool,
}

pub(crate) fn builtin(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if !shell.profile.commands.builtin_runs {
        return Err(shell.not_run_here(&words[0]));
    }
    let mut options = Options::new(words);
    if let Some(letter) = options.next() {
        return refuse(shell, words, letter);
    }
    let rest = options.operands();
    let Some(name) = rest.first() else { return Ok(0) };
    match builtin_table::find(name, shell.profile.dialect) {
        Some(builtin) => {
            let rest = rest.to_vec();
            super::run(shell, builtin.id, &rest, &[])
        }
        None => {
            let text = [name, b": not a shell builtin".as_slice()].concat();
            Ok(shell.builtin_error(words, &text, 1))
        }
    }
}

pub(crate) fn caller(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let depth = match words.get(1) {
        None => None,
        Some(word) => {
            match super::flow::number(word).and_then(|number| usize::try_from(number).ok()) {
                Some(depth) => Some(depth),
                None => {
                    let text = [word, b": invalid number".as_slice()].concat();
                    return Ok(wrong_use(shell, words, &text));
                }
            }
        }
    };
    let count = shell.calls.frames.len();
    let nowhere = shell.origin.without_file();
    if count == 0 && depth.is_none() && nowhere.is_none() {
        return shell.print("caller", b"0 NULL\n");
    }
    let Some(frame) = count.checked_sub(1 + depth.unwrap_or(0)).map(|at| &shell.calls.frames[at])
    else {
        return Ok(1);
    };
    let above = count.checked_sub(2 + depth.unwrap_or(0)).map(|at| &shell.calls.frames[at]);
    let line = frame.called_on.to_string();
    let name = match above {
        Some(above) => match &above.function {
            Some(function) => shell.names.name(function.name).to_vec(),
            None => b"source".to_vec(),
        },
        None if nowhere.is_some() && depth.is_some() => return Ok(1),
        None => b"main".to_vec(),
    };
    let file: &[u8] = match (nowhere, above) {
        (Some(_), None) => b"NULL",
        (Some(nowhere), Some(_)) => nowhere,
        (None, _) => &shell.origin.name,
    };
    let text = match depth {
        None => [line.as_bytes(), b" ", file, b"\n"].concat(),
        Some(_) => [line.as_bytes(), b" ", &name, b" ", file, b"\n"].concat(),
    };
    shell.print("caller", &text)
}

pub(crate) fn command(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (mut show, mut standard) = (None, false);
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match known(letter, shell.profile.builtins.letters.command) {
            b'v' => show = Some(Show::Short),
            b'V' => show = Some(Show::Long),
            b'p' => standard = true,
            b'x' => {}
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if let Some(show) = show {
        let lookup = &shell.profile.builtins.lookup;
        let names = if lookup.describes_one { &rest[..rest.len().min(1)] } else { rest };
        if names.is_empty() && lookup.needs_name {
            return Ok(2);
        }
        return describe_all(shell, words, names, show, Search::default());
    }
    if rest.is_empty() {
        return Ok(0);
    }
    let rest = rest.to_vec();
    let found = match standard {
        true => shell.caches.programs.find_standard(&shell.directory.scope, &rest[0]),
        false => None,
    };
    let name = rest[0].clone();
    let before = found.map(|found| shell.caches.programs.keep(&name, found));
    let soft = std::mem::replace(&mut shell.builtins.under_command, true);
    let flow = shell.call_words(rest, false);
    shell.builtins.under_command = soft;
    match before {
        Some(Some(before)) => {
            shell.caches.programs.keep(&name, before);
        }
        Some(None) => {
            shell.caches.programs.forget(&name);
        }
        None => {}
    }
    flow?;
    Ok(shell.execution.status)
}

pub(crate) fn type_of(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut search = Search::default();
    let mut show = Show::Long;
    let mut options = Options::new(words);
    while shell.profile.builtins.letters.type_of.is_some()
        && let Some(letter) = options.next()
    {
        match letter {
            b't' => show = Show::Kind,
            b'a' => search.all = true,
            b'f' => search.no_functions = true,
            b'p' if shell.profile.builtins.lookup.p_is_only_if_file => {
                (show, search.only_if_file) = (Show::Short, true);
            }
            b'p' | b'P' => (show, search.files) = (Show::Short, true),
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if rest.is_empty() && shell.profile.builtins.lookup.needs_name {
        return Ok(show_usage(shell, words));
    }
    describe_all(shell, words, rest, show, search)
}

pub(crate) fn whence(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut search = Search::default();
    let mut show = Show::Short;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b'v' => show = Show::Long,
            b'a' => (show, search.all) = (Show::Long, true),
            b't' => show = Show::Kind,
            b'f' => search.no_functions = true,
            b'p' | b'P' => search.files = true,
            b'q' => {}
            _ => return refuse(shell, words, letter),
        }
    }
    if search.files {
        show = Show::Short;
    }
    let rest = options.operands();
    if rest.is_empty() {
        return Ok(show_usage(shell, words));
    }
    describe_all(shell, words, rest, show, search)
}

fn describe_all(
    shell: &mut Shell,
    words: &[Text],
    names: &[Text],
    show: Show,
    search: Search,
) -> Flow<i32> {
    let builtin = String::from_utf8_lossy(&words[0]).into_owned();
    let (mut missing, mut any) = (false, false);
    let mut out = Vec::new();
    for name in names {
        let found = meanings(shell, name, search);
        let hidden = search.only_if_file && !matches!(found.first(), Some(What::File(_)) | None);
        for what in &found {
            if search.only_if_file && !matches!(what, What::File(_)) {
                continue;
            }
            if hidden && !search.all {
                continue;
            }
            describe(shell, name, what, (show, search.all), &mut out);
        }
        if !found.is_empty() {
            any = true;
            continue;
        }
        missing = true;
        if show == Show::Long {
            let written = shell.print(&builtin, &out)?;
            out.clear();
            if written != 0 {
                return Ok(written);
            }
            let text = [name, b": not found".as_slice()].concat();
            match shell.profile.builtins.lookup.unknown_is_output {
                true => out.extend_from_slice(&[&*text, b"\n"].concat()),
                false => {
                    shell.builtin_error(words, &text, 1);
                }
            }
        }
    }
    let written = shell.print(&builtin, &out)?;
    let lookup = &shell.profile.builtins.lookup;
    let forgiven = lookup.one_known_is_enough && any && &*words[0] == b"command";
    let status = if missing && !forgiven { lookup.unknown_status } else { 0 };
    Ok(status.max(written))
}

/// What a name stands for: the first, or all.
fn meanings(shell: &mut Shell, name: &[u8], search: Search) -> Vec<What> {
    let mut found = Vec::new();
    if !search.files {
        if syntax::is_reserved(name, shell.profile.dialect) {
            found.push(What::Keyword);
        }
        let builtin = builtin_table::find(name, shell.profile.dialect);
        let slot = shell.names.find(name).filter(|slot| shell.functions.has(*slot));
        if let Some(slot) = slot
            && !search.no_functions
        {
            found.push(What::Function(slot));
        }
        if let Some(builtin) = builtin {
            found.push(What::Builtin(builtin));
        }
    }
    let all = search.all && shell.profile.builtins.lookup.lists_every_file;
    if found.is_empty() || search.all || search.only_if_file {
        let files = files_of(shell, name, all);
        found.extend(files.into_iter().map(What::File));
    }
    if !search.all {
        found.truncate(1);
    }
    found
}

/// The programs of that name in PATH.
fn files_of(shell: &mut Shell, name: &[u8], all: bool) -> Vec<Text> {
    let is_program = |shell: &Shell, path: &[u8], any: bool| {
        let fields = fewer::Fields::KIND | fewer::Fields::PERMISSIONS;
        shell.directory.scope.stat_target(as_path(path), fields).is_ok_and(|stat| {
            any || (stat.kind() == fewer::Kind::File && stat.permissions() & 0o111 != 0)
        })
    };
    if name.contains(&b'/') {
        let any = shell.profile.builtins.lookup.any_file_is_program;
        let found = is_program(shell, name, any).then(|| Text::from_slice(name));
        return found.into_iter().collect();
    }
    if name.is_empty() {
        return Vec::new();
    }
    let path = shell.get(shell.variables.known.path).map(Text::from_slice).unwrap_or_default();
    let mut found = Vec::new();
    for directory in path.split(|byte| *byte == b':') {
        let candidate: Text = match directory {
            b"" => [b"./", name].concat().into(),
            _ => [directory, b"/", name].concat().into(),
        };
        if is_program(shell, &candidate, false) {
            found.push(candidate);
            if !all {
                break;
            }
        }
    }
    found
}

/// Says what a name stands for; one of `all` that it may stand for is a program in its place.
fn describe(shell: &Shell, name: &[u8], what: &What, (show, all): (Show, bool), out: &mut Vec<u8>) {
    let words = &shell.profile.builtins.lookup.description;
    match show {
        Show::Short => out.extend_from_slice(match what {
            What::File(path) => path,
            _ => name,
        }),
        Show::Kind => out.extend_from_slice(match what {
            What::Keyword => b"keyword",
            What::Function(_) => b"function",
            What::Builtin(_) => b"builtin",
            What::File(_) => b"file",
        }),
        Show::Long => {
            out.extend_from_slice(name);
            out.extend_from_slice(b" is ");
            match what {
                What::Keyword => out.extend_from_slice(words.keyword.as_bytes()),
                What::Function(slot) => {
                    out.extend_from_slice(words.function.as_bytes());
                    if words.function_text {
                        out.push(b'\n');
                        super::set::function(shell, *slot, out);
                        return;
                    }
                }
                What::Builtin(builtin) => {
                    let special = match words.special {
                        true => builtin.special || name == b"typeset",
                        false => shell.options.posix() && builtin.special,
                    };
                    let words: &[u8] =
                        if special { b"a special shell builtin" } else { b"a shell builtin" };
                    out.extend_from_slice(words);
                }
                What::File(path) => {
                    let hashed = shell.caches.programs.known(name).is_some();
                    match words.hashed {
                        Hashed::RememberedAlone if hashed && !all => {
                            out.extend_from_slice(&[b"hashed (", &**path, b")"].concat());
                        }
                        Hashed::Remembered if hashed => {
                            out.extend_from_slice(b"a tracked alias for ");
                            out.extend_from_slice(path);
                        }
                        Hashed::Found
                            if !name.contains(&b'/')
                                && builtin_table::find(name, shell.profile.dialect).is_none() =>
                        {
                            out.extend_from_slice(b"a tracked alias for ");
                            out.extend_from_slice(path);
                        }
                        _ => out.extend_from_slice(path),
                    }
                }
            }
        }
    }
    out.push(b'\n');
}
