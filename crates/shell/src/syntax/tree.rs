//! The syntax tree: a script as it is written, before anything is looked up.
//!
//! Text is bytes. Quoting is kept as far as it matters: [`Piece::Literal`] is unquoted (patterns
//! and tildes in it count), [`Piece::Quoted`] stands for itself.
#![allow(missing_docs, reason = "the fields of variants are what the variants say")]

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

pub use crate::pattern::replace::Which;

use crate::pattern::cases;

/// Commands one after the other.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct List {
    /// In the order in which they run.
    pub items: Vec<Item>,
}

/// One and-or list with what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The first pipeline.
    pub first: Pipeline,
    /// What follows it: `&& second || third`.
    pub rest: Vec<(Connective, Pipeline)>,
    /// Whether it ends with `&`.
    pub background: bool,
}

/// What stands between two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// `! time a | b |& c`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// An odd number of `!`.
    pub negated: bool,
    /// `time` (false) or `time -p` (true) before it.
    pub timed: Option<bool>,
    /// At least one, or none after a lone `!` or `time`.
    pub commands: Vec<Command>,
}

/// One command of a pipeline with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it is.
    pub kind: Kind,
    /// In the order in which they are written.
    pub redirects: Vec<Redirect>,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// What a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `a=1 program word`
    Simple(Simple),
    /// `{ …; }`
    Group(List),
    /// `( … )`
    Subshell(List),
    /// `for name in words; do …; done`; without `in`, the positional parameters.
    For { name: Vec<u8>, words: Option<Vec<Word>>, body: List, written: Written },
    /// `for ((a; b; c))`; a part that is left out is an empty word.
    Count { first: Word, condition: Word, step: Word, body: List },
    /// `select name in words; do …; done`
    Select { name: Vec<u8>, words: Option<Vec<Word>>, body: List, written: Written },
    /// `case word in … esac`
    Case { subject: Word, arms: Vec<Arm>, written: Written },
    /// `if a; then b; elif c; then d; else e; fi`
    If { arms: Vec<(List, List)>, otherwise: Option<List> },
    /// `while` or, if `until`, `until`.
    While { until: bool, condition: List, body: List },
    /// `name() body` or `function name body`.
    Function(Arc<Function>),
    /// `(( … ))`: the text between, expanded like a double-quoted word, then evaluated.
    Arithmetic(Word),
    /// `[[ … ]]`
    Test(Test),
}

/// A function's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Vec<u8>,
    /// Whether it was written with the word `function`: such a function has a scope of its own in
    /// ksh.
    pub keyword: bool,
    /// A compound command, with the redirections of each call.
    pub body: Command,
    /// The text of the definition as it is in the script, from the name or `function` to the end.
    pub source: Vec<u8>,
}

/// One arm of `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// `a | b | c`
    pub patterns: Vec<Word>,
    /// What is run.
    pub body: List,
    /// What happens then.
    pub then: Then,
}

/// What follows an arm of `case` that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// `;;`
    Leave,
    /// `;&`: the next arm is run, whatever its patterns.
    Fall,
    /// `;;&`: the patterns that follow are tried.
    Try,
}

/// A simple command. `words` is empty if there are only assignments or redirections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// Those before the command's name.
    pub assignments: Vec<Assignment>,
    /// The command's name and its arguments.
    pub words: Vec<Argument>,
}

/// An argument of a simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// What is expanded, split and matched against file names.
    Word(Word),
    /// `name=value` after a command that is literally `export`, `readonly`, `local`,
    /// `typeset`, `declare`, `integer`, `float` or `nameref` (`builtin`/`command` before it
    /// allowed): no splitting, and arrays are allowed.
    Assignment(Assignment),
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: Vec<u8>,
    /// What is between `[` and `]`; as in double quotes, quotes in it count.
    pub subscript: Option<Word>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: Value,
    /// The line on which it stands.
    pub line: u32,
    /// An array with its parentheses.
    pub written: Written,
}

/// Words as they are written in the script, for bash's `set -x` (empty in the other dialects). It
/// makes no difference between two trees.
#[derive(Clone, Debug, Default)]
pub struct Written(pub Vec<u8>);

