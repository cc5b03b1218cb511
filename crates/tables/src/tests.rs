use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::{Duration, SystemTime};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use fewer::{Fields, Walk};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;

use super::*;

const FORMATS: [Format; 3] = [Format::Parquet, Format::Arrow, Format::Csv];

fn object(path: &[u8]) -> Row<'_> {
    let (kind, etag) = (Kind::File, Some("0x8D"));
    Row { path, name: Some(path), kind, depth: Some(1), stat: None, error: None, etag }
}

fn table(format: Format, of_store: bool, rows: &[Row<'_>]) -> Vec<u8> {
    let mut writer = TableWriter::new(format, of_store, Vec::new()).unwrap();
    rows.iter().for_each(|row| writer.push(row).unwrap());
    writer.finish().unwrap()
}

/// What is in a Parquet file, as the library for it reads it.
fn parquet(bytes: Vec<u8>) -> (Vec<RecordBatch>, ParquetMetaData) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
    let metadata = ParquetMetaData::clone(reader.metadata());
    (
        reader.with_batch_size(usize::MAX >> 1).build().unwrap().map(Result::unwrap).collect(),
        metadata,
    )
}

fn stream(bytes: &[u8]) -> Vec<RecordBatch> {
    StreamReader::try_new(bytes, None).unwrap().map(Result::unwrap).collect()
}

fn texts(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(name).unwrap().as_string::<i32>();
    column.iter().map(|text| text.map(str::to_owned)).collect()
}

fn integer(batch: &RecordBatch, name: &str) -> i64 {
    batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().value(0)
}

#[test]
fn what_is_known_of_a_file_is_in_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "12345").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o4640)).unwrap();
    let before = SystemTime::UNIX_EPOCH - Duration::from_nanos(1);
    let times = FileTimes::new().set_modified(before).set_accessed(SystemTime::UNIX_EPOCH);
    File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    let mut batches = Walk::new(&path).stat(Fields::ALL).batches();
    let stat = *batches.next().unwrap().stat(0).unwrap();
    let row = Row { stat: Some(&stat), etag: None, ..object(b"file") };
    let (read, _) = parquet(table(Format::Parquet, false, &[row]));
    assert_eq!(read, stream(&table(Format::Arrow, false, &[row])));
    let metadata = fs::metadata(&path).unwrap();
    for (name, expected) in [
        ("depth", 1),
        ("size", 5),
        ("permissions", 0o4640),
        ("links", 1),
        ("inode", metadata.ino().cast_signed()),
        ("device", metadata.dev().cast_signed()),
        ("allocated", metadata.blocks() as i64 * 512),
        ("user", metadata.uid().into()),
        ("group", metadata.gid().into()),
    ] {
        assert_eq!(integer(&read[0], name), expected, "{name}");
    }
    let time = |name: &str| {
        let column = read[0].column_by_name(name).unwrap();
        column.as_primitive::<TimestampMicrosecondType>().value(0)
    };
    let changed = metadata.ctime() * 1_000_000 + metadata.ctime_nsec() / 1_000;
    assert_eq!([time("modified"), time("accessed"), time("changed")], [-1, 0, changed]);
    let csv = String::from_utf8(table(Format::Csv, false, &[row])).unwrap();
    let wanted = ",1969-12-31T23:59:59.999999Z,1970-01-01T00:00:00.000000Z,";
    assert!(csv.starts_with("path,path_bytes,name,kind,depth,inode,device,size,"), "{csv}");
    assert!(csv.contains(wanted), "{csv}");
}

