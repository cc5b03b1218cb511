//! Keys as buckets have them, made of their index: a few prefixes have most of them.

use crate::random::mix;

const DECIMAL: &[u8; 10] = b"0123456789";
const HEX: &[u8; 16] = b"0123456789abcdef";
/// The alphabet of base64url in the order of its bytes, so that greater numbers are later keys.
const BASE64: &[u8; 64] = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
/// Digits and capital letters without those that look like others, as in a ULID.
const BASE32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const YEARS: std::ops::RangeInclusive<u16> = 2021..=2024;
const MEDIA: &[&str] = &[
    "artwork", "avatars", "backdrops", "banners", "clips", "covers", "frames", "icons", "posters",
    "previews", "stills", "thumbnails",
];
const REGIONS: &[&str] = &["APAC", "BR", "CA", "EU", "IN", "JP", "UK", "US"];

const DAYS: u64 = 28;
const HOSTS: u64 = 16;
const PHOTOS: u64 = 12;
/// 1 January 2024 in milliseconds since 1970, and how many of them a year has.
const EXPORTS_BEGIN: u64 = 1_704_067_200_000;
const YEAR: u64 = 365 * 86_400_000;

/// Keys of many prefixes, in the order of their bytes.
#[derive(Clone, Debug)]
pub(crate) struct Skewed {
    /// In the order of their names, none of which begins with another.
    folders: Vec<Folder>,
    len: u64,
    seed: u64,
}

#[derive(Clone, Debug)]
struct Folder {
    name: String,
    shape: Shape,
    /// Index of its first key.
    first: u64,
    count: u64,
}

/// What follows the folder's name.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// `17/host-03/part-000123.gz`
    Log,
    /// `4be01c9/photo-07.jpg`
    Photo,
    /// `Zk3_0aQx1…`, with an extension
    Media,
    /// `01HKA…`, a time and random letters, with an extension
    Export,
}

impl Skewed {
    pub(crate) fn new(count: u64, seed: u64) -> Skewed {
        let mut folders = folders();
        for (folder, share) in ranks(folders.len(), seed).into_iter().zip(shares(count)) {
            folders[folder].count = share;
        }
        let mut first = 0;
        for folder in &mut folders {
            folder.first = first;
            first += folder.count;
        }
        Skewed { folders, len: count, seed }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn push_key(&self, index: u64, key: &mut Vec<u8>) {
        let folder = self.folders.partition_point(|folder| folder.first <= index) - 1;
        let Folder { name, shape, first, count } = &self.folders[folder];
        let number = index - first;
        let random = mix(self.seed ^ index.rotate_left(32));
        key.extend_from_slice(name.as_bytes());
        match shape {
            Shape::Log => push_log(number, *count, key),
            Shape::Photo => push_photo(number, *count, mix(self.seed ^ first), key),
            Shape::Media => {
                push_digits(spread(number, *count, 1 << 60, random), BASE64, 10, key);
                push_digits(mix(random), BASE64, 10, key);
                key.extend_from_slice(b".webp");
            }
            Shape::Export => {
                let time = EXPORTS_BEGIN + spread(number, *count, YEAR.max(*count), random);
                push_digits(time, BASE32, 10, key);
                push_digits(mix(random), BASE32, 12, key);
                key.extend_from_slice(b".PARQUET");
            }
        }
    }
}

/// All folders in the order of their names, still without keys.
fn folders() -> Vec<Folder> {
    let folder = |name, shape| Folder { name, shape, first: 0, count: 0 };
    let mut folders: Vec<Folder> = Vec::new();
    for (year, month) in YEARS.flat_map(|year| (1..=12).map(move |month| (year, month))) {
        folders.push(folder(format!("logs/{year}/{month:02}/"), Shape::Log));
    }
    folders.extend((0..16).map(|digit| folder(format!("users/{digit:x}"), Shape::Photo)));
    folders.extend(MEDIA.iter().map(|name| folder(format!("media/{name}/"), Shape::Media)));
    folders.extend(REGIONS.iter().map(|name| folder(format!("exports/{name}/"), Shape::Export)));
    folders.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    folders
}

/// The folders' numbers, shuffled: the first is that of the greatest.
fn ranks(folders: usize, seed: u64) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..folders).collect();
    for last in (1..folders).rev() {
        ranks.swap(last, (mix(seed ^ last as u64) % (last as u64 + 1)) as usize);
    }
    ranks
}

/// How many keys each rank has: half of what is left, above a share that each has.
fn shares(count: u64) -> impl Iterator<Item = u64> {
    let folders = folders().len() as u64;
    let floor = (count / 8192).max((count / folders).min(1));
    let mut left = count - floor * folders;
    std::iter::repeat_with(move || {
        let share = left.div_ceil(2);
        left -= share;
        floor + share
    })
}

fn push_log(number: u64, count: u64, key: &mut Vec<u8>) {
    let parts = count.div_ceil(DAYS * HOSTS);
    let width = (parts.ilog10() as usize + 1).max(6);
    push_digits(number / (parts * HOSTS) + 1, DECIMAL, 2, key);
    key.extend_from_slice(b"/host-");
    push_digits(number / parts % HOSTS, DECIMAL, 2, key);
    key.extend_from_slice(b"/part-");
    push_digits(number % parts, DECIMAL, width, key);
    key.extend_from_slice(b".gz");
}

fn push_photo(number: u64, count: u64, seed: u64, key: &mut Vec<u8>) {
    let users = count.div_ceil(PHOTOS);
    let width = (users.ilog2() as usize / 4 + 2).max(7);
    let user = number / PHOTOS;
    push_digits(spread(user, users, 1 << (4 * width), mix(seed ^ user)), HEX, width, key);
    key.extend_from_slice(b"/photo-");
    push_digits(number % PHOTOS, DECIMAL, 2, key);
    key.extend_from_slice(b".jpg");
}

/// One of `count` numbers below `space`, at random but in order.
fn spread(number: u64, count: u64, space: u64, random: u64) -> u64 {
    let stride = space / count;
    number * stride + random % stride
}

/// Appends the last `width` digits of a number.
pub(crate) fn push_digits<const RADIX: usize>(
    mut number: u64,
    digits: &[u8; RADIX],
    width: usize,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    out.resize(start + width, digits[0]);
    for byte in out[start..].iter_mut().rev() {
        *byte = digits[(number % RADIX as u64) as usize];
        number /= RADIX as u64;
    }
}
