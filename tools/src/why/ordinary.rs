//! Programs that everybody has: they must get no finding but the true ones, written down by hand.

use super::judge;
use super::label::{Ordinary, Scene as Label};
use super::stage::{Judge, Line, Place};
use super::workshop::{Places, Workshop};

/// What they are run on: made once, for all of them.
pub(crate) struct Scene<'a> {
    place: Place,
    workshop: &'a Workshop,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        label: &Label,
        workshop: &'a Workshop,
        keep: bool,
    ) -> Result<Scene<'a>, String> {
        let mut place = Place::new(keep)?;
        place.make(&label.tree)?;
        let scene = Scene { place, workshop };
        for command in &label.prepare {
            let words = ["sh", "-e", "-c", command].map(str::to_owned).into();
            let line = Line { words, env: Vec::new(), stdin: None, exit: 0 };
            if let Some(why) = scene.place.run(&line, &[])?.failure {
                return Err(format!("{command}: {why}"));
            }
        }
        Ok(scene)
    }

    fn line(&self, program: &Ordinary) -> Line {
        let tree = self.place.here().display().to_string();
        let words =
            program.run.iter().map(|word| self.workshop.fill(&word.replace("{tree}", &tree)));
        let stdin = program.stdin.clone();
        Line { words: words.collect(), env: Vec::new(), stdin, exit: program.exit }
    }

    pub(crate) fn judge(&self, program: &Ordinary, by: &Judge) -> Result<Vec<String>, String> {
        let line = self.line(program);
        let (outcome, told) = self.place.why(&line, by)?;
        let tree = self.place.here().display().to_string();
        let places = Places { source: None, tree };
        let mut failures = judge::judge(&program.finds, &told, &places);
        failures.extend(outcome.failure);
        Ok(failures)
    }

    pub(crate) fn count(&self, program: &Ordinary) -> Result<Vec<String>, String> {
        let (outcome, calls) = self.place.count(&self.line(program))?;
        println!("{}: {calls}", program.full());
        Ok(outcome.failure.into_iter().collect())
    }
}
