//! `fewer walk`, with `--since`, `ls`, `size` and `scan` on stores that are not S3: what is sent to
//! them, and what is made of their answers.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_others/answers.rs"]
mod answers;
#[path = "store_others/azure.rs"]
mod azure;
#[cfg(feature = "tables")]
#[path = "../../stores/tests/azure/server.rs"]
#[allow(dead_code, reason = "other tests close a prefix")]
mod azure_server;
#[path = "store_others/gcs.rs"]
mod gcs;
#[cfg(all(feature = "ls", feature = "size"))]
#[path = "store_others/levels.rs"]
mod levels;
mod price;
#[cfg(feature = "tables")]
#[path = "store_others/scan.rs"]
mod scan;
#[path = "store_others/since.rs"]
mod since;
