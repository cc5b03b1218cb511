//! An expression as it is evaluated.

use super::{Error, Slot, error::Position, number};
use crate::Dialect;
use crate::dialect::DoubledSign;

/// How deep an expression may be. Chains of constants are folded and do not count.
pub(super) const DEPTH_LIMIT: u32 = 10_000;
/// How deep subscripts may be in subscripts: each level keeps its text.
pub(super) const SUBSCRIPT_LIMIT: u32 = 256;
/// Stack for one level of parsing, evaluating or dropping: six frames, and unoptimized ones are
/// large.
pub(super) const LEVEL_BYTES: usize = if cfg!(debug_assertions) { 16 << 10 } else { 4 << 10 };
/// Below this depth the stack is not looked at.
pub(super) const SHALLOW: u32 = 16;

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub(super) root: Node,
    pub(super) depth: u32,
    pub(super) placeholders: Box<[Placeholder]>,
}

impl Expression {
    /// The placeholders, in the order in which they stand in the text.
    pub fn placeholders(&self) -> &[Placeholder] {
        &self.placeholders
    }
}

impl Drop for Expression {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            let root = std::mem::replace(&mut self.root, Node::Constant(0));
            with_stack(self.depth, || drop(root));
        }
    }
}

/// Runs something that goes so many levels deep, on more stack if that could be too little.
pub(super) fn with_stack<T>(depth: u32, run: impl FnOnce() -> T) -> T {
    let bytes = depth as usize * LEVEL_BYTES + (64 << 10);
    crate::stack::with_room_for(bytes, run)
}

/// A placeholder, and what its text must be like so that the expression stays as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Its number, as in [`super::Part::Placeholder`].
    pub number: u32,
    /// The variable whose subscript it is in, if it is in one: if that variable is an associative
    /// array, the text is (part of) a key, and need not be a number.
    pub subscript_of: Option<Slot>,
    /// Whether its text may begin with a sign: not directly behind one (`x-$y` and -1 is `x--1`).
    pub(super) sign: bool,
}

impl Placeholder {
    /// The placeholder's value if its text is a number that can be taken as it is.
    pub fn number(&self, text: &[u8], dialect: Dialect) -> Option<i64> {
        let doubled = dialect.profile().arithmetic.doubled_sign;
        match text.first() {
            None => return None,
            Some(b'+' | b'-') if !self.sign && doubled != DoubledSign::Signs => return None,
            Some(_) => {}
        }
        number::literal(text, dialect)
    }
}

/// What is between `[` and `]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscript {
    /// Its text: the key of an associative array.
    pub parts: Box<[OwnedPart]>,
    /// The index into another array; an error is one only if it is needed.
    pub expression: Result<Expression, Error>,
}

/// [`super::Part`] with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnedPart {
    /// As it is written.
    Text(Box<[u8]>),
    /// An expansion that is done beforehand, by its number.
    Placeholder(u32),
}

/// What two numbers become one by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `**`
    Power,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
}

/// What one number becomes another by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Minus,
    Not,
    Complement,
}

/// A step of the evaluation, 16 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Constant(i64),
    Slot(Slot),
    Placeholder(u32),
    Element(Box<Element>),
    Sign(Sign, Box<Node>),
    /// Both sides slots; an operator that cannot go wrong.
    Slots(Operator, Slot, Slot),
    /// A slot and a constant; cannot go wrong either.
    SlotConstant(Operator, Slot, i64),
    Binary(Operator, Box<Binary>),
    And(Box<(Node, Node)>),
    Or(Box<(Node, Node)>),
    Choose(Box<(Node, Node, Node)>),
    Comma(Box<(Node, Node)>),
    Assign(Slot, Box<Node>),
    /// `x op= …`
    Update(Operator, Slot, Box<(Node, Position)>),
    /// `++x`, `x += 1`, `x = x + 1`: the new value.
    Step(Slot, i64),
    /// `x++`, `x--`: the old value.
    StepAfter(Slot, i64),
    AssignElement(Box<(Element, Node)>),
    UpdateElement(Operator, Box<(Element, Node, Position)>),
    StepElementAfter(Box<(Element, i64)>),
}

/// `a[…]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) slot: Slot,
    pub(super) subscript: Subscript,
}

/// Two operands, and where the right one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binary {
    pub(super) left: Node,
    pub(super) right: Node,
    pub(super) place: Position,
}
