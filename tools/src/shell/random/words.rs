//! Random words, patterns and arithmetic. Names `a` to `d` hold text, `n`, `m` and `k` numbers,
//! always; in bash `list` is an array and `table` an associative one.

use super::dice::Dice;
use crate::shell::format::Dialect;

const TEXTS: [&str; 4] = ["a", "b", "c", "d"];
const NUMBERS: [&str; 3] = ["n", "m", "k"];
const LITERALS: [&str; 14] = [
    "foo", "bar", "x", "a.b.c", "one", "f1.txt", "path/to/it", "x=y", "-v", "12", "foobar", "a:b",
    "%", "end",
];
const QUOTED: [&str; 12] =
    ["two words", " lead", "trail ", "", "*", "a  b", "$x", "it", "q?", "[a]", "semi;colon", "#"];
const PATTERNS: [&str; 16] = [
    "*", "?", "a*", "*b", "*o*", "[a-c]*", "[!x]*", "f*.txt", "*.*", "foo", "??", "*[0-9]*", "''",
    "o", "*/", "t*o",
];
const EXTENDED: [&str; 6] = ["+(o)", "@(foo|bar)", "?(f)oo", "*(a|b)", "!(foo)", "+([a-z])"];

pub(super) struct Words<'a> {
    pub(super) dice: &'a mut Dice,
    pub(super) dialect: Dialect,
    /// How much deeper expansions may nest.
    pub(super) depth: usize,
}

