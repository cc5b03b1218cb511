//! What a program does with the answer of `stat`, by its source text: whether nothing but the kind
//! of the file is wanted of it. No parser, only names and signs around the line of the call; where
//! they say too little, nothing is said.

mod tokens;

use tokens::{Style, Token, tokens};

/// Lines behind the call in which its answer is looked for.
const LINES: usize = 40;
/// Bytes of them: a longer text was not written by hand.
const BYTES: usize = 16 << 10;
/// Lines that the call itself may be spread over.
const CALL_LINES: usize = 4;

/// What asks for metadata.
const CALLS: &[&str] = &[
    "stat", "lstat", "stat64", "lstat64", "fstatat", "statSync", "lstatSync", "metadata",
    "symlink_metadata", "Stat", "Lstat", "Info", "status", "symlink_status",
];
/// What asks an answer for the kind.
const KINDS: &[&str] = &[
    "isFile", "isDirectory", "isSymbolicLink", "isFIFO", "isSocket", "isBlockDevice",
    "isCharacterDevice", "is_dir", "is_file", "is_symlink", "file_type", "IsDir", "file",
    "directory", "symlink", "ftype", "type",
];
/// What has the kind and the permissions.
const MODES: &[&str] = &["st_mode", "mode", "Mode"];
/// What takes only the kind out of that.
const MASKS: &[&str] = &["S_IFMT", "ModeDir", "ModeSymlink", "ModeType", "0170000", "0o170000"];
/// What hands an answer on as it is.
const UNWRAPS: &[&str] = &["unwrap", "expect", "ok"];
/// What hands it to a function.
const CLOSURES: &[&str] = &["map", "map_or", "is_ok_and", "is_some_and", "then", "and_then"];
/// What functions begin with.
const FUNCTIONS: &[&str] = &["def", "func", "fn", "function", "sub", "class"];
/// Words behind which an answer is only asked whether there is one.
const CONDITIONS: &[&str] = &["if", "while", "unless", "not", "and", "or", "!", "&", "|"];

/// What is wanted of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Wanted {
    Kind,
    More,
}

/// Whether nothing but the kind is wanted of what is asked in a line of a text (the first is 1) of
/// a file with this name; `None` if that cannot be told.
pub(super) fn only_kind(file: &str, text: &str, line: u32) -> Option<bool> {
    let style = style(file)?;
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let rest = text.get(start..)?;
    let end = rest.split_inclusive('\n').take(LINES).map(str::len).sum::<usize>();
    let end = (0..=end.min(BYTES)).rfind(|end| rest.is_char_boundary(*end))?;
    let tokens = tokens(&rest[..end], style);
    wanted(&tokens, is_c(file)).map(|wanted| wanted == Wanted::Kind)
}

/// Whether texts in files with this name can be read.
pub(super) fn is_known(file: &str) -> bool {
    style(file).is_some()
}

fn style(file: &str) -> Option<Style> {
    match file.rsplit_once('.')?.1 {
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "js" | "mjs" | "cjs" | "ts" | "go" => {
            Some(Style { hash: false, ticks: false })
        }
        "rs" => Some(Style { hash: false, ticks: true }),
        "py" | "rb" => Some(Style { hash: true, ticks: false }),
        _ => None,
    }
}

/// Whether answers go where the caller points.
fn is_c(file: &str) -> bool {
    const ENDS: [&str; 6] = [".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"];
    ENDS.iter().any(|end| file.ends_with(end))
}

fn wanted(tokens: &[Token], is_c: bool) -> Option<Wanted> {
    let is_call = |at: &usize| {
        CALLS.contains(&tokens[*at].text)
            && tokens[*at].line < CALL_LINES
            && text(tokens, at + 1) == "("
    };
    let call = (0..tokens.len()).find(is_call)?;
    let close = closing(tokens, call + 1)?;
    if let Some(variable) = out_parameter(&tokens[call + 2..close]).filter(|_| is_c) {
        return of_variable(&tokens[close..], variable);
    }
    let start = beginning(tokens, call);
    match behind(tokens, start, close + 1) {
        Behind::Member(at) => Some(of_member(tokens, start, at)),
        Behind::Closure(wanted) => wanted,
        Behind::End => of_variable(&tokens[close..], assigned(&tokens[..start])?),
        Behind::Argument => None,
    }
}

