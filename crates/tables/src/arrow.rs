//! Rows as columns of Arrow.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use fewer::rows::{self, ColumnType, Integers, Timestamps};

use crate::Row;

/// Rows that are being collected.
pub(crate) struct Columns {
    schema: SchemaRef,
    rows: usize,
    paths: StringBuilder,
    path_bytes: BinaryBuilder,
    names: StringBuilder,
    kinds: StringBuilder,
    depths: Int64Builder,
    integers: Integers<Int64Builder>,
    timestamps: Timestamps<TimestampMicrosecondBuilder>,
    errors: StringBuilder,
    /// Of objects in a store.
    etags: Option<StringBuilder>,
}

impl Columns {
    pub(crate) fn new(of_store: bool) -> Columns {
        Columns {
            schema: schema(of_store),
            rows: 0,
            paths: StringBuilder::new(),
            path_bytes: BinaryBuilder::new(),
            names: StringBuilder::new(),
            kinds: StringBuilder::new(),
            depths: Int64Builder::new(),
            integers: Default::default(),
            timestamps: <Timestamps<TimestampMicrosecondBuilder>>::default()
                .map(|builder| builder.with_timezone("UTC")),
            errors: StringBuilder::new(),
            etags: of_store.then(StringBuilder::new),
        }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// How many bytes of paths, names and messages there are.
    pub(crate) fn text_bytes(&self) -> usize {
        let texts = [&self.paths, &self.names, &self.errors].map(|it| it.values_slice().len());
        texts.into_iter().sum::<usize>() + self.path_bytes.values_slice().len()
    }

    pub(crate) fn push(&mut self, row: &Row<'_>) {
        self.rows += 1;
        let path = str::from_utf8(row.path).ok();
        self.paths.append_option(path);
        self.path_bytes.append_option(path.is_none().then_some(row.path));
        self.names.append_option(row.name.and_then(|name| str::from_utf8(name).ok()));
        self.kinds.append_value(row.kind.name());
        self.depths.append_option(row.depth.map(|depth| depth as i64));
        for (column, value) in self.integers.iter_mut().zip(rows::integers(row.stat)) {
            column.append_option(value);
        }
        for (column, value) in self.timestamps.iter_mut().zip(rows::timestamps(row.stat)) {
            column.append_option(value);
        }
        self.errors.append_option(row.error);
        if let Some(etags) = &mut self.etags {
            etags.append_option(row.etag);
        }
    }

    /// The rows; from then on there are none.
    ///
    /// # Errors
    /// If the columns are not those of the schema.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.paths.finish()),
            Arc::new(self.path_bytes.finish()),
            Arc::new(self.names.finish()),
            Arc::new(self.kinds.finish()),
            Arc::new(self.depths.finish()),
        ];
        columns.extend(self.integers.iter_mut().map(|it| Arc::new(it.finish()) as ArrayRef));
        columns.extend(self.timestamps.iter_mut().map(|it| Arc::new(it.finish()) as ArrayRef));
        columns.push(Arc::new(self.errors.finish()));
        columns.extend(self.etags.iter_mut().map(|it| Arc::new(it.finish()) as ArrayRef));
        RecordBatch::try_new(self.schema(), columns)
    }
}

fn schema(of_store: bool) -> SchemaRef {
    let field = |(name, column_type)| {
        let data_type = match column_type {
            ColumnType::Text | ColumnType::Word => DataType::Utf8,
            ColumnType::Bytes => DataType::Binary,
            ColumnType::Integer => DataType::Int64,
            ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        };
        Field::new(name, data_type, column_type != ColumnType::Word)
    };
    Arc::new(Schema::new(crate::columns(of_store).map(field).collect::<Vec<_>>()))
}
