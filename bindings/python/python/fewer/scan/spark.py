"""Trees as a DataFrame of Spark: ``spark.read.format("fewer").load("/data")``.

>>> import fewer.scan.spark                                              # doctest: +SKIP
>>> fewer.scan.spark.register(spark)                                     # doctest: +SKIP
>>> spark.read.format("fewer").option("partitions", 64).load("/data")    # doctest: +SKIP

Each partition is a shard (see :class:`fewer.scan.Scan`), which its task reads to the end; Spark
repeats tasks whose executor is lost. Options: ``partitions`` (8), ``shard_depth`` (2), ``options``:
the keywords of :func:`fewer.rows` as JSON. All executors must see the tree under the same path.
"""

# Checked where pyspark is installed, by its tests.
# mypy: ignore-errors
from __future__ import annotations

import json
import sys
from typing import Any, Dict, Iterator, List

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from .._fewer import UnitRows
from .unit import Native, Unit
from .worker import columns, shard


def register(spark: Any) -> None:
    """Makes the format ``fewer`` known to a session."""
    spark.dataSource.register(Trees)


class Trees(DataSource):
    @classmethod
    def name(cls) -> str:
        return "fewer"

    def schema(self) -> Any:
        return from_arrow_schema(_schema())

    def reader(self, schema: Any) -> Reader:
        return Reader(dict(self.options))


class Reader(DataSourceReader):
    def __init__(self, options: Dict[str, str]) -> None:
        self._root = options.get("path", ".")
        self._of = int(options.get("partitions", "8"))
        self._depth = int(options.get("shard_depth", "2"))
        self._keywords = json.loads(options.get("options", "{}"))

    def partitions(self) -> List[Any]:
        return [InputPartition(number) for number in range(self._of)]

    def read(self, partition: Any) -> Iterator[Any]:
        root = self._root.encode()
        task = {"roots": [self._root], "options": self._keywords}
        part = (int(partition.value), self._of, self._depth)
        table, left = shard(task, Unit("0", ((root, 0),), has_roots=True, shard=part))
        yield from table.cast(_schema()).to_batches()
        for unit in left:
            yield from self._whole(unit)

    def _whole(self, unit: Native) -> Iterator[Any]:
        native = UnitRows((self._root,), unit, sys.maxsize, sys.maxsize, self._keywords)
        for batch in pyarrow.RecordBatchReader.from_stream(native):
            yield from pyarrow.Table.from_batches([batch]).cast(_schema()).to_batches()


def _schema() -> Any:
    schema = columns()
    for index, field in enumerate(schema):
        if pyarrow.types.is_large_string(field.type):
            schema = schema.set(index, field.with_type(pyarrow.string()))
        elif pyarrow.types.is_large_binary(field.type):
            schema = schema.set(index, field.with_type(pyarrow.binary()))
    return schema
