//! Text files with an exact number of bytes and lines: what a line reader works on.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::names::WORDS;
use super::random::Random;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    /// Whether there is more than ASCII in it.
    pub(crate) foreign: bool,
    /// How many lines are not UTF-8.
    pub(crate) invalid: u64,
    pub(crate) seed: u64,
}

const ASCII: Text = Text { name: "", bytes: 0, lines: 0, foreign: false, invalid: 0, seed: 0 };

pub(crate) const TEXTS: &[Text] = &[
    Text { name: "log-26MB", bytes: 26_000_000, lines: 76_560, seed: 26, ..ASCII },
    Text { name: "log-1GB", bytes: 1_000_000_000, lines: 2_944_640, seed: 1_000, ..ASCII },
    Text {
        name: "utf8-100MB",
        bytes: 100_000_000,
        lines: 500_000,
        foreign: true,
        invalid: 3,
        seed: 100,
    },
    Text { name: "utf8-26MB", bytes: 26_000_000, lines: 130_000, foreign: true, seed: 27, ..ASCII },
    Text { name: "lines-1M", bytes: 24_000_000, lines: 1_000_000, seed: 24, ..ASCII },
    Text { name: "no-lines", ..ASCII },
];

/// Bytes that no UTF-8 has: past the last code point, an overlong slash, half of a pair, a sequence
/// that is cut short.
const WRONG: &[&[u8]] = &[b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe2\x82"];

/// Words of more than ASCII, of two, three and four bytes a character.
const FOREIGN: &[&str] = &[
    "größer", "naïve", "café", "señor", "łódź", "привет", "мир", "данные", "αρχείο", "λόγος",
    "שלום", "مرحبا", "日本語", "東京", "文件", "系统", "한국어", "파일", "हिन्दी", "ไทย", "€", "→",
    "🦀", "🚀",
];

impl Text {
    /// The numbers of the lines that are not UTF-8, from 1.
    pub(crate) fn invalid_lines(&self) -> impl Iterator<Item = u64> {
        (1..=self.invalid).map(|which| self.lines * which / (self.invalid + 1))
    }

    pub(crate) fn make(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(1 << 18, File::create_new(path)?);
        self.write(&mut file)?;
        file.flush()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut random = Random::new(self.seed);
        let mut wrong = self.invalid_lines().zip(WRONG.iter().cycle()).peekable();
        let mut bytes_left = self.bytes;
        let mut line = Vec::new();
        for number in 1..=self.lines {
            // Half of the mean to one and a half, until the last line takes what is left.
            let lines_left = self.lines - number + 1;
            let mean = (bytes_left / lines_left) as u32;
            let length = match lines_left {
                1 => bytes_left as usize,
                _ => random.between(mean / 2, mean + mean / 2) as usize,
            };
            self.fill(&mut line, number, length - 1, &mut random);
            if let Some((_, bytes)) = wrong.next_if(|(at, _)| *at == number) {
                // Within the date, which is ASCII.
                line[..bytes.len()].copy_from_slice(bytes);
            }
            line.push(b'\n');
            out.write_all(&line)?;
            bytes_left -= length as u64;
        }
        Ok(())
    }

    /// One line of a log with exactly so many bytes, at least 60.
    fn fill(&self, line: &mut Vec<u8>, number: u64, length: usize, random: &mut Random) {
        line.clear();
        let (day, second) = (number / 86_400 % 28 + 1, number % 86_400);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        let thousandth = random.below(1_000);
        let level = random.pick(&["INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"]);
        // Writing to a Vec does not fail.
        let _ = write!(
            line,
            "2026-02-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandth:03}Z {level}"
        );
        while line.len() < length {
            let foreign = self.foreign && random.once_in(3);
            let word = random.pick(if foreign { FOREIGN } else { WORDS });
            if line.len() + 1 + word.len() > length {
                line.resize(length, b'.');
                return;
            }
            line.push(b' ');
            line.extend_from_slice(word.as_bytes());
        }
        line.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::write::Hash;

    fn written(text: &Text) -> Vec<u8> {
        let mut bytes = Vec::new();
        text.write(&mut bytes).expect("a Vec takes everything");
        bytes
    }

    #[test]
    fn the_log_never_changes() {
        let log = written(&TEXTS[0]);
        assert_eq!(log.len(), 26_000_000);
        assert_eq!(log.iter().filter(|&&byte| byte == b'\n').count(), 76_560);
        assert!(log.is_ascii() && log.ends_with(b"\n"));
        let mut hash = Hash::default();
        hash.take(&log);
        assert_eq!(hash.0, 0x892e_e7bf_82aa_a442, "the text changed: raise MAKER");
    }

    #[test]
    fn what_shall_be_utf8_is() {
        let text = Text { bytes: 200_000, lines: 1_000, ..TEXTS[3] };
        let bytes = written(&text);
        assert!(std::str::from_utf8(&bytes).is_ok() && !bytes.is_ascii());
    }

    #[test]
    fn exactly_the_promised_lines_are_not_utf8() {
        let text = Text { bytes: 200_000, lines: 1_000, invalid: 4, ..TEXTS[2] };
        let bytes = written(&text);
        let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
        let invalid = lines.filter(|(line, _)| std::str::from_utf8(line).is_err());
        let invalid: Vec<u64> = invalid.map(|(_, number)| number).collect();
        assert_eq!(invalid, [200, 400, 600, 800]);
        assert!(!bytes.is_ascii() && bytes.len() == 200_000);
    }
}
