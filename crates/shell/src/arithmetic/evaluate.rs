//! The evaluation.

use super::error::Position;
use super::node::{Element, Node, SHALLOW, with_stack};
use super::operators::{binary, signed, simple};
use super::{Error, Expression, Operator, OwnedPart, Part, Slot, Subscript, parse};
use crate::Dialect;

/// The variables of an expression. Values that are texts and no plain numbers
/// ([`super::parse_integer`]) go through [`evaluate_text`] (bash, ksh), with a limit of its own
/// on how often one leads to another.
pub trait Variables {
    /// A variable's value.
    fn get(&mut self, slot: Slot) -> Result<i64, Error>;
    /// Assigns to a variable.
    fn set(&mut self, slot: Slot, value: i64) -> Result<(), Error>;
    /// An element's value.
    fn get_element(&mut self, slot: Slot, subscript: &Subscript) -> Result<i64, Error>;
    /// Assigns to an element.
    fn set_element(&mut self, slot: Slot, at: &Subscript, value: i64) -> Result<(), Error>;
    /// Changes an element, and gives its old value; the subscript counts once (`a[i++] += 2`).
    /// `change` may itself ask the variables, so it is handed them.
    fn change_element(
        &mut self,
        slot: Slot,
        subscript: &Subscript,
        change: &mut dyn FnMut(&mut Self, i64) -> Result<i64, Error>,
    ) -> Result<i64, Error>
    where
        Self: Sized;
    /// The number that a placeholder was filled with.
    fn placeholder(&mut self, number: u32) -> Result<i64, Error>;
    /// The slot of a name in a text that is read now, perhaps a new one.
    fn slot(&mut self, name: &[u8]) -> Slot;
    /// Which shell's rules.
    fn dialect(&self) -> Dialect;

    /// Adds to a variable and gives the old value; there to be made faster where a slot holds a
    /// number.
    #[inline]
    fn step(&mut self, slot: Slot, by: i64) -> Result<i64, Error>
    where
        Self: Sized,
    {
        let old = self.get(slot)?;
        let new = binary(self.dialect(), Operator::Add, old, by, Position::default())?;
        self.set(slot, new)?;
        Ok(old)
    }
}

/// The value of an expression. Makes no calls of its own.
#[inline]
pub fn evaluate<V: Variables>(expression: &Expression, variables: &mut V) -> Result<i64, Error> {
    if expression.depth > SHALLOW {
        return evaluate_deep(expression, variables);
    }
    // What loops count and compare with does not need the room that `node` makes itself.
    match &expression.root {
        Node::Step(slot, by) => Ok(variables.step(*slot, *by)?.wrapping_add(*by)),
        Node::StepAfter(slot, by) => variables.step(*slot, *by),
        Node::SlotConstant(operator, slot, right) => {
            let left = variables.get(*slot)?;
            simple(variables.dialect(), *operator, left, *right)
        }
        Node::Slots(operator, slot, right) => {
            let left = variables.get(*slot)?;
            let right = variables.get(*right)?;
            simple(variables.dialect(), *operator, left, right)
        }
        root => value(root, variables),
    }
}

#[cold]
fn evaluate_deep<V: Variables>(expression: &Expression, variables: &mut V) -> Result<i64, Error> {
    with_stack(expression.depth, || node(&expression.root, variables))
}

/// Reads a text without placeholders and evaluates it: a variable's value, or a text whose
/// placeholders did not hold plain numbers. Errors have their message.
pub fn evaluate_text<V: Variables>(text: &[u8], variables: &mut V) -> Result<i64, Error> {
    let dialect = variables.dialect();
    let parts = [Part::Text(text)];
    parse(&parts, dialect, &mut |name| variables.slot(name))
        .and_then(|expression| evaluate(&expression, variables))
        .map_err(|error| error.with_message(text, dialect))
}

/// As [`node`], with what is nearly always there done in place.
#[inline(always)]
fn value<V: Variables>(at: &Node, variables: &mut V) -> Result<i64, Error> {
    match at {
        Node::Constant(value) => Ok(*value),
        Node::Slot(slot) => variables.get(*slot),
        _ => node(at, variables),
    }
}

