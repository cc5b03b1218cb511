//! One page of a listing: objects, and how the listing goes on.

use fewer::Time;

/// What a store tells of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object<'p> {
    /// The key: any bytes, in practice UTF-8.
    pub key: &'p [u8],
    /// Size in bytes; 0 for a common prefix.
    pub size: u64,
    /// When it was last written; the start of 1970 for a common prefix.
    pub modified: Time,
    /// Not an object, but what a number of keys begin with up to the delimiter.
    pub is_common_prefix: bool,
    /// What names its contents, without quotes; empty if the store does not say.
    pub etag: &'p str,
}

/// Where in a page an object is.
#[derive(Clone, Copy, Debug)]
struct Record {
    key_end: usize,
    size: u64,
    modified: Time,
    is_common_prefix: bool,
    etag_end: usize,
}

/// The objects of an answer, in the order of their keys, and how the listing goes on.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The keys, one behind the other.
    keys: Vec<u8>,
    /// And so the ETags.
    etags: String,
    records: Vec<Record>,
    is_truncated: bool,
    token: Option<String>,
}

impl Page {
    /// A page without objects that goes on with a token.
    #[cfg(test)]
    pub(crate) fn of_token(token: Option<String>) -> Page {
        Page { is_truncated: token.is_some(), token, ..Page::default() }
    }

    /// Says that there is more, and what the next request begins with if that is known.
    pub(crate) fn goes_on(&mut self, is_truncated: bool, token: Option<String>) {
        self.is_truncated = is_truncated;
        self.token = token;
    }

    /// Adds an object behind the others.
    pub(crate) fn push(&mut self, object: Object<'_>) {
        let Object { key, size, modified, is_common_prefix, etag } = object;
        self.keys.extend_from_slice(key);
        self.etags.push_str(etag);
        let (key_end, etag_end) = (self.keys.len(), self.etags.len());
        self.records.push(Record { key_end, size, modified, is_common_prefix, etag_end });
    }

    /// How many objects and common prefixes there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<Object<'_>> {
        let Record { key_end, size, modified, is_common_prefix, etag_end } =
            *self.records.get(index)?;
        let before = index.checked_sub(1).map(|before| self.records[before]);
        let key = &self.keys[before.map_or(0, |it| it.key_end)..key_end];
        let etag = &self.etags[before.map_or(0, |it| it.etag_end)..etag_end];
        Some(Object { key, size, modified, is_common_prefix, etag })
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() + self.etags.capacity() + self.records.capacity() * size_of::<Record>()
    }

    /// What the next request begins with; `None` if this page is the last.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether there is more.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// The same with other keys.
    pub(crate) fn with_keys(&self, mut push_key: impl FnMut(&[u8], &mut Vec<u8>)) -> Page {
        let mut page = Page {
            keys: Vec::with_capacity(self.keys.len()),
            etags: self.etags.clone(),
            records: Vec::with_capacity(self.records.len()),
            is_truncated: self.is_truncated,
            token: self.token.clone(),
        };
        for (object, record) in self.objects().zip(&self.records) {
            push_key(object.key, &mut page.keys);
            page.records.push(Record { key_end: page.keys.len(), ..*record });
        }
        page
    }

    /// Common prefixes come behind the objects: puts all in the order of their keys.
    pub(crate) fn merge(self) -> Page {
        if !self.records.iter().any(|record| record.is_common_prefix) {
            return self;
        }
        let mut objects: Vec<Object<'_>> = self.objects().collect();
        objects.sort_by_key(|object| object.key);
        let mut page = Page { is_truncated: self.is_truncated, ..Page::default() };
        for object in objects {
            page.push(object);
        }
        page.token = self.token;
        page
    }
}
