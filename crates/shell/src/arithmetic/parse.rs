//! From text to expression: a parser by precedence that folds and lowers as it goes.

use super::error::Position;
use super::node::{Binary, DEPTH_LIMIT, Element, Node, SUBSCRIPT_LIMIT, Sign, with_stack};
use super::operators::{folded, signed};
use super::scan::{self, Infix, PLACEHOLDER, Source};
use super::{Error, Expression, Kind, Operator, Part, Placeholder, Slot, Subscript, number};
use crate::Dialect;
use crate::dialect::{Arithmetic, DoubledSign};

/// Reads an arithmetic text. `slot` finds (or makes) the slot of a name. The empty text is 0,
/// except in dash.
///
/// # Errors
/// [`Kind::Textual`] if the text can only be read when its placeholders are filled; else what is
/// wrong, to be said when the script gets there ([`Error::message`]).
pub fn parse(
    parts: &[Part<'_>],
    dialect: Dialect,
    slot: &mut dyn FnMut(&[u8]) -> Slot,
) -> Result<Expression, Error> {
    let source = Source::new(parts);
    // Only these lead deeper.
    let deepening = source.text.iter().filter(|byte| byte.is_ascii_punctuation()).count();
    let levels = (deepening as u32).min(DEPTH_LIMIT);
    let mut parser = Parser {
        source: &source,
        at: 0,
        last: 0,
        depth: 0,
        subscripts: 0,
        dialect,
        rules: &dialect.profile().arithmetic,
        slot,
        placeholders: Vec::new(),
        subscript_of: None,
    };
    let parsed = with_stack(levels, || parser.whole());
    // What looks wrong may be right once the placeholders are filled: `a $op b`.
    match parsed {
        Err(error) if !source.placeholders.is_empty() && error.kind() != Kind::TooDeep => {
            Err(Error::at(Kind::Textual, Position::default()))
        }
        parsed => parsed,
    }
}

struct Parser<'a> {
    source: &'a Source<'a>,
    /// Where it reads.
    at: usize,
    /// Where the last token began: bash shows it when the text ends too early.
    last: usize,
    depth: u32,
    /// How many subscripts it is in.
    subscripts: u32,
    dialect: Dialect,
    rules: &'static Arithmetic,
    slot: &'a mut dyn FnMut(&[u8]) -> Slot,
    placeholders: Vec<Placeholder>,
    subscript_of: Option<Slot>,
}

/// A piece of the expression that is done.
struct Tree {
    node: Node,
    depth: u32,
    /// Whether it is a variable or an element and nothing else.
    lvalue: bool,
}

impl Tree {
    fn leaf(node: Node) -> Tree {
        Tree { node, depth: 1, lvalue: false }
    }
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Expression, Error> {
        if self.peek() == 0 && self.is_end() && self.rules.empty_is_zero {
            let root = Node::Constant(0);
            return Ok(Expression { root, depth: 1, placeholders: Box::new([]) });
        }
        let tree = self.comma()?;
        if !self.is_end() {
            let at = self.at;
            if self.peek().is_ascii_digit() {
                self.constant()?;
            }
            let byte = self.source.text[at];
            let known = byte.is_ascii_alphanumeric() || b"_=<>+-*/%!~&|^()?:,".contains(&byte);
            let kind = if known { Kind::TrailingText } else { Kind::InvalidOperator };
            return Err(self.error(kind, at));
        }
        let placeholders = std::mem::take(&mut self.placeholders).into();
        Ok(Expression { root: tree.node, depth: tree.depth, placeholders })
    }

    fn text(&self) -> &[u8] {
        &self.source.text[self.at..]
    }

    /// The next byte behind white space, 0 at the end.
    fn peek(&mut self) -> u8 {
        while let Some(b' ' | b'\t' | b'\n') = self.source.text.get(self.at) {
            self.at += 1;
        }
        self.source.text.get(self.at).copied().unwrap_or(0)
    }

    fn is_end(&self) -> bool {
        self.at >= self.source.text.len()
    }

    /// A token of so many bytes is used.
    fn token(&mut self, length: usize) {
        self.last = self.at;
        self.at += length;
    }

    #[cold]
    fn error(&self, kind: Kind, at: usize) -> Error {
        Error::at(kind, self.source.position(at))
    }

