//! Random scripts: valid, finite, and the same for the same seed.

use super::dice::Dice;
use super::idioms;
use super::words::Words;
use crate::shell::format::Dialect;

/// The beginning of every script: values, parameters, files.
const START: &str = "\
ulimit -t 2
a=foo b='two words' c= d=path/to/foo.txt n=1 m=7 k=0 i0=0
set -- p 'q r' s
echo first line > f1.txt
printf '%s\\n' b a c > f2.txt
: > f3.txt
mkdir -p d
";

const START_OF_BASH: &str = "\
shopt -s extglob
name=b list=(foo 'x y' bar) ; declare -A table=([foo]=1 [bar]='2 3')
";

/// The end of every script: prints what it may have changed.
const END: &str = "\
printf '[%s]' \"$?\" \"$a\" \"$b\" \"$c\" \"$d\"; echo
printf '[%s]' \"$n\" \"$m\" \"$k\" \"$#\" \"$@\" \"${PWD##*/}\"; echo
cat f1.txt f2.txt f3.txt
";

const END_OF_LISTS: &str = "\
printf '[%s]' \"${list[@]}\" \"${!list[@]}\" \"${#table[@]}\" \"${table[foo]}\"; echo
";

const START_OF_KSH: &str = "\
name=b; list=(foo 'x y' bar); typeset -A table; table[foo]=1 table[bar]='2 3'
";

struct Writer {
    dice: Dice,
    dialect: Dialect,
    lines: Vec<String>,
    indent: usize,
    functions: usize,
    counters: usize,
    loops: usize,
    in_function: bool,
    in_subshell: bool,
}

/// A script in three parts, of which the first and the last are the same for all.
pub(super) struct Script {
    start: String,
    pub(super) middle: String,
    end: String,
}

impl Script {
    /// The whole, with another middle.
    pub(super) fn around(&self, middle: &str) -> String {
        format!("{}{middle}{}", self.start, self.end)
    }

    pub(super) fn text(&self) -> String {
        self.around(&self.middle)
    }
}

/// The script of a seed.
pub(super) fn script(seed: u64, dialect: Dialect) -> Script {
    let mut writer = Writer {
        dice: Dice::new(seed),
        dialect,
        lines: Vec::new(),
        indent: 0,
        functions: 0,
        counters: 0,
        loops: 0,
        in_function: false,
        in_subshell: false,
    };
    let count = writer.dice.between(4, 16);
    for _ in 0..count {
        writer.statement(3);
    }
    let (start, end) = match dialect {
        Dialect::Posix => ("", ""),
        Dialect::Bash => (START_OF_BASH, END_OF_LISTS),
        Dialect::Ksh => (START_OF_KSH, END_OF_LISTS),
    };
    Script {
        start: format!("{START}{start}"),
        middle: writer.lines.iter().map(|line| format!("{line}\n")).collect(),
        end: format!("{END}{end}"),
    }
}

