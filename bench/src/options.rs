//! What the command line asks for, and where everything lies.

use std::path::{Path, PathBuf};

pub(crate) const USAGE: &str = "\
usage: fewer-bench [OPTIONS] VERB [NAME]...

  setup               make the trees, build fewer, install and compile what is missing
  make-trees [TREE]   make trees that are not whole
  run [DEFINITION]    check the output, measure, count calls, write a record (default: all)
  verify DEFINITION   only check that the engines print what they claim
  list                definitions, and engines with the version found or what is missing

  --trees FOLDER      where the trees are (FEWER_BENCH_TREES; default bench/trees)
  --fewer PROGRAM     the fewer to measure (default: the release build of this checkout)
  --engines A,B       only these engines, beside fewer and the floor
  --rounds N          instead of the definition's number
  --record FOLDER     where records go (default bench/record)
  --no-verify  --no-calls  --no-build
  --as-it-is          `verify` on trees that `run` has made ready already
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) verb: String,
    pub(crate) names: Vec<String>,
    /// The folder of this workspace, absolute.
    pub(crate) bench: PathBuf,
    pub(crate) trees: PathBuf,
    pub(crate) record: PathBuf,
    pub(crate) fewer: Option<PathBuf>,
    pub(crate) engines: Option<Vec<String>>,
    pub(crate) rounds: Option<u32>,
    pub(crate) verify: bool,
    pub(crate) calls: bool,
    pub(crate) build: bool,
    pub(crate) as_it_is: bool,
}

impl Options {
    /// Reads the arguments (without the program's name).
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let bench = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let trees = std::env::var_os("FEWER_BENCH_TREES").map(PathBuf::from);
        let mut options = Options {
            verb: String::new(),
            names: Vec::new(),
            trees: trees.unwrap_or_else(|| bench.join("trees")),
            record: bench.join("record"),
            bench,
            fewer: None,
            engines: None,
            rounds: None,
            verify: true,
            calls: true,
            build: true,
            as_it_is: false,
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--trees" => options.trees = value()?.into(),
                "--record" => options.record = value()?.into(),
                "--fewer" => options.fewer = Some(value()?.into()),
                "--engines" => {
                    options.engines = Some(value()?.split(',').map(str::to_owned).collect());
                }
                "--rounds" => {
                    let number: u32 = value()?.parse().map_err(|_| "--rounds needs a number")?;
                    options.rounds = Some(number.max(1));
                }
                "--help" | "-h" => "help".clone_into(&mut options.verb),
                "--no-verify" => options.verify = false,
                "--no-calls" => options.calls = false,
                "--no-build" => options.build = false,
                "--as-it-is" => options.as_it_is = true,
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
                _ if options.verb.is_empty() => options.verb = argument,
                _ => options.names.push(argument),
            }
        }
        // Engines start inside the folder of the trees: what is relative to here must be absolute.
        options.trees = absolute(&options.trees)?;
        options.record = absolute(&options.record)?;
        options.fewer = options.fewer.as_deref().map(absolute).transpose()?;
        Ok(options)
    }

    /// Where setup puts programs that the machine did not have.
    pub(crate) fn installed(&self) -> PathBuf {
        self.bench.join("installed")
    }
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_verb_names_and_options_in_any_order() {
        let options = parse("--rounds 3 run walk-big --no-calls walk-small").unwrap();
        assert_eq!((options.verb.as_str(), options.rounds), ("run", Some(3)));
        assert_eq!(options.names, ["walk-big", "walk-small"]);
        assert!(!options.calls && options.verify);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(parse("run --fast").is_err());
        assert!(parse("run --rounds many").is_err());
        assert!(parse("run --trees").is_err());
    }
}