    fn deeper(&mut self, levels: u32) -> Result<(), Error> {
        self.depth += 1;
        if self.depth.max(levels) > DEPTH_LIMIT {
            return Err(self.error(Kind::TooDeep, self.at));
        }
        Ok(())
    }

    fn comma(&mut self) -> Result<Tree, Error> {
        let mut left = self.assignment()?;
        while self.rules.comma && self.peek() == b',' {
            self.token(1);
            let right = self.assignment()?;
            let depth = left.depth.max(right.depth) + 1;
            left = self.tree(Node::Comma(Box::new((left.node, right.node))), depth)?;
        }
        Ok(left)
    }

    fn tree(&mut self, node: Node, depth: u32) -> Result<Tree, Error> {
        if depth > DEPTH_LIMIT {
            return Err(self.error(Kind::TooDeep, self.at));
        }
        Ok(Tree { node, depth, lvalue: false })
    }

    fn assignment(&mut self) -> Result<Tree, Error> {
        let left = self.choice()?;
        self.peek();
        let Some((operator, length)) = scan::assignment_operator(self.text()) else {
            return Ok(left);
        };
        if !left.lvalue {
            return Err(self.error(Kind::NotAVariable, self.at));
        }
        self.token(length);
        self.peek();
        let operand = self.source.position(self.at);
        self.deeper(0)?;
        let right = self.assignment()?;
        self.depth -= 1;
        let depth = left.depth.max(right.depth) + 1;
        let node = match left.node {
            Node::Slot(slot) => assign(slot, operator, right.node, operand),
            Node::Element(element) => match operator {
                None => Node::AssignElement(Box::new((*element, right.node))),
                Some(operator) => {
                    Node::UpdateElement(operator, Box::new((*element, right.node, operand)))
                }
            },
            other => other,
        };
        self.tree(node, depth)
    }

    fn choice(&mut self) -> Result<Tree, Error> {
        let condition = self.binary(0)?;
        if self.peek() != b'?' {
            return Ok(condition);
        }
        self.token(1);
        self.deeper(0)?;
        if self.peek() == b':' && self.rules.empty_choice {
            return Err(self.error(Kind::Unsupported, self.at));
        }
        if self.peek() == b':' || self.is_end() {
            let at = if self.is_end() { self.last } else { self.at };
            return Err(self.error(Kind::EmptyChoice, at));
        }
        let yes = self.comma()?;
        if self.peek() != b':' {
            let at = if self.is_end() { self.last } else { self.at };
            return Err(self.error(Kind::MissingColon, at));
        }
        self.token(1);
        self.peek();
        if self.is_end() {
            return Err(self.error(Kind::EmptyChoice, self.last));
        }
        let no = match self.rules.assignment_behind_colon {
            true => self.assignment()?,
            false => self.choice()?,
        };
        self.depth -= 1;
        let depth = condition.depth.max(yes.depth).max(no.depth) + 1;
        self.tree(Node::Choose(Box::new((condition.node, yes.node, no.node))), depth)
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, least: u8) -> Result<Tree, Error> {
        let mut left = self.operand()?;
        loop {
            let byte = self.peek();
            let Some((infix, level, length)) = scan::binary_operator(self.text(), self.rules)
            else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            if matches!(byte, b'+' | b'-') && self.text().get(1) == Some(&byte) {
                self.doubled_is_sum()?;
            }
            self.token(length);
            self.peek();
            let operand = self.at;
            let power = infix == Infix::Plain(Operator::Power);
            self.deeper(0)?;
            let right = self.binary(if power { level } else { level + 1 })?;
            self.depth -= 1;
            let place = self.source.position(if power { self.last } else { operand });
            left = self.combine(infix, left, right, place)?;
        }
    }

    /// Refuses `4--3` where this is no sum.
    fn doubled_is_sum(&self) -> Result<(), Error> {
        let behind = self.text()[2..].trim_ascii_start().first();
        let name = behind.is_some_and(|&byte| scan::starts_name(byte, self.rules));
        match self.rules.doubled_sign {
            DoubledSign::Step => Err(self.error(Kind::NotAVariable, self.at)),
            DoubledSign::StepOrSigns if name => Err(self.error(Kind::TrailingText, self.at)),
            DoubledSign::StepOrSigns | DoubledSign::Signs => Ok(()),
        }
    }

