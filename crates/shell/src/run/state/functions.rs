//! Functions.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use fewer::compact;

use crate::arithmetic::Slot;
use crate::names::Names;
use crate::program::{Body, Function, Needs, Traits};
use crate::run::value::Flags;

/// The functions of a shell, by slot, and what lowering found out about them.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    slots: Vec<Option<Rc<Function>>>,
    /// What is known of every function that was lowered, by its name.
    traits: HashMap<Slot, Traits>,
    /// Changes whenever `traits` does: what was worked out from them is kept for one version.
    traits_version: u32,
    marks: FunctionMarks,
    /// The files where functions were defined, if that was not the script itself.
    files: HashMap<Slot, Rc<[u8]>>,
}

/// The attributes of functions, as they are put back after a subshell.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionMarks {
    /// `readonly -f`
    readonly: Rc<HashSet<Slot>>,
    /// `export -f`
    exported: Rc<HashSet<Slot>>,
}

impl Functions {
    /// Makes sure that there is a place for a function of each of so many names.
    pub(crate) fn make_room(&mut self, names: usize) {
        if self.slots.len() < names {
            self.slots.resize_with(names, || None);
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<&Rc<Function>> {
        self.slots.get(slot.0 as usize)?.as_ref()
    }

    /// Whether there is a function of that name.
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.get(slot).is_some()
    }

    /// Defines a function, or removes it. Gives the one that was there.
    pub(crate) fn put(&mut self, slot: Slot, new: Option<Rc<Function>>) -> Option<Rc<Function>> {
        std::mem::replace(&mut self.slots[slot.0 as usize], new)
    }

    /// The functions that there are.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Rc<Function>)> {
        let slots = (0..).map(Slot).zip(&self.slots);
        slots.filter_map(|(slot, function)| Some((slot, function.as_ref()?)))
    }

    /// The names of the functions that there are, in order.
    pub(crate) fn sorted(&self, names: &Names) -> Vec<Slot> {
        let mut slots: Vec<_> = self.iter().map(|(slot, _)| slot).collect();
        compact::sort_by_key(&mut slots, |slot| names.name(*slot));
        slots
    }

    /// `export -f`, `readonly -f`. Whether what children get may have changed.
    pub(crate) fn mark(&mut self, slot: Slot, on: Flags, off: Flags) -> bool {
        if on.has(Flags::READONLY) {
            Rc::make_mut(&mut self.marks.readonly).insert(slot);
        }
        if on.has(Flags::EXPORT) {
            Rc::make_mut(&mut self.marks.exported).insert(slot);
        }
        if off.has(Flags::EXPORT) {
            Rc::make_mut(&mut self.marks.exported).remove(&slot);
        }
        on.has(Flags::EXPORT) || off.has(Flags::EXPORT)
    }

    /// Notes what is known of the functions of a text.
    pub(crate) fn learn(&mut self, functions: &[(Slot, Traits)]) {
        for (slot, traits) in functions {
            self.traits
                .entry(*slot)
                .and_modify(|known| {
                    known.process |= traits.process;
                    known.bounded &= traits.bounded;
                    known.bounded_by_input &= traits.bounded_by_input;
                    known.calls.extend(traits.calls.iter().copied());
                    known.named_late |= traits.named_late;
                })
                .or_insert_with(|| traits.clone());
            self.traits_version += 1;
        }
    }

    /// What a body needs, with what the functions that it calls need.
    pub(crate) fn needs(&self, body: &Body) -> Needs {
        if let Some((version, needs)) = body.known.get()
            && version == self.traits_version
        {
            return needs;
        }
        let mut seen = Vec::new();
        let mut needs = Needs { process: false, bounded: true, bounded_by_input: true };
        self.add_needs(&body.traits, &mut needs, &mut seen);
        body.known.set(Some((self.traits_version, needs)));
        needs
    }

    fn add_needs(&self, traits: &Traits, needs: &mut Needs, seen: &mut Vec<Slot>) {
        needs.process |= traits.process;
        needs.bounded &= traits.bounded && !traits.named_late;
        needs.bounded_by_input &= traits.bounded_by_input && !traits.named_late;
        for slot in &traits.calls {
            if seen.contains(slot) {
                continue;
            }
            seen.push(*slot);
            match self.traits.get(slot) {
                Some(traits) => self.add_needs(traits, needs, seen),
                // Not a function: a program.
                None => {
                    needs.bounded = false;
                    needs.bounded_by_input = false;
                }
            }
        }
    }

    pub(crate) fn marks(&self) -> &FunctionMarks {
        &self.marks
    }

    /// The attributes are as they were. Whether what children get may have changed.
    pub(crate) fn put_back_marks(&mut self, marks: FunctionMarks) -> bool {
        let changed = !Rc::ptr_eq(&self.marks.exported, &marks.exported);
        self.marks = marks;
        changed
    }

    pub(crate) fn is_readonly(&self, slot: Slot) -> bool {
        self.marks.readonly.contains(&slot)
    }

    /// Those that children get.
    pub(crate) fn exported(&self) -> impl Iterator<Item = Slot> {
        self.marks.exported.iter().copied()
    }

    /// Notes in which file a function is defined; none for the script itself.
    pub(crate) fn set_file(&mut self, slot: Slot, file: Option<Rc<[u8]>>) {
        match file {
            Some(file) => self.files.insert(slot, file),
            None => self.files.remove(&slot),
        };
    }

    /// The file in which it was defined, if that was not the script itself.
    pub(crate) fn file(&self, slot: Slot) -> Option<&Rc<[u8]>> {
        self.files.get(&slot)
    }

    /// The body of a function as children read it, in braces.
    pub(crate) fn body(&self, slot: Slot, name: &[u8]) -> Option<Vec<u8>> {
        let function = self.get(slot)?;
        let mut text = function.source.source.trim_ascii_start();
        if function.keyword {
            text = text.strip_prefix(b"function")?.trim_ascii_start();
        }
        text = text.strip_prefix(name)?.trim_ascii_start();
        if let Some(rest) = text.strip_prefix(b"(")
            && let Some(rest) = rest.trim_ascii_start().strip_prefix(b")")
        {
            text = rest.trim_ascii_start();
        }
        match text.starts_with(b"{") {
            true => Some(text.to_vec()),
            false => Some([b"{ ", text, b"\n}"].concat()),
        }
    }

    /// The letters of a function's attributes.
    pub(crate) fn letters(&self, slot: Slot) -> &'static str {
        match (self.marks.readonly.contains(&slot), self.marks.exported.contains(&slot)) {
            (true, true) => "rx",
            (true, false) => "r",
            (false, true) => "x",
            (false, false) => "",
        }
    }
}
