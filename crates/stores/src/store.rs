//! The stores whose buckets can be listed, and what differs between them as data.

/// A store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// Amazon S3, and what speaks like it.
    S3,
    /// Google Cloud Storage.
    Gcs,
    /// Azure Blob Storage.
    Azure,
    /// WebDAV.
    WebDav,
    /// WebDAV without encryption.
    WebDavPlain,
}

struct Facts {
    name: &'static str,
    /// The first is what addresses are printed with.
    schemes: &'static [&'static str],
    cents_for_1000_requests: f64,
    /// A listing can begin behind any key, and keys come in the order of their bytes.
    lists_ranges: bool,
    /// There are collections, which are listed one by one.
    has_collections: bool,
}

impl Facts {
    const fn of_webdav(schemes: &'static [&'static str]) -> Facts {
        let (lists_ranges, has_collections) = (false, true);
        let cents_for_1000_requests = 0.0;
        Facts { name: "WebDAV", schemes, cents_for_1000_requests, lists_ranges, has_collections }
    }
}

const ALL: &[Store] = &[Store::S3, Store::Gcs, Store::Azure, Store::WebDav, Store::WebDavPlain];

impl Store {
    const fn facts(self) -> Facts {
        match self {
            Store::S3 => Facts {
                name: "S3",
                schemes: &["s3", "s3a", "s3n"],
                // Price list of 2026: PUT, COPY, POST and LIST, Standard, us-east-1.
                cents_for_1000_requests: 0.5,
                lists_ranges: true,
                has_collections: false,
            },
            Store::Gcs => Facts {
                name: "Google Cloud Storage",
                schemes: &["gs", "gcs"],
                // Price list of 2026: class A operations, Standard, one region.
                cents_for_1000_requests: 0.5,
                lists_ranges: true,
                has_collections: false,
            },
            Store::Azure => Facts {
                name: "Azure Blob Storage",
                schemes: &["az", "azure", "abfs", "abfss"],
                // Price list of 2026: list operations, hot tier, one region.
                cents_for_1000_requests: 0.5,
                lists_ranges: false,
                has_collections: false,
            },
            Store::WebDav => Facts::of_webdav(&["https"]),
            Store::WebDavPlain => Facts::of_webdav(&["http"]),
        }
    }

    /// The store that has a scheme, in any case.
    pub(crate) fn of_scheme(scheme: &[u8]) -> Option<Store> {
        let has = |store: &Store| {
            let mut schemes = store.facts().schemes.iter();
            schemes.any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
        };
        ALL.iter().copied().find(has)
    }

    /// What addresses are printed with.
    #[must_use]
    pub fn scheme(self) -> &'static str {
        self.facts().schemes[0]
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it takes for 1,000 list requests, in cents.
    #[must_use]
    pub fn cents_for_1000_requests(self) -> f64 {
        self.facts().cents_for_1000_requests
    }

    /// Whether a listing can begin behind any key. If not, pages come one after the other, and a
    /// listing cannot go on from a checkpoint.
    #[must_use]
    pub fn lists_ranges(self) -> bool {
        self.facts().lists_ranges
    }
    /// Whether it has collections, as a file system has directories: each is listed by a request of
    /// its own, and all of them in no order of keys.
    #[must_use]
    pub fn has_collections(self) -> bool {
        self.facts().has_collections
    }
}
