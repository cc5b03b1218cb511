//! The frames of a `.zst`, one behind the other.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// So many bytes are decoded at once.
const STEP_BYTES: usize = 256 << 10;

/// What frames stand for.
pub(super) struct Frames<R> {
    compressed: R,
    decoder: FrameDecoder,
    /// Whether there has been a frame.
    begun: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(compressed: R) -> Frames<R> {
        Frames { compressed, decoder: FrameDecoder::new(), begun: false }
    }

    /// Decodes some more; `false` at the end.
    fn decode(&mut self) -> io::Result<bool> {
        if self.begun && !self.decoder.is_finished() {
            let some = BlockDecodingStrategy::UptoBytes(STEP_BYTES);
            self.decoder.decode_blocks(&mut self.compressed, some).map_err(failed)?;
            return Ok(true);
        }
        let sum = self.decoder.get_checksum_from_data();
        if self.begun && sum.is_some() && sum != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("its checksum is another"));
        }
        if self.compressed.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.reset(&mut self.compressed) {
            Ok(()) => self.begun = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => self.skip(length.into())?,
            Err(error) => return Err(failed(error)),
        }
        Ok(true)
    }

    /// Passes over a frame that has something else.
    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.compressed.by_ref().take(length), &mut io::sink())?;
        if skipped < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.begun = false;
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.decoder.read(buffer)?;
            if count > 0 || !self.decode()? {
                return Ok(count);
            }
        }
    }
}

fn failed(error: FrameDecoderError) -> io::Error {
    io::Error::other(error)
}
