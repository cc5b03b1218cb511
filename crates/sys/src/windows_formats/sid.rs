//! Security identifiers, which are the numbers of users and groups on Windows ([MS-DTYP] 2.4.2),
//! and where a security descriptor has those of a file (2.4.6).

use std::fmt;

/// A security identifier, as the kernel writes it: revision, number of parts, six bytes of the
/// authority, the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sid(Box<[u8]>);

const HEADER: usize = 8;
const MOST_PARTS: usize = 15;

impl Sid {
    /// The identifier that these bytes begin with.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Sid> {
        let &[1, parts, ..] = bytes else { return None };
        let parts = usize::from(parts);
        let whole = bytes.get(..HEADER + 4 * parts).filter(|_| parts <= MOST_PARTS)?;
        Some(Sid(whole.into()))
    }

    /// The identifier that is written as `S-1-5-32-544`.
    pub(crate) fn from_text(text: &[u8]) -> Option<Sid> {
        let text = std::str::from_utf8(text).ok()?;
        let mut numbers =
            text.strip_prefix("S-1-").or_else(|| text.strip_prefix("s-1-"))?.split('-');
        let authority = numbers.next()?;
        let authority: u64 = match authority.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => authority.parse().ok()?,
        };
        let parts = numbers.map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
        if parts.len() > MOST_PARTS || authority >> 48 != 0 {
            return None;
        }
        let mut bytes = vec![1, parts.len() as u8];
        bytes.extend_from_slice(&authority.to_be_bytes()[2..]);
        bytes.extend(parts.into_iter().flat_map(u32::to_le_bytes));
        Some(Sid(bytes.into()))
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What tells it from others of its domain: the last part.
    pub(crate) fn last_part(&self) -> u32 {
        self.parts().last().unwrap_or(0)
    }

    fn parts(&self) -> impl Iterator<Item = u32> {
        let (parts, _) = self.0[HEADER..].as_chunks();
        parts.iter().map(|part| u32::from_le_bytes(*part))
    }

    fn authority(&self) -> u64 {
        self.0[2..HEADER].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl fmt::Display for Sid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.authority() {
            authority @ ..0x1_0000_0000 => write!(f, "S-1-{authority}")?,
            authority => write!(f, "S-1-{authority:#014x}")?,
        }
        self.parts().try_for_each(|part| write!(f, "-{part}"))
    }
}

/// The user and the group in a self-relative security descriptor.
pub(crate) fn owners(descriptor: &[u8]) -> (Option<Sid>, Option<Sid>) {
    let sid_at = |place: usize| {
        let offset = u32::from_le_bytes(*descriptor.get(place..)?.first_chunk()?);
        let offset = usize::try_from(offset).ok().filter(|offset| *offset != 0)?;
        Sid::parse(descriptor.get(offset..)?)
    };
    (sid_at(4), sid_at(8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// BUILTIN\Administrators, and a user of a domain, as [MS-DTYP] has them.
    const ADMINISTRATORS: &[u8] = &[1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 0x20, 2, 0, 0];
    const USER: &[u8] =
        &[1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0xe9, 3, 0, 0];

    #[test]
    fn identifiers_are_written_as_windows_writes_them() {
        for (bytes, text, last) in [
            (ADMINISTRATORS, "S-1-5-32-544", 544),
            (USER, "S-1-5-21-1-2-3-1001", 1001),
            (&[1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], "S-1-1-0", 0),
            (&[1, 0, 0, 0, 0, 0, 0, 5], "S-1-5", 0),
            (&[1, 1, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0], "S-1-0x010000000000-7", 7),
        ] {
            let sid = Sid::parse(bytes).unwrap();
            assert_eq!((sid.to_string().as_str(), sid.last_part()), (text, last));
            assert_eq!(Sid::from_text(text.as_bytes()), Some(sid));
        }
    }

    #[test]
    fn what_is_no_identifier_is_none() {
        let cut = &USER[..USER.len() - 1];
        let other_revision = &[2, 0, 0, 0, 0, 0, 0, 5];
        let too_many = [&[1, 16][..], &[0; 6 + 64]].concat();
        for bytes in [cut, other_revision, &too_many, &[], &[1]] {
            assert_eq!(Sid::parse(bytes), None, "{bytes:?}");
        }
        let too_long = format!("S-1-5{}", "-1".repeat(16));
        for text in
            ["", "S-1-", "S-1-x", "S-2-5-1", "S-1-5-", "S-1-5-4294967296", "root", &too_long]
        {
            assert_eq!(Sid::from_text(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Sid::from_text(b"S-1-0x1000000000000-1"), None);
    }

    #[test]
    fn a_descriptor_says_where_its_owners_are() {
        let mut descriptor = vec![1, 0, 0, 0x80, 20, 0, 0, 0, 36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        descriptor.extend_from_slice(ADMINISTRATORS);
        descriptor.extend_from_slice(USER);
        assert_eq!(owners(&descriptor), (Sid::parse(ADMINISTRATORS), Sid::parse(USER)));
        descriptor[8] = 0;
        assert_eq!(owners(&descriptor), (Sid::parse(ADMINISTRATORS), None));
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let (user, group) = owners(&bytes);
            for sid in [user, group, Sid::parse(&bytes)].into_iter().flatten() {
                prop_assert_eq!(Sid::from_text(sid.to_string().as_bytes()), Some(sid));
            }
        }
    }
}
