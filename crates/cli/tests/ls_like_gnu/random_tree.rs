//! Random trees with what listings get wrong.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::chance::Chance;
use crate::tree::{Moment, Node, Tree, What};

/// Half of a Gregorian year, after which a date is shown with its year.
const SIX_MONTHS: i64 = 31_556_952 / 2;

#[rustfmt::skip]
const NAMES: &[&[u8]] = &[
    b"a", b"b", b"B", b"c.txt", b"a b", b" lead", b"trail ", b"it's", b"say \"hi\"", b"'", b"\"",
    b"both'\"", b"new\nline", b"tab\there", b"cr\rhere", b"\x01\x02", b"esc\x1b[31mred",
    b"del\x7f", b"\xff\xfe", b"latin\xe9", "é".as_bytes(), "日本語".as_bytes(),
    "e\u{301}".as_bytes(), "a\u{200b}b".as_bytes(), "\u{202e}rtl".as_bytes(),
    "\u{1f600}".as_bytes(), b"-l", b"--help", b"-", b"...", b"..d", b".hidden", b".h~",
    b"back\\slash", b"~", b"~user", b"#x#", b"#", b"file.bak~", b"a~", b"$HOME", b"a$b", b"`id`",
    b"*", b"?", b"[a]", b"{a,b}", b"a=b", b"=a", b"a:b", b"a,b", b"a;b", b"a|b", b"a&b", b"<a>",
    b"(a)", b"!a", b"a!", b"%41", b"a#b", b"a^b", b"a+b", b"a@b", b"a1.9", b"a1.10", b"a1.010",
    b"a01", b"a1", b"a2", b"a10", b"a001.5", b"x-1.2.tar.gz", b"x-1.10.tar.gz", b"x-1.2.tar",
    b"x-1.2~rc1", b"x-1.2", b"x_1.2", b"x.1.2", b"v1.0.0", b"v1.0.0-a", b"1", b"01", b"001", b"2",
    b"10", b"a.", b"a..", b".a.b", b"a.b.c", b"noext", b"z.c", b"a.c", b"m.C", b"x.tar.gz",
    b"p.png", b"s.sh", b"readme.md", b"x.TAR.GZ", b"core", b"Makefile", b"a.b~", b"a.1~2~",
    b"a.1~", b"a0", b"a00", b"a0a", b"a.0", b"\x80", b"a\xc3", b"\xed\xa0\x80", b"\xc2\x85",
    b"\xc2\xa0", "ä.ö".as_bytes(), b"z", b"a\\nb", b"\\", b"''", b"a\x08b", b"\x07", b"\x0b\x0c",
];

const MODES: &[u32] = &[0o644, 0o755, 0o600, 0o000, 0o777, 0o444, 0o111, 0o640, 0o7777, 0o1777];

#[rustfmt::skip]
const SIZES: &[u64] = &[
    0, 1, 9, 10, 99, 100, 511, 512, 513, 999, 1000, 1001, 1023, 1024, 1025, 9_999, 10_000, 10_137,
    10_188, 10_189, 10_239, 10_240, 99_999, 100_000, 101_888, 999_949, 999_950, 999_999,
    1_000_000, 1_022_976, 1_023_999, 1_047_552, 1_048_575, 1_048_576, 1_048_577, 9_961_472,
    9_999_999, 10_433_331, 10_485_760, 1 << 30, (1 << 30) - 1, 1 << 40, 3 << 40,
    (1 << 42) + 12_345, 1 << 50, (1 << 60) + 1, i64::MAX as u64 - 4096,
];

const USERS: &[u32] = &[0, 0, 1, 2, 8, 33, 65_534, 1_234, 12_345_678, 4_000_000_000];
const GROUPS: &[u32] = &[0, 0, 4, 5, 20, 27, 65_534, 2_345, 87_654_321, 4_294_967_294];

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Some ten entries, in up to three levels; now and then very many.
pub(crate) fn tree(chance: &mut Chance, root: bool) -> Tree {
    let mut growing = Growing { nodes: Vec::new(), now: now(), root, chance, links_to_folders: 2 };
    growing.fill(b"", 0);
    Tree(growing.nodes)
}

struct Growing<'a> {
    nodes: Vec<Node>,
    now: i64,
    root: bool,
    chance: &'a mut Chance,
    /// Listings that follow links grow with their factorial.
    links_to_folders: usize,
}