impl PartialEq for Written {
    fn eq(&self, _: &Written) -> bool {
        true
    }
}

impl Eq for Written {}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word that is not split. After `=` and, unquoted, after each `:`, `~` is [`Piece::Tilde`].
    Word(Word),
    /// `( a b [3]=c [k]+=d )`
    Array(Vec<Element>),
}

/// An element of an array as it is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What is between `[` and `]`, if it has a subscript.
    pub subscript: Option<Word>,
    /// `[k]+=v`
    pub append: bool,
    /// Split and matched against file names if there is no subscript.
    pub value: Word,
}

/// A word: its pieces one after the other. No piece: the empty word, as in `a=`. `''` has one
/// piece, [`Piece::Quoted`] of nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Two literals never stand side by side, nor two quoted ones.
    pub pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Unquoted text: `*`, `?` and `[` in it count. A backslash has already made the byte after it
    /// [`Piece::Quoted`].
    Literal(Vec<u8>),
    /// Text from `'…'`, `$'…'`, `\x`, or literal text in `"…"`.
    Quoted(Vec<u8>),
    /// `"…"` with anything but plain text in it (that is [`Piece::Quoted`]): `Quoted`, `Parameter`,
    /// `Command` and `Arithmetic` pieces only.
    Double(Vec<Piece>),
    /// `$a`, `${a…}`
    Parameter(Box<Parameter>),
    /// `$( … )` or `` `…` ``
    Command(Box<CommandSubstitution>),
    /// `$(( … ))` or `$[ … ]`: expanded like a double-quoted word, then evaluated.
    Arithmetic(Word),
    /// `<( … )`, or `>( … )` if `write`.
    Process { write: bool, list: List },
    /// `~` (empty) or `~name`, where a tilde counts.
    Tilde(Vec<u8>),
    /// `?( … )`, `*( … )`, `+( … )`, `@( … )`, `!( … )`: the byte before the parenthesis and the
    /// alternatives.
    Extended { kind: u8, alternatives: Vec<Word> },
}

/// `$( … )`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSubstitution {
    /// What is run.
    pub list: List,
    /// `${ …; }`: in this shell itself, not in a subshell (ksh, bash 5.3).
    pub in_this_shell: bool,
}

/// A parameter and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Which one.
    pub name: ParameterName,
    /// `[ … ]` behind a variable's name.
    pub subscript: Option<Subscript>,
    /// `${!name}`: the parameter whose name is the value.
    pub indirect: bool,
    /// What is done to the value.
    pub operation: Operation,
    /// The line on which it stands.
    pub line: u32,
}

/// Which parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterName {
    /// A variable.
    Variable(Vec<u8>),
    /// `$1`, `${10}`; `$0` is 0.
    Positional(u32),
    /// One of `@ * # ? - $ !`, or `_` which is a variable.
    Special(u8),
}

/// What is between `[` and `]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subscript {
    /// `[@]`
    All,
    /// `[*]`
    Joined,
    /// Anything else; as in double quotes, quotes in it count.
    One(Word),
}

/// What `${…}` does with the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `$a`, `${a}`
    Value,
    /// `${#a}`
    Length,
    /// `${!prefix*}` (joined) and `${!prefix@}`: the names that begin with the variable's name.
    NamesWithPrefix { joined: bool },
    /// `${!a[@]}` and `${!a[*]}`: the array's keys (which of the two is in the subscript).
    Keys,
    /// `${a-word}`, with `:` if `colon`: the word if it is unset (or empty).
    Default { colon: bool, word: Word },
    /// `${a=word}`: assigned as well.
    Assign { colon: bool, word: Word },
    /// `${a?word}`: an error. The word may be empty.
    Error { colon: bool, word: Word },
    /// `${a+word}`: the word unless it is unset (or empty).
    Alternative { colon: bool, word: Word },
    /// `${a#pattern}`, `##` if `longest`.
    WithoutPrefix { longest: bool, pattern: Word },
    /// `${a%pattern}`, `%%` if `longest`.
    WithoutSuffix { longest: bool, pattern: Word },
    /// `${a/pattern/by}`
    Replace { which: Which, pattern: Word, by: Word },
    /// `${a:offset:length}`: two arithmetic texts.
    Slice { offset: Word, length: Option<Word> },
    /// `${a^pattern}`, `^^` if `all`; `,` if not `upper`.
    Case { case: cases::Case, all: bool, pattern: Word },
    /// `${a@Q}`: one of `U u L Q E P A K a k`.
    Transform(u8),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor; `None` is what the operator usually is about.
    pub descriptor: Option<Target>,
    /// What it is.
    pub kind: RedirectKind,
    /// The line on which it stands.
    pub line: u32,
    /// The operator and its word as they are written.
    pub written: Written,
}

