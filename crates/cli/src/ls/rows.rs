//! Rows of objects that are kept until they are printed, in little memory.

use fewer::list::{Listing, ObjectRows};
use fewer::object::Object;
use fewer::{Entry, Kind, Time};

use crate::store;

/// Rows as they came.
#[derive(Default)]
pub(super) struct Rows {
    names: Vec<u8>,
    rows: Vec<Row>,
}

struct Row {
    /// Where its name ends among the names.
    end: usize,
    kind: Kind,
    /// Of a folder in a bucket nothing is told.
    details: Option<Details>,
}

pub(super) struct Details {
    size: u64,
    modified: Time,
    permissions: Option<u16>,
}

impl Rows {
    pub(super) fn push(&mut self, name: &[u8], kind: Kind, details: Option<Details>) {
        self.names.extend_from_slice(name);
        self.rows.push(Row { end: self.names.len(), kind, details });
    }

    /// The memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.names.len() + self.rows.len() * size_of::<Row>()
    }

    /// Those that are wanted, in the order of the list; false if a name is too long for one.
    pub(super) fn listing(self, mut rows: ObjectRows) -> (Listing, bool) {
        let (mut from, mut fits) = (0, true);
        for row in &self.rows {
            let object = row.details.as_ref().map(|details| details.object(row.kind));
            fits &= rows.push(&self.names[from..row.end], row.kind, object);
            from = row.end;
        }
        (rows.into_listing(), fits)
    }
}

impl Details {
    pub(super) fn of(entry: &Entry<'_>, is_tree: bool) -> Option<Details> {
        let stat = entry.stat(store::fields(is_tree)).ok()?;
        let permissions = is_tree.then(|| stat.permissions());
        Some(Details { size: stat.size(), modified: stat.modified(), permissions })
    }

    fn object(&self, kind: Kind) -> Object {
        let Details { size, modified, permissions } = *self;
        match permissions {
            Some(permissions) => Object::in_tree(kind, size, modified, permissions),
            None => Object::new(b"", size, modified),
        }
    }
}
