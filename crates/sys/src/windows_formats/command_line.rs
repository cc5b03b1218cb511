//! The one text in which Windows hands a program its arguments, and its environment.

use super::wide::to_wide;

const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;

/// What a program is: Windows runs scripts for its shell by other rules than programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramKind {
    /// One that takes its arguments apart as `CommandLineToArgvW` does.
    Program,
    /// `.bat` or `.cmd`, which `cmd.exe` runs, and takes the arguments for commands.
    Script,
}

/// What kind the file is, by its name as Windows has it: without dots and spaces at its end.
pub(crate) fn program_kind(path: &[u8]) -> ProgramKind {
    let end = path.iter().rposition(|byte| !matches!(byte, b'.' | b' ')).map_or(0, |last| last + 1);
    let is = |extension: &[u8]| {
        let start = end.checked_sub(extension.len());
        start.is_some_and(|start| path[start..end].eq_ignore_ascii_case(extension))
    };
    if is(b".bat") || is(b".cmd") { ProgramKind::Script } else { ProgramKind::Program }
}

/// The names by which a program is looked for: with each of the extensions of `PATHEXT` that can
/// be run as they are, and as it is. A name that has one of them already is looked for as it is.
pub(crate) fn program_names(name: &[u8], extensions: &[u8]) -> Vec<Vec<u8>> {
    const RUNNABLE: [&[u8]; 4] = [b".com", b".exe", b".bat", b".cmd"];
    let known = || {
        let known = extensions.split(|&byte| byte == b';');
        known.filter(|it| RUNNABLE.iter().any(|runnable| it.eq_ignore_ascii_case(runnable)))
    };
    let has = |extension: &[u8]| {
        let start = name.len().checked_sub(extension.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(extension))
    };
    if RUNNABLE.into_iter().any(has) {
        return vec![name.to_vec()];
    }
    let with = known().map(|extension| [name, &extension.to_ascii_lowercase()].concat());
    with.chain([name.to_vec()]).collect()
}

/// The directories of a search path: between `;`, also in quotes, in which a `;` is a part of a
/// name. Empty ones are none: the directory that a process is in is not searched.
pub(crate) fn search_directories(path: &[u8]) -> Vec<Vec<u8>> {
    let mut directories = vec![Vec::new()];
    let mut in_quotes = false;
    for &byte in path {
        match (byte, directories.last_mut()) {
            (b'"', _) => in_quotes = !in_quotes,
            (b';', _) if !in_quotes => directories.push(Vec::new()),
            (_, Some(directory)) => directory.push(byte),
            (_, None) => {}
        }
    }
    directories.retain(|directory| !directory.is_empty());
    directories
}

/// The command line from which `CommandLineToArgvW` takes these arguments; `None` for bytes that
/// are no WTF-8 or have a NUL. The program's own name, which has rules of its own, must have no
/// quote in it.
pub(crate) fn command_line<'a>(arguments: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u16>> {
    let mut line = Vec::new();
    for (number, argument) in arguments.enumerate() {
        let units = to_wide(argument)?;
        if units.contains(&0) || (number == 0 && units.contains(&QUOTE)) {
            return None;
        }
        if number == 0 {
            line.push(QUOTE);
            line.extend_from_slice(&units);
            line.push(QUOTE);
        } else {
            line.push(b' '.into());
            push_argument(&mut line, &units);
        }
    }
    Some(line)
}

/// Backslashes are themselves but before a quote, where each two are one ("Parsing C++ command-line
/// arguments", learn.microsoft.com).
fn push_argument(line: &mut Vec<u16>, argument: &[u16]) {
    let is_blank = |unit: &u16| [b' ', b'\t', b'\n', 0x0b].map(u16::from).contains(unit);
    if !argument.is_empty() && !argument.iter().any(|unit| *unit == QUOTE || is_blank(unit)) {
        line.extend_from_slice(argument);
        return;
    }
    line.push(QUOTE);
    let mut backslashes = 0;
    for &unit in argument {
        if unit == BACKSLASH {
            backslashes += 1;
        } else {
            if unit == QUOTE {
                line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1));
            }
            backslashes = 0;
        }
        line.push(unit);
    }
    line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
    line.push(QUOTE);
}