/// The descriptor that a redirection is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `2>`
    Number(u32),
    /// `{name}>`: a free one from 10 on, whose number is stored there.
    Variable(Vec<u8>),
}

/// What a redirection does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read(Word),
    /// `>`
    Write(Word),
    /// `>|`
    Clobber(Word),
    /// `>>`
    Append(Word),
    /// `<>`
    ReadWrite(Word),
    /// `<&word`: a number, a number and `-` (moved), or `-` (closed).
    CopyInput(Word),
    /// `>&word`: as above; in bash, a file for both if it is no number.
    CopyOutput(Word),
    /// `&>word`
    WriteBoth(Word),
    /// `&>>word`
    AppendBoth(Word),
    /// `<<word`: the text, expanded like a double-quoted word unless the delimiter was quoted (then
    /// it is one quoted piece). Leading tabs are gone already if it was `<<-`.
    Here(HereText),
    /// `<<<word`: the word and a newline.
    HereString(Word),
}

/// `[[ … ]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `! a`
    Not(Box<Test>),
    /// `a && b`
    And(Box<Test>, Box<Test>),
    /// `a || b`
    Or(Box<Test>, Box<Test>),
    /// `-f word`: the letter. A lone word is `-n word`. `-v`, `-R` and `-o` are here as well.
    Unary(u8, Word),
    /// Two words.
    Binary(Comparison, Word, Word),
}

/// What stands between the two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`: the right side is a pattern.
    Match,
    /// `=`: the same.
    MatchOnce,
    /// `!=`
    NoMatch,
    /// `=~`: an extended regular expression; what is quoted in it stands for itself.
    Regex,
    /// `<`, by the locale's order.
    Before,
    /// `>`
    After,
    /// `-eq`, arithmetic on both sides.
    Equal,
    /// `-ne`
    NotEqual,
    /// `-lt`
    Less,
    /// `-le`
    LessEqual,
    /// `-gt`
    Greater,
    /// `-ge`
    GreaterEqual,
    /// `-nt`
    Newer,
    /// `-ot`
    Older,
    /// `-ef`
    Same,
}

/// The text of a here-document: a [`Word`] that the parser reads after the command that it belongs
/// to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HereText(pub(super) Arc<OnceLock<Word>>);

impl Deref for HereText {
    type Target = Word;

    fn deref(&self) -> &Word {
        static EMPTY: Word = Word { pieces: Vec::new() };
        self.0.get().unwrap_or(&EMPTY)
    }
}

impl From<Word> for HereText {
    fn from(word: Word) -> Self {
        Self(Arc::new(OnceLock::from(word)))
    }
}

// Trees may be as deep as scripts are nested: they are copied and taken down on a stack that is
// large enough. Whatever is nested passes through one of these two.

impl Clone for List {
    fn clone(&self) -> List {
        List { items: crate::stack::with_room(|| self.items.clone()) }
    }
}

impl Clone for Word {
    fn clone(&self) -> Word {
        Word { pieces: crate::stack::with_room(|| self.pieces.clone()) }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            let items = std::mem::take(&mut self.items);
            crate::stack::with_room(|| drop(items));
        }
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        if !self.pieces.iter().all(|piece| matches!(piece, Piece::Literal(_) | Piece::Quoted(_))) {
            let pieces = std::mem::take(&mut self.pieces);
            crate::stack::with_room(|| drop(pieces));
        }
    }
}
