//! Common idioms of scripts: the lines of `idioms.txt`, with gaps that random words fill. A gap is
//! `§` and a letter, as [`gap`] has them. Idioms change for good only variables, parameters and
//! files that all scripts have; options, IFS, traps and the directory change in a subshell.

use super::words::Words;
use crate::shell::format::Dialect;

/// A random idiom of a dialect, filled. It may have several lines.
pub(super) fn idiom(words: &mut Words) -> String {
    let own = of_dialect(words.dialect);
    let template = own[words.dice.below(own.len())].replace('¶', "\n");
    fill(&template, words)
}

fn of_dialect(dialect: Dialect) -> Vec<String> {
    let (name, mut counts) = (dialect.to_string(), false);
    let mut found = Vec::new();
    for line in include_str!("idioms.txt").lines() {
        if let Some(names) = line.strip_prefix("= ") {
            counts = names.split(' ').any(|one| one == name);
        } else if !counts || line.is_empty() || line.starts_with("# ") {
            continue;
        } else if let (Some(rest), Some(last)) = (line.strip_prefix('+'), found.last_mut()) {
            String::push_str(last, rest);
        } else {
            found.push(line.to_owned());
        }
    }
    found
}

fn fill(template: &str, words: &mut Words) -> String {
    let mut pieces = template.split('§');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let mut rest = piece.chars();
        text.push_str(&rest.next().map_or(String::new(), |letter| gap(letter, words)));
        text.push_str(rest.as_str());
    }
    text
}

fn gap(letter: char, words: &mut Words) -> String {
    match letter {
        'w' => words.word(),
        'W' => words.words(3),
        'n' => words.text_name().to_owned(),
        'N' => words.number_name().to_owned(),
        's' => words.sum(),
        'p' => words.pattern(),
        'i' => words.inside(),
        'x' => words.expansion_in_text(),
        'l' => words.literal().to_owned(),
        'c' => words.command(),
        'C' => words.command_line(),
        'f' => words.filter(),
        'd' => words.dice.below(5).to_string(),
        'I' => words.dice.pick(&[":", "' '", "': '", "''", "',:'", "'\t'", "o", "' o'"]).to_owned(),
        'L' => words.dice.pick(&LINES).to_owned(),
        'G' => words.dice.pick(&OPTIONS).to_owned(),
        'F' => words.dice.pick(&FORMATS).to_owned(),
        'A' => {
            words.dice.pick(&["0", "-3", "12", "0x1f", "017", "\"'A\"", "99999", "''"]).to_owned()
        }
        'S' => words
            .dice
            .pick(&["true", "false", "{ ! true; }", "{ ! false; }", "(exit 3)", ":"])
            .to_owned(),
        _ => unreachable!("no gap is called {letter}"),
    }
}

/// Lines for `read`.
const LINES: [&str; 14] = [
    "a:b:c", "a::b", ":a:", " a : b ", "a\\:b:c", "a b c", "  lead  trail  ", "a:b:c:d:",
    "x\\ y z", "::", "a : : b", "foo,bar:baz", "two\\\\ words", "o:oo",
];

const OPTIONS: [&str; 12] =
    ["-a", "-b", "-bx", "-b x", "-ac", "-x", "--", "-", "-cab", "y", "-c -a", "-ax"];

/// Formats of `printf`, for numbers or texts.
const FORMATS: [&str; 18] = [
    "%5d", "%-5d|", "%05d", "%+d", "%x", "%#o", "%X", "%u", "% d", "%.3d", "%5s", "%-5s|", "%.2s",
    "%c", "%b", "%i", "%%%d", "%s%s",
];
