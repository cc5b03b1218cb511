//! Programs of the system: they must get no finding but the true ones, written down by hand.

use super::builder::{Builder, Placeholders};
use super::judge;
use super::label::{Ordinary, Scene as Label};
use super::program_folder::{Judge, Line, TreeFolder, most_frequent};

/// The tree that they are run on: made once, for all of them.
pub(crate) struct Scene<'a> {
    tree_folder: TreeFolder,
    builder: &'a Builder,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        label: &Label,
        builder: &'a Builder,
        keep: bool,
    ) -> Result<Scene<'a>, String> {
        let mut tree_folder = TreeFolder::new(keep)?;
        tree_folder.make(&label.tree)?;
        let scene = Scene { tree_folder, builder };
        for command in &label.prepare {
            let words = ["sh", "-e", "-c", command].map(str::to_owned).into();
            let line = Line { words, env: Vec::new(), stdin: None, exit: 0 };
            if let Some(why) = scene.tree_folder.run(&line, &[])?.failure {
                return Err(format!("{command}: {why}"));
            }
        }
        Ok(scene)
    }

    fn line(&self, program: &Ordinary) -> Line {
        let tree = self.tree_folder.here().display().to_string();
        let words =
            program.run.iter().map(|word| self.builder.fill(&word.replace("{tree}", &tree)));
        let stdin = program.stdin.clone();
        Line { words: words.collect(), env: Vec::new(), stdin, exit: program.exit }
    }

    pub(crate) fn judge(&self, program: &Ordinary, by: &Judge) -> Result<Vec<String>, String> {
        let line = self.line(program);
        let (outcome, report) = self.tree_folder.why(&line, by)?;
        let tree = self.tree_folder.here().display().to_string();
        let placeholders = Placeholders { source: None, tree };
        let mut failures = judge::judge(&program.finds, &report, &placeholders);
        failures.extend(outcome.failure);
        Ok(failures)
    }

    pub(crate) fn count(&self, program: &Ordinary) -> Result<Vec<String>, String> {
        let (outcome, calls) = self.tree_folder.count(&self.line(program))?;
        println!("{}: {}", program.full(), most_frequent(&calls));
        Ok(outcome.failure.into_iter().collect())
    }
}
