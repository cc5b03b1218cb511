//! One tree with all kinds of entries, for all the flags one by one.

use crate::tree::{Node, Tree, What};

/// A moment within the last six months would age: these are old, or in the far future.
const OLD: i64 = 1_600_000_000;
const LATE: i64 = 7_000_000_000;

pub(crate) fn tree() -> Tree {
    let mut tree = Growing(Vec::new());
    tree.names();
    tree.sizes_and_modes();
    tree.links();
    tree.odd_kinds();
    Tree(tree.0)
}

struct Growing(Vec<Node>);

impl Growing {
    fn add(&mut self, path: &str, what: What) -> &mut Node {
        // All different, and not in the order of names.
        let number = self.0.len() as i64;
        let mut node = Node::new(path, what);
        node.mtime = Some((OLD + number * 7919 % 101 * 86_400, number as u32));
        node.atime = Some((OLD + number * 6007 % 89 * 86_400, 0));
        self.0.push(node);
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    fn names(&mut self) {
        for name in [
            "a1.10", "a1.9", "a1.9~", "x.tar.gz", "x.c", "y.C", ".hidden", ".h.c~", "a b", "it's",
            "say \"hi\"", "new\nline", "tab\there", "#x#", "-l", "back\\slash", "é.c",
            "\u{1}\u{7f}", "a:b,c", "日本", "*",
        ] {
            self.add(name, What::Hole(name.len() as u64 * 100));
        }
        self.0.push(Node::new(b"bad\xff\xe9".to_vec(), What::Hole(0)));
        self.add(&"w".repeat(90), What::Hole(7));
    }

    fn sizes_and_modes(&mut self) {
        for (number, mode) in [0o4755, 0o4644, 0o2755, 0o2644, 0o1755, 0o1644, 0o7000, 0, 0o100]
            .into_iter()
            .enumerate()
        {
            let path = format!("mode{number}.sh");
            self.add(&path, What::Hole(1 << (number * 7))).mode = Some(mode);
        }
        for (number, owner) in
            [(1, 8), (33, 4), (12_345, 65_534), (4_000_000_000, 5_000_000)].into_iter().enumerate()
        {
            let path = format!("owned{number}");
            self.add(&path, What::Bytes(4096 * number + 1)).owner = Some(owner);
        }
        self.add("same1.b", What::Hole(0)).mtime = Some((OLD, 5));
        self.add("same2.a", What::Hole(0)).mtime = Some((OLD, 5));
        self.add("future", What::Hole(999_999)).mtime = Some((LATE, 0));
        self.add("fresh", What::Hole(1023)).mtime = None;
        self.add("before", What::Hole(1_023_999)).mtime = Some((-86_400, 999_999_999));
    }

    fn links(&mut self) {
        self.add("dir", What::Directory);
        self.add("dir/inner.c", What::Hole(12));
        self.add("dir/.secret", What::Hole(0));
        self.add("dir/sub", What::Directory).mode = Some(0o2775);
        self.add("dir/sub/leaf", What::Hole(1_048_576));
        self.add("dir/up", What::Link(b"..".to_vec()));
        self.add("empty", What::Directory).mode = Some(0o1777);
        self.add("writable", What::Directory).mode = Some(0o777);
        self.add("to-dir", What::Link(b"dir".to_vec()));
        self.add("to-file", What::Link(b"mode0.sh".to_vec()));
        self.add("to-link", What::Link(b"to-file".to_vec()));
        self.add("broken", What::Link(b"gone away\n".to_vec()));
        self.add("loop", What::Link(b"loop".to_vec()));
        self.add("here", What::Link(b".".to_vec()));
        self.add("hard1", What::Hole(3));
        self.add("hard2", What::HardLink(b"hard1".to_vec()));
    }

    fn odd_kinds(&mut self) {
        self.add("pipe", What::Fifo);
        self.add("socket", What::Socket);
        self.add("null", What::Device { letter: 'c', major: 1, minor: 3 });
        self.add("disk", What::Device { letter: 'b', major: 259, minor: 1_048_575 });
    }
}
