//! The options of a builder as a table: a row for each, with its documentation.

/// Methods that take a builder by value and set a field of it: `name(argument: type) => field =
/// value;`.
macro_rules! setters {
    ($(
        $(#[$($attribute:tt)*])*
        $name:ident($argument:ident: $type:ty) => $first:ident$(.$field:ident)* = $value:expr;
    )*) => {$(
        $(#[$($attribute)*])*
        #[must_use]
        pub fn $name(mut self, $argument: $type) -> Self {
            self.$first$(.$field)* = $value;
            self
        }
    )*};
}
pub(crate) use setters;
