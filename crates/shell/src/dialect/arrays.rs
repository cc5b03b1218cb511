//! What the shells differ in: arrays and their subscripts.

/// Arrays and their subscripts.
pub(crate) struct Arrays {
    /// Whether `${a[-1]}` of a text is the text: not in ksh.
    pub(crate) text_has_last_element: bool,
    /// Whether `${#a[0]}` is taken of an array's first element though it is not there: in
    /// ksh.
    pub(crate) missing_first_has_length: bool,
    /// Whether a subscript before the first element is an error: in ksh; bash takes the
    /// element for unset.
    pub(crate) checks_range: bool,
    /// Whether an empty subscript is an error: in bash.
    pub(crate) refuses_empty_keys: bool,
    /// Whether `a=([k]=v)` makes an associative array whatever was there, and `a=(v)` an
    /// indexed one: in ksh.
    pub(crate) keys_make_associative: bool,
    /// Whether elements of an associative array are neither split nor matched with files:
    /// in bash.
    pub(crate) keyed_elements_are_plain: bool,
    /// Whether `([k]=v w)` complains of the element without a key: in bash.
    pub(crate) mixed_elements_are_told: bool,
    /// In which row of its hash table the shell has a key of an associative array: they
    /// come in that order. None: sorted by their bytes, as in ksh.
    pub(crate) keys_in_buckets: Option<fn(key: &[u8]) -> u32>,
    /// Whether there are arrays: not in dash.
    pub(crate) exist: bool,
    /// Whether `unset 'a[k]'` fails if there is no such key: in ksh.
    pub(crate) unset_missing_key_fails: bool,
    /// Whether `unset 'a[@]'` empties an array: in bash.
    pub(crate) unset_all_elements: bool,
    /// Whether `unset 'a[1]'` of a text is an error: in bash.
    pub(crate) unset_needs_array: bool,
    /// Whether a wrong subscript of `unset` only makes it fail: in ksh; elsewhere it is an
    /// error like others.
    pub(crate) unset_bad_subscript_fails_builtin: bool,
    /// Of an element that is before an array's beginning.
    pub(crate) unset_out_of_range: fn(name: &[u8], subscript: &[u8]) -> Vec<u8>,
    /// Whether `[[ -v a[@] ]]` asks an associative array for the key `@`: in bash.
    pub(crate) v_all_is_key: bool,
}
