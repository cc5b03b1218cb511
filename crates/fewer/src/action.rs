//! What was being done when something went wrong.

use std::fmt;

/// What was being done when something went wrong: a verb in its plain form, as in "open directory".
///
/// The library's own actions are constants. Each has a number, which is that of C
/// (`FEWER_ACTION_OPEN_DIRECTORY`) and never changes; new ones are added at the end. A program may
/// make others of its own words; their number is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(&'static str);

macro_rules! actions {
    ($($name:ident $words:literal)*) => {
        impl Action {
            $(
                #[doc = concat!("\"", $words, "\"")]
                pub const $name: Action = Action($words);
            )*

            /// The library's own, each with the name that it has in C and at the place of its
            /// number, the first of which is 1.
            pub const ALL: &'static [(&'static str, Action)] =
                &[$((stringify!($name), Action::$name)),*];
        }
    };
}

actions! {
    ACCESS "access"
    COLLECT "collect"
    CREATE "create"
    DECODE "decode"
    END "end"
    ENTER "enter"
    ENTER_MOUNT_LOOP "enter the loop of mounts at"
    FIND_PATH "find path of"
    LIST "list"
    LIST_MOUNT_LOOP "list the loop of mounts at"
    LIST_WHOLE_DIRECTORY "list all that is in directory"
    MAKE_DIRECTORY "make directory"
    MAKE_HARD_LINK "make hard link"
    MAKE_SYMLINK "make symlink"
    OPEN "open"
    OPEN_DIRECTORY "open directory"
    READ "read"
    READ_DIRECTORY "read directory"
    READ_IGNORE_FILE "read ignore file"
    READ_LINE "read a line of"
    READ_LINK "read link"
    READ_OUTPUT "read output of"
    REMOVE "remove"
    REMOVE_DIRECTORY "remove directory"
    RENAME "rename to"
    RETURN_TO_DIRECTORY "return to directory"
    RUN "run"
    SET_PERMISSIONS "set permissions of"
    SET_TIMES "set times of"
    STAT "stat"
    WAIT "wait for"
    WRITE "write"
    READ_SNAPSHOT "read snapshot"
    WRITE_SNAPSHOT "write snapshot"
}

impl Action {
    /// The words: "open directory". Free.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.0
    }

    /// The library's own action of that number, if there is one.
    ///
    /// Price: no call.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Action> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        Action::ALL.get(place).map(|(_, action)| *action)
    }

    /// The number that it has in C; 0 for what is not one of the library's own.
    ///
    /// Price: no call.
    #[must_use]
    pub fn number(self) -> u8 {
        let place = Action::ALL.iter().position(|(_, action)| *action == self);
        place.map_or(0, |place| place as u8 + 1)
    }
}

impl From<&'static str> for Action {
    fn from(words: &'static str) -> Action {
        Action(words)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_table_and_no_words_are_there_twice() {
        for (place, (_, action)) in Action::ALL.iter().enumerate() {
            assert_eq!(usize::from(action.number()), place + 1);
            assert_eq!(Action::of_number(action.number().into()), Some(*action));
        }
        assert_eq!(Action::from("open directory"), Action::OPEN_DIRECTORY);
        assert_eq!(Action::from("bake a cake for").number(), 0);
    }
}
