//! Every command of README.md and of the pages in `docs` is run, in order, in a scratch copy of the
//! checkout with the released binary first in PATH. A command that fails fails the chore.
//!
//! Commands are those of ```` ```sh ```` blocks, and the lines after `$ ` of ```` ```console ````
//! blocks. The other lines of a console block are what the command above them must print: its
//! standard output, then its standard error. A block or a command right below a line `# not run by
//! …`, with a reason, is skipped and the line printed: readers of the page see it, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout;
use crate::tally::Tally;

const SKIP: &str = "# not run by ";

#[derive(Debug, PartialEq)]
struct Step {
    /// Line of the page, from 1.
    line: usize,
    command: String,
    skip: Option<String>,
    /// What it must print, if that is shown.
    shown: Option<String>,
}

pub(crate) fn run(words: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let target = checkout::target(&root)?;
    let scratch = Scratch::copy_of(&root)?;
    let mut tally = Tally::default();
    let is_page = |name: &String| {
        let is_one = name == "README.md" || (name.starts_with("docs/") && name.ends_with(".md"));
        is_one && words.iter().all(|word| name.contains(word))
    };
    for page in checkout::files(&root)?.into_iter().filter(is_page) {
        let text =
            fs::read_to_string(root.join(&page)).map_err(|error| format!("{page}: {error}"))?;
        for step in steps(&text) {
            let (line, command) = (step.line, &step.command);
            if let Some(reason) = step.skip {
                println!("skipped: {page}:{line}: {reason}");
                tally.skipped += 1;
                continue;
            }
            let failure = attempt(command, step.shown.as_deref(), &scratch.0, &target)?;
            if let Some(why) = &failure {
                println!("failed: {page}:{line}: {command}\n{why}");
            }
            tally.count(failure.is_none());
        }
    }
    Ok(tally)
}

/// The failure, if there is one.
fn attempt(
    command: &str,
    shown: Option<&str>,
    folder: &Path,
    target: &Path,
) -> Result<Option<String>, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(target.join("release")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|error| format!("PATH: {error}"))?;
    let mut bash = Command::new("bash");
    bash.args(["-e", "-o", "pipefail", "-c", command])
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .env("PATH", path)
        // The README's build command finds everything built.
        .env("CARGO_TARGET_DIR", target);
    let done = bash.output().map_err(|error| format!("cannot run bash: {error}"))?;
    let stderr = String::from_utf8_lossy(&done.stderr);
    if done.status.success() || (done.status.code() == Some(1) && is_only_shut_out(&stderr)) {
        let printed = format!("{}{stderr}", String::from_utf8_lossy(&done.stdout));
        let differs = shown.is_some_and(|shown| shown != printed);
        return Ok(differs.then(|| format!("printed, and not what the page shows:\n{printed}")));
    }
    Ok(Some(format!("    {}\n    {}", done.status, stderr.trim_end().replace('\n', "\n    "))))
}

/// Whether all messages are about directories that this user may not open, as there may be below
/// /usr. (A line that is not about an entry is the requested output.)
fn is_only_shut_out(stderr: &str) -> bool {
    let mut complaints = stderr.lines().filter(|line| line.contains(": cannot ")).peekable();
    complaints.peek().is_some() && complaints.all(|line| line.ends_with(": Permission denied"))
}

/// All commands of the text, top to bottom.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut block: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut block, fence) {
            (Some(_), Some(_)) => block = None,
            (Some(open), None) => open.line(at + 1, line, &mut steps),
            (None, Some(language)) => block = Some(Block::new(language)),
            (None, None) => {}
        }
    }
    steps
}

#[derive(PartialEq)]
enum Language {
    Shell,
    Console,
    Other,
}

struct Block {
    language: Language,
    skip: Option<String>,
    /// A skip in the block's first line is for all of it.
    skip_all: bool,
    first: bool,
    continues: bool,
}

impl Block {
    fn new(language: &str) -> Block {
        let language = match language.split_whitespace().next() {
            Some("sh" | "bash" | "shell") => Language::Shell,
            Some("console") => Language::Console,
            _ => Language::Other,
        };
        Block { language, skip: None, skip_all: false, first: true, continues: false }
    }

