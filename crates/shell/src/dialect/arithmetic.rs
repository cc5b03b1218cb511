//! What the shells' arithmetic differs in.

/// How arithmetic is read and calculated.
pub(crate) struct Arithmetic {
    /// Whether the empty text is 0; dash refuses it.
    pub(crate) empty_is_zero: bool,
    /// `a, b`
    pub(crate) comma: bool,
    /// `a ** b`
    pub(crate) power: bool,
    /// `--a`, `a++`, `4--3`
    pub(crate) doubled_sign: DoubledSign,
    /// Whether `--` and `++` behind `--a` are steps of what is no variable any more, as in bash.
    pub(crate) steps_once: bool,
    /// Whether `a ?: b` means something, which is not done here (ksh).
    pub(crate) empty_choice: bool,
    /// Whether what follows the colon of `a ? b : c` may be an assignment, as in ksh.
    pub(crate) assignment_behind_colon: bool,
    /// How many parentheses may be open.
    pub(crate) parentheses: u32,
    /// Whether numbers may have a point, and what is too large for an integer gets one, as in ksh:
    /// this is not done here.
    pub(crate) floating_point: bool,
    /// Whether there are functions, `sin(1)`, as in ksh: this is not done here.
    pub(crate) functions: bool,
    /// `'c'`, as in ksh.
    pub(crate) characters: bool,
    /// Whether names may have points, as in ksh.
    pub(crate) points_in_names: bool,
    /// Whether `a += b` looks `a` up when `b` is known, as in dash: `x += (x = 5)` is 10 there.
    pub(crate) reads_target_last: bool,
    /// How constants are written.
    pub(crate) constants: Constants,
    /// Whether `SECONDS` has fractions, which is not done here (ksh).
    pub(crate) fractions_of_seconds: bool,
    /// What is said of a text that is wrong.
    pub(crate) errors: ArithmeticErrors,
}

/// Two signs in a row, `--` or `++`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoubledSign {
    /// They are two signs, as in dash.
    Signs,
    /// They change a variable if one is there, and else are two signs, as in bash.
    StepOrSigns,
    /// They change a variable, and anything else is an error, as in ksh.
    Step,
}

/// How constants are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constants {
    /// As in C: `0x1f`, `017`. Behind the digits another token begins; what is too large is the
    /// largest number. A variable's value is read by `strtoimax` (dash).
    C,
    /// As in C, and `16#1f`. Letters and digits are one token; it wraps around (bash).
    CAndBases,
    /// `0x1f` and `16#1f`, but a leading zero means nothing (ksh).
    DecimalAndBases,
}

/// What is said of an arithmetic text that is wrong.
pub(crate) struct ArithmeticErrors {
    /// The message, of the parts that it may have.
    pub(crate) message: fn(Wrong<'_>) -> Vec<u8>,
    /// `1 / 0`
    pub(crate) division_by_zero: &'static str,
    /// `2 ** -1`
    pub(crate) negative_exponent: &'static str,
    /// What would have a point.
    pub(crate) floating_point: &'static str,
    /// The end where a number was wanted.
    pub(crate) unexpected_end: &'static str,
    /// No number where one was wanted.
    pub(crate) operand_expected: &'static str,
    /// More text where the end was wanted.
    pub(crate) trailing_text: &'static str,
    /// A character that no operator begins with.
    pub(crate) invalid_operator: &'static str,
    /// `1 = 2`
    pub(crate) not_a_variable: &'static str,
    /// `--a++`
    pub(crate) increment_of_a_value: &'static str,
    /// `--a--`
    pub(crate) decrement_of_a_value: &'static str,
    /// `(1`
    pub(crate) missing_parenthesis: &'static str,
    /// `1 ? 2`
    pub(crate) missing_colon: &'static str,
    /// `1 ? : 2`
    pub(crate) empty_choice: &'static str,
    /// `a[1`
    pub(crate) bad_subscript: &'static str,
    /// `08`
    pub(crate) digit_too_great: &'static str,
    /// `1#0`
    pub(crate) invalid_base: &'static str,
    /// `2#`
    pub(crate) no_digits: &'static str,
    /// `010#5`
    pub(crate) invalid_number: &'static str,
    /// Nested deeper than the limit.
    pub(crate) too_deep: &'static str,
}

/// What there is to say about an arithmetic text that is wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong<'a> {
    /// The whole text.
    pub(crate) text: &'a [u8],
    /// What is wrong with it.
    pub(crate) what: &'a str,
    /// As much of the text as was read.
    pub(crate) read: &'a [u8],
    /// The end of that, from where it is wrong.
    pub(crate) token: &'a [u8],
}