    fn combine(
        &mut self,
        infix: Infix,
        left: Tree,
        right: Tree,
        place: Position,
    ) -> Result<Tree, Error> {
        let depth = left.depth.max(right.depth) + 1;
        let operator = match infix {
            Infix::And => return self.tree(Node::And(Box::new((left.node, right.node))), depth),
            Infix::Or => return self.tree(Node::Or(Box::new((left.node, right.node))), depth),
            Infix::Plain(operator) => operator,
        };
        let node = match (left.node, right.node) {
            (Node::Constant(a), Node::Constant(b)) => {
                match folded(self.dialect, operator, a, b) {
                    Ok(value) => return Ok(Tree::leaf(Node::Constant(value))),
                    // A floating-point number, which can be known before anything runs.
                    Err(Kind::Overflow | Kind::NegativeExponent) if self.rules.floating_point => {
                        return Err(Error::at(Kind::Unsupported, place));
                    }
                    Err(_) => {}
                }
                let (left, right) = (Node::Constant(a), Node::Constant(b));
                Node::Binary(operator, Box::new(Binary { left, right, place }))
            }
            (Node::Slot(a), Node::Constant(b)) if operator.is_safe(Some(b), self.rules) => {
                Node::SlotConstant(operator, a, b)
            }
            (Node::Slot(a), Node::Slot(b)) if operator.is_safe(None, self.rules) => {
                Node::Slots(operator, a, b)
            }
            (left, right) => Node::Binary(operator, Box::new(Binary { left, right, place })),
        };
        self.tree(node, depth)
    }

    fn operand(&mut self) -> Result<Tree, Error> {
        let byte = self.peek();
        match byte {
            b'+' | b'-' if self.text().get(1) != Some(&b'=') => self.plus_or_minus(byte),
            b'!' if self.text().get(1) != Some(&b'=') => self.sign(Sign::Not),
            b'~' => self.sign(Sign::Complement),
            b'(' => self.parenthesis(),
            b'0'..=b'9' => self.constant(),
            PLACEHOLDER if !self.is_end() => self.placeholder(),
            b'\'' if self.rules.characters => self.character(),
            _ if self.is_end() => Err(self.error(Kind::UnexpectedEnd, self.last)),
            b'.' if self.text().get(1).is_some_and(u8::is_ascii_digit) => {
                let kind = if self.rules.floating_point {
                    Kind::Unsupported
                } else {
                    Kind::OperandExpected
                };
                Err(self.error(kind, self.at))
            }
            _ if scan::starts_name(byte, self.rules) => self.variable(),
            _ => Err(self.error(Kind::OperandExpected, self.at)),
        }
    }

    fn plus_or_minus(&mut self, byte: u8) -> Result<Tree, Error> {
        if !self.has_steps() || self.text().get(1) != Some(&byte) {
            return match byte {
                b'-' => self.sign(Sign::Minus),
                _ => self.plus(),
            };
        }
        let start = self.at;
        self.at += 2;
        let next = self.peek();
        if scan::starts_name(next, self.rules) {
            self.last = start;
            let by = if byte == b'+' { 1 } else { -1 };
            let (tree, _) = self.lvalue()?;
            self.stepped_once()?;
            return self.step(tree, by, false);
        }
        self.at = start;
        if self.rules.doubled_sign == DoubledSign::Step {
            let at_end = self.text()[2..].trim_ascii().is_empty();
            let kind = if at_end { Kind::UnexpectedEnd } else { Kind::NotAVariable };
            return Err(self.error(kind, start));
        }
        if byte == b'-' { self.sign(Sign::Minus) } else { self.plus() }
    }

    /// Whether `++` and `--` change variables.
    fn has_steps(&self) -> bool {
        self.rules.doubled_sign != DoubledSign::Signs
    }

    /// Refuses `--` and `++` behind `--a` where they step what is no variable any more.
    fn stepped_once(&mut self) -> Result<(), Error> {
        let next = self.peek();
        if !self.rules.steps_once || self.text().get(1) != Some(&next) {
            return Ok(());
        }
        match next {
            b'+' => Err(self.error(Kind::IncrementOfAValue, self.at)),
            b'-' => Err(self.error(Kind::DecrementOfAValue, self.at)),
            _ => Ok(()),
        }
    }

