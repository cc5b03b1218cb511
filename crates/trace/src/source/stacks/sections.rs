//! Sections of ELF files that may be compressed.

use object::Endianness;
use object::elf::{ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD, SectionHeader64};
use object::read::ReadRef;
use object::read::elf::{CompressionHeader as _, SectionHeader as _};

/// A section of more than this is not read.
pub(super) const LARGEST_SECTION: u64 = 256 << 20;

/// A section that may be compressed.
pub(super) fn uncompressed<'d, R: ReadRef<'d>>(
    section: &SectionHeader64<Endianness>,
    endian: Endianness,
    data: R,
) -> Option<Vec<u8>> {
    let is_small = |size: u64| (1..=LARGEST_SECTION).contains(&size);
    let Some((header, offset, packed)) = section.compression(endian, data).ok()? else {
        let bytes = section.data(endian, data).ok()?;
        return is_small(bytes.len() as u64).then(|| bytes.to_vec());
    };
    let size = header.ch_size(endian);
    if !is_small(packed) || !is_small(size) {
        return None;
    }
    let bytes = data.read_bytes_at(offset, packed).ok()?;
    let mut whole = Vec::with_capacity(usize::try_from(size).ok()?);
    match header.ch_type(endian) {
        ELFCOMPRESS_ZLIB => {
            let mut decoder = flate2::Decompress::new(true);
            decoder.decompress_vec(bytes, &mut whole, flate2::FlushDecompress::Finish).ok()?;
        }
        ELFCOMPRESS_ZSTD => {
            ruzstd::decoding::FrameDecoder::new().decode_all_to_vec(bytes, &mut whole).ok()?;
        }
        _ => return None,
    }
    (whole.len() as u64 == size).then_some(whole)
}