fn text<'t>(tokens: &[Token<'t>], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| token.text)
}

/// The bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" => depth += 1,
            ")" if depth == 1 => return Some(at),
            ")" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The bracket that the one at `close` closes.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (0..=close).rev() {
        match tokens[at].text {
            ")" => depth += 1,
            "(" if depth == 1 => return Some(at),
            "(" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `&st` among the arguments.
fn out_parameter<'t>(arguments: &[Token<'t>]) -> Option<&'t str> {
    let at = arguments.iter().rposition(|token| token.text == "&")?;
    let is_whole = matches!(text(arguments, at + 2), "" | ",");
    let is_alone = at == 0 || arguments[at - 1].text == ",";
    (is_whole && is_alone).then(|| text(arguments, at + 1)).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Where the expression begins that the called function is named by: `fs.promises.stat`.
fn beginning(tokens: &[Token], call: usize) -> usize {
    let is_of_path = |at: usize| {
        let token = tokens[at].text;
        matches!(token, "." | ":") || is_name(token) && matches!(text(tokens, at + 1), "." | ":")
    };
    let mut start = call;
    while start > 0 && is_of_path(start - 1) {
        start -= 1;
    }
    start - usize::from(start > 0 && tokens[start - 1].text == "await")
}

/// What stands behind a call.
enum Behind {
    /// The name of a member of the answer.
    Member(usize),
    /// A function that is given the answer.
    Closure(Option<Wanted>),
    /// Something else takes it.
    Argument,
    /// Nothing that takes the answer.
    End,
}

fn behind(tokens: &[Token], start: usize, mut at: usize) -> Behind {
    loop {
        match text(tokens, at) {
            ")" => match opening(tokens, at) {
                Some(open) if open < start => {
                    let before = open.checked_sub(1).map_or("", |before| tokens[before].text);
                    if is_name(before) && !CONDITIONS.contains(&before) && before != "return" {
                        return if before == "in" { Behind::End } else { Behind::Argument };
                    }
                    at += 1;
                }
                _ => return Behind::End,
            },
            "?" | "!" if matches!(text(tokens, at + 1), "." | "?" | ";") => at += 1,
            "." => {
                let name = text(tokens, at + 1);
                let close = closing(tokens, at + 2).filter(|_| text(tokens, at + 2) == "(");
                match close {
                    Some(close) if UNWRAPS.contains(&name) => at = close + 1,
                    Some(close) if CLOSURES.contains(&name) => {
                        return Behind::Closure(of_closure(&tokens[at + 3..close]));
                    }
                    _ if is_name(name) => return Behind::Member(at + 1),
                    _ => return Behind::Argument,
                }
            }
            _ => return Behind::End,
        }
    }
}

/// What a closure does with its parameter: `|it| …`, `it => …`, `(it) => …`.
fn of_closure(arguments: &[Token]) -> Option<Wanted> {
    let bar = arguments.iter().position(|token| token.text == "|");
    let arrow = (0..arguments.len().saturating_sub(1))
        .find(|at| arguments[*at].text == "=" && arguments[at + 1].text == ">");
    let (name, body) = match (bar, arrow) {
        (Some(bar), _) => (text(arguments, bar + 1), bar + 3),
        (None, Some(arrow)) => {
            let name = arguments[..arrow].iter().rfind(|token| is_name(token.text))?;
            (name.text, arrow + 2)
        }
        (None, None) => return None,
    };
    of_variable(arguments.get(body..)?, name)
}

