//! What bash, dash and ksh93 say, asked at the time.

use std::collections::HashMap;
use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::Dialect;

/// Variables that are texts, as in a shell.
pub(super) struct Texts {
    dialect: Dialect,
    names: Vec<Vec<u8>>,
    values: HashMap<(u32, Option<i64>), Vec<u8>>,
    depth: u32,
}

impl Texts {
    fn new(dialect: Dialect) -> Texts {
        Texts { dialect, names: Vec::new(), values: HashMap::new(), depth: 0 }
    }

    fn number(&mut self, key: (u32, Option<i64>)) -> Result<i64, Error> {
        let Some(text) = self.values.get(&key).cloned() else {
            return Ok(0);
        };
        if let Some(value) = parse_integer(&text, self.dialect) {
            return Ok(value);
        }
        if self.dialect == Dialect::Posix {
            return Err(Error::outside([b"Illegal number: ", &text[..]].concat()));
        }
        self.depth += 1;
        let value = evaluate_text(&text, self);
        self.depth -= 1;
        value
    }

    fn store(&mut self, key: (u32, Option<i64>), value: i64) {
        self.values.insert(key, value.to_string().into_bytes());
    }
}

impl Variables for Texts {
    fn get(&mut self, slot: Slot) -> Result<i64, Error> {
        self.number((slot.0, None))
    }
    fn set(&mut self, slot: Slot, value: i64) -> Result<(), Error> {
        self.store((slot.0, None), value);
        Ok(())
    }
    fn get_element(&mut self, slot: Slot, subscript: &Subscript) -> Result<i64, Error> {
        let index = Some(subscript.index(self)?).filter(|index| *index != 0);
        self.number((slot.0, index))
    }
    fn set_element(&mut self, slot: Slot, at: &Subscript, value: i64) -> Result<(), Error> {
        let index = Some(at.index(self)?).filter(|index| *index != 0);
        self.store((slot.0, index), value);
        Ok(())
    }
    fn change_element(
        &mut self,
        slot: Slot,
        subscript: &Subscript,
        change: &mut dyn FnMut(&mut Self, i64) -> Result<i64, Error>,
    ) -> Result<i64, Error> {
        let index = Some(subscript.index(self)?).filter(|index| *index != 0);
        let old = self.number((slot.0, index))?;
        let new = change(self, old)?;
        self.store((slot.0, index), new);
        Ok(old)
    }
    fn placeholder(&mut self, number: u32) -> Result<i64, Error> {
        Ok(i64::from(number))
    }
    fn slot(&mut self, name: &[u8]) -> Slot {
        let at = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_vec());
            self.names.len() - 1
        });
        Slot(at as u32)
    }
    fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// One text with x=4, y=7, e empty, t="x + 1", z=010: its value and what x is then, or the
/// message.
fn ours(text: &str, dialect: Dialect) -> String {
    let mut texts = Texts::new(dialect);
    for (name, value) in [("x", "4"), ("y", "7"), ("e", ""), ("z", "010")] {
        let slot = texts.slot(name.as_bytes());
        texts.values.insert((slot.0, None), value.into());
    }
    let value = evaluate_text(text.as_bytes(), &mut texts);
    match value {
        Ok(value) => {
            let x = texts.number((0, None)).map(|x| x.to_string()).unwrap_or_default();
            format!("{value} {x}")
        }
        Err(error) => {
            let message = error.message(text.as_bytes(), &[], dialect);
            format!("!{}", String::from_utf8_lossy(&message))
        }
    }
}

