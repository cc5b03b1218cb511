//! A part of a table that several processes write: the rows of one unit, counted and with a
//! checksum.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::{Format, Row, TableWriter};

/// Writes the rows of a unit as a Parquet file.
pub struct PartWriter<W: Write + Send> {
    table: TableWriter<Hashing<W>>,
    rows: u64,
    errors: u64,
}

/// What a part has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// All rows.
    pub rows: u64,
    /// Those among them that are failures.
    pub errors: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The SHA-256 of the file in hexadecimal.
    pub checksum: String,
}

impl<W: Write + Send> PartWriter<W> {
    /// Begins a part, with the column `etag` if it is of a store.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(of_store: bool, out: W) -> io::Result<PartWriter<W>> {
        let out = Hashing { out, bytes: 0, hash: Sha256::new() };
        let table = TableWriter::new(Format::Parquet, of_store, out)?;
        Ok(PartWriter { table, rows: 0, errors: 0 })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Those of the output.
    pub fn push(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.rows += 1;
        self.errors += u64::from(row.error.is_some());
        self.table.push(row)
    }

    /// Ends the part: where it was written, and what it has.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<(W, Contents)> {
        let Hashing { out, bytes, hash } = self.table.finish()?;
        let checksum = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((out, Contents { rows: self.rows, errors: self.errors, bytes, checksum }))
    }
}

/// Counts and hashes what goes through it.
struct Hashing<W> {
    out: W,
    bytes: u64,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
