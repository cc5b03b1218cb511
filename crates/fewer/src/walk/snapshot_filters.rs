//! The filters that a snapshot is made with: which directories are entered. They are kept in it,
//! for the walk that looks for changes to use the same: one a line, called as the flags are.

use super::Walk;
use crate::filter::{Filter, Names, PatternError};

/// The filters that a snapshot is made with. Their text is in it:
/// [`Snapshot::options`](crate::Snapshot::options).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotFilters {
    /// As [`Walk::gitignore`].
    pub gitignore: bool,
    /// As [`Filter::skip_hidden`].
    pub skip_hidden: bool,
    /// As [`Walk::one_file_system`].
    pub one_file_system: bool,
    /// Whether the patterns ignore case.
    pub ignore_case: bool,
    /// Whether the patterns are matched with the whole path rather than the name.
    pub full_path: bool,
    /// As [`Walk::max_depth`].
    pub max_depth: Option<usize>,
    /// As [`Names::exclude_globs`].
    pub exclude: Vec<String>,
}

impl SnapshotFilters {
    /// The switches, for reading and writing them.
    fn switches(&mut self) -> [(&'static str, &mut bool); 5] {
        [
            ("gitignore", &mut self.gitignore),
            ("no-hidden", &mut self.skip_hidden),
            ("one-file-system", &mut self.one_file_system),
            ("ignore-case", &mut self.ignore_case),
            ("full-path", &mut self.full_path),
        ]
    }

    /// As the text in a snapshot.
    #[must_use]
    pub fn to_text(&self) -> Vec<u8> {
        let mut this = self.clone();
        let switches = this.switches().into_iter().filter(|(_, on)| **on);
        let mut lines: Vec<String> = switches.map(|(name, _)| name.to_owned()).collect();
        lines.extend(self.max_depth.map(|depth| format!("max-depth={depth}")));
        // A glob may have a newline in it.
        let escaped = |glob: &String| glob.replace('\\', "\\\\").replace('\n', "\\n");
        lines.extend(self.exclude.iter().map(|glob| format!("exclude={}", escaped(glob))));
        lines.into_iter().map(|line| line + "\n").collect::<String>().into_bytes()
    }

    /// From the text in a snapshot; `None` if there is something in it that is not known here.
    #[must_use]
    pub fn of_text(text: &[u8]) -> Option<SnapshotFilters> {
        let mut filters = SnapshotFilters::default();
        for line in std::str::from_utf8(text).ok()?.lines() {
            match line.split_once('=') {
                Some(("max-depth", depth)) => filters.max_depth = Some(depth.parse().ok()?),
                Some(("exclude", glob)) => filters.exclude.push(unescaped(glob)),
                _ => *filters.switches().into_iter().find(|(name, _)| *name == line)?.1 = true,
            }
        }
        Some(filters)
    }

    /// The walk with these filters.
    ///
    /// # Errors
    /// A pattern that is none.
    pub fn on(&self, walk: Walk) -> Result<Walk, PatternError> {
        let walk = walk.filter(self.filter()?).gitignore(self.gitignore);
        Ok(walk
            .one_file_system(self.one_file_system)
            .max_depth(self.max_depth.unwrap_or(usize::MAX)))
    }

    /// What they say of names.
    ///
    /// # Errors
    /// A pattern that is none.
    pub fn filter(&self) -> Result<Filter, PatternError> {
        let globs: Vec<&String> = self.exclude.iter().collect();
        let names = Names::new().ignore_case(self.ignore_case).full_path(self.full_path);
        let names = names.exclude_globs(&globs)?;
        Ok(Filter::new().skip_hidden(self.skip_hidden).names(names))
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.push(if letters.next() == Some('n') { '\n' } else { '\\' }),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_kept_as_text() {
        for filters in [
            SnapshotFilters::default(),
            SnapshotFilters { gitignore: true, skip_hidden: true, ..SnapshotFilters::default() },
            SnapshotFilters {
                one_file_system: true,
                ignore_case: true,
                full_path: true,
                max_depth: Some(3),
                exclude: vec!["*.o".into(), "a=b".into(), "c\\n\n\\".into(), String::new()],
                ..SnapshotFilters::default()
            },
        ] {
            assert_eq!(SnapshotFilters::of_text(&filters.to_text()), Some(filters));
        }
        assert_eq!(SnapshotFilters::of_text(b"something new\n"), None);
        assert_eq!(SnapshotFilters::of_text(b"max-depth=x\n"), None);
    }
}
