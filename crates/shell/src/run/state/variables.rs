//! The variables of a shell: values and attributes, and what is hidden for a time.

use std::ops::{Index, IndexMut};

use super::environment::Environment;
use super::generators::Generators;
use super::temporaries::Temporaries;
use crate::arithmetic::Slot;
use crate::names::Names;
use crate::run::texts::parsed;
use crate::run::value::{Flags, Value, Variable};

/// All variables, by slot: `variables[slot]`.
#[derive(Debug)]
pub(crate) struct Variables {
    slots: Vec<Variable>,
    /// The slots of the variables that the shell itself uses.
    pub(crate) known: KnownVariables,
    /// What the local variables of functions hide, innermost last.
    pub(crate) locals: Vec<(Slot, Variable)>,
    /// What is assigned for one command only, innermost last.
    pub(crate) temporaries: Temporaries,
    /// bash: references that have the name of the variable that they stand for.
    pub(crate) self_references: Vec<SelfReference>,
    /// What RANDOM and SECONDS are made of.
    pub(crate) generators: Generators,
    /// What children get of the variables.
    pub(crate) environment: Environment,
}

/// The slots of the variables that the shell itself uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownVariables {
    pub(crate) ifs: Slot,
    pub(crate) path: Slot,
    pub(crate) home: Slot,
    pub(crate) pwd: Slot,
    pub(crate) oldpwd: Slot,
    pub(crate) reply: Slot,
    pub(crate) optind: Slot,
    pub(crate) optarg: Slot,
    pub(crate) ps4: Slot,
    pub(crate) random: Slot,
    pub(crate) seconds: Slot,
    pub(crate) pipe_status: Slot,
    pub(crate) rematch: Slot,
    pub(crate) cdpath: Slot,
    /// FUNCNEST
    pub(crate) function_depth: Slot,
}

/// bash: a reference in a function that has the name of the variable it stands for, which is the
/// one outside of all functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelfReference {
    pub(crate) reference: Slot,
    /// Where that variable is kept meanwhile.
    pub(crate) hidden: Slot,
    /// Which of the locals the reference is.
    pub(crate) local: usize,
}

impl Variables {
    pub(crate) fn new(names: &mut Names, generators: Generators) -> Variables {
        Variables {
            slots: Vec::new(),
            known: KnownVariables::new(names),
            locals: Vec::new(),
            temporaries: Temporaries::default(),
            self_references: Vec::new(),
            generators,
            environment: Environment::default(),
        }
    }

    /// Makes sure that there is a variable for each of so many names.
    pub(crate) fn make_room(&mut self, names: usize) {
        if self.slots.len() < names {
            self.slots.resize_with(names, Variable::default);
        }
    }

    /// The variable of a slot; none if that name is too new.
    pub(crate) fn get(&self, slot: Slot) -> Option<&Variable> {
        self.slots.get(slot.0 as usize)
    }

    /// All of them, those without a value included.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Variable)> {
        (0..).map(Slot).zip(&self.slots)
    }

    /// Its value as one text: an array's first element. References must have been followed, what is
    /// computed must have been.
    #[inline]
    pub(crate) fn text_of(&self, slot: Slot) -> Option<&[u8]> {
        match &self[slot].value {
            Value::Text(text) => Some(text),
            Value::Unset => None,
            Value::Indexed(array) => array.get(0).map(|text| &**text),
            Value::Associative(map) => map.get(b"0".as_slice()).map(|text| &**text),
        }
    }

    /// The number that its value is.
    pub(crate) fn number<T: std::str::FromStr>(&self, slot: Slot) -> Option<T> {
        parsed(self.text_of(slot)?)
    }

    /// Whether a variable has a value.
    pub(crate) fn is_set(&self, slot: Slot) -> bool {
        !matches!(self[slot].value, Value::Unset)
    }

    pub(crate) fn is_associative(&self, slot: Slot) -> bool {
        let variable = &self[slot];
        matches!(variable.value, Value::Associative(_)) || variable.flags.has(Flags::ASSOCIATIVE)
    }

    /// Its attributes, with what its value makes of it.
    pub(crate) fn effective_flags(&self, slot: Slot) -> Flags {
        let variable = &self[slot];
        match variable.value {
            Value::Indexed(_) => variable.flags.with(Flags::ARRAY),
            Value::Associative(_) => variable.flags.with(Flags::ASSOCIATIVE).without(Flags::ARRAY),
            _ => variable.flags,
        }
    }

    /// Whether there is such a variable, with or without a value.
    pub(crate) fn is_declared(&self, slot: Slot) -> bool {
        let variable = self.get(slot);
        variable.is_some_and(|variable| {
            !matches!(variable.value, Value::Unset) || variable.flags.has(DECLARING)
        })
    }

    /// Puts it into the environment of children.
    pub(crate) fn export(&mut self, slot: Slot) {
        let variable = &mut self[slot];
        variable.flags = variable.flags.with(Flags::EXPORT);
        self.environment.forget();
    }

    /// Exchanges a variable with what a local of its name hides.
    pub(crate) fn exchange_hidden(&mut self, local: usize, slot: Slot, subshell: u32) {
        let (_, hidden) = &mut self.locals[local];
        hidden.saved_in = subshell;
        std::mem::swap(hidden, &mut self.slots[slot.0 as usize]);
        self.environment.forget();
    }
}

/// Attributes that make a variable one although it has no value.
const DECLARING: Flags = Flags(
    Flags::EXPORT.0
        | Flags::READONLY.0
        | Flags::INTEGER.0
        | Flags::UPPER.0
        | Flags::LOWER.0
        | Flags::CAPITAL.0
        | Flags::REFERENCE.0
        | Flags::COMPUTED.0
        | Flags::ARRAY.0
        | Flags::ASSOCIATIVE.0
        | Flags::TRACED.0
        | Flags::DECLARED.0,
);

impl Index<Slot> for Variables {
    type Output = Variable;

    #[inline]
    fn index(&self, slot: Slot) -> &Variable {
        &self.slots[slot.0 as usize]
    }
}

impl IndexMut<Slot> for Variables {
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut Variable {
        &mut self.slots[slot.0 as usize]
    }
}

impl KnownVariables {
    fn new(names: &mut Names) -> KnownVariables {
        KnownVariables {
            ifs: names.slot(b"IFS"),
            path: names.slot(b"PATH"),
            home: names.slot(b"HOME"),
            pwd: names.slot(b"PWD"),
            oldpwd: names.slot(b"OLDPWD"),
            reply: names.slot(b"REPLY"),
            optind: names.slot(b"OPTIND"),
            optarg: names.slot(b"OPTARG"),
            ps4: names.slot(b"PS4"),
            random: names.slot(b"RANDOM"),
            seconds: names.slot(b"SECONDS"),
            pipe_status: names.slot(b"PIPESTATUS"),
            rematch: names.slot(b"BASH_REMATCH"),
            cdpath: names.slot(b"CDPATH"),
            function_depth: names.slot(b"FUNCNEST"),
        }
    }
}
