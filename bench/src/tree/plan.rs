//! Which directories a tree has, and how many files and links lie in each: exact totals, and the
//! uneven distribution of a machine that holds a /usr, source checkouts and node_modules.

use super::grow;
use super::random::Random;

/// What a tree must have, exactly. The root is one of the directories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) directories: u32,
    pub(crate) files: u32,
    pub(crate) links: u32,
    /// Whether files have sizes, permissions and times of their own: for what lists them.
    pub(crate) dressed: bool,
    pub(crate) seed: u64,
}

impl Shape {
    /// Everything that `find` prints, the root included.
    pub(crate) fn entries(&self) -> u64 {
        u64::from(self.directories) + u64::from(self.files) + u64::from(self.links)
    }
}

pub(crate) const SHAPES: &[Shape] = &[
    Shape { name: "big", directories: 141_981, files: 800_205, links: 144, seed: 942_330, ..BARE },
    Shape { name: "small", directories: 300, files: 2_000, seed: 2_300, ..BARE },
    Shape { name: "empty", ..BARE },
    Shape {
        name: "usr",
        directories: 10_000,
        files: 100_000,
        links: 1_500,
        dressed: true,
        seed: 111_500,
    },
    // For runs in which each directory takes milliseconds.
    Shape { name: "mid", directories: 2_000, files: 16_000, links: 40, seed: 18_040, ..BARE },
    // A large repository: without the links, whose targets may be missing.
    Shape { name: "repo", directories: 10_000, files: 100_000, seed: 110_000, ..BARE },
];

const BARE: Shape = Shape { name: "", directories: 1, files: 0, links: 0, dressed: false, seed: 0 };

/// What a directory is for: it decides how many files it gets and how they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DirectoryKind {
    /// Holds directories only.
    Bare,
    /// Source code, the common case.
    Code,
    /// A little documentation, one to five files.
    Notes,
    /// One of the 256 directories of `.git/objects`.
    Hashes,
    /// A flat directory with thousands of files: /usr/lib, a cache, a list of packages.
    Flat,
}

pub(crate) struct Directory {
    /// Index of the directory above; its own index for the root.
    pub(crate) parent: u32,
    pub(crate) name: String,
    pub(crate) kind: DirectoryKind,
    pub(crate) files: u32,
    pub(crate) links: u32,
}

/// All directories, each one after the directory that holds it.
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) directories: Vec<Directory>,
}

impl Plan {
    pub(crate) fn new(shape: Shape) -> Self {
        let mut plan = Plan { shape, directories: Vec::new() };
        let root = Directory {
            parent: 0,
            name: String::new(),
            kind: DirectoryKind::Bare,
            files: 0,
            links: 0,
        };
        plan.directories.push(root);
        let mut random = Random::new(shape.seed);
        grow::directories(&mut plan, &mut random);
        plan.draw_files(&mut random);
        plan.even_out_files(&mut random);
        plan.draw_links(&mut random);
        plan
    }

    /// Adds a directory and returns its index; None once the tree has all that it may have.
    pub(crate) fn add(&mut self, parent: u32, name: String, kind: DirectoryKind) -> Option<u32> {
        let index = self.directories.len() as u32;
        if index >= self.shape.directories {
            return None;
        }
        self.directories.push(Directory { parent, name, kind, files: 0, links: 0 });
        Some(index)
    }

    fn draw_files(&mut self, random: &mut Random) {
        // A flat directory's size follows that of the tree, so that a small tree has none.
        let flat_most = self.shape.files / 40;
        for directory in &mut self.directories {
            directory.files = match directory.kind {
                DirectoryKind::Bare => 0,
                DirectoryKind::Code => draw(random, CODE),
                DirectoryKind::Notes => random.between(1, 5),
                DirectoryKind::Hashes => random.between(0, 9),
                DirectoryKind::Flat => random.between(flat_most / 20, flat_most),
            };
        }
    }

    /// Adds to or takes from directories of code until the total is exact.
    fn even_out_files(&mut self, random: &mut Random) {
        let count = self.directories.len() as u32;
        let mut sum: u64 = self.directories.iter().map(|d| u64::from(d.files)).sum();
        let wanted = u64::from(self.shape.files);
        while sum != wanted {
            let directory = &mut self.directories[random.below(count) as usize];
            if sum < wanted && (directory.kind == DirectoryKind::Code || count == 1) {
                directory.files += 1;
                sum += 1;
            } else if sum > wanted && directory.files > 1 {
                directory.files -= 1;
                sum -= 1;
            }
        }
    }

    fn draw_links(&mut self, random: &mut Random) {
        let mut left = self.shape.links;
        while left > 0 {
            let at = random.below(self.directories.len() as u32) as usize;
            let directory = &mut self.directories[at];
            if directory.kind == DirectoryKind::Code {
                directory.links += 1;
                left -= 1;
            }
        }
    }

    /// For each directory the directories directly below it.
    pub(crate) fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.directories.len()];
        for (index, directory) in self.directories.iter().enumerate().skip(1) {
            children[directory.parent as usize].push(index as u32);
        }
        children
    }
}

/// (in a thousand directories, fewest, most)
const CODE: &[(u32, u32, u32)] = &[
    (130, 0, 0),
    (170, 1, 1),
    (161, 2, 2),
    (141, 3, 3),
    (100, 4, 4),
    (80, 5, 5),
    (110, 6, 9),
    (62, 10, 15),
    (30, 16, 30),
    (12, 31, 80),
    (3, 81, 300),
    (1, 301, 900),
];

fn draw(random: &mut Random, table: &[(u32, u32, u32)]) -> u32 {
    let mut at = random.below(1000);
    for &(share, fewest, most) in table {
        if at < share {
            return random.between(fewest, most);
        }
        at -= share;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_has_exactly_what_it_promises() {
        let plan = Plan::new(SHAPES[0]);
        let sum = |count: fn(&Directory) -> u32| -> u64 {
            plan.directories.iter().map(|d| u64::from(count(d))).sum()
        };
        assert_eq!(plan.directories.len(), 141_981);
        assert_eq!(sum(|d| d.files), 800_205);
        assert_eq!(sum(|d| d.links), 144);
        assert_eq!(plan.shape.entries(), 942_330);
    }

    #[test]
    fn shares_of_the_table_make_a_whole() {
        assert_eq!(CODE.iter().map(|row| row.0).sum::<u32>(), 1000);
    }

    #[test]
    fn parents_come_first() {
        let plan = Plan::new(SHAPES[1]);
        let below = plan.directories.iter().enumerate().skip(1);
        assert!(below.into_iter().all(|(index, d)| (d.parent as usize) < index));
    }
}
