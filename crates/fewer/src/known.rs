//! What is known of an entry without a call: what the record of its directory has, and of an object
//! in a store all that there is.

use std::marker::PhantomData;

use sys::{Fields, RecordMetadata, Stat};

/// The metadata that came with an entry. Without the feature `stores` it is what the record has,
/// which is nothing on Linux.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'w> {
    record: RecordMetadata,
    #[cfg(feature = "stores")]
    object: Option<&'w Stat>,
    lifetime: PhantomData<&'w Stat>,
}

impl<'w> Known<'w> {
    /// What the record of a directory has.
    #[inline]
    pub(crate) fn of_record(record: RecordMetadata) -> Known<'w> {
        Known {
            record,
            #[cfg(feature = "stores")]
            object: None,
            lifetime: PhantomData,
        }
    }

    /// What a store told of an object.
    #[cfg(feature = "stores")]
    pub(crate) fn of_object(object: &'w Stat) -> Known<'w> {
        Known { record: RecordMetadata::UNKNOWN, object: Some(object), lifetime: PhantomData }
    }

    /// These fields, if all of them are known. Free.
    #[inline]
    pub(crate) fn stat(&self, fields: Fields) -> Option<Stat> {
        #[cfg(feature = "stores")]
        if let Some(object) = self.object {
            return object.has(fields).then_some(*object);
        }
        self.record.stat(fields)
    }

    /// Whether the system knows nothing of the entry, so that there is nothing to ask.
    #[inline]
    pub(crate) fn is_all(&self) -> bool {
        #[cfg(feature = "stores")]
        return self.object.is_some();
        #[cfg(not(feature = "stores"))]
        false
    }
}
