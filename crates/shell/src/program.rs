//! The lowered form: what is run. Names are slots, constant words are texts, arithmetic and
//! patterns are parsed, builtins are found.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::Text;
use crate::arithmetic::{Expression, OwnedPart, Slot};
use crate::dialect::builtin_table::Builtin;
use crate::pattern::regex::Regex;
use crate::pattern::{Pattern, cases};
use crate::syntax::tree::{Comparison, Connective, Function as Source, Then, Which};

/// Commands one after the other.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) nodes: Box<[Node]>,
}

impl Drop for Block {
    /// Blocks are as deep as the script was.
    fn drop(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        if !nodes.is_empty() {
            crate::stack::with_room(|| drop(nodes));
        }
    }
}

/// One command.
#[derive(Debug)]
pub(crate) enum Node {
    Call(Box<Call>),
    /// Assignments without a command.
    Assign(Box<[Assignment]>, u32),
    AndOr(Box<AndOr>),
    Not(Box<Node>),
    /// `time`, with -p.
    Timed(Option<Box<Node>>, bool),
    Pipeline(Box<Pipeline>),
    Background(Rc<Background>),
    Group(Block),
    Subshell(Box<Body>),
    If(Box<If>),
    While(Box<While>),
    For(Box<For>),
    Select(Box<For>),
    Count(Box<Count>),
    Case(Box<Case>),
    Define(Rc<Function>),
    Arithmetic(Arithmetic, u32),
    Test(Box<Test>, u32),
    Redirected(Box<Redirected>),
}

/// `a && b || c`
#[derive(Debug)]
pub(crate) struct AndOr {
    pub(crate) first: Node,
    pub(crate) rest: Box<[(Connective, Node)]>,
}

/// A command and its redirections.
#[derive(Debug)]
pub(crate) struct Redirected {
    pub(crate) redirects: Box<[Redirect]>,
    pub(crate) node: Node,
    pub(crate) line: u32,
}

/// What runs beside the shell.
#[derive(Debug)]
pub(crate) struct Background {
    pub(crate) node: Node,
    pub(crate) line: u32,
}

/// What was found out about commands before they run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traits {
    /// A real process is needed: `exec`, `ulimit`, `&`, a trap on a signal, `$BASHPID`.
    pub(crate) process: bool,
    /// They end by themselves, read nothing, start nothing and wait for nothing.
    pub(crate) bounded: bool,
    /// As `bounded`, if what they read is.
    pub(crate) bounded_by_input: bool,
    /// The names of the commands in them, as they may be functions.
    pub(crate) calls: Vec<Slot>,
    /// A command is named by a variable.
    pub(crate) named_late: bool,
}

/// What runs in a subshell.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) block: Block,
    pub(crate) traits: Traits,
    /// What `traits` and the functions that they call came to, and when that was found out.
    pub(crate) known: Cell<Option<(u32, Needs)>>,
    pub(crate) line: u32,
}

/// What a body needs, the functions that it calls included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    pub(crate) process: bool,
    pub(crate) bounded: bool,
    pub(crate) bounded_by_input: bool,
}

/// `a | b | c`
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) stages: Box<[Stage]>,
    pub(crate) line: u32,
}

/// One command of a pipeline.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) body: Body,
}

/// A function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Slot,
    pub(crate) keyword: bool,
    pub(crate) body: Node,
    pub(crate) source: Arc<Source>,
}

/// `if`
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) arms: Box<[(Block, Block)]>,
    pub(crate) otherwise: Option<Block>,
}

/// `while`
#[derive(Debug)]
pub(crate) struct While {
    pub(crate) until: bool,
    pub(crate) condition: Block,
    pub(crate) body: Block,
}

/// `for` and `select`
#[derive(Debug)]
pub(crate) struct For {
    pub(crate) name: Slot,
    pub(crate) words: Option<Box<[Word]>>,
    pub(crate) body: Block,
    pub(crate) line: u32,
    /// Its words as they are written.
    pub(crate) written: Text,
}

/// `for ((;;))`
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) first: Option<Arithmetic>,
    pub(crate) condition: Option<Arithmetic>,
    pub(crate) step: Option<Arithmetic>,
    pub(crate) body: Block,
    pub(crate) line: u32,
}

