//! What the shell reads and writes by rules of its own: fields, escapes, quotes, printf.
//!
//! | module | what is in it |
//! |---|---|
//! | [`fields`] | splitting by IFS, for expansions and for `read` |
//! | [`escapes`] | `\n` and its like: `$'…'`, `%b`, `echo -e` |
//! | [`quote`] | the way back: `%q`, `@Q`, `set`, `export -p`, `set -x` |
//! | [`echo`] | `echo` and ksh's `print` |
//! | [`printf`] | `printf` |
//! | [`float`] | C's `double` and `long double`, read and written |
//! | [`getopts`] | `getopts` |

pub mod echo;
pub mod escapes;
pub mod fields;
pub mod float;
pub mod getopts;
pub mod printf;
pub mod quote;