fn node<V: Variables>(at: &Node, variables: &mut V) -> Result<i64, Error> {
    match at {
        Node::Constant(value) => Ok(*value),
        Node::Slot(slot) => variables.get(*slot),
        Node::Placeholder(number) => variables.placeholder(*number),
        Node::SlotConstant(operator, slot, right) => {
            let left = variables.get(*slot)?;
            simple(variables.dialect(), *operator, left, *right)
        }
        Node::Slots(operator, slot, right) => {
            let left = variables.get(*slot)?;
            let right = variables.get(*right)?;
            simple(variables.dialect(), *operator, left, right)
        }
        Node::Binary(operator, sides) => {
            let left = value(&sides.left, variables)?;
            let right = value(&sides.right, variables)?;
            binary(variables.dialect(), *operator, left, right, sides.place)
        }
        Node::Assign(slot, right) => {
            let value = value(right, variables)?;
            variables.set(*slot, value)?;
            Ok(value)
        }
        Node::Step(slot, by) => Ok(variables.step(*slot, *by)?.wrapping_add(*by)),
        Node::StepAfter(slot, by) => variables.step(*slot, *by),
        Node::Update(operator, slot, right) => update(variables, *operator, *slot, right),
        Node::Element(element) => variables.get_element(element.slot, &element.subscript),
        Node::AssignElement(pair) => assign_element(variables, &pair.0, &pair.1),
        Node::UpdateElement(operator, rest) => update_element(variables, *operator, rest),
        Node::StepElementAfter(pair) => step_element(variables, &pair.0, pair.1),
        Node::Sign(sign, operand) => {
            let value = value(operand, variables)?;
            Ok(signed(*sign, value))
        }
        Node::And(sides) => {
            Ok(i64::from(value(&sides.0, variables)? != 0 && value(&sides.1, variables)? != 0))
        }
        Node::Or(sides) => {
            Ok(i64::from(value(&sides.0, variables)? != 0 || value(&sides.1, variables)? != 0))
        }
        Node::Choose(parts) => match value(&parts.0, variables)? {
            0 => value(&parts.2, variables),
            _ => value(&parts.1, variables),
        },
        Node::Comma(sides) => {
            value(&sides.0, variables)?;
            value(&sides.1, variables)
        }
    }
}

#[inline(never)]
fn update<V: Variables>(
    variables: &mut V,
    operator: Operator,
    slot: Slot,
    right: &(Node, Position),
) -> Result<i64, Error> {
    let new = if variables.dialect().profile().arithmetic.reads_target_last {
        let right_value = value(&right.0, variables)?;
        let old = variables.get(slot)?;
        binary(variables.dialect(), operator, old, right_value, right.1)?
    } else {
        let old = variables.get(slot)?;
        let right_value = value(&right.0, variables)?;
        binary(variables.dialect(), operator, old, right_value, right.1)?
    };
    variables.set(slot, new)?;
    Ok(new)
}

#[inline(never)]
fn step_element<V: Variables>(variables: &mut V, element: &Element, by: i64) -> Result<i64, Error> {
    variables.change_element(element.slot, &element.subscript, &mut |variables, old| {
        simple(variables.dialect(), Operator::Add, old, by)
    })
}

#[inline(never)]
fn assign_element<V: Variables>(
    variables: &mut V,
    element: &Element,
    right: &Node,
) -> Result<i64, Error> {
    let value = value(right, variables)?;
    variables.set_element(element.slot, &element.subscript, value)?;
    Ok(value)
}

#[inline(never)]
fn update_element<V: Variables>(
    variables: &mut V,
    operator: Operator,
    rest: &(Element, Node, Position),
) -> Result<i64, Error> {
    let (Element { slot, subscript }, right, place) = rest;
    let mut new = 0;
    variables.change_element(*slot, subscript, &mut |variables, old| {
        let right = value(right, variables)?;
        new = binary(variables.dialect(), operator, old, right, *place)?;
        Ok(new)
    })?;
    Ok(new)
}

impl Subscript {
    /// The index, for an array that is not associative. Errors have their message.
    #[inline]
    pub fn index<V: Variables>(&self, variables: &mut V) -> Result<i64, Error> {
        match &self.expression {
            Ok(expression) => match evaluate(expression, variables) {
                Err(error) => Err(self.with_text(error, variables.dialect())),
                index => index,
            },
            Err(error) => Err(self.with_text(error.clone(), variables.dialect())),
        }
    }

    #[cold]
    fn with_text(&self, error: Error, dialect: Dialect) -> Error {
        match &*self.parts {
            [OwnedPart::Text(text)] => error.with_message(text, dialect),
            _ => error,
        }
    }
}
