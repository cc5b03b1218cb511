//! What a script's running cannot show: lines, sources, and the rules that the tree promises.

use crate::Dialect;
use crate::syntax::tree::*;
use crate::syntax::{parse, parse_word_text};

fn command(script: &str) -> Command {
    let mut list =
        parse(script.as_bytes(), Dialect::Bash).unwrap_or_else(|e| panic!("{script}: {e}"));
    list.items.remove(0).first.commands.remove(0)
}

fn word(script: &str) -> Vec<Piece> {
    let Kind::Simple(simple) = command(script).kind else { panic!("{script}") };
    let Argument::Word(word) = &simple.words[1] else { panic!("{script}") };
    word.pieces.clone()
}

fn quoted(text: &str) -> Piece {
    Piece::Quoted(text.into())
}

fn literal(text: &str) -> Piece {
    Piece::Literal(text.into())
}

#[test]
fn text_of_one_kind_is_one_piece() {
    assert_eq!(word("echo 'a'\"b\"\\c$'d'"), [quoted("abcd")]);
    assert_eq!(word("echo a\\\nb"), [literal("ab")]);
    assert_eq!(word("echo a'b'c"), [literal("a"), quoted("b"), literal("c")]);
    assert_eq!(word("echo ''"), [quoted("")]);
    assert_eq!(word("echo \"\""), [quoted("")]);
    assert_eq!(word("echo $"), [literal("$")]);
}

#[test]
fn commands_know_their_lines() {
    let script = b"a\n\n b 'x\ny' # c\nc <<E $z\nbody\nE\nd\\\n e; f";
    for (dialect, expected) in [
        (Dialect::Ksh, [1, 3, 5, 8, 9]),
        // As `echo $LINENO` has it there: the line of the second word.
        (Dialect::Bash, [1, 4, 5, 9, 9]),
    ] {
        let list = parse(script, dialect).expect("a script");
        let lines = list.items.iter().map(|item| item.first.commands[0].line);
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn what_is_inside_a_here_document_or_backquotes_knows_its_line_too() {
    let list = parse(b"cat <<E\na\n$(\nx)\nE\necho `\n\ny`", Dialect::Bash).expect("a script");
    let line = |piece: &Piece| match piece {
        Piece::Command(substitution) => substitution.list.items[0].first.commands[0].line,
        _ => panic!("{piece:?}"),
    };
    let RedirectKind::Here(text) = &list.items[0].first.commands[0].redirects[0].kind else {
        panic!()
    };
    assert_eq!(line(&text.pieces[1]), 4);
    let Kind::Simple(simple) = &list.items[1].first.commands[0].kind else { panic!() };
    let Argument::Word(word) = &simple.words[1] else { panic!() };
    assert_eq!(line(&word.pieces[0]), 8);
}

#[test]
fn a_function_keeps_the_text_of_its_definition() {
    for source in ["f() { a; } >x", "f ()\n(\n a )", "function g { a; }", "function h() { a; }"] {
        let Kind::Function(function) = command(&format!("{source}; b")).kind else {
            panic!("{source}")
        };
        assert_eq!(function.source, source.as_bytes());
        assert_eq!(function.keyword, source.starts_with("function"));
    }
}

#[test]
fn an_assignment_behind_a_declaring_command_is_an_assignment() {
    for (script, dialect, is) in [
        ("export a=1", Dialect::Posix, true),
        ("command export a=1", Dialect::Posix, true),
        ("echo a=1", Dialect::Posix, false),
        ("declare a=1", Dialect::Posix, false),
        ("declare -r a=1", Dialect::Bash, true),
        ("builtin local a=1", Dialect::Bash, false),
        ("integer a=1", Dialect::Ksh, true),
        ("integer a=1", Dialect::Bash, false),
        ("'export' a=1", Dialect::Bash, false),
    ] {
        let list = parse(script.as_bytes(), dialect).expect(script);
        let Kind::Simple(simple) = &list.items[0].first.commands[0].kind else {
            panic!("{script}")
        };
        assert_eq!(matches!(simple.words.last(), Some(Argument::Assignment(_))), is, "{script}");
    }
}

#[test]
fn a_text_is_read_as_if_in_double_quotes_that_never_end() {
    let word = parse_word_text(b"a \"b\" 'c' $", Dialect::Bash).expect("a text");
    assert_eq!(word.pieces, [quoted("a \"b\" 'c' $")]);
    let word = parse_word_text(b"x${PWD##*/}$((1))\\$", Dialect::Bash).expect("a text");
    assert!(matches!(
        &word.pieces[..],
        [Piece::Quoted(_), Piece::Parameter(_), Piece::Arithmetic(_), Piece::Quoted(_)]
    ));
}

#[test]
fn what_the_tree_cannot_hold_is_said_to_be_unsupported() {
    for (script, dialect) in [
        ("a\0b", Dialect::Posix),
        ("coproc cat", Dialect::Bash),
        ("cat |&", Dialect::Ksh),
        ("a=(b=1)", Dialect::Ksh),
        ("a.b=1", Dialect::Ksh),
        ("echo ${.sh.version}", Dialect::Ksh),
        ("echo ${a@Z}", Dialect::Bash),
        ("echo ${a b}", Dialect::Bash),
        ("echo ${a/b/c}", Dialect::Posix),
        ("echo $a{b,c}", Dialect::Bash),
        ("cat <#((3))", Dialect::Ksh),
        ("echo >; a", Dialect::Ksh),
    ] {
        let error = parse(script.as_bytes(), dialect).expect_err(script);
        assert_eq!(error.kind, crate::syntax::ErrorKind::Unsupported, "{script}: {error}");
    }
}