    fn plus(&mut self) -> Result<Tree, Error> {
        self.token(1);
        self.deeper(0)?;
        let mut tree = self.operand()?;
        self.depth -= 1;
        tree.lvalue = false;
        Ok(tree)
    }

    fn sign(&mut self, sign: Sign) -> Result<Tree, Error> {
        self.token(1);
        self.deeper(0)?;
        let tree = self.operand()?;
        self.depth -= 1;
        match tree.node {
            Node::Constant(value) => Ok(Tree::leaf(Node::Constant(signed(sign, value)))),
            node => self.tree(Node::Sign(sign, Box::new(node)), tree.depth + 1),
        }
    }

    fn parenthesis(&mut self) -> Result<Tree, Error> {
        self.token(1);
        self.deeper(0)?;
        if self.depth > self.rules.parentheses {
            return Err(self.error(Kind::MissingParenthesis, self.at));
        }
        let mut tree = self.comma()?;
        self.depth -= 1;
        if self.peek() != b')' {
            let at = if self.is_end() { self.last } else { self.at };
            return Err(self.error(Kind::MissingParenthesis, at));
        }
        self.token(1);
        tree.lvalue = false;
        Ok(tree)
    }

    fn constant(&mut self) -> Result<Tree, Error> {
        let (length, value) = number::constant(self.text(), self.dialect);
        self.not_beside_a_hole(self.at + length)?;
        match value {
            Ok(value) => {
                self.token(length);
                Ok(Tree::leaf(Node::Constant(value)))
            }
            Err(kind) => {
                let place = self.source.position(self.at);
                Err(Error::number(kind, place, self.at + length))
            }
        }
    }

    /// `'c'`
    fn character(&mut self) -> Result<Tree, Error> {
        let Some(inside) = self.text().get(1..) else {
            return Err(self.error(Kind::OperandExpected, self.at));
        };
        let length = inside.iter().position(|b| *b == b'\'').unwrap_or(0);
        let mut characters = inside[..length].utf8_chunks();
        let first = characters.next().map(|chunk| chunk.valid().chars());
        match first.map(|mut chars| (chars.next(), chars.next())) {
            Some((Some(character), None)) => {
                self.token(length + 2);
                Ok(Tree::leaf(Node::Constant(i64::from(u32::from(character)))))
            }
            _ => Err(self.error(Kind::OperandExpected, self.at)),
        }
    }

    fn placeholder(&mut self) -> Result<Tree, Error> {
        let before = self.at.checked_sub(1).map(|at| self.source.text[at]);
        let Some(number) = self.source.hole_at(self.at) else {
            return Err(self.error(Kind::OperandExpected, self.at));
        };
        let sign = !matches!(before, Some(b'+' | b'-'));
        self.placeholders.push(Placeholder { number, subscript_of: self.subscript_of, sign });
        self.token(1);
        let next = self.source.text.get(self.at).copied().unwrap_or(b' ');
        if before.is_some_and(scan::is_word) || scan::is_word(next) || next == b'[' {
            return Err(self.error(Kind::Textual, self.at));
        }
        Ok(Tree::leaf(Node::Placeholder(number)))
    }

