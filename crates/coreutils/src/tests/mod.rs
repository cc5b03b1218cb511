//! A tool here and the real one, side by side.
//!
//! | module | what is in it |
//! |---|---|
//! | `compare` | runs both, and compares what they print |
//! | `twins` | two trees for them, and what they make of these |
//! | `sequences` | commands at random, one after the other in the same trees |

pub(crate) mod compare;
mod sequences;
pub(crate) mod twins;