/// The variable that is assigned to at the end of these tokens: `const st =`, `info, err :=`.
fn assigned<'t>(before: &[Token<'t>]) -> Option<&'t str> {
    const WORDS: &[&str] = &["auto", "const", "let", "mut", "var", "_"];
    let sign = before.len().checked_sub(1).filter(|at| before[*at].text == "=")?;
    let is_comparison =
        sign > 0 && matches!(before[sign - 1].text, "=" | "!" | "<" | ">" | "+" | "|");
    let from = before[..sign].iter().rposition(|it| matches!(it.text, ";" | "{" | "}"));
    let left = &before[from.map_or(0, |at| at + 1)..sign];
    let left = if left.last().is_some_and(|it| it.text == ":") {
        &left[..left.len() - 1]
    } else {
        // A type, or nothing.
        let typed = left.iter().position(|it| it.text == ":");
        &left[..typed.unwrap_or(left.len())]
    };
    let mut names = left.iter().map(|it| it.text).filter(|it| is_name(it) && !WORDS.contains(it));
    let is_list = left.iter().any(|it| it.text == ",");
    let name = if is_list { names.next() } else { names.next_back() };
    name.filter(|_| !is_comparison)
}

/// What is wanted of a variable in what follows; `None` if it goes where that cannot be seen.
fn of_variable(tokens: &[Token], variable: &str) -> Option<Wanted> {
    let (mut all, mut depth) = (None, 0);
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token.text == "{") - i32::from(token.text == "}");
        let is_first = at > 0 && tokens[at - 1].line < token.line;
        if is_first && FUNCTIONS.contains(&token.text) || depth < 0 && token.column == 0 {
            break;
        }
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        if token.text != variable || matches!(before, "." | ">" | ":") {
            continue;
        }
        let wanted = match member(tokens, at) {
            Some(member) => of_member(tokens, at, member),
            None if is_only_checked(tokens, at) => continue,
            None => return None,
        };
        if wanted == Wanted::More {
            return Some(wanted);
        }
        all = Some(wanted);
    }
    all
}

/// The name of the member that is taken of what stands at `at`.
fn member(tokens: &[Token], at: usize) -> Option<usize> {
    match (text(tokens, at + 1), text(tokens, at + 2)) {
        (".", _) => Some(at + 2),
        ("-", ">") | ("?" | "!", ".") => Some(at + 3),
        _ => None,
    }
}

/// Whether a variable is only assigned to, filled again, or asked whether there is something.
fn is_only_checked(tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |before| tokens[before].text);
    let next = text(tokens, at + 1);
    let is_filled = before(1) == "&" && matches!(before(2), "," | "(");
    let is_asked = CONDITIONS.contains(&before(1)) && !is_filled
        || before(1) == "(" && CONDITIONS.contains(&before(2));
    let ends = matches!(next, ")" | "&" | "|" | "and" | "or" | ":" | "{" | "then");
    let is_compared = matches!(next, "=" | "!" | "is");
    is_filled && matches!(next, ")" | ",") || is_asked && ends || is_compared
}