impl Words<'_> {
    fn is_extended(&self) -> bool {
        self.dialect != Dialect::Posix
    }

    fn deeper<T>(&mut self, make: impl FnOnce(&mut Words) -> T) -> T {
        self.depth = self.depth.saturating_sub(1);
        let made = make(self);
        self.depth += 1;
        made
    }

    pub(super) fn text_name(&mut self) -> &'static str {
        self.dice.pick(&TEXTS)
    }

    pub(super) fn number_name(&mut self) -> &'static str {
        self.dice.pick(&NUMBERS)
    }

    /// A word of a command.
    pub(super) fn word(&mut self) -> String {
        let parts = if self.dice.once_in(3) { self.dice.between(2, 3) } else { 1 };
        (0..parts).map(|_| self.part()).collect()
    }

    pub(super) fn words(&mut self, most: usize) -> String {
        let count = self.dice.below(most + 1);
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn part(&mut self) -> String {
        match self.dice.below(12) {
            0..=2 => self.dice.pick(&LITERALS).to_owned(),
            3 => format!("'{}'", self.dice.pick(&QUOTED)),
            4..=6 => format!("\"{}\"", self.inside()),
            7 | 8 => self.expansion(false),
            9 if self.is_extended() => self.extended(),
            10 => {
                self.dice.pick(&["*.txt", "f?.txt", "\\*", "\\ ", "~root", "[f]1.txt"]).to_owned()
            }
            _ => self.expansion(false),
        }
    }

    pub(super) fn literal(&mut self) -> &'static str {
        self.dice.pick(&LITERALS)
    }

    /// Text between double quotes.
    pub(super) fn inside(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.dice.below(4) {
            match self.dice.below(5) {
                0 => text
                    .push_str(self.dice.pick(&["foo", " ", "x y", "*", "'", "\\$", "\\\"", "~"])),
                1 => text.push_str(self.dice.pick(&["$#", "$?", "$*", "$1", "${2}", "$@"])),
                _ => text.push_str(&self.expansion(true)),
            }
        }
        text
    }

    /// Text in braces between double quotes, where each shell reads quotes in its own way.
    fn plain(&mut self) -> String {
        let depth = std::mem::take(&mut self.depth);
        let text = self.inside().replace("\\$", "").replace(['"', '\'', '\\'], "");
        self.depth = depth;
        text
    }

    /// Text in braces outside of quotes.
    fn within(&mut self) -> String {
        let word = self.deeper(|words| words.word());
        let is_misread = match self.dialect {
            // dash skips `~root${a}f` to the end of the word when it only parses it.
            Dialect::Posix => word.starts_with("~root$"),
            Dialect::Bash => false,
            // ksh93u+m loses count of quotes with substitutions in them when it only parses them
            // (`${a:-"$m""$(cd d; printf '%s' ${b})$b"${c}}'#'`, with `a` set); `""` there is
            // sometimes a word and sometimes none.
            Dialect::Ksh => word.contains("\"\"") || word.contains("''") || word.contains("$("),
        };
        if is_misread { self.plain() } else { word }
    }

    fn expansion(&mut self, quoted: bool) -> String {
        let name = self.text_name();
        if self.depth == 0 {
            return format!("${{{name}}}");
        }
        match self.dice.below(14) {
            0..=2 => format!("${name}"),
            3 => format!("${{#{name}}}"),
            4 => {
                let operator = self.dice.pick(&[":-", "-", ":+", "+", ":=", "="]);
                let word = if quoted { self.plain() } else { self.within() };
                format!("${{{name}{operator}{word}}}")
            }
            5 | 6 => {
                let operator = self.dice.pick(&["#", "##", "%", "%%"]);
                format!("${{{name}{operator}{}}}", self.dice.pick(&PATTERNS))
            }
            7 => format!("$(({}))", self.deeper(|words| words.sum())),
            8 => format!("${}", self.number_name()),
            9 => self.dice.pick(&["$1", "$2", "$#", "$*", "${1-none}", "$?"]).to_owned(),
            10 | 11 => format!("$({})", self.deeper(|words| words.command())),
            12 if !quoted => {
                format!("`{}`", self.dice.pick(&["echo in", "echo $a", "true", "pwd >&2"]))
            }
            _ if self.is_extended() => self.deeper(|words| words.extended()),
            _ => format!("${{{name}}}"),
        }
    }

    /// Expansions that POSIX does not have; they may stand in double quotes as well.
    fn extended(&mut self) -> String {
        let name = self.text_name();
        let pattern = match self.dice.once_in(3) {
            true => self.dice.pick(&EXTENDED),
            false => self.dice.pick(&PATTERNS),
        };
        match self.dice.below(12) {
            // 3: ksh93u+m reads what is not its own; 4 and 11 it does not have, or means otherwise.
            3 | 4 | 11 if self.dialect == Dialect::Ksh => format!("${{{name}%%{pattern}}}"),
            0 => format!(
                "${{{name}/{}/{}}}",
                pattern.replace('/', "\\/"),
                self.dice.pick(&["X", "", "$b"])
            ),
            1 => format!("${{{name}//{}/_}}", pattern.replace('/', "\\/")),
            2 => format!("${{{name}:{}:{}}}", self.dice.below(5), self.dice.below(4)),
            3 => format!("${{{name}: -{}}}", self.dice.between(1, 4)),
            4 => format!("${{{name}{}}}", self.dice.pick(&["^", "^^", ",", ",,", "@Q", "@U"])),
            5 => format!("${{list[{}]}}", self.dice.below(4)),
            6 => self
                .dice
                .pick(&["${list[@]}", "${list[*]}", "${#list[@]}", "${!list[@]}"])
                .to_owned(),
            7 => self
                .dice
                .pick(&["${list[@]:1}", "${list[@]/o/0}", "${list[-1]-}", "${@:2}"])
                .to_owned(),
            8 => self.dice.pick(&["${table[foo]}", "${table[$a]-none}", "${#table[@]}"]).to_owned(),
            9 => self.dice.pick(&["{x,y}", "{1..3}", "a{b,c}d", "{a..c}"]).to_owned(),
            10 => format!("${{{name}#{pattern}}}"),
            _ => format!("${{!{}}}", self.dice.pick(&["name", "name-", "name:-x"])),
        }
    }

    /// A simple command that prints something, on one line.
    pub(super) fn command(&mut self) -> String {
        let word = self.deeper(|words| words.word());
        match self.dice.below(13) {
            0..=3 => format!("printf '%s\\n' {word}"),
            4 => format!("printf '<%s>' {}", self.words(3)),
            5 => format!("{}={word}; echo \"${}\"", "a", "a"),
            6 => format!("cd d && printf '%s\\n' {word}"),
            7 => format!("basename x{word} .txt"),
            8 => format!("cat f{}.txt", self.dice.between(1, 3)),
            9 => format!("seq {}", self.dice.below(5)),
            10 => format!("exit {}", self.dice.below(4)),
            11 => "for w in x y; do echo $w; done".to_owned(),
            _ => format!("printf '%s\\n' a b c | {}", self.filter()),
        }
    }

    /// The same, fit for a list or a pipe: one command.
    pub(super) fn command_line(&mut self) -> String {
        let word = self.word();
        match self.dice.below(4) {
            0 => format!("( {} )", self.command()),
            1 => format!("echo {}", self.words(3)),
            _ => format!("printf '%s\\n' {word}"),
        }
    }

    /// An expansion within a here-document.
    pub(super) fn expansion_in_text(&mut self) -> String {
        self.expansion(true)
    }

    /// A command that reads the output of the one before it in a pipe.
    pub(super) fn filter(&mut self) -> String {
        match self.dice.below(10) {
            0 => "cat".to_owned(),
            1 => "tr a-m A-M".to_owned(),
            2 => "sort".to_owned(),
            // To the end: how far a writer gets after its reader has gone differs from run to run.
            3 => format!("{{ head -n {}; cat > /dev/null; }}", self.dice.between(1, 3)),
            4 => format!("tail -n {}", self.dice.between(1, 3)),
            5 => "wc -l".to_owned(),
            6 => "cut -c1-3".to_owned(),
            7 => "sed 's/o/0/'".to_owned(),
            8 => "while read -r x y; do echo \"$y,$x\"; done".to_owned(),
            _ => "{ read x; echo \"[$x]\"; cat; }".to_owned(),
        }
    }

    pub(super) fn pattern(&mut self) -> String {
        match self.dice.below(6) {
            0 => format!("\"${}\"", self.text_name()),
            1 => format!("${}", self.text_name()),
            2 if self.is_extended() => self.dice.pick(&EXTENDED).to_owned(),
            _ => self.dice.pick(&PATTERNS).to_owned(),
        }
    }

    /// An arithmetic expression. What is divided by is never zero.
    pub(super) fn sum(&mut self) -> String {
        if self.depth == 0 || self.dice.once_in(3) {
            return match self.dice.below(3) {
                0 => self.number_name().to_owned(),
                1 => format!("${}", self.number_name()),
                _ => self.dice.below(20).to_string(),
            };
        }
        let left = self.deeper(|words| words.sum());
        let right = self.deeper(|words| words.sum());
        match self.dice.below(12) {
            0 | 1 => format!("{left} + {right}"),
            2 => format!("{left} - ({right})"),
            3 => format!("({left}) * {right}"),
            4 => format!("({left}) / {}", self.dice.between(1, 9)),
            5 => format!("({left}) % {}", self.dice.between(1, 9)),
            6 => {
                format!("({left} {} {right})", self.dice.pick(&["<", "<=", ">", ">=", "==", "!="]))
            }
            7 => format!("({left} {} {right})", self.dice.pick(&["&&", "||", "&", "|", "^"])),
            8 => format!("({left} ? {right} : {})", self.dice.below(9)),
            9 => format!("({} = {right})", self.number_name()),
            // ksh knows a -0.
            10 => format!("{}({left})", self.dice.pick(&["!", "~", "0 - ", "+"])),
            _ if self.is_extended() => {
                let name = self.number_name();
                self.dice.pick(&["{}++", "++{}", "{}--", "{} ** 2"]).replace("{}", name)
            }
            _ => format!("(({left}) << {})", self.dice.below(5)),
        }
    }
}