/// The command line by which `shell` (`cmd.exe`) runs a script with these arguments, each in
/// quotes, in which the shell takes nothing for a command; `None` if one has what it would: a
/// quote, which ends them, `%`, which is a variable also in them, or the end of a line.
pub(crate) fn script_line<'a>(
    shell: &[u8],
    script: &'a [u8],
    arguments: impl Iterator<Item = &'a [u8]>,
) -> Option<Vec<u16>> {
    let mut line = vec![QUOTE];
    line.extend(to_wide(shell)?);
    // Extensions on, `!` is no variable, no command at each start, then the rest is one command.
    line.extend("\" /e:ON /v:OFF /d /c \"".encode_utf16());
    for (number, word) in std::iter::once(script).chain(arguments).enumerate() {
        let units = to_wide(word)?;
        if word.iter().any(|byte| matches!(byte, b'"' | b'%' | b'\r' | b'\n' | 0)) {
            return None;
        }
        if number > 0 {
            line.push(b' '.into());
        }
        line.push(QUOTE);
        line.extend_from_slice(&units);
        // A program to which the script hands its arguments takes `\"` for a quote.
        let backslashes = units.iter().rev().take_while(|unit| **unit == BACKSLASH).count();
        line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
        line.push(QUOTE);
    }
    line.push(QUOTE);
    Some(line)
}

/// Variables (`NAME=VALUE`) as the kernel takes them: sorted by name without regard to case, a NUL
/// behind each and behind all.
pub(crate) fn environment_block<'a>(variables: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u16>> {
    let mut all: Vec<Vec<u16>> = variables.map(to_wide).collect::<Option<_>>()?;
    if all.iter().any(|it| it.contains(&0)) {
        return None;
    }
    all.sort_by_cached_key(|variable| upper_case(name_of(variable)));
    let mut block: Vec<u16> = Vec::new();
    for variable in &all {
        block.extend_from_slice(variable);
        block.push(0);
    }
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Some(block)
}

/// What is before the `=`; the hidden variables of drives (`=C:`) begin with one.
fn name_of(variable: &[u16]) -> &[u16] {
    let equals = variable.iter().skip(1).position(|unit| *unit == u16::from(b'='));
    &variable[..equals.map_or(variable.len(), |at| at + 1)]
}

/// Each unit in upper case, if that is one unit, too.
fn upper_case(units: &[u16]) -> Vec<u16> {
    let upper = |unit: u16| {
        let mut upper = char::from_u32(unit.into())?.to_uppercase();
        let only = upper.next().filter(|_| upper.next().is_none())?;
        u16::try_from(u32::from(only)).ok()
    };
    units.iter().map(|unit| upper(*unit).unwrap_or(*unit)).collect()
}