/// `case`
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) subject: Word,
    pub(crate) arms: Box<[Arm]>,
    pub(crate) written: Text,
}

/// An arm of `case`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) patterns: Box<[PatternWord]>,
    pub(crate) body: Block,
    pub(crate) then: Then,
}

/// A pattern. The last one that was parsed is kept.
#[derive(Debug)]
pub(crate) struct PatternWord {
    pub(crate) word: Word,
    /// Whether nothing in it has to be expanded: the last one is right as long as the options are.
    pub(crate) constant: bool,
    pub(crate) last: RefCell<Option<KeptPattern>>,
}

/// A pattern that was parsed, and what it was parsed from.
#[derive(Debug)]
pub(crate) struct KeptPattern {
    pub(crate) text: Vec<u8>,
    pub(crate) options: crate::pattern::Options,
    pub(crate) pattern: Rc<Pattern>,
}

impl Word {
    /// Whether nothing in it has to be expanded.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Word::Fixed(_) => true,
            Word::Parts { parts, .. } => parts.iter().all(|part| match part {
                Part::Text(_) | Part::Pattern(_) | Part::Unquoted(_) => true,
                Part::Extended(_, words) => words.iter().all(Word::is_constant),
                Part::Together(_) => false,
                Part::Value(..) => false,
            }),
        }
    }
}

/// A simple command.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) assignments: Box<[Assignment]>,
    pub(crate) words: Box<[Argument]>,
    pub(crate) callee: Callee,
    pub(crate) redirects: Box<[Redirect]>,
    pub(crate) line: u32,
}

/// What is known of a command's name beforehand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    /// The first word is this name; the builtin of that name, if there is one.
    Named(Slot, Option<&'static Builtin>),
    /// Only expansion tells.
    Unknown,
}

/// An argument.
#[derive(Debug)]
pub(crate) enum Argument {
    Word(Word),
    Assignment(Assignment),
}

/// An assignment.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) slot: Slot,
    pub(crate) subscript: Option<Subscript>,
    pub(crate) append: bool,
    pub(crate) value: Value,
    /// An array as it is written.
    pub(crate) written: Text,
}

/// What is assigned.
#[derive(Debug)]
pub(crate) enum Value {
    Word(Word),
    Array(Box<[Element]>),
}

/// An element of an array.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) subscript: Option<Subscript>,
    pub(crate) append: bool,
    pub(crate) value: Word,
    /// bash, with braces in the value: the words that it is in an array that is not associative.
    pub(crate) braces: Box<[Word]>,
}

impl Element {
    /// One without a subscript.
    pub(crate) fn plain(value: Word) -> Element {
        Element { subscript: None, append: false, value, braces: Box::default() }
    }
}

/// What stands between `[` and `]`: a number or a key, which only the variable tells.
#[derive(Debug)]
pub(crate) struct Subscript {
    pub(crate) arithmetic: Arithmetic,
    pub(crate) key: Word,
}

/// A word.
#[derive(Debug)]
pub(crate) enum Word {
    /// One field, known beforehand.
    Fixed(Text),
    /// Parts; `whole` if they can only be one field, not split and not matched with files' names.
    Parts { parts: Box<[Part]>, whole: bool },
}

/// A part of a word.
#[derive(Debug)]
pub(crate) enum Part {
    /// Text that was quoted, or has nothing that counts.
    Text(Text),
    /// Unquoted text with `*`, `?`, `[` or a backslash in it.
    Pattern(Text),
    /// Unquoted text of `${a-…}`: split like a value.
    Unquoted(Text),
    /// An expansion; split unless it is quoted.
    Value(Expansion, bool),
    /// `@( … | … )`
    Extended(u8, Box<[Word]>),
    /// `"$a$@"`: nothing at all if there are no parameters and all comes to nothing.
    Together(Box<[Part]>),
}