    /// A name or number that goes on in a placeholder is not known yet.
    fn not_beside_a_hole(&self, end: usize) -> Result<(), Error> {
        if self.source.hole_at(end).is_some() {
            return Err(self.error(Kind::Textual, end));
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<Tree, Error> {
        let (tree, start) = self.lvalue()?;
        if !self.has_steps() {
            return Ok(tree);
        }
        let byte = self.peek();
        if byte == b'(' && self.rules.functions {
            return Err(self.error(Kind::Unsupported, start));
        }
        if matches!(byte, b'+' | b'-') && self.text().get(1) == Some(&byte) {
            self.token(2);
            return self.step(tree, if byte == b'+' { 1 } else { -1 }, true);
        }
        Ok(tree)
    }

    /// A name with its subscript, if it has one, and where it began.
    fn lvalue(&mut self) -> Result<(Tree, usize), Error> {
        let start = self.at;
        let length = scan::name_length(self.text(), self.rules);
        self.not_beside_a_hole(start + length)?;
        let slot = (self.slot)(&self.source.text[start..start + length]);
        self.token(length);
        let arrays = self.dialect.profile().syntax.assigned.arrays;
        if !arrays || self.text().first() != Some(&b'[') {
            return Ok((Tree { node: Node::Slot(slot), depth: 1, lvalue: true }, start));
        }
        let Some(close) = scan::closing_bracket(self.text()) else {
            return Err(self.error(Kind::BadSubscript, start));
        };
        let (from, to) = (self.at + 1, self.at + close);
        self.at += close + 1;
        let subscript = self.subscript(slot, start, from, to)?;
        let depth = subscript.expression.as_ref().map_or(1, |inner| inner.depth) + 1;
        let node = Node::Element(Box::new(Element { slot, subscript }));
        let tree = self.tree(node, depth)?;
        Ok((Tree { lvalue: true, ..tree }, start))
    }

    fn subscript(
        &mut self,
        slot: Slot,
        name: usize,
        from: usize,
        to: usize,
    ) -> Result<Subscript, Error> {
        let piece = self.source.piece(from, to);
        let parts = piece.owned_parts();
        if from == to {
            let text = [&self.source.text[name..=to], b": bad array subscript"].concat();
            return Ok(Subscript { parts, expression: Err(Error::outside(text)) });
        }
        self.deeper(0)?;
        if self.subscripts >= SUBSCRIPT_LIMIT {
            return Err(self.error(Kind::TooDeep, name));
        }
        let mut inner = Parser {
            source: &piece,
            at: 0,
            last: 0,
            depth: self.depth,
            subscripts: self.subscripts + 1,
            dialect: self.dialect,
            rules: self.rules,
            slot: &mut *self.slot,
            placeholders: Vec::new(),
            subscript_of: Some(slot),
        };
        let expression = inner.whole();
        self.depth -= 1;
        // Holes stay known even if the text is no expression: it may be a key.
        let placeholders = match &expression {
            Ok(expression) => expression.placeholders.to_vec(),
            Err(error) if error.kind() == Kind::TooDeep => return Err(error.clone()),
            Err(_) => piece
                .placeholders
                .iter()
                .map(|placeholder| Placeholder {
                    number: placeholder.1,
                    subscript_of: Some(slot),
                    sign: false,
                })
                .collect(),
        };
        self.placeholders.extend(placeholders);
        Ok(Subscript { parts, expression })
    }

    fn step(&mut self, tree: Tree, by: i64, after: bool) -> Result<Tree, Error> {
        let node = match (tree.node, after) {
            (Node::Slot(slot), true) => Node::StepAfter(slot, by),
            (Node::Slot(slot), false) => Node::Step(slot, by),
            (Node::Element(element), true) => Node::StepElementAfter(Box::new((*element, by))),
            (Node::Element(element), false) => {
                let by = Node::Constant(by);
                let rest = (*element, by, Position::default());
                Node::UpdateElement(Operator::Add, Box::new(rest))
            }
            (other, _) => other,
        };
        self.tree(node, tree.depth + 1)
    }
}

/// `x = …` and `x op= …`, the usual ones as a step.
fn assign(slot: Slot, operator: Option<Operator>, right: Node, place: Position) -> Node {
    let (operator, by) = match (operator, right) {
        (None, Node::SlotConstant(operator, from, by)) if from == slot => (operator, by),
        (None, right) => return Node::Assign(slot, Box::new(right)),
        (Some(operator), Node::Constant(by)) => (operator, by),
        (Some(operator), right) => return Node::Update(operator, slot, Box::new((right, place))),
    };
    match operator {
        Operator::Add => Node::Step(slot, by),
        Operator::Subtract if by != i64::MIN => Node::Step(slot, -by),
        _ => Node::Update(operator, slot, Box::new((Node::Constant(by), place))),
    }
}

impl Operator {
    /// Whether it cannot go wrong, with this on its right.
    fn is_safe(self, right: Option<i64>, rules: &Arithmetic) -> bool {
        match self {
            Operator::Divide | Operator::Remainder => right.is_some_and(|right| right != 0),
            Operator::Power => right.is_some_and(|r| r >= 0) && !rules.floating_point,
            _ => true,
        }
    }
}