/// The name of a variable as it is compared: without regard to case.
pub(crate) fn variable_key(name: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(name.len());
    match to_wide(name) {
        Some(units) => super::wide::push_wtf8(&mut key, upper_case(&units)),
        None => key.extend_from_slice(name),
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(units: Option<Vec<u16>>) -> Option<String> {
        units.map(|units| String::from_utf16(&units).unwrap())
    }

    fn line(arguments: &[&str]) -> Option<String> {
        text(command_line(arguments.iter().map(|it| it.as_bytes())))
    }

    /// The examples of "Parsing C++ command-line arguments" (learn.microsoft.com), from the
    /// arguments back to the line.
    #[test]
    fn arguments_are_quoted_as_programs_take_them_apart() {
        for (argument, quoted) in [
            ("abc", "abc"),
            ("a b", r#""a b""#),
            ("", r#""""#),
            (r"a\\b", r"a\\b"),
            (r#"a"b"#, r#""a\"b""#),
            (r#"a\"b"#, r#""a\\\"b""#),
            ("a b\\", r#""a b\\""#),
            (r"C:\dir\", r"C:\dir\"),
            ("d\te", "\"d\te\""),
            (r"a\\\b", r"a\\\b"),
            ("é💩", "é💩"),
        ] {
            assert_eq!(line(&["p", argument]).unwrap(), format!("\"p\" {quoted}"), "{argument}");
        }
        assert_eq!(line(&["a\"b"]), None);
        assert_eq!(line(&["p", "a\0"]), None);
        assert_eq!(line(&["C:\\a b\\p.exe", "x"]).unwrap(), r#""C:\a b\p.exe" x"#);
    }

    #[test]
    fn a_script_gets_no_argument_that_its_shell_would_run() {
        let line = |arguments: &[&str]| {
            text(script_line(b"C:\\cmd.exe", b"C:\\s.bat", arguments.iter().map(|a| a.as_bytes())))
        };
        assert_eq!(
            line(&["a&calc", "b\\"]).unwrap(),
            r#""C:\cmd.exe" /e:ON /v:OFF /d /c ""C:\s.bat" "a&calc" "b\\"""#
        );
        for argument in ["\"&calc", "%PATH%", "a\nb", "a\rb", "%"] {
            assert_eq!(line(&[argument]), None, "{argument:?}");
        }
        assert_eq!(text(script_line(b"cmd", b"50%.bat", std::iter::empty())), None);
    }

    #[test]
    fn a_script_is_known_by_its_name_as_windows_has_it() {
        for path in ["a.bat", "C:\\x.CMD", "a.bat. .", "x.Bat "] {
            assert_eq!(program_kind(path.as_bytes()), ProgramKind::Script, "{path}");
        }
        for path in ["a.exe", "bat", "a.bat.exe", "", ".", "a.bat/x"] {
            assert_eq!(program_kind(path.as_bytes()), ProgramKind::Program, "{path}");
        }
    }

    #[test]
    fn a_program_is_looked_for_with_the_extensions_that_run() {
        let names = |name: &str| {
            let names = program_names(name.as_bytes(), b".COM;.EXE;.VBS;.CMD");
            names.into_iter().map(|it| String::from_utf8(it).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(names("ls"), ["ls.com", "ls.exe", "ls.cmd", "ls"]);
        assert_eq!(names("a.b"), ["a.b.com", "a.b.exe", "a.b.cmd", "a.b"]);
        assert_eq!(names("ls.EXE"), ["ls.EXE"]);
        assert_eq!(names("d\\x.bat"), ["d\\x.bat"]);
    }

    #[test]
    fn the_own_directory_is_not_searched() {
        let directories = |path: &str| {
            let all = search_directories(path.as_bytes());
            all.into_iter().map(|it| String::from_utf8(it).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(directories("C:\\a;;C:\\b;"), ["C:\\a", "C:\\b"]);
        assert_eq!(directories("\"C:\\a;b\";c"), ["C:\\a;b", "c"]);
        assert_eq!(directories(""), [""; 0]);
    }

    #[test]
    fn variables_are_sorted_without_regard_to_case() {
        let block = |all: &[&str]| text(environment_block(all.iter().map(|it| it.as_bytes())));
        assert_eq!(block(&["b=1", "A=2", "=C:=C:\\x"]).unwrap(), "=C:=C:\\x\0A=2\0b=1\0\0");
        assert_eq!(block(&[]).unwrap(), "\0\0");
        assert_eq!(block(&["a\0b=1"]), None);
        assert_eq!(variable_key("Pathé".as_bytes()), "PATHÉ".as_bytes());
        assert_eq!(variable_key(b"x\xff"), b"x\xff");
    }
}
