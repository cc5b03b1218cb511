"""Trees as a DataFrame, and the Delta table's files, with Spark on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator

import pytest

import fewer.scan
from test_scan import big, expected

__all__ = ["big"]

pyspark = pytest.importorskip("pyspark")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = session.getOrCreate()
    yield spark
    spark.stop()


def test_a_tree_is_a_data_frame(big: Path, spark: Any) -> None:
    from fewer.scan.spark import register

    register(spark)
    frame = spark.read.format("fewer").option("partitions", 3).load(str(big))
    rows = frame.select("path", "path_bytes", "size", "depth").collect()
    found = sorted(
        (bytes(row[1]) if row[0] is None else row[0].encode(), row[3], row[2]) for row in rows
    )
    assert found == sorted((row[0], row[2], row[4]) for row in expected(big).elements())


def test_spark_reads_the_parts(big: Path, tmp_path: Path, spark: Any) -> None:
    summary = fewer.scan.Scan(big, out=tmp_path, budget=500).run(workers=2)
    frame = spark.read.parquet(str(tmp_path))
    assert frame.count() == summary["rows"]
    assert frame.agg({"size": "sum"}).first()[0] == sum(
        row[4] for row in expected(big).elements()
    )