impl Growing<'_> {
    fn fill(&mut self, folder: &[u8], depth: usize) {
        let count = match self.chance.below(12) {
            0 => 0,
            1 if depth == 0 => 20 + self.chance.below(120),
            _ => 1 + self.chance.below(if depth == 0 { 14 } else { 5 }),
        };
        let mut names: Vec<Vec<u8>> = (0..count).map(|_| self.name()).collect();
        names.sort();
        names.dedup();
        // Not made in the order of names, so that an unsorted listing differs.
        for at in (1..names.len()).rev() {
            names.swap(at, self.chance.below(at + 1));
        }
        for name in &names {
            let path = [folder, name].concat();
            let what = self.what(&names, depth);
            let is_folder = what == What::Directory;
            let node = self.node(&path, what);
            self.nodes.push(node);
            if is_folder {
                self.fill(&[&path[..], b"/"].concat(), depth + 1);
            }
        }
    }

    fn name(&mut self) -> Vec<u8> {
        let any = |chance: &mut Chance| match 1 + chance.below(255) as u8 {
            b'/' => b'_',
            byte => byte,
        };
        let name = match self.chance.below(20) {
            0..10 => self.chance.of(NAMES).to_vec(),
            10 => vec![b'a' + self.chance.below(3) as u8; 255],
            11 => {
                let bytes = (0..1 + self.chance.below(8)).map(|_| any(self.chance)).collect();
                without_characters_by_chance(bytes)
            }
            12..14 => {
                let alphabet: [&[u8]; 10] =
                    [b"a", b"1", b"0", b".", b"-", b"~", b"9", b"b", b"_", b"A"];
                let length = 1 + self.chance.below(7);
                (0..length).flat_map(|_| self.chance.of(&alphabet).to_vec()).collect()
            }
            14 => {
                let length = 1 + self.chance.below(60);
                (0..length).map(|_| b'a' + self.chance.below(26) as u8).collect()
            }
            _ => {
                let number = self.chance.below(200);
                let ends = ["", ".c", ".tar", ".txt", "~", ".png", ".gz", ".h"];
                let end = self.chance.of(&ends);
                format!("f{number}{end}").into_bytes()
            }
        };
        if name == b"." || name == b".." { b"...".to_vec() } else { name }
    }

    fn what(&mut self, names: &[Vec<u8>], depth: usize) -> What {
        match self.chance.below(24) {
            0..5 if depth < 3 => What::Directory,
            5..9 => What::Link(self.target(names, depth)),
            9 if self.chance.one_in(3) => What::Fifo,
            10 if self.chance.one_in(2) => What::Socket,
            11 if self.root && self.chance.one_in(2) => {
                let letter = if self.chance.one_in(2) { 'b' } else { 'c' };
                let number = |chance: &mut Chance, end: usize| chance.below(end) as u32;
                let wide = if self.chance.one_in(3) { 3000 } else { 12 };
                let (major, minor) = (number(self.chance, wide), number(self.chance, wide * 90));
                What::Device { letter, major, minor }
            }
            12 => match self.nodes.iter().rfind(|node| matches!(node.what, What::Hole(_))) {
                Some(file) => What::HardLink(file.path.clone()),
                None => What::Hole(0),
            },
            13 | 14 => What::Bytes(1 + self.chance.below(30_000)),
            15 => What::Hole(self.chance.next() >> (1 + self.chance.below(63))),
            16..20 => What::Hole(SIZES[self.chance.below(SIZES.len())]),
            _ => What::Hole(self.chance.below(5000) as u64),
        }
    }

    fn target(&mut self, names: &[Vec<u8>], depth: usize) -> Vec<u8> {
        if self.links_to_folders > 0 && self.chance.one_in(4) {
            self.links_to_folders -= 1;
            // Not above the tree: other listings run there.
            let ways: &[&[u8]] = if depth > 0 { &[b".", b"..", b"../."] } else { &[b".", b"./"] };
            return self.chance.of(ways).to_vec();
        }
        match self.chance.below(6) {
            0 => b"gone".to_vec(),
            1 => b"gone/too\nfar\xff".to_vec(),
            2 => b"/dev/null".to_vec(),
            3 => vec![b'x'; 1 + self.chance.below(300)],
            _ => names[self.chance.below(names.len())].clone(),
        }
    }

    fn node(&mut self, path: &[u8], what: What) -> Node {
        let mut node = Node::new(path, what);
        let is_folder = node.what == What::Directory;
        if self.chance.one_in(2) {
            let mode = match self.chance.one_in(2) {
                true => MODES[self.chance.below(MODES.len())],
                false => self.chance.below(0o10_000) as u32,
            };
            // A folder that cannot be read ends the listing of all below it: not too many.
            let closed = is_folder && mode & 0o500 != 0o500 && !self.chance.one_in(3);
            node.mode = Some(if closed { mode | 0o555 } else { mode });
        }
        if self.root && self.chance.one_in(3) {
            let user = USERS[self.chance.below(USERS.len())];
            node.owner = Some((user, GROUPS[self.chance.below(GROUPS.len())]));
        }
        node.mtime = (!self.chance.one_in(6)).then(|| self.moment());
        node.atime = self.chance.one_in(2).then(|| self.moment());
        node
    }

    fn moment(&mut self) -> Moment {
        let day = 86_400;
        let seconds = match self.chance.below(16) {
            0 => 0,
            1 => -1 - self.chance.below(2_000_000_000) as i64,
            2 => self.now + 60 + self.chance.below(300_000_000) as i64,
            // The limit of a recent time, with a margin for the time that the test takes.
            3 => self.now - SIX_MONTHS - 600,
            4 => self.now - SIX_MONTHS + 600,
            5 => self.now - SIX_MONTHS + 900 + (self.chance.below(20) as i64 - 10) * day,
            6..9 => self.now - self.chance.below(180 * 86_400) as i64,
            // Many files of one time, so that names decide.
            9 | 10 => 1_500_000_000,
            // Beyond 2038, 2106 and four digits of a year.
            11 => (1 << 31) + self.chance.below(1 << 33) as i64,
            12 => (1 << 38) + self.chance.below(1 << 20) as i64,
            // The hours around a change of summer time in Berlin and New York.
            13 => 1_667_091_600 + (self.chance.below(48) as i64 - 24) * 1800,
            14 => 1_678_604_400 + (self.chance.below(48) as i64 - 24) * 1800,
            _ => self.chance.below(1_700_000_000) as i64,
        };
        let nanoseconds = match self.chance.below(4) {
            0 => 0,
            1 => 999_999_999,
            2 => 1,
            _ => self.chance.below(1_000_000_000) as u32,
        };
        (seconds, nanoseconds)
    }
}

/// Bytes that happen to be a character beyond ASCII are separated: most such characters are not
/// assigned, and ls knows from the locale which are. NAMES has characters that are.
fn without_characters_by_chance(bytes: Vec<u8>) -> Vec<u8> {
    let has_one = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if has_one { bytes.into_iter().map(|byte| byte | 0xc0).collect() } else { bytes }
}