/// What the shell says of all these texts.
fn theirs(shell: &str, texts: &[String]) -> Vec<String> {
    let mut script = String::from("x=4 y=7 e= z=010\n");
    for text in texts {
        let text = text.replace('\'', "'\\''");
        script.push_str(&format!("(eval 'r=$(( {text})); echo \"$r $x\"')\necho ---\n"));
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s");
    std::fs::write(&path, script).unwrap();
    let out = Command::new(shell)
        .args(["-c", ". \"$0\" 2>&1"])
        .arg(&path)
        .current_dir(dir.path())
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut answers: Vec<String> = out.split("---\n").map(|s| s.trim_end().to_string()).collect();
    answers.pop();
    answers
}

/// `wording`: whether messages are to be the same as well.
fn agrees(shell: &str, dialect: Dialect, texts: &[String], wording: bool) {
    let answers = theirs(shell, texts);
    assert_eq!(answers.len(), texts.len(), "{shell} stopped after {:?}", answers.last());
    let mut wrong = Vec::new();
    for (text, answer) in texts.iter().zip(answers) {
        // An answer with a message has its place before it.
        let mine = ours(&format!(" {text}"), dialect);
        let good = match mine.strip_prefix('!') {
            Some(_) if !wording => answer.contains(": "),
            Some(message) if message.contains("floating point is not") => true,
            Some(message) => answer.ends_with(message.trim_start()),
            None => answer == mine,
        };
        if !good {
            wrong.push(format!("{text:?}\n  {shell}: {answer}\n  ours: {mine}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        texts.len(),
        wrong[..wrong.len().min(9)].join("\n")
    );
}

/// Between ` ;; ` and ends of lines.
const TEXTS: &str = r"
1 + ;; 1/0 ;; 1%0 ;; 5 / (3-3) ;; 08 ;; 0x ;; 2#2 ;; 1 2 ;; a b ;; ++ ;; 1 ? 2 ;; 1 = 2
x =  ;; 99999999999999999999 ;; 64#_@ ;; 37#a ;; 36#Z ;; 62#zZ ;; 1#0 ;; 65#1 ;; 0x1g
2**3**2 ;; 2**-1 ;; -2**2 ;; !1+1 ;; 1,2 ;; ,1 ;; 1<<64 ;; 1<<-1 ;; 1<<65 ;; -1>>1
9223372036854775807 ;; 9223372036854775807+1 ;; 0x7fffffffffffffff ;; 0xffffffffffffffff
3 ? 4 , 5 : 6 ;; 1?2:3?4:5 ;; +-+3 ;; --x ;; ---x ;; x++ + ++x ;; x++++x ;; 4--3 ;; 5++3
1.5 ;; 010#5 ;; 'a' ;; 16#ff ;; 1e3 ;; x=5, y=x*2 ;; 0 && 1/0 ;; 1 || 1/0 ;; 1?2:1/0 ;; a[1
7=2 ;; x+= ;; ~0 ;; 1 == 1 != 0 ;; 1<2<3 ;; 2#101 ;; @ ;; 1 ? x=2 : (x=3) ;; 1 ? 2 : x=3
0777 ;; 019 ;; 0x1_0 ;; !x ;; - 3 ;; !-!3 ;; x = y = 3 ;; 1 &&& 1 ;; 2*-3 ;; --3 ;; ++3
3-- ;; x--1 ;; - -3 ;; 10 % 3 * 2 ;; 1|2^3&4 ;; x==y ;; 1 < ;; 1 \ 2 ;; 0b11 ;; 09 ;; 3#3
1:2 ;; ? ;; 1;2 ;; { ;; 1+x=3 ;; x += (x=5) ;; x + (x=5) ;; 3 > 2 == 1 ;; 1 << 2 + 1
6 & 3 == 3 ;; 2# ;; 1 + 08 + 2 ;; z ;; z + 1 ;; e + 1 ;; a[1]=5, a[1]++ + a[1]
a[x++]=5, a[x++] += 3, x ;; x=1?2:3 ;; 1 ? 2 : 3 , 4 ;; a[x]=x++, a[4] ;; a[1/0] ;; a[1+]
a[a[a[0]]] ;; x *= y -= 2 ;; x <<= 2, x >>= 1 ;; x %= 3 ;; x ^= 1 ;; x |= 3 ;; x &= 6
x /= 0 ;; x **= 2 ;; (x) = 3 ;; (x)++ ;; x[0] = 9 ;; x =+ 3 ;; x-- ;; --x + x ;; x---1
((((x)))) ;; (1,2) ;; 1 ? : 2 ;; x ? y : 0 ;; x&&y||0 ;; !!x ;; ~-x ;; 1 == 2 ? 3 : 4 == 4
-9223372036854775807 - 1 ;; 5 % -3 ;; -5 / 2 ;; x y ;; x ++ ;; ++ x ;; 0 ? x++ : y
0 && x++ ;; x > y ? x : y ;; 1 , , 2 ;; () ;; 1 () ;; x () ;; 3 ! ;; !=3 ;; x !y ;; 1 <<< 2
1 >>> 2 ;; 1 === 1 ;; x => 2 ;; 1 ** 2 ;; 2 ** 62 ;; 2 ** 64 ;; 3 ** 40 * 3 ;; x[1] ;; $
x $ ;; 1 ] ;; [1] ;; x+++1 ;; x ? 1 : x ? 2 : 3 ;; x=0x ;; y=x=8,y ;; _a1 + 1 ;; 1_0 ;; 0_1
";

fn texts() -> Vec<String> {
    let all = TEXTS.lines().skip(1).flat_map(|line| line.split(" ;; "));
    all.map(String::from).collect()
}

#[test]
fn bash_says_the_same() {
    let texts = texts();
    agrees("bash", Dialect::Bash, &texts, true);
}

#[test]
fn dash_says_the_same() {
    let texts = texts();
    agrees("dash", Dialect::Posix, &texts, true);
}

#[test]
fn ksh_says_the_same() {
    // The first two it does not read as arithmetic; the last two are its own: a base that is
    // none, and a subscript's subscript that is unset.
    let other = ["a[1", "1:2", "65#1", "a[a[a[0]]]"];
    let mut texts = texts();
    texts.retain(|text| !other.contains(&&**text));
    agrees("ksh93", Dialect::Ksh, &texts, true);
}

const PIECES: &str = "x y z e 0 1 2 3 7 12 + - * / % ** << >> < <= > >= == != & ^ | && || ? : \
    ?1: = += -= (x) (y-1) ! ~ , ++ -- 0x1f a[x] _x_";

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 0, ..Default::default() }
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn random_texts_get_the_same_answers(
        texts in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(PIECES.split_whitespace().collect::<Vec<_>>()),
                1..9,
            ),
            200,
        ),
    ) {
        let texts: Vec<String> =
            texts.iter().map(|parts| parts.concat().replace('_', " ")).collect();
        agrees("bash", Dialect::Bash, &texts, false);
        agrees("dash", Dialect::Posix, &texts, false);
    }
}

