//! The checksum of a snapshot: XXH64 (Yann Collet, <https://xxhash.com>), which goes through
//! memory as fast as it can be read.

const PRIMES: [u64; 5] = [
    11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 1_609_587_929_392_839_161,
    9_650_029_242_287_828_579, 2_870_177_450_012_600_261,
];

/// XXH64 with the seed 0.
pub(super) fn xxh64(bytes: &[u8]) -> u64 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let (stripes, mut rest) = bytes.as_chunks::<32>();
    let mut hash = if stripes.is_empty() {
        p5
    } else {
        let mut lanes = [p1.wrapping_add(p2), p2, 0, 0_u64.wrapping_sub(p1)];
        for stripe in stripes {
            let (words, _) = stripe.as_chunks::<8>();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        let [a, b, c, d] = lanes;
        let sum = [a.rotate_left(1), b.rotate_left(7), c.rotate_left(12), d.rotate_left(18)]
            .into_iter()
            .fold(0, u64::wrapping_add);
        lanes
            .into_iter()
            .fold(sum, |hash, lane| (hash ^ round(0, lane)).wrapping_mul(p1).wrapping_add(p4))
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    while let Some((word, after)) = rest.split_first_chunk() {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(p1).wrapping_add(p4);
        rest = after;
    }
    if let Some((word, after)) = rest.split_first_chunk() {
        hash ^= u64::from(u32::from_le_bytes(*word)).wrapping_mul(p1);
        hash = hash.rotate_left(23).wrapping_mul(p2).wrapping_add(p3);
        rest = after;
    }
    for &byte in rest {
        hash ^= u64::from(byte).wrapping_mul(p5);
        hash = hash.rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(p2);
    hash = (hash ^ hash >> 29).wrapping_mul(p3);
    hash ^ hash >> 32
}

#[inline]
fn round(lane: u64, word: u64) -> u64 {
    let [p1, p2, ..] = PRIMES;
    lane.wrapping_add(word.wrapping_mul(p2)).rotate_left(31).wrapping_mul(p1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_have_the_known_sums() {
        let sums: [(&[u8], u64); 4] = [
            (b"", 0xef46_db37_51d8_e999),
            (b"a", 0xd24e_c4f1_a98c_6e5b),
            (b"abc", 0x44bc_2cf5_ad77_0999),
            (b"Nobody inspects the spammish repetition", 0xfbce_a83c_8a37_8bf1),
        ];
        for (text, sum) in sums {
            assert_eq!(xxh64(text), sum, "{text:?}");
        }
    }
}
