//! The filters that a snapshot is made with: which directories are entered. They are kept in it,
//! for `fewer changes` to use the same: one a line, called as the flags are.

use std::path::Path;

use clap::ArgMatches;
use fewer::filter::{Names, PatternError};
use fewer::snapshot::Snapshot;
use fewer::{Filter, Walk, Watch};

/// The filters that a snapshot is made with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filters {
    gitignore: bool,
    no_hidden: bool,
    one_file_system: bool,
    ignore_case: bool,
    max_depth: Option<usize>,
    exclude: Vec<String>,
}

impl Filters {
    pub(super) fn from_flags(flags: &ArgMatches) -> Filters {
        let exclude = flags.get_many::<String>("exclude").into_iter().flatten();
        let exclude: Vec<String> = exclude.cloned().collect();
        Filters {
            gitignore: flags.get_flag("gitignore"),
            no_hidden: flags.get_flag("no-hidden"),
            one_file_system: flags.get_flag("one-file-system"),
            // What else may have either case is no filter of this kind.
            ignore_case: flags.get_flag("ignore-case") && !exclude.is_empty(),
            max_depth: flags.get_one("max-depth").copied(),
            exclude,
        }
    }

    /// The switches, for reading and writing them.
    fn switches(&mut self) -> [(&'static str, &mut bool); 4] {
        [
            ("gitignore", &mut self.gitignore),
            ("no-hidden", &mut self.no_hidden),
            ("one-file-system", &mut self.one_file_system),
            ("ignore-case", &mut self.ignore_case),
        ]
    }

    /// Those that a snapshot was made with.
    pub(crate) fn of_snapshot(snapshot: &Snapshot, path: &Path) -> Result<Filters, String> {
        Filters::of_text(snapshot.options())
            .ok_or_else(|| format!("'{}' has filters of another version of fewer", path.display()))
    }

    /// As the text in a snapshot.
    pub(super) fn to_text(&self) -> Vec<u8> {
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
    fn of_text(text: &[u8]) -> Option<Filters> {
        let mut filters = Filters::default();
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
    pub(super) fn on(&self, walk: Walk) -> Result<Walk, PatternError> {
        let walk = walk.filter(self.of_names()?).gitignore(self.gitignore);
        Ok(walk
            .one_file_system(self.one_file_system)
            .max_depth(self.max_depth.unwrap_or(usize::MAX)))
    }

    /// The watch with these filters.
    pub(crate) fn on_watch(&self, watch: Watch) -> Result<Watch, PatternError> {
        let watch = watch.filter(self.of_names()?).gitignore(self.gitignore);
        Ok(watch
            .one_file_system(self.one_file_system)
            .max_depth(self.max_depth.unwrap_or(usize::MAX)))
    }

    fn of_names(&self) -> Result<Filter, PatternError> {
        let globs: Vec<&String> = self.exclude.iter().collect();
        let names = Names::new().ignore_case(self.ignore_case).exclude_globs(&globs)?;
        Ok(Filter::new().skip_hidden(self.no_hidden).names(names))
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
            Filters::default(),
            Filters { gitignore: true, no_hidden: true, ..Filters::default() },
            Filters {
                one_file_system: true,
                ignore_case: true,
                max_depth: Some(3),
                exclude: vec!["*.o".into(), "a=b".into(), "c\\n\n\\".into(), String::new()],
                ..Filters::default()
            },
        ] {
            assert_eq!(Filters::of_text(&filters.to_text()), Some(filters));
        }
        assert_eq!(Filters::of_text(b"something new\n"), None);
        assert_eq!(Filters::of_text(b"max-depth=x\n"), None);
    }
}
