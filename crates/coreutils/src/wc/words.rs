//! Words and characters, counted block by block.

/// How an ASCII byte counts for words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Ends a word.
    Blank,
    /// Is part of a word.
    Shown,
    /// Is neither: it does not make a word, nor does it end one.
    Neither,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Neither; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        classes[byte as usize] = Class::Shown;
        byte += 1;
    }
    classes[b' ' as usize] = Class::Blank;
    let mut byte = b'\t';
    while byte <= b'\r' {
        classes[byte as usize] = Class::Blank;
        byte += 1;
    }
    classes
};

/// What was counted so far.
pub(super) struct Words {
    utf8: bool,
    words: u64,
    characters: u64,
    /// Whether a word has begun.
    within: bool,
    /// A character that a block ended in.
    begun: Vec<u8>,
}

impl Words {
    pub(super) fn new(utf8: bool) -> Words {
        Words { utf8, words: 0, characters: 0, within: false, begun: Vec::new() }
    }

    /// A word that has begun is one, even if nothing ends it.
    pub(super) fn words(&self) -> u64 {
        self.words + u64::from(self.within)
    }

    pub(super) fn characters(&self) -> u64 {
        self.characters
    }

    pub(super) fn count(&mut self, block: &[u8]) {
        let mut block = block;
        while !self.begun.is_empty()
            && let Some((&byte, rest)) = block.split_first()
        {
            // At most four bytes are waiting for another.
            self.begun.push(byte);
            block = rest;
            let whole = std::mem::take(&mut self.begun);
            self.pieces(&whole);
        }
        self.pieces(block);
    }

    fn pieces(&mut self, mut block: &[u8]) {
        while let Some(&first) = block.first() {
            if first < 0x80 || !self.utf8 {
                block = self.plain(block);
                continue;
            }
            match first_character(block) {
                Ok((character, length)) => {
                    self.characters += 1;
                    self.class(class(character));
                    block = &block[length..];
                }
                // What is no character does not count, and ends nothing.
                Err(false) => block = &block[1..],
                Err(true) => {
                    self.begun.extend_from_slice(block);
                    return;
                }
            }
        }
    }

    /// Takes the bytes in front that are characters by themselves.
    fn plain<'b>(&mut self, block: &'b [u8]) -> &'b [u8] {
        let end = match self.utf8 {
            true => block.iter().position(|&byte| byte >= 0x80).unwrap_or(block.len()),
            false => block.len(),
        };
        let (plain, rest) = block.split_at(end);
        let mut within = self.within;
        for &byte in plain {
            let class = CLASSES[usize::from(byte)];
            self.words += u64::from(within & (class == Class::Blank));
            within = (within & (class != Class::Blank)) | (class == Class::Shown);
        }
        self.within = within;
        self.characters += plain.len() as u64;
        rest
    }

    fn class(&mut self, class: Class) {
        match class {
            Class::Shown => self.within = true,
            Class::Blank => self.words += u64::from(std::mem::take(&mut self.within)),
            Class::Neither => {}
        }
    }
}

/// The number of the character that the text begins with, and its length; else whether it only is
/// too short for it. The C library goes further than Unicode does.
fn first_character(text: &[u8]) -> Result<(u32, usize), bool> {
    let (length, least, bits) = match text.first() {
        Some(first @ 0xc2..=0xdf) => (2, 0x80, first & 0x1f),
        Some(first @ 0xe0..=0xef) => (3, 0x800, first & 0xf),
        Some(first @ 0xf0..=0xf7) => (4, 0x1_0000, first & 7),
        Some(first @ 0xf8..=0xfb) => (5, 0x20_0000, first & 3),
        _ => return Err(false),
    };
    let mut number = u32::from(bits);
    for place in 1..length {
        match text.get(place) {
            Some(byte @ 0x80..=0xbf) => number = number << 6 | u32::from(byte & 0x3f),
            Some(_) => return Err(false),
            None => return Err(true),
        }
    }
    let wrong = number < least || (0xd800..0xe000).contains(&number);
    if wrong { Err(false) } else { Ok((number, length)) }
}

/// As the C library has it. Doubt: characters that Unicode has not assigned are shown here, and
/// neither there; words are not made of nothing else.
fn class(number: u32) -> Class {
    match char::from_u32(number) {
        None | Some('\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}') => Class::Neither,
        // These do not break a line, but a word.
        Some('\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{2060}') => Class::Blank,
        Some(character) if character.is_whitespace() => Class::Blank,
        Some(_) => Class::Shown,
    }
}
