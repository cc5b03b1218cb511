//! The stack of directories: `pushd`, `popd`, `dirs`.

use super::flow::number;
use super::options::refuse;
use super::places::change_directory;
use crate::Text;
use crate::run::{Flow, Shell};

/// What follows the name.
#[derive(Default)]
struct StackOptions<'a> {
    /// `-n`: the stack changes, the directory does not.
    stays: bool,
    /// `+n`, `-n`: the place, counted from the top.
    place: Option<usize>,
    directory: Option<&'a Text>,
}

impl<'a> StackOptions<'a> {
    fn new(shell: &mut Shell, words: &'a [Text]) -> Result<StackOptions<'a>, i32> {
        let mut request = StackOptions::default();
        let mut rest = &words[1..];
        while let Some((word, behind)) = rest.split_first() {
            match &**word {
                b"-n" => request.stays = true,
                b"--" => {
                    request.directory = behind.first();
                    break;
                }
                [b'+' | b'-', _, ..] => request.place = Some(place(shell, words, word)?),
                _ if behind.is_empty() => request.directory = Some(word),
                _ => return Err(shell.builtin_error(words, b"too many arguments", 1)),
            }
            rest = behind;
        }
        Ok(request)
    }
}

/// `+n` counts from the top, `-n` from the bottom.
fn place(shell: &mut Shell, words: &[Text], word: &Text) -> Result<usize, i32> {
    let Some(count) = number(&word[1..]).and_then(|count| usize::try_from(count).ok()) else {
        let text = [&**word, b": invalid number"].concat();
        return Err(shell.builtin_error(words, &text, 2));
    };
    let last = shell.directory.stack.len();
    let place = if word.starts_with(b"+") { Some(count) } else { last.checked_sub(count) };
    match place {
        Some(place) if place <= last => Ok(place),
        _ if last == 0 => Err(shell.builtin_error(words, b"directory stack empty", 1)),
        _ => {
            let text = [&**word, b": directory stack index out of range"].concat();
            Err(shell.builtin_error(words, &text, 1))
        }
    }
}

/// Goes to the first one, and keeps the rest.
fn take_stack(shell: &mut Shell, words: &[Text], stack: &[Text], stays: bool) -> Flow<i32> {
    if !stays && let Err(errno) = change_directory(shell, &stack[0], false, &mut false) {
        let text = [&*stack[0], b": ", errno.to_string().as_bytes()].concat();
        return Ok(shell.builtin_error(words, &text, 1));
    }
    shell.directory.stack = stack[1..].iter().rev().cloned().collect();
    dirs(shell, &words[..1])
}

pub(crate) fn pushd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let request = match StackOptions::new(shell, words) {
        Ok(request) => request,
        Err(status) => return Ok(status),
    };
    if shell.directory.path.is_empty() {
        shell.say_pathless("pushd", fewer::Errno::NOENT);
        return Ok(1);
    }
    let mut stack = shell.directory_stack();
    match (request.place, request.directory) {
        (Some(place), _) => stack.rotate_left(place),
        (None, Some(directory)) if request.stays => stack.insert(1, directory.clone()),
        (None, Some(directory)) => stack.insert(0, directory.clone()),
        (None, None) if request.stays => return Ok(0),
        (None, None) if stack.len() == 1 => {
            return Ok(shell.builtin_error(words, b"no other directory", 1));
        }
        (None, None) => stack.swap(0, 1),
    }
    take_stack(shell, words, &stack, request.stays)
}

pub(crate) fn popd(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let request = match StackOptions::new(shell, words) {
        Ok(request) => request,
        Err(status) => return Ok(status),
    };
    if let Some(word) = request.directory {
        let text = [&**word, b": invalid argument"].concat();
        return Ok(shell.builtin_error(words, &text, 2));
    }
    let mut stack = shell.directory_stack();
    if stack.len() == 1 {
        return Ok(shell.builtin_error(words, b"directory stack empty", 1));
    }
    let place = request.place.unwrap_or(0);
    let stays = request.stays || place > 0;
    // Where it is stays the first if it stays there.
    stack.remove(if stays { place.max(1) } else { 0 });
    take_stack(shell, words, &stack, stays)
}

pub(crate) fn dirs(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let (mut long, mut lines, mut numbers, mut only) = (false, false, false, None);
    for word in &words[1..] {
        match &**word {
            [b'+' | b'-', b'0'..=b'9', ..] => match place(shell, words, word) {
                Ok(place) => only = Some(place),
                Err(status) => return Ok(status),
            },
            [b'-', letters @ ..] => {
                for letter in letters {
                    match letter {
                        b'c' => {
                            shell.directory.stack.clear();
                            return Ok(0);
                        }
                        b'l' => long = true,
                        b'p' => lines = true,
                        b'v' => (lines, numbers) = (true, true),
                        _ => return refuse(shell, words, *letter),
                    }
                }
            }
            word => {
                let text = [word, b": invalid option"].concat();
                return Ok(shell.builtin_error(words, &text, 2));
            }
        }
    }
    if shell.directory.path.is_empty() {
        shell.say_pathless("dirs", fewer::Errno::NOENT);
    }
    let mut out = Vec::new();
    for (index, path) in shell.directory_stack().iter().enumerate() {
        if only.is_some_and(|only| only != index) {
            continue;
        }
        if !out.is_empty() {
            out.push(if lines { b'\n' } else { b' ' });
        }
        if numbers {
            out.extend_from_slice(format!("{index:2}  ").as_bytes());
        }
        match long {
            true => out.extend_from_slice(path),
            false => out.extend_from_slice(&shortened(shell, path)),
        }
    }
    out.push(b'\n');
    shell.print("dirs", &out)
}

/// With `~` for HOME.
fn shortened(shell: &mut Shell, path: &[u8]) -> Text {
    let home = shell.get(shell.variables.known.home).unwrap_or_default();
    match path.strip_prefix(home) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest[0] == b'/') => {
            [b"~", rest].concat().into()
        }
        _ => Text::from_slice(path),
    }
}
