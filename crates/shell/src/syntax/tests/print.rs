//! A tree written as a script again, for the shells to say whether it still means the same.

use crate::pattern::cases::Case;
use crate::syntax::tree::*;

/// The script that a tree stands for.
pub(super) fn script(list: &List) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.list(list);
    printer.out
}

#[derive(Default)]
struct Printer {
    out: Vec<u8>,
    /// Here-documents to be written behind the line.
    here: Vec<(String, Vec<u8>)>,
    count: usize,
}

/// What the text around a piece makes of its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    /// Double quotes, or what is read like them.
    Quotes,
    Here,
    Arithmetic,
}

impl Printer {
    fn put(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
    }

    fn newline(&mut self) {
        self.put("\n");
        for (delimiter, body) in std::mem::take(&mut self.here) {
            self.put(body);
            self.put(delimiter);
            self.put("\n");
        }
    }

    fn list(&mut self, list: &List) {
        for item in &list.items {
            self.pipeline(&item.first);
            for (connective, pipeline) in &item.rest {
                self.put(if *connective == Connective::And { " && " } else { " || " });
                self.pipeline(pipeline);
            }
            if item.background {
                self.put(" &");
            }
            self.newline();
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        match pipeline.timed {
            Some(true) => self.put("time -p "),
            Some(false) => self.put("time "),
            None => {}
        }
        if pipeline.negated {
            self.put("! ");
        }
        for (i, command) in pipeline.commands.iter().enumerate() {
            if i > 0 {
                self.put(" | ");
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match &command.kind {
            Kind::Simple(simple) => self.simple(simple),
            Kind::Function(function) => {
                if function.keyword {
                    self.put("function ");
                }
                self.put(&function.name);
                self.put(if function.keyword { " " } else { "() " });
                self.command(&function.body);
            }
            kind => self.compound(kind),
        }
        for redirect in &command.redirects {
            self.redirect(redirect);
        }
    }

    fn simple(&mut self, simple: &Simple) {
        for assignment in &simple.assignments {
            self.assignment(assignment);
            self.put(" ");
        }
        for argument in &simple.words {
            match argument {
                Argument::Word(word) => self.word(word),
                Argument::Assignment(assignment) => self.assignment(assignment),
            }
            self.put(" ");
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.put(&assignment.name);
        self.index(&assignment.subscript);
        self.put(if assignment.append { "+=" } else { "=" });
        match &assignment.value {
            Value::Word(word) => self.word(word),
            Value::Array(elements) => {
                self.put("(");
                for element in elements {
                    self.index(&element.subscript);
                    if element.subscript.is_some() {
                        self.put(if element.append { "+=" } else { "=" });
                    }
                    self.word(&element.value);
                    self.put(" ");
                }
                self.put(")");
            }
        }
    }

    fn index(&mut self, subscript: &Option<Word>) {
        if let Some(subscript) = subscript {
            self.put("[");
            self.pieces(&subscript.pieces, Around::Arithmetic);
            self.put("]");
        }
    }

    fn body(&mut self, before: &str, list: &List, after: &str) {
        self.put(before);
        self.newline();
        self.list(list);
        self.put(after);
    }

    fn compound(&mut self, kind: &Kind) {
        match kind {
            Kind::Simple(_) | Kind::Function(_) => unreachable!(),
            Kind::Group(list) => self.body("{", list, "}"),
            Kind::Subshell(list) => self.body("(", list, ")"),
            Kind::For { name, words, body, .. } => self.for_words("for ", name, words, body),
            Kind::Select { name, words, body, .. } => self.for_words("select ", name, words, body),
            Kind::Count { first, condition, step, body } => {
                self.put("for ((");
                self.pieces(&first.pieces, Around::Arithmetic);
                self.put(";");
                self.pieces(&condition.pieces, Around::Arithmetic);
                self.put(";");
                self.pieces(&step.pieces, Around::Arithmetic);
                self.body("))\ndo", body, "done");
            }
            Kind::Case { subject, arms, .. } => self.case(subject, arms),
            Kind::If { arms, otherwise } => {
                for (i, (condition, body)) in arms.iter().enumerate() {
                    self.body(if i == 0 { "if" } else { "elif" }, condition, "");
                    self.body("then", body, "");
                }
                if let Some(otherwise) = otherwise {
                    self.body("else", otherwise, "");
                }
                self.put("fi");
            }
            Kind::While { until, condition, body } => {
                self.body(if *until { "until" } else { "while" }, condition, "");
                self.body("do", body, "done");
            }
            Kind::Arithmetic(word) => {
                self.put("((");
                self.pieces(&word.pieces, Around::Arithmetic);
                self.put("))");
            }
            Kind::Test(test) => {
                self.put("[[ ");
                self.test(test);
                self.put(" ]]");
            }
        }
    }

    fn for_words(&mut self, what: &str, name: &[u8], words: &Option<Vec<Word>>, body: &List) {
        self.put(what);
        self.put(name);
        if let Some(words) = words {
            self.put(" in");
            for word in words {
                self.put(" ");
                self.word(word);
            }
        }
        self.newline();
        self.body("do", body, "done");
    }

    fn case(&mut self, subject: &Word, arms: &[Arm]) {
        self.put("case ");
        self.word(subject);
        self.put(" in\n");
        for arm in arms {
            self.put("(");
            for (i, pattern) in arm.patterns.iter().enumerate() {
                self.put(if i > 0 { "|" } else { "" });
                self.word(pattern);
            }
            let then = match arm.then {
                Then::Leave => ";;",
                Then::Fall => ";&",
                Then::Try => ";;&",
            };
            self.body(")", &arm.body, then);
            self.newline();
        }
        self.put("esac");
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Not(test) => {
                self.put("! ( ");
                self.test(test);
                self.put(" )");
            }
            Test::And(a, b) | Test::Or(a, b) => {
                self.put("( ");
                self.test(a);
                self.put(if matches!(test, Test::And(..)) { " ) && ( " } else { " ) || ( " });
                self.test(b);
                self.put(" )");
            }
            Test::Unary(letter, word) => {
                self.put([b'-', *letter, b' ']);
                self.word(word);
            }
            Test::Binary(comparison, a, b) => {
                self.word(a);
                self.put(match comparison {
                    Comparison::Match => " == ",
                    Comparison::MatchOnce => " = ",
                    Comparison::NoMatch => " != ",
                    Comparison::Regex => " =~ ",
                    Comparison::Before => " < ",
                    Comparison::After => " > ",
                    Comparison::Equal => " -eq ",
                    Comparison::NotEqual => " -ne ",
                    Comparison::Less => " -lt ",
                    Comparison::LessEqual => " -le ",
                    Comparison::Greater => " -gt ",
                    Comparison::GreaterEqual => " -ge ",
                    Comparison::Newer => " -nt ",
                    Comparison::Older => " -ot ",
                    Comparison::Same => " -ef ",
                });
                self.word(b);
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        self.put(" ");
        match &redirect.descriptor {
            Some(Target::Number(number)) => self.put(number.to_string()),
            Some(Target::Variable(name)) => self.put([b"{", &name[..], b"}"].concat()),
            None => {}
        }
        let (operator, word) = match &redirect.kind {
            RedirectKind::Read(word) => ("<", word),
            RedirectKind::Write(word) => (">", word),
            RedirectKind::Clobber(word) => (">|", word),
            RedirectKind::Append(word) => (">>", word),
            RedirectKind::ReadWrite(word) => ("<>", word),
            RedirectKind::CopyInput(word) => ("<&", word),
            RedirectKind::CopyOutput(word) => (">&", word),
            RedirectKind::WriteBoth(word) => ("&>", word),
            RedirectKind::AppendBoth(word) => ("&>>", word),
            RedirectKind::HereString(word) => ("<<<", word),
            RedirectKind::Here(text) => return self.here_document(text),
        };
        self.put(operator);
        self.put(" ");
        self.word(word);
    }

    fn here_document(&mut self, text: &Word) {
        self.count += 1;
        let delimiter = format!("END_{}_{}", self.count, self.here.len());
        self.put("<<");
        self.put(&delimiter);
        let mut inside = Printer::default();
        inside.pieces(&text.pieces, Around::Here);
        self.here.push((delimiter, inside.out));
    }

    fn word(&mut self, word: &Word) {
        self.pieces(&word.pieces, Around::Nothing);
    }

    fn pieces(&mut self, pieces: &[Piece], around: Around) {
        for piece in pieces {
            self.piece(piece, around);
        }
    }

    fn piece(&mut self, piece: &Piece, around: Around) {
        match piece {
            Piece::Literal(text) => self.put(text),
            Piece::Quoted(text) => self.quoted(text, around),
            Piece::Double(pieces) => {
                self.put("\"");
                self.pieces(pieces, Around::Quotes);
                self.put("\"");
            }
            Piece::Parameter(parameter) => self.parameter(parameter, around),
            Piece::Command(substitution) => {
                let mut inside = Printer { count: self.count + 100, ..Printer::default() };
                inside.newline();
                inside.list(&substitution.list);
                self.put(if substitution.in_this_shell { "${" } else { "$(" });
                self.put(&inside.out);
                self.put(if substitution.in_this_shell { "}" } else { ")" });
            }
            Piece::Arithmetic(word) => {
                self.put("$((");
                self.pieces(&word.pieces, Around::Arithmetic);
                self.put("))");
            }
            Piece::Process { write, list } => {
                self.put(if *write { ">(" } else { "<(" });
                self.newline();
                self.list(list);
                self.put(")");
            }
            Piece::Tilde(name) => {
                self.put("~");
                self.put(name);
            }
            Piece::Extended { kind, alternatives } => {
                self.put([*kind, b'(']);
                for (i, word) in alternatives.iter().enumerate() {
                    self.put(if i > 0 { "|" } else { "" });
                    self.word(word);
                }
                self.put(")");
            }
        }
    }

    fn quoted(&mut self, text: &[u8], around: Around) {
        match around {
            Around::Nothing => {
                self.put("'");
                for byte in text {
                    self.put(if *byte == b'\'' {
                        &b"'\\''"[..]
                    } else {
                        std::slice::from_ref(byte)
                    });
                }
                self.put("'");
            }
            Around::Arithmetic => self.put(text),
            Around::Quotes | Around::Here => {
                for byte in text {
                    if matches!(byte, b'$' | b'`' | b'\\')
                        || around == Around::Quotes && *byte == b'"'
                    {
                        self.put("\\");
                    }
                    self.put([*byte]);
                }
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter, around: Around) {
        self.put("${");
        if parameter.operation == Operation::Length {
            self.put("#");
        }
        let names =
            matches!(parameter.operation, Operation::NamesWithPrefix { .. } | Operation::Keys);
        if parameter.indirect || names {
            self.put("!");
        }
        match &parameter.name {
            ParameterName::Variable(name) => self.put(name),
            ParameterName::Positional(number) => self.put(number.to_string()),
            ParameterName::Special(byte) => self.put([*byte]),
        }
        match &parameter.subscript {
            Some(Subscript::All) => self.put("[@]"),
            Some(Subscript::Joined) => self.put("[*]"),
            Some(Subscript::One(word)) => self.index(&Some(word.clone())),
            None => {}
        }
        self.operation(&parameter.operation, around);
        self.put("}");
    }

    fn operation(&mut self, operation: &Operation, around: Around) {
        let colon = |colon: &bool| if *colon { ":" } else { "" };
        // In quotes the word is text like the rest.
        let around = if around == Around::Nothing { around } else { Around::Quotes };
        match operation {
            Operation::Value | Operation::Length | Operation::Keys => {}
            Operation::NamesWithPrefix { joined } => self.put(if *joined { "*" } else { "@" }),
            Operation::Default { colon: c, word } => self.operand(colon(c), "-", word, around),
            Operation::Assign { colon: c, word } => self.operand(colon(c), "=", word, around),
            Operation::Error { colon: c, word } => self.operand(colon(c), "?", word, around),
            Operation::Alternative { colon: c, word } => self.operand(colon(c), "+", word, around),
            Operation::WithoutPrefix { longest, pattern } => {
                self.operand("", if *longest { "##" } else { "#" }, pattern, Around::Nothing);
            }
            Operation::WithoutSuffix { longest, pattern } => {
                self.operand("", if *longest { "%%" } else { "%" }, pattern, Around::Nothing);
            }
            Operation::Replace { which, pattern, by } => {
                let operator = match which {
                    Which::First => "/",
                    Which::All => "//",
                    Which::Prefix => "/#",
                    Which::Suffix => "/%",
                };
                self.operand("", operator, pattern, Around::Nothing);
                self.operand("", "/", by, Around::Nothing);
            }
            Operation::Slice { offset, length } => {
                self.operand(":", blank(offset), offset, Around::Arithmetic);
                if let Some(length) = length {
                    self.operand(":", blank(length), length, Around::Arithmetic);
                }
            }
            Operation::Case { case, all, pattern } => {
                let operator = match (case, all) {
                    (Case::Upper, false) => "^",
                    (Case::Upper, true) => "^^",
                    (Case::Lower, false) => ",",
                    (Case::Lower, true) => ",,",
                    (Case::Other, false) => "~",
                    (Case::Other, true) => "~~",
                };
                self.operand("", operator, pattern, Around::Nothing);
            }
            Operation::Transform(letter) => self.put([b'@', *letter]),
        }
    }

    fn operand(&mut self, colon: &str, operator: &str, word: &Word, around: Around) {
        self.put(colon);
        self.put(operator);
        self.pieces(&word.pieces, around);
    }
}

/// A word alone. What the shell would still expand in it is quoted.
pub(super) fn one_word(word: &Word) -> String {
    let mut printer = Printer::default();
    for piece in &word.pieces {
        let Piece::Literal(text) = piece else {
            printer.piece(piece, Around::Nothing);
            continue;
        };
        for byte in text {
            printer.put(if b"{`~".contains(byte) { "\\" } else { "" });
            printer.put([*byte]);
        }
    }
    String::from_utf8_lossy(&printer.out).into_owned()
}

/// What must stand between a colon and an offset.
fn blank(word: &Word) -> &'static str {
    match word.pieces.first() {
        Some(Piece::Quoted(text)) if text.starts_with(b"-") => " ",
        _ => "",
    }
}