#[test]
fn names_of_all_sorts_come_back() {
    let long = "ü".repeat(127);
    let names =
        [&b"new\nline"[..], b"q\"uote", b"a,b", b"cr\r", b" ", long.as_bytes(), b"\xff", b"=1"];
    let rows = names.map(object);
    let (read, _) = parquet(table(Format::Parquet, true, &rows));
    assert_eq!(read, stream(&table(Format::Arrow, true, &rows)));
    let expected = ["new\nline", "q\"uote", "a,b", "cr\r", " ", &long, "", "=1"];
    let expected = expected.map(|it| (!it.is_empty()).then(|| it.to_owned()));
    assert_eq!(texts(&read[0], "path"), expected);
    assert_eq!(texts(&read[0], "name"), expected);
    let bytes = read[0].column_by_name("path_bytes").unwrap().as_binary::<i32>();
    assert_eq!((bytes.null_count(), bytes.value(6)), (7, &b"\xff"[..]));
    assert_eq!(texts(&read[0], "etag"), [(); 8].map(|()| Some("0x8D".to_owned())));
    let csv = String::from_utf8(table(Format::Csv, true, &rows[..7])).unwrap();
    let lines = format!(
        "\"new\nline\",,\"new\nline\",file,1,,,,,,,,,,,,,,0x8D\n\
         \"q\"\"uote\",,\"q\"\"uote\",file,1,,,,,,,,,,,,,,0x8D\n\
         \"a,b\",,\"a,b\",file,1,,,,,,,,,,,,,,0x8D\n\
         \"cr\r\",,\"cr\r\",file,1,,,,,,,,,,,,,,0x8D\n \
         ,, ,file,1,,,,,,,,,,,,,,0x8D\n\
         {long},,{long},file,1,,,,,,,,,,,,,,0x8D\n\
         ,/w==,,file,1,,,,,,,,,,,,,,0x8D\n"
    );
    let (head, rest) = csv.split_once('\n').unwrap();
    assert!(head.ends_with(",modified,accessed,changed,created,error,etag"), "{head}");
    assert_eq!(rest, lines);
}

#[test]
fn a_failure_is_a_row() {
    let rows = [Row::failure(b"a/b", "cannot open directory 'a/b': Permission denied")];
    let (read, _) = parquet(table(Format::Parquet, false, &rows));
    assert_eq!(texts(&read[0], "path"), [Some("a/b".to_owned())]);
    assert_eq!(texts(&read[0], "kind"), [Some("unknown".to_owned())]);
    assert_eq!(texts(&read[0], "error"), [rows[0].error.map(str::to_owned)]);
    let nulls = ["path_bytes", "name", "depth", "inode", "size", "modified", "created"];
    let is_null = |name| read[0].column_by_name(name).unwrap().null_count() == 1;
    assert!(nulls.into_iter().all(is_null));
}

#[test]
fn an_empty_table_has_its_columns() {
    let (read, metadata) = parquet(table(Format::Parquet, false, &[]));
    assert!(read.is_empty());
    assert_eq!(metadata.file_metadata().schema_descr().num_columns(), 18);
    let arrow = table(Format::Arrow, false, &[]);
    assert_eq!(StreamReader::try_new(&*arrow, None).unwrap().schema().fields().len(), 18);
    assert_eq!(table(Format::Csv, false, &[]).iter().filter(|it| **it == b'\n').count(), 1);
}

#[test]
fn a_group_ends_with_its_rows_or_with_its_bytes() {
    let rows = vec![object(b"x"); GROUP_ROWS + 1];
    let (_, metadata) = parquet(table(Format::Parquet, true, &rows));
    let rows_of = |metadata: &ParquetMetaData| -> Vec<i64> {
        metadata.row_groups().iter().map(|group| group.num_rows()).collect()
    };
    assert_eq!(rows_of(&metadata), [GROUP_ROWS as i64, 1]);
    let batches = stream(&table(Format::Arrow, true, &rows));
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [GROUP_ROWS, 1]);
    let long = vec![b'x'; GROUP_BYTES / 2];
    let rows = [Row { name: None, ..object(&long) }; 3];
    let (_, metadata) = parquet(table(Format::Parquet, true, &rows));
    assert_eq!(rows_of(&metadata), [2, 1]);
}

/// A disk that is full after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::from_raw_os_error(28))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_number_of_an_error_of_the_output_is_kept() {
    let text = format!("{:0>9999}", 1);
    let rows: Vec<String> = (0..9_000).map(|number| format!("{number}{text}")).collect();
    for format in FORMATS {
        for space in [0, 2_000, 1 << 20, 40 << 20] {
            let write = || {
                let mut writer = TableWriter::new(format, false, Full(space))?;
                rows.iter().try_for_each(|row| writer.push(&object(row.as_bytes())))?;
                writer.finish()
            };
            // What is alike in the paths of Parquet takes no space.
            match write() {
                Ok(_) => assert!(format == Format::Parquet && space > 1 << 20, "{format:?}"),
                Err(error) => assert_eq!(error.raw_os_error(), Some(28), "{format:?} {space}"),
            }
        }
    }
}