/// An expansion.
#[derive(Debug)]
pub(crate) enum Expansion {
    Variable(Slot, u32),
    Positional(u32, u32),
    /// `$?`, `$#`, `$$`, `$!`, `$-`
    Special(u8, u32),
    /// `$@`, or `$*` if `joined`.
    All {
        joined: bool,
    },
    Parameter(Box<Parameter>),
    Command(Box<Substitution>),
    Arithmetic(Box<(Arithmetic, u32)>),
    Process {
        write: bool,
        body: Rc<Body>,
    },
    Tilde(Text),
}

/// `$( … )`
#[derive(Debug)]
pub(crate) struct Substitution {
    pub(crate) body: Body,
    /// `$(<file)`
    pub(crate) file: Option<Word>,
    /// `${ …; }`
    pub(crate) in_this_shell: bool,
}

/// Which parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Variable(Slot),
    Positional(u32),
    Special(u8),
}

/// `[@]`, `[*]`, `[i]`
#[derive(Debug)]
pub(crate) enum Index {
    All,
    Joined,
    One(Subscript),
}

/// `${ … }`
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) index: Option<Index>,
    pub(crate) indirect: bool,
    pub(crate) operation: Operation,
    pub(crate) line: u32,
}

impl Drop for Parameter {
    /// `${a-${b-…}}` is as deep as the script was.
    fn drop(&mut self) {
        let operation = std::mem::replace(&mut self.operation, Operation::Value);
        if !matches!(operation, Operation::Value) {
            crate::stack::with_room(|| drop(operation));
        }
    }
}

/// What `${…}` does.
#[derive(Debug)]
pub(crate) enum Operation {
    Value,
    Length,
    NamesWithPrefix { joined: bool },
    Keys,
    Default { colon: bool, word: Word },
    Assign { colon: bool, word: Word },
    Error { colon: bool, word: Word },
    Alternative { colon: bool, word: Word },
    WithoutPrefix { longest: bool, pattern: PatternWord },
    WithoutSuffix { longest: bool, pattern: PatternWord },
    Replace { which: Which, pattern: PatternWord, by: Word },
    Slice { offset: Arithmetic, length: Option<Arithmetic> },
    Case { case: cases::Case, all: bool, pattern: Option<PatternWord> },
    Transform(u8),
}

/// An arithmetic expression.
#[derive(Debug)]
pub(crate) struct Arithmetic {
    /// Parsed beforehand, with placeholders for expansions; none if it can only be parsed once they
    /// are done.
    pub(crate) expression: Option<Expression>,
    /// The expansions in it.
    pub(crate) placeholders: Box<[Word]>,
    /// The text, for when a placeholder turns out to be no number, and for messages.
    pub(crate) parts: Box<[OwnedPart]>,
    /// What the text was parsed to when it was parsed at run time.
    pub(crate) parsed: RefCell<HashMap<Vec<u8>, Rc<Expression>>>,
}

/// A redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    pub(crate) target: Target,
    /// Whether the descriptor was not written but is what the operator usually is about.
    pub(crate) implied: bool,
    pub(crate) kind: RedirectKind,
    pub(crate) word: Word,
    pub(crate) line: u32,
    /// The operator and the word as bash shows them.
    pub(crate) written: Text,
}

/// Which descriptor it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Number(u32),
    Variable(Slot),
}

/// What a redirection does with its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    Read,
    Write,
    Clobber,
    Append,
    ReadWrite,
    CopyInput,
    CopyOutput,
    WriteBoth,
    AppendBoth,
    Here,
    HereString,
}

/// `[[ … ]]`
#[derive(Debug)]
pub(crate) enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Unary(u8, Word),
    Match { how: Comparison, text: Word, pattern: PatternWord, shown: Option<Text> },
    Regex { text: Word, pattern: Word, last: RefCell<Option<KeptRegex>> },
    Numbers(Comparison, Arithmetic, Arithmetic),
    Words(Comparison, Word, Word),
}

/// A regular expression that was made: most are asked for again.
#[derive(Debug)]
pub(crate) struct KeptRegex {
    pub(crate) text: Vec<u8>,
    /// Whether characters are UTF-8, and whether case makes no difference.
    pub(crate) rules: (bool, bool),
    pub(crate) regex: Rc<Regex>,
}
