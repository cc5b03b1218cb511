//! The file systems that a case can name: what each needs, and how it is made and mounted.

use std::path::Path;
use std::process::Command;

use crate::checkout;

pub(crate) struct FileSystem {
    /// Its name in cases.
    pub(crate) name: &'static str,
    /// Its name in the kernel.
    pub(crate) kernel: &'static str,
    /// The command that makes it in an image, if it is in one.
    mkfs: &'static [&'static str],
    image_mib: u64,
}

const ALL: &[FileSystem] = &[
    FileSystem { name: "tmpfs", kernel: "tmpfs", mkfs: &[], image_mib: 0 },
    FileSystem { name: "proc", kernel: "proc", mkfs: &[], image_mib: 0 },
    ext4("ext4", &["mkfs.ext4", "-q"]),
    ext4("ext4-1k", &["mkfs.ext4", "-q", "-b", "1024"]),
    ext4("ext4-untyped", &["mkfs.ext4", "-q", "-O", "^filetype"]),
    ext4("ext4-linear", &["mkfs.ext4", "-q", "-O", "^dir_index"]),
    ext4("ext4-inline", &["mkfs.ext4", "-q", "-O", "inline_data", "-I", "256"]),
    FileSystem { name: "xfs", kernel: "xfs", mkfs: &["mkfs.xfs", "-q"], image_mib: 320 },
    FileSystem { name: "btrfs", kernel: "btrfs", mkfs: &["mkfs.btrfs", "-q"], image_mib: 160 },
];

const fn ext4(name: &'static str, mkfs: &'static [&'static str]) -> FileSystem {
    FileSystem { name, kernel: "ext4", mkfs, image_mib: 64 }
}

pub(crate) fn find(name: &str) -> Result<&'static FileSystem, String> {
    ALL.iter()
        .find(|fs| fs.name == name)
        .ok_or_else(|| format!("no file system is called '{name}'"))
}

impl FileSystem {
    /// The reason why this machine cannot mount it.
    pub(crate) fn missing(&self) -> Option<String> {
        let known = std::fs::read_to_string("/proc/filesystems").unwrap_or_default();
        let has_driver = known.lines().any(|line| line.split('\t').nth(1) == Some(self.kernel));
        if !has_driver {
            return Some(format!("this kernel has no {}", self.kernel));
        }
        let mkfs = self.mkfs.first()?;
        (!checkout::has_program(mkfs)).then(|| format!("{mkfs} is not installed"))
    }

    /// Mounts an empty one; its image, if any, is made in `folder`.
    pub(crate) fn mount(&self, folder: &Path, at: &Path) -> Result<(), String> {
        let mut mount = Command::new("mount");
        let Some((mkfs, options)) = self.mkfs.split_first() else {
            mount.args(["-t", self.kernel, self.kernel]).arg(at);
            if self.kernel == "tmpfs" {
                mount.args(["-o", "mode=755"]);
            }
            return checkout::output(&mut mount).map(drop);
        };
        let image = (0..).map(|number| folder.join(format!("image-{number}")));
        let image = image.into_iter().find(|image| !image.exists()).unwrap_or_default();
        std::fs::File::create(&image)
            .and_then(|file| file.set_len(self.image_mib << 20))
            .map_err(|why| format!("{}: {why}", image.display()))?;
        checkout::output(Command::new(mkfs).args(options).arg(&image))?;
        checkout::output(mount.args(["-o", "loop"]).arg(&image).arg(at))?;
        // Only ext4 has one, and no case wants it.
        let _ = std::fs::remove_dir(at.join("lost+found"));
        Ok(())
    }
}

/// The kernel's name for the file system that a path is on.
pub(crate) fn kind_of(path: &Path) -> Result<String, String> {
    let mut findmnt = Command::new("findmnt");
    let kind = checkout::output(findmnt.args(["-n", "-o", "FSTYPE", "-T"]).arg(path))?;
    Ok(String::from_utf8_lossy(&kind).trim().to_owned())
}
