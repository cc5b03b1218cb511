//! What the options ask for.

use crate::Text;
use crate::builtins::options::{known, no_such_option};
use crate::run::Shell;
use crate::run::value::Flags;

/// Which builtin it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Export,
    Readonly,
    Local,
    Declare,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclareRequest {
    pub(super) kind: Kind,
    pub(super) on: Flags,
    pub(super) off: Flags,
    /// `-p`
    pub(super) print: bool,
    /// `-f`, `-F`
    pub(super) functions: bool,
    /// `-F`, and ksh's `+…`: names only.
    pub(super) names_only: bool,
    pub(super) global: bool,
    /// `-I`
    pub(super) inherit: bool,
    /// Whether there was any option at all.
    pub(super) any: bool,
}

impl DeclareRequest {
    /// Whether it makes variables local.
    pub(super) fn local_in(&self, shell: &Shell) -> bool {
        match self.kind {
            Kind::Local => !self.global,
            Kind::Declare => !self.global && shell.locals_here().is_some(),
            Kind::Export | Kind::Readonly => false,
        }
    }

    /// Whether it is `export` or `readonly`.
    pub(super) fn is_small(&self) -> bool {
        matches!(self.kind, Kind::Export | Kind::Readonly)
    }

    /// A variable's attributes afterwards.
    pub(super) fn flags_from(&self, old: Flags) -> Flags {
        let mut flags = old;
        let case = Flags::UPPER.with(Flags::LOWER).with(Flags::CAPITAL);
        if self.on.has(case) {
            flags = flags.without(case);
        }
        flags.with(self.on).without(self.off)
    }
}

/// Reads the options; gives the operands. An error was told, its status is given.
pub(super) fn read<'w>(
    shell: &mut Shell,
    words: &'w [Text],
) -> Result<(DeclareRequest, &'w [Text]), i32> {
    let rules = &shell.profile.builtins.declare;
    let (kind, on) = match &*words[0] {
        b"export" => (Kind::Export, Flags::EXPORT),
        b"readonly" => (Kind::Readonly, Flags::READONLY),
        b"local" => (Kind::Local, Flags::default()),
        b"integer" => (Kind::Declare, Flags::INTEGER.with(Flags::LOWER)),
        b"nameref" => (Kind::Declare, Flags::REFERENCE),
        _ => (Kind::Declare, Flags::default()),
    };
    let mut request = DeclareRequest {
        kind,
        on,
        off: Flags::default(),
        print: false,
        functions: false,
        names_only: false,
        global: false,
        inherit: false,
        any: false,
    };
    let mut rest = &words[1..];
    while let Some(word) = rest.first() {
        if &**word == b"--" {
            rest = &rest[1..];
            break;
        }
        let Some((&sign @ (b'-' | b'+'), letters)) = word.split_first() else { break };
        let plus = sign == b'+';
        if plus && (request.is_small() || letters_of(shell, kind).is_empty()) {
            break;
        }
        if letters.is_empty() {
            if plus && rules.plus_lists_names {
                (request.any, request.names_only) = (true, true);
                rest = &rest[1..];
            }
            break;
        }
        if letters_of(shell, kind).is_empty() {
            break;
        }
        request.any = true;
        let mut letters = letters;
        while let Some((&letter, after)) = letters.split_first() {
            letters = after;
            if !option(shell, &mut request, letter, plus) {
                return Err(no_such_option(shell, words, [sign, letter]));
            }
            if letter == b'i' && rules.integer_has_base {
                let digits = letters.iter().take_while(|byte| byte.is_ascii_digit()).count();
                letters = &letters[digits..];
            }
        }
        rest = &rest[1..];
    }
    let case = Flags::UPPER.with(Flags::LOWER);
    if request.on.0 & case.0 == case.0 && rules.cases_cancel {
        (request.on, request.off) = (request.on.without(case), request.off.with(case));
    }
    Ok((request, rest))
}

/// The options of one of these builtins.
fn letters_of(shell: &Shell, kind: Kind) -> &'static str {
    let letters = &shell.profile.builtins.letters;
    match kind {
        Kind::Export => letters.export,
        Kind::Readonly => letters.readonly,
        Kind::Local => letters.local,
        Kind::Declare => letters.declare,
    }
}

/// One letter; false if there is no such option.
fn option(shell: &Shell, request: &mut DeclareRequest, letter: u8, plus: bool) -> bool {
    let small = request.is_small();
    if known(letter, letters_of(shell, request.kind)) == 0 {
        return false;
    }
    if plus && shell.profile.builtins.declare.plus_lists_names {
        request.names_only = true;
    }
    let flag = match letter {
        b'a' => Flags::ARRAY,
        b'A' => Flags::ASSOCIATIVE,
        b'i' => Flags::INTEGER,
        b'l' => Flags::LOWER,
        b'u' => Flags::UPPER,
        b'c' => Flags::CAPITAL,
        b'r' => Flags::READONLY,
        b't' if shell.profile.builtins.letters.t_is_trace => Flags::TRACED,
        b'x' => Flags::EXPORT,
        // `export -n`
        b'n' if small => {
            request.off = request.off.with(Flags::EXPORT);
            request.on = request.on.without(Flags::EXPORT);
            return true;
        }
        b'n' => Flags::REFERENCE,
        b'p' => {
            request.print = !plus;
            return true;
        }
        b'f' => {
            request.functions = true;
            return true;
        }
        b'F' => {
            (request.functions, request.names_only) = (true, true);
            return true;
        }
        b'g' => {
            request.global = true;
            return true;
        }
        b'I' => {
            request.inherit = true;
            return true;
        }
        _ => return true,
    };
    if plus {
        request.off = request.off.with(flag);
    } else {
        request.on = request.on.with(flag);
    }
    true
}
