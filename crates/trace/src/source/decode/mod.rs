//! From registers and memory to a `Call`, in two steps: what a call asks, what it got.
//!
//! | file | what it knows |
//! |---|---|
//! | `ask` | which call, which paths, from where |
//! | `attend` | calls that change what tracing sees |
//! | `foregone` | calls whose end need not be waited for |
//! | `got` | the end of a call: who reads what it left |
//! | `makes` | calls that make, copy and close descriptors |
//! | `looks` | calls that tell something about a file |
//! | `moves` | calls that read and write |
//! | `goes` | calls that change where paths begin |

mod ask;
mod attend;
mod foregone;
mod goes;
mod got;
mod looks;
mod makes;
mod moves;