#[test]
fn holes_are_numbers_or_the_text_is_read_again() {
    let mut slot = |_: &[u8]| Slot(0);
    let mut read = |text: &str| {
        let pieces: Vec<&str> = text.split('$').collect();
        let mut parts = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            if at > 0 {
                parts.push(Part::Placeholder(at as u32));
            }
            parts.push(Part::Text(piece.as_bytes()));
        }
        parse(&parts, Dialect::Bash, &mut slot).map_err(|error| error.kind())
    };
    for text in
        ["1$", "$x", "$$", "16#$", "1 $ 2", "$ $", "$=1", "a$[1]", "$[1]", "a[1", "$.5", "$ ("]
    {
        let textual = if text == "a[1" { Kind::BadSubscript } else { Kind::Textual };
        assert_eq!(read(text), Err(textual), "{text}");
    }
    let placeholders = |text: &str, texts: &mut dyn FnMut(&str) -> Result<Expression, Kind>| {
        texts(text).map(|read| read.placeholders().to_vec()).unwrap_or_default()
    };
    let sum = placeholders("$ + x-$", &mut read);
    assert_eq!(sum[0].number(b"-5", Dialect::Bash), Some(-5));
    assert_eq!(sum[1].number(b"-5", Dialect::Bash), None, "x--5 is no difference");
    assert_eq!(sum[1].number(b"-5", Dialect::Posix), Some(-5), "but in dash");
    assert_eq!(sum[1].number(b"5", Dialect::Bash), Some(5));
    for text in ["", "x", "1+2", "1 2", "08", "-"] {
        assert_eq!(sum[0].number(text.as_bytes(), Dialect::Bash), None, "{text:?}");
    }
    let key = placeholders("a[$]++", &mut read);
    assert_eq!((key.len(), key[0].subscript_of), (1, Some(Slot(0))));
    assert_eq!(placeholders("a[x $ /]++", &mut read).len(), 1, "an associative array's key");
}

#[test]
fn what_is_too_deep_is_an_error_and_not_a_crash() {
    let run = |text: String| ours(&text, Dialect::Bash);
    assert_eq!(run(format!("{}7{}", "(".repeat(5_000), ")".repeat(5_000))), "7 4");
    for text in ["(", "-x+", "!", "x?", "x=", "a[", "1?x:", "x**", "~(", "x+"] {
        let said = run(text.repeat(50_000) + "x");
        assert!(said.starts_with('!'), "{text}");
        let said = run(text.repeat(3_000) + "x");
        assert!(!said.contains("level exceeded"), "{text}");
    }
    let nested = |levels: usize| "a[".repeat(levels) + "0" + &"]".repeat(levels);
    assert_eq!(run(nested(200)), "0 4");
    assert!(run(nested(20_000)).contains("level exceeded"));
    let sum = "1+".repeat(200_000) + "1";
    assert_eq!(run(sum), "200001 4");
}
