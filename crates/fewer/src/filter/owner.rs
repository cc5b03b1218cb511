//! Owners in text form.

use std::str::FromStr;

use crate::owner::Owners;

/// A condition on the owner of an entry: `USER`, `USER:GROUP` or `:GROUP`, by name or number; with
/// a `!` in front it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    user: Option<u32>,
    group: Option<u32>,
    contrary: bool,
}

impl Owner {
    pub(super) fn accept(&self, user: u32, group: u32) -> bool {
        let is = self.user.is_none_or(|wanted| wanted == user)
            && self.group.is_none_or(|wanted| wanted == group);
        is != self.contrary
    }
}

impl FromStr for Owner {
    type Err = String;

    /// Price: nothing for numbers; for names what [`Owners`] costs: four calls for
    /// /etc/nsswitch.conf, four for each of the files that a name is looked for in.
    fn from_str(text: &str) -> Result<Owner, String> {
        let (contrary, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (user, group) = text.split_once(':').unwrap_or((text, ""));
        if user.is_empty() && group.is_empty() {
            return Err("expected USER, USER:GROUP or :GROUP".to_owned());
        }
        let owners = Owners::new();
        let user = number("user", user, |name| owners.user_id(name))?;
        let group = number("group", group, |name| owners.group_id(name))?;
        Ok(Owner { user, group, contrary })
    }
}

fn number(
    what: &str,
    text: &str,
    look_up: impl Fn(&[u8]) -> Option<u32>,
) -> Result<Option<u32>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse().ok().or_else(|| look_up(text.as_bytes())) {
        Some(number) => Ok(Some(number)),
        None => Err(format!("there is no {what} '{text}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_group_must_both_fit_unless_it_is_the_contrary() {
        for (text, user, group, fits) in [
            ("0", 0, 5, true),
            ("root:root", 0, 0, true),
            ("root:root", 0, 1, false),
            (":77", 4, 77, true),
            (":77", 4, 78, false),
            ("!root", 0, 0, false),
            ("!root", 1, 0, true),
        ] {
            let owner: Owner = text.parse().unwrap();
            assert_eq!(owner.accept(user, group), fits, "{text} {user} {group}");
        }
    }

    #[test]
    fn nobody_is_an_error() {
        for text in ["", ":", "!", "no such user here", "-1", "a\0b"] {
            assert!(text.parse::<Owner>().is_err(), "{text}");
        }
    }
}