impl Writer {
    fn words(&mut self) -> Words<'_> {
        Words { dice: &mut self.dice, dialect: self.dialect, depth: 2 }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.indent), text.as_ref()));
    }

    /// Statements, indented; at least one.
    fn body(&mut self, depth: usize) {
        self.indent += 1;
        for _ in 0..self.dice.between(1, 3) {
            self.statement(depth.saturating_sub(1));
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        if depth == 0 {
            return self.simple();
        }
        match self.dice.below(36) {
            24.. => {
                let text = idioms::idiom(&mut self.words());
                self.line(text);
            }
            0..=8 => self.simple(),
            9 | 10 => self.condition(depth),
            11 | 12 => self.list_loop(depth),
            13 => self.counted_loop(depth),
            14 | 15 => self.case(depth),
            16 => self.subshell(depth),
            17 => self.group(depth),
            18 | 19 => self.function(depth),
            20 => self.pipe(depth),
            21 => self.here_document(),
            22 if self.dialect != Dialect::Posix => self.extended(depth),
            _ => self.list(),
        }
    }

    /// A command on a line of its own.
    fn simple(&mut self) {
        let name = self.words().text_name();
        let number = self.words().number_name();
        let word = self.words().word();
        let words = self.words().words(3);
        let text = match self.dice.below(22) {
            0..=3 => format!("{name}={word}"),
            4 | 5 => format!("{number}=$(({}))", self.words().sum()),
            6..=9 => format!("printf '<%s>' {word} {words}; echo"),
            10 => format!("set -- {words}"),
            11 => "[ $# -gt 0 ] && shift".to_owned(),
            12 if self.functions > 0 => self.call(),
            13 => format!("{} {}", self.words().command_line(), self.redirection()),
            14 if self.loops > 0 => {
                self.dice.pick(&["break", "continue", "[ $n -gt 3 ] && break"]).to_owned()
            }
            15 if self.in_function => {
                self.dice.pick(&["return 2", "return", "local a=$b d"]).to_owned()
            }
            16 if self.in_subshell => {
                // In ksh93u+m `read` makes a newline split from then on, whatever IFS is.
                let ifs = if self.dialect == Dialect::Ksh { "cd d" } else { "IFS=o" };
                self.dice.pick(&["exit 3", "cd d", "set -f", ifs]).to_owned()
            }
            17 => format!("{name}=$({})", self.words().command()),
            18 => format!("eval '{name}=\"$'{name}'\"x'"),
            19 => format!("unset {name}"),
            20 => format!("read {name} x < f{}.txt", self.dice.between(1, 3)),
            _ => format!("echo {words}"),
        };
        self.line(text);
    }

    fn redirection(&mut self) -> String {
        let file = self.dice.between(1, 3);
        let kind = self.dice.pick(&[">", ">>", "2>/dev/null >", ">|"]);
        format!("{kind} f{file}.txt")
    }

    fn call(&mut self) -> String {
        let which = self.dice.below(self.functions);
        format!("fun{which} {}", self.words().words(2))
    }

    fn test(&mut self) -> String {
        let name = self.words().text_name();
        let word = self.words().word();
        let sum = self.words().sum();
        match self.dice.below(11) {
            0 => format!("[ \"${name}\" = \"{}\" ]", self.dice.pick(&["foo", "two words", "$b"])),
            1 => format!("[ -n \"${name}\" ]"),
            2 => format!("[ $(({sum})) -{} $n ]", self.dice.pick(&["lt", "ge", "eq", "ne"])),
            3 => format!(
                "[ -{} f{}.txt ]",
                self.dice.pick(&["f", "s", "d", "r"]),
                self.dice.below(5)
            ),
            4 => self.dice.pick(&["true", "false", "! true", ":"]).to_owned(),
            5 => format!("test $# -gt {}", self.dice.below(4)),
            6 if self.dialect != Dialect::Posix => {
                format!("[[ ${name} == {} ]]", self.words().pattern())
            }
            7 if self.dialect != Dialect::Posix => format!("(({sum}))"),
            8 if self.dialect != Dialect::Posix => format!("[[ {word} != x && -n ${name} ]]"),
            9 => format!("( {name}={word}; [ -z \"${name}\" ] )"),
            _ => format!("case {word} in {}) true;; *) false;; esac", self.words().pattern()),
        }
    }

    fn condition(&mut self, depth: usize) {
        let test = self.test();
        self.line(format!("if {test}; then"));
        self.body(depth);
        if self.dice.once_in(3) {
            let test = self.test();
            self.line(format!("elif {test}; then"));
            self.body(depth);
        }
        if self.dice.once_in(2) {
            self.line("else");
            self.body(depth);
        }
        self.line("fi");
    }

    fn list_loop(&mut self, depth: usize) {
        let name = self.words().text_name();
        let words = self.words().words(4);
        let head = match self.dice.below(4) {
            0 => format!("for {name}; do"),
            1 => format!("for {name} in \"$@\"; do"),
            _ => format!("for {name} in {words}; do"),
        };
        self.line(head);
        self.loops += 1;
        self.body(depth);
        self.loops -= 1;
        self.end_loop("done");
    }

    fn end_loop(&mut self, end: &str) {
        let text = match self.dice.below(8) {
            0 => format!("{end} {}", self.redirection()),
            1 => format!("{end} | {}", self.words().filter()),
            _ => end.to_owned(),
        };
        self.line(text);
    }

    /// A loop whose counter no other command changes, and which is increased before anything can
    /// continue.
    fn counted_loop(&mut self, depth: usize) {
        self.counters += 1;
        let counter = format!("i{}", self.counters);
        let limit = self.dice.between(1, 4);
        self.line(format!("{counter}=0"));
        let head = match self.dice.once_in(2) {
            true => format!("while [ ${counter} -lt {limit} ]; do"),
            false => format!("until [ ${counter} -ge {limit} ]; do"),
        };
        self.line(head);
        self.indent += 1;
        self.line(format!("{counter}=$(({counter} + 1))"));
        self.indent -= 1;
        self.loops += 1;
        self.body(depth);
        self.loops -= 1;
        self.end_loop("done");
    }

    fn case(&mut self, depth: usize) {
        let word = self.words().word();
        self.line(format!("case {word} in"));
        for _ in 0..self.dice.between(1, 3) {
            let mut pattern = self.words().pattern();
            if self.dice.once_in(4) {
                pattern = format!("{pattern} | {}", self.words().pattern());
            }
            self.line(format!("  {pattern})"));
            self.indent += 1;
            self.body(depth);
            let end = match self.dialect {
                Dialect::Posix => ";;",
                Dialect::Bash => self.dice.pick(&[";;", ";;", ";&", ";;&"]),
                Dialect::Ksh => self.dice.pick(&[";;", ";;", ";&"]),
            };
            self.line(end);
            self.indent -= 1;
        }
        self.line("esac");
    }

    /// Within a subshell there is no loop to break, and no function to return from.
    fn apart(&mut self, depth: usize) {
        let before = (self.loops, self.in_function, self.in_subshell);
        (self.loops, self.in_function, self.in_subshell) = (0, false, true);
        self.body(depth);
        (self.loops, self.in_function, self.in_subshell) = before;
    }

    fn subshell(&mut self, depth: usize) {
        self.line("(");
        if self.dice.once_in(4) {
            self.line("  trap 'echo leaving $a' EXIT");
        }
        self.apart(depth);
        self.end_loop(")");
    }

    fn group(&mut self, depth: usize) {
        self.line("{");
        self.body(depth);
        let target = if self.dice.once_in(2) { String::new() } else { self.redirection() };
        self.line(format!("}} {target}").trim_end());
    }

    /// A function that only calls those before it, so there is no recursion.
    fn function(&mut self, depth: usize) {
        if self.in_function || self.loops > 0 || self.in_subshell || self.indent > 0 {
            return self.simple();
        }
        let name = format!("fun{}", self.functions);
        self.line(format!("{name}() {{"));
        self.in_function = true;
        self.body(depth);
        self.in_function = false;
        self.line("}");
        self.functions += 1;
        let call = self.call();
        self.line(call);
    }

    fn pipe(&mut self, depth: usize) {
        if self.dice.once_in(2) {
            let (command, filter) = (self.words().command(), self.words().filter());
            return self.line(format!("{{ {command}; }} | {filter}"));
        }
        let filter = self.words().command_line();
        self.line(format!("{filter} | while read -r x rest; do"));
        self.apart(depth);
        self.line("done");
    }

    fn here_document(&mut self) {
        let quoted = self.dice.once_in(3);
        let name = self.words().text_name();
        let filter = self.words().filter();
        self.line(format!("{filter} <<{}", if quoted { "'E'" } else { "E" }));
        let expansion = self.words().expansion_in_text();
        // The end must stand alone on its line.
        self.lines.push(format!("text ${name} {expansion}\n  \\$x `echo b`\nE"));
    }

    fn list(&mut self) {
        let (test, other) = (self.test(), self.test());
        let (yes, no) = (self.words().command_line(), self.words().command_line());
        let text = match self.dice.below(4) {
            0 => format!("{test} && {yes}"),
            1 => format!("{test} || {no}"),
            2 => format!("{test} && {yes} || {no}"),
            _ => format!("! {{ {test}; }} && {other}; echo $?"),
        };
        self.line(text);
    }

    /// Commands that POSIX does not have.
    fn extended(&mut self, depth: usize) {
        let words = self.words().words(3);
        let word = self.words().word();
        let sum = self.words().sum();
        let number = self.words().number_name();
        let index = self.dice.below(5);
        match self.dice.below(11) {
            7..=8 if self.dialect == Dialect::Ksh => self.line(format!("print -r -- {word}")),
            0 => self.line(format!("list=({words})")),
            1 => self.line(format!("list+=({words})")),
            2 => self.line(format!("list[{}]={word}", index)),
            3 => self.line(format!("unset 'list[{}]'", index)),
            4 => self.line(format!("table[foo]+={word}")),
            5 => self.line(format!("(({number} = {sum}))")),
            6 => self.line(format!("read -r a x <<< {word}")),
            7 => self.line(format!("mapfile -t list < <(printf '%s\\n' {word} {words})")),
            8 => self.line(format!("printf -v b '%s-%5s|%03d' {word} x $n")),
            9 => {
                let found = if self.dialect == Dialect::Ksh { ".sh.match" } else { "BASH_REMATCH" };
                self.line(format!("a+={word}; [[ $a =~ ([a-z]+)([^a-z]*) ]] && b=${{{found}[2]}}"));
            }
            _ => {
                self.counters += 1;
                let counter = format!("i{}", self.counters);
                let limit = self.dice.between(1, 4);
                self.line(format!("for (({counter} = 0; {counter} < {limit}; {counter}++)); do"));
                self.loops += 1;
                self.body(depth);
                self.loops -= 1;
                self.line("done");
            }
        }
    }
}