/// What a member that is named at `name` says; the expression begins at `start`.
fn of_member(tokens: &[Token], start: usize, name: usize) -> Wanted {
    let word = text(tokens, name);
    if KINDS.contains(&word) {
        return Wanted::Kind;
    }
    if !MODES.contains(&word) {
        return Wanted::More;
    }
    let around = start.checked_sub(2).map_or("", |at| tokens[at].text);
    let is_asked = text(tokens, start.saturating_sub(1)) == "(" && around.starts_with("S_I");
    let mut next = name + 1;
    if text(tokens, next) == "(" && text(tokens, next + 1) == ")" {
        next += 2;
    }
    let is_masked = text(tokens, next) == "&"
        && (next + 1..next + 7).any(|at| MASKS.contains(&text(tokens, at)));
    let is_kind = text(tokens, next) == "."
        && matches!(text(tokens, next + 1), "IsDir" | "IsRegular" | "Type");
    if is_asked || is_masked || is_kind { Wanted::Kind } else { Wanted::More }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(file: &str, text: &str) -> Option<bool> {
        only_kind(file, text, 1)
    }

    #[test]
    fn members_of_the_answer_itself() {
        for text in [
            "if (fs.statSync(path.join(dir, name)).isFile()) show(name);",
            "const s = (await fs.promises.stat(p)).isDirectory() ? 1 : 0;",
            "if (fs.lstatSync(p, { throwIfNoEntry: false })?.isFile()) n++;",
            "return stat(p).then((it) => it.isFile() && !it.isFIFO());",
        ] {
            assert_eq!(says("a.js", text), Some(true), "{text}");
        }
        assert_eq!(says("a.js", "sum += fs.statSync(p).size;"), Some(false));
        assert_eq!(says("a.js", "list.push(fs.statSync(p));"), None);
        assert_eq!(says("a.js", "return fs.statSync(p);"), None);
        assert_eq!(says("a.py", "if stat.S_ISDIR(os.stat(p).st_mode): go(p)"), Some(true));
        assert_eq!(says("a.py", "print(oct(os.stat(p).st_mode))"), Some(false));
        assert_eq!(says("a.rs", "if fs::metadata(&p)?.is_dir() {"), Some(true));
        assert_eq!(
            says("a.rs", "let n = fs::metadata(&p).map(|it| it.len()).unwrap();"),
            Some(false)
        );
        assert_eq!(says("a.rs", "fs::metadata(p).is_ok_and(|it| it.is_dir())"), Some(true));
        assert_eq!(says("a.rb", "next unless File.stat(path).file?"), Some(true));
    }

    #[test]
    fn a_variable_is_followed_through_its_function() {
        let c = "if (stat(path, &st) == 0 && S_ISREG(st.st_mode))\n    files++;\n}\nst.st_size";
        assert_eq!(says("a.c", c), Some(true));
        let c = "if (lstat(path, &st) < 0) return;\nif (S_ISDIR(st.st_mode)) walk(path);\n\
                 else total += st.st_size;";
        assert_eq!(says("a.c", c), Some(false));
        assert_eq!(
            says("a.c", "lstat(path, &st);\nif ((st.st_mode & S_IFMT) == S_IFDIR) d++;"),
            Some(true)
        );
        assert_eq!(says("a.c", "stat(path, &st);\nshow(&st);"), None);
        assert_eq!(says("a.c", "stat(path, st);\nif (S_ISDIR(st->st_mode)) d++;"), None);
        let go = "info, err := os.Stat(path)\nif err != nil { return err }\nif info.IsDir() {\n}";
        assert_eq!(says("a.go", go), Some(true));
        assert_eq!(says("a.go", &format!("{go}\nsum += info.Size()")), Some(false));
        let js = "const st = fs.statSync(full);\nif (!st || !st.isFile()) continue;\nread(full);";
        assert_eq!(says("a.js", js), Some(true));
        assert_eq!(says("a.js", &format!("{js}\ncache.set(full, st);")), None);
        let python = "st = os.lstat(path)\nif not stat.S_ISREG(st.st_mode):\n    return\n\n\
                      def f(st):\n    st.st_size";
        assert_eq!(says("a.py", python), Some(true));
        let rust = "let meta = match fs::symlink_metadata(&path) {";
        assert_eq!(says("a.rs", rust), None);
        let rust = "let Ok(meta) = fs::metadata(&path) else { continue };\nif meta.is_dir() {";
        assert_eq!(says("a.rs", rust), Some(true));
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for text in
            ["", "(((", "stat(", "x = stat(p", "stat(p).", "= stat(p)", "st := stat(p)", "\u{fc}"]
        {
            assert_eq!(says("a.go", text), None, "{text}");
        }
        assert_eq!(says("Main.java", "Files.stat(p).isFile()"), None);
        assert_eq!(only_kind("a.js", "fs.statSync(p).isFile()", 0), None);
        assert_eq!(only_kind("a.js", "fs.statSync(p).isFile()", 9), None);
        // Cut off wherever, nested however.
        let text = "if ((await stat(`ü${p}`)).then(it => it.mode & S_IFMT) /* \"'\\ü */ == (";
        for (cut, _) in text.char_indices() {
            let (before, behind) = text.split_at(cut);
            for file in ["a.c", "a.js", "a.rs", "a.py"] {
                let _ = says(file, before);
                let _ = says(file, &behind.repeat(3000));
            }
        }
    }
}