    fn line(&mut self, number: usize, line: &str, steps: &mut Vec<Step>) {
        let first = std::mem::replace(&mut self.first, false);
        let (whole, line) = (line, line.trim());
        if self.language == Language::Other || line.is_empty() {
            return;
        }
        if line.starts_with(SKIP) {
            self.skip = Some(line.trim_start_matches("# ").to_owned());
            self.skip_all = first;
            return;
        }
        let command = match self.language {
            _ if self.continues => line,
            Language::Console => match line.strip_prefix("$ ") {
                Some(command) => command,
                None => return show(whole, steps),
            },
            _ if line.starts_with('#') => return,
            _ => line,
        };
        let (command, more) = match command.strip_suffix('\\') {
            Some(command) => (command, true),
            None => (command, false),
        };
        match steps.last_mut().filter(|_| self.continues) {
            Some(last) => last.command.push_str(command),
            None => {
                let skip = if self.skip_all { self.skip.clone() } else { self.skip.take() };
                let shown = (self.language == Language::Console).then(String::new);
                steps.push(Step { line: number, command: command.to_owned(), skip, shown });
            }
        }
        self.continues = more;
    }
}

/// Adds a line to what the last command must print.
fn show(line: &str, steps: &mut [Step]) {
    if let Some(shown) = steps.last_mut().and_then(|step| step.shown.as_mut()) {
        shown.push_str(line);
        shown.push('\n');
    }
}

/// A copy of the checkout that a command may write into; removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn copy_of(root: &Path) -> Result<Scratch, String> {
        let name = format!("fewer-readme-{}", std::process::id());
        let scratch = Scratch(std::env::temp_dir().join(name));
        for file in checkout::files(root)? {
            let to = scratch.0.join(&file);
            copy(&root.join(&file), &to).map_err(|error| format!("cannot copy {file}: {error}"))?;
        }
        Ok(scratch)
    }
}

/// With its time, so that cargo does not build it again.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    fs::File::options().write(true).open(to)?.set_modified(modified)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Files that stay behind in the temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Vec<(usize, String, bool)> {
        let step = |step: Step| (step.line, step.command, step.skip.is_some());
        steps(text).into_iter().map(step).collect()
    }

    #[test]
    fn a_directory_that_may_not_be_opened_is_no_failure() {
        let shut = "fewer: cannot open directory '/x': Permission denied\n";
        assert!(is_only_shut_out(shut) && is_only_shut_out(&format!("{shut}   3 openat\n")));
        assert!(!is_only_shut_out(&format!("{shut}fewer: cannot stat 'y': No such file\n")));
        assert!(!is_only_shut_out("   3 openat\n") && !is_only_shut_out(""));
    }

    #[test]
    fn only_shell_blocks_hold_commands() {
        let text = "```sh\na # b\n# c\n\nd\n```\ntext\n```rust\ne\n```";
        assert_eq!(commands(text), [(2, "a # b".into(), false), (5, "d".into(), false)]);
    }

    #[test]
    fn console_commands_follow_a_dollar() {
        let text = "```console\n$ a\noutput\n  more\n$ b \\\n  c\n```";
        assert_eq!(commands(text), [(2, "a".into(), false), (5, "b c".into(), false)]);
        let shown: Vec<_> = steps(text).into_iter().map(|step| step.shown.unwrap()).collect();
        assert_eq!(shown, ["output\n  more\n", ""]);
    }

    #[test]
    fn what_a_command_prints_is_compared_where_it_is_shown() {
        let here = Path::new("/");
        let try_it = |shown| attempt("echo a; echo b >&2", shown, here, here).unwrap();
        assert_eq!((try_it(None), try_it(Some("a\nb\n"))), (None, None));
        assert!(try_it(Some("a\n")).is_some());
    }

    #[test]
    fn a_reason_skips_the_block_or_the_command_below_it() {
        let all = format!("```sh\n{SKIP}us: an hour\na\nb\n```\n```sh\nc\n```");
        let skips: Vec<bool> = commands(&all).into_iter().map(|step| step.2).collect();
        assert_eq!(skips, [true, true, false]);
        let one = format!("```sh\na\n{SKIP}us: an hour\nb\nc\n```");
        let skips: Vec<bool> = commands(&one).into_iter().map(|step| step.2).collect();
        assert_eq!(skips, [false, true, false]);
    }
}
