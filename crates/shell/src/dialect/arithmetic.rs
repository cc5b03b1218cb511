//! `$(( … ))`

area! {
    /// How arithmetic is read and calculated.
    pub(crate) struct Arithmetic {
        /// Whether the empty text is 0; dash refuses it.
        empty_is_zero: bool = false,
        /// `a, b`
        comma: bool = false,
        /// `a ** b`
        power: bool = false,
        /// `--a`, `a++`, `4--3`
        doubled_sign: DoubledSign = DoubledSign::Signs,
        /// Whether `--` and `++` behind `--a` are steps of what is no variable any more (bash).
        steps_once: bool = false,
        /// Whether `a ?: b` means something, which is not done here (ksh).
        empty_choice: bool = false,
        /// Whether what follows the colon of `a ? b : c` may be an assignment (ksh).
        assignment_behind_colon: bool = false,
        /// How many parentheses may be open.
        parentheses: u32 = u32::MAX,
        /// Whether numbers may have a point, and large ones get one (ksh): not done here.
        floating_point: bool = false,
        /// Whether there are functions, `sin(1)`, as in ksh: this is not done here.
        functions: bool = false,
        /// `'c'` (ksh).
        characters: bool = false,
        /// Whether names may have points (ksh).
        points_in_names: bool = false,
        /// Whether `a += b` looks `a` up when `b` is known, as in dash: `x += (x = 5)` is 10 there.
        reads_target_last: bool = true,
        /// How constants are written.
        constants: Constants = Constants::C,
        /// Whether `SECONDS` has fractions, which is not done here (ksh).
        fractions_of_seconds: bool = false,
        /// What is said of a text that is wrong.
        errors: ArithmeticErrors = ArithmeticErrors::POSIX,
    }

    /// What is said of an arithmetic text that is wrong.
    pub(crate) struct ArithmeticErrors {
        /// The message, of the parts that it may have.
        message: fn(Wrong<'_>) -> Vec<u8> = |wrong| {
            let what = wrong.what.as_bytes();
            [b"arithmetic expression: ", what, b": \"", wrong.text, b"\""].concat()
        },
        /// `1 / 0`
        division_by_zero: &'static str = "division by zero",
        /// `2 ** -1`
        negative_exponent: &'static str = "expecting EOF",
        /// What would have a point.
        floating_point: &'static str = "expecting EOF",
        /// The end where a number was wanted.
        unexpected_end: &'static str = "expecting primary",
        /// No number where one was wanted.
        operand_expected: &'static str = "expecting primary",
        /// More text where the end was wanted.
        trailing_text: &'static str = "expecting EOF",
        /// A character that no operator begins with.
        invalid_operator: &'static str = "expecting EOF",
        /// `1 = 2`
        not_a_variable: &'static str = "expecting EOF",
        /// `--a++`
        increment_of_a_value: &'static str = "expecting EOF",
        /// `--a--`
        decrement_of_a_value: &'static str = "expecting EOF",
        /// `(1`
        missing_parenthesis: &'static str = "expecting ')'",
        /// `1 ? 2`
        missing_colon: &'static str = "expecting ':'",
        /// `1 ? : 2`
        empty_choice: &'static str = "expecting primary",
        /// `a[1`
        bad_subscript: &'static str = "expecting EOF",
        /// `08`
        digit_too_great: &'static str = "expecting EOF",
        /// `1#0`
        invalid_base: &'static str = "expecting EOF",
        /// `2#`
        no_digits: &'static str = "expecting EOF",
        /// `010#5`
        invalid_number: &'static str = "expecting EOF",
        /// Nested deeper than the limit.
        too_deep: &'static str = "expression is too deep",
    }
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
