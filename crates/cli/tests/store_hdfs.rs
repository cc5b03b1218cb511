//! `fewer walk hdfs://…`, `ls` and `size`, against a real HDFS of this machine:
//! `stores/tests/hdfs/cluster`. What is expected comes from Hadoop's own client and from what its
//! NameNode has counted.
//!
//! Without Java or Maven all of it is skipped, and says so.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_hdfs/cluster.rs"]
mod cluster;
#[path = "store_hdfs/failures.rs"]
mod failures;
#[cfg(any(feature = "ls", feature = "size"))]
#[path = "store_hdfs/levels.rs"]
mod levels;
#[cfg(feature = "lines")]
#[path = "store_hdfs/lines.rs"]
mod lines;
#[path = "store_hdfs/listings.rs"]
mod listings;
#[path = "store_hdfs/settings.rs"]
mod settings;
#[path = "store_hdfs/since.rs"]
mod since;
