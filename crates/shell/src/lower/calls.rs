//! Simple commands: their words, assignments and redirections.

use super::{Lowerer, Unsupported};
use crate::Dialect;
use crate::dialect::builtin_table;
use crate::dialect::{Braces, HereDocuments};

use crate::options;
use crate::processes::Condition;
use crate::program::*;
use crate::syntax::braces;
use crate::syntax::tree;

impl Lowerer<'_> {
    pub(super) fn simple(&mut self, simple: &tree::Simple, command: &tree::Command) -> Node {
        let line = command.line;
        let assignments = simple.assignments.iter().map(|one| self.assignment(one)).collect();
        let redirects = self.redirects(&command.redirects);
        if simple.words.is_empty() {
            let node = Node::Assign(assignments, line);
            if redirects.is_empty() {
                return node;
            }
            return Node::Redirected(Box::new(Redirected { redirects, node, line }));
        }
        let mut words = Vec::with_capacity(simple.words.len());
        let point = self.together.point;
        for argument in &simple.words {
            match argument {
                tree::Argument::Word(word) => {
                    let expanded = self.words(std::slice::from_ref(word));
                    words.extend(expanded.into_iter().map(Argument::Word));
                }
                tree::Argument::Assignment(one) => match self.several(one) {
                    Some(several) => words.extend(several),
                    None => words.push(Argument::Assignment(self.assignment(one))),
                },
            }
        }
        let callee = self.callee(&words, line);
        let profile = self.dialect.profile();
        if profile.syntax.left.by_two_things {
            self.look_at_words(&words, point);
        }
        if profile.syntax.functions.written_anew
            && !command.redirects.iter().any(throws_output_away)
        {
            let what = "a function as bash would write it";
            if shows_functions(&words) {
                self.refuse(what);
            }
            for name in described(&words) {
                let slot = self.slot(&name);
                self.shown.push((slot, Unsupported { line, what: what.into() }));
            }
        }
        let words = words.into();
        Node::Call(Box::new(Call { assignments, words, callee, redirects, line }))
    }

    /// Whether a command calculates with what it is given, or makes a reference to what is
    /// not known yet. The number of `sleep` is only time; `point` is what was known before its
    /// words.
    fn look_at_words(&mut self, arguments: &[Argument], point: Option<u32>) {
        let words = known_words(arguments, self.dialect);
        let has = |is: fn(&[u8]) -> bool| words.iter().flatten().any(|word| is(word));
        match words.first().copied().flatten() {
            Some(b"sleep" | b"read" | b"timeout") => self.together.point = point,
            Some(b"let" | b"integer") => self.together.calculates = true,
            Some(b"set") => {
                self.together.traces |=
                    has(|word| word == b"xtrace" || word.starts_with(b"-") && word.contains(&b'x'));
            }
            Some(name @ (b"typeset" | b"nameref")) => {
                self.together.calculates |=
                    has(|word| word.starts_with(b"-") && word.contains(&b'i'));
                let refers = name == b"nameref"
                    || has(|word| word.starts_with(b"-") && word.contains(&b'n'));
                if refers && arguments.iter().any(|one| self.is_known_late(one)) {
                    self.together.reference = Some(self.line);
                }
            }
            Some(b"test" | b"[") => {
                self.together.calculates |=
                    has(|word| matches!(word, b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge"));
            }
            _ => {}
        }
    }

    /// Whether it is an assignment of what an expansion says, or of the variable's own name.
    fn is_known_late(&self, argument: &Argument) -> bool {
        let Argument::Assignment(assignment) = argument else { return false };
        match &assignment.value {
            Value::Word(Word::Fixed(text)) => **text == *self.names.name(assignment.slot),
            _ => true,
        }
    }

    fn callee(&mut self, words: &[Argument], line: u32) -> Callee {
        let Some(Argument::Word(Word::Fixed(name))) = words.first() else {
            self.named_late();
            return Callee::Unknown;
        };
        let slot = self.slot(name);
        self.look_at_call(name, slot, words);
        self.called.push(slot);
        let rules = &self.dialect.profile().commands;
        if rules.lists_last_argument
            && words.len() <= 2
            && matches!(&**name, b"set" | b"declare" | b"typeset")
        {
            self.names.asks_for_last_argument = true;
        }
        if matches!(&**name, b"." | b"source")
            && let Some(Argument::Word(Word::Fixed(path))) = words.get(1)
            && path.starts_with(b"/")
        {
            self.files.push((line, path.to_vec()));
        }
        self.texts.extend(constant_text(words, self.dialect).map(|text| (line, text)));
        if rules.aliases_in_posix_mode {
            let any = |is: &dyn Fn(&[u8]) -> bool| {
                words[1..]
                    .iter()
                    .any(|word| matches!(word, Argument::Word(Word::Fixed(text)) if is(text)))
            };
            self.together.posix_mode |= **name == *b"set" && any(&|text| text == b"posix");
            if **name == *b"alias" && words.len() > 1 {
                self.together.alias.get_or_insert(line);
            }
        }
        if **name == *b"alias" && !rules.aliases_in_posix_mode {
            self.look_at_aliases(words, line);
        } else if let Some(what) = not_run_here(words, self.dialect) {
            self.doubtful.push((slot, Unsupported { line, what }));
        }
        Callee::Named(slot, builtin_table::find(name, self.dialect))
    }

    /// An alias is for texts that are read after it, and all of a script is read before it runs:
    /// one that may be for a command of this text is not run here. Other commands may
    /// know of it, too.
    fn look_at_aliases(&mut self, words: &[Argument], line: u32) {
        let rules = &self.dialect.profile().commands;
        let is_known = words.len() > 1 || !rules.has_own_aliases;
        let mut refused = !is_known;
        for word in &words[1..] {
            let Argument::Word(Word::Fixed(text)) = word else {
                refused = true;
                continue;
            };
            let Some(equals) = text.iter().position(|byte| *byte == b'=') else { continue };
            // Behind a blank the next word may be an alias as well.
            refused |= text.last().is_some_and(u8::is_ascii_whitespace);
            let name = String::from_utf8_lossy(&text[..equals]).into_owned();
            let what = format!("'{name}' is an alias: not run here");
            for name in rules.alias_readers.iter().copied().chain([&text[..equals]]) {
                let slot = self.slot(name);
                self.aliases.push((slot, Unsupported { line, what: what.clone() }));
            }
        }
        if refused {
            self.refuse("'alias' is not run here");
        }
    }

    /// `export a={1,2}`, where it assigns twice.
    fn several(&mut self, one: &tree::Assignment) -> Option<Vec<Argument>> {
        let tree::Value::Word(value) = &one.value else { return None };
        let has_tilde = value.pieces.iter().any(|piece| matches!(piece, tree::Piece::Tilde(_)));
        if !self.braces().in_declarations || one.subscript.is_some() || has_tilde {
            return None;
        }
        // With the `=`, as words without a text are left out.
        let mut whole = value.clone();
        whole.pieces.insert(0, tree::Piece::Literal(b"=".to_vec()));
        let values = braces::expand(&whole, self.dialect).ok()??;
        if self.is_too_much(&values) {
            self.refuse("braces that come to too many words");
            return None;
        }
        let mut several = Vec::with_capacity(values.len());
        for mut value in values {
            if let Some(tree::Piece::Literal(text)) = value.pieces.first_mut() {
                text.remove(0);
            }
            let one = tree::Assignment { value: tree::Value::Word(value), ..one.clone() };
            several.push(Argument::Assignment(self.assignment(&one)));
        }
        Some(several)
    }

    pub(super) fn braces(&self) -> &'static Braces {
        &self.dialect.profile().syntax.braces
    }

    /// Words with their braces expanded.
    pub(super) fn words(&mut self, words: &[tree::Word]) -> Vec<Word> {
        let mut lowered = Vec::with_capacity(words.len());
        for word in words {
            if self.braces().after_expansions && braces_beside_expansions(word) {
                self.refuse("braces beside what is expanded");
            }
            match braces::expand(word, self.dialect) {
                Ok(Some(several)) if self.is_too_much(&several) => {
                    self.refuse("braces that come to too many words");
                }
                Ok(Some(several)) => lowered.extend(several.iter().map(|word| self.word(word))),
                Ok(None) => lowered.push(self.word(word)),
                Err(_) => self.refuse("braces that only the shell itself can expand"),
            }
        }
        lowered
    }

    /// Whether the words that braces have come to in this text are more than a machine can hold:
    /// what is in `$( … ){1..9}` is there nine times, and it may have such words in it as well.
    fn is_too_much(&mut self, words: &[tree::Word]) -> bool {
        let each = words.iter().flat_map(|word| &word.pieces).map(weight).max().unwrap_or(1);
        self.of_braces = self.of_braces.saturating_add(words.len() * each);
        self.of_braces > braces::WORDS_LIMIT
    }

    pub(super) fn assignment(&mut self, assignment: &tree::Assignment) -> Assignment {
        let subscript = assignment.subscript.as_ref().map(|word| self.subscript(word));
        let value = match &assignment.value {
            tree::Value::Word(word) => Value::Word(self.word(word)),
            tree::Value::Array(elements) => {
                let mut lowered = Vec::with_capacity(elements.len());
                for element in elements {
                    self.element(element, &mut lowered);
                }
                Value::Array(lowered.into())
            }
        };
        let slot = self.slot(&assignment.name);
        if self.dialect.profile().syntax.left.by_two_things {
            self.look_at_assignment(&assignment.name, &value);
        }
        let append = assignment.append;
        let written = crate::Text::from_slice(&assignment.written.0);
        Assignment { slot, subscript, append, value, written }
    }

    /// What `set -x` shows in a way of its own, and what changes the shell.
    fn look_at_assignment(&mut self, name: &[u8], value: &Value) {
        let expands = |text: &[u8]| {
            let names = memchr::memmem::find_iter(text, b"$LINENO").count();
            text.iter().filter(|byte| matches!(byte, b'$' | b'`')).count() > names
        };
        match value {
            Value::Word(Word::Fixed(text)) if name != b"PS4" || !expands(text) => {}
            Value::Word(_) if name != b"PS4" => {}
            _ => self.together.traced = self.together.traced.or(Some(self.line)),
        }
        if self.dialect.profile().syntax.left.assigned_variables.contains(&name) {
            self.refuse(String::from_utf8_lossy(name));
        }
    }

    fn element(&mut self, element: &tree::Element, lowered: &mut Vec<Element>) {
        let Some(word) = &element.subscript else {
            let values = self.words(std::slice::from_ref(&element.value));
            lowered.extend(values.into_iter().map(Element::plain));
            return;
        };
        let braces = match self.braces().behind_subscripts {
            true => self.braces_behind_subscript(word, element),
            false => Box::default(),
        };
        let subscript = Some(self.subscript(word));
        let value = self.word(&element.value);
        lowered.push(Element { subscript, append: element.append, value, braces });
    }

    /// What braces come to has no subscript, however it looks; but an associative array has
    /// the value as it stands. Nothing if there are no braces.
    fn braces_behind_subscript(
        &mut self,
        subscript: &tree::Word,
        element: &tree::Element,
    ) -> Box<[Word]> {
        if !matches!(braces::expand(&element.value, self.dialect), Ok(Some(_))) {
            return Box::default();
        }
        let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
        let mut pieces = vec![tree::Piece::Literal(b"[".to_vec())];
        pieces.extend(subscript.pieces.iter().cloned());
        pieces.push(tree::Piece::Literal(equals.to_vec()));
        pieces.extend(element.value.pieces.iter().cloned());
        self.words(&[tree::Word { pieces }]).into()
    }

    pub(super) fn redirects(&mut self, redirects: &[tree::Redirect]) -> Box<[Redirect]> {
        redirects.iter().map(|redirect| self.redirect(redirect)).collect()
    }

    fn redirect(&mut self, redirect: &tree::Redirect) -> Redirect {
        use tree::RedirectKind as From;
        let (kind, usual, word) = match &redirect.kind {
            From::Read(word) => (RedirectKind::Read, 0, word),
            From::Write(word) => (RedirectKind::Write, 1, word),
            From::Clobber(word) => (RedirectKind::Clobber, 1, word),
            From::Append(word) => (RedirectKind::Append, 1, word),
            From::ReadWrite(word) => (RedirectKind::ReadWrite, 0, word),
            From::CopyInput(word) => (RedirectKind::CopyInput, 0, word),
            From::CopyOutput(word) => (RedirectKind::CopyOutput, 1, word),
            From::WriteBoth(word) => (RedirectKind::WriteBoth, 1, word),
            From::AppendBoth(word) => (RedirectKind::AppendBoth, 1, word),
            From::Here(text) => (RedirectKind::Here, 0, &**text),
            From::HereString(word) => (RedirectKind::HereString, 0, word),
        };
        let target = match &redirect.descriptor {
            None => Target::Number(usual),
            Some(tree::Target::Number(number)) => Target::Number(*number),
            Some(tree::Target::Variable(name)) => Target::Variable(self.slot(name)),
        };
        if kind != RedirectKind::Here && kind != RedirectKind::HereString {
            // It may open a FIFO that another command has to read.
            self.not_bounded();
        }
        self.together.traced = self.together.traced.or(Some(redirect.line));
        let implied = redirect.descriptor.is_none();
        if kind == RedirectKind::ReadWrite && self.dialect.profile().syntax.left.read_write {
            self.refuse("<>, which cuts files off");
        }
        let here_documents = &self.dialect.profile().syntax.here_documents;
        let unjoined;
        let word = match kind {
            RedirectKind::Here if here_documents.star_has_blanks => {
                unjoined = with_blanks(word, here_documents);
                &unjoined
            }
            _ => word,
        };
        let several = kind != RedirectKind::Here
            && kind != RedirectKind::HereString
            && self.braces().in_redirections
            && matches!(braces::expand(word, self.dialect), Ok(Some(_)));
        let word = match several {
            // No field, which is as wrong as several.
            true => Word::Parts { parts: [].into(), whole: false },
            false => self.word(word),
        };
        let line = redirect.line;
        let written = match &word {
            Word::Fixed(_) => crate::Text::new(),
            _ => crate::Text::from_slice(&redirect.written.0),
        };
        Redirect { target, implied, kind, word, line, written }
    }
}

/// The text of a here-document in which `$*` is what `$@` is, and perhaps `${a[*]}` as well.
fn with_blanks(word: &tree::Word, rules: &HereDocuments) -> tree::Word {
    let mut word = word.clone();
    for piece in &mut word.pieces {
        let tree::Piece::Parameter(parameter) = piece else { continue };
        if parameter.name == tree::ParameterName::Special(b'*') {
            parameter.name = tree::ParameterName::Special(b'@');
        }
        let joined = parameter.subscript == Some(tree::Subscript::Joined);
        if rules.joined_array_has_blanks && joined {
            parameter.subscript = Some(tree::Subscript::All);
        }
    }
    word
}

/// Whether functions are listed: `declare -f`.
fn shows_functions(words: &[Argument]) -> bool {
    let fixed = |word: &Argument| match word {
        Argument::Word(Word::Fixed(text)) => Some(text.clone()),
        _ => None,
    };
    let mut words = words.iter().map_while(fixed);
    let declares = words.next().is_some_and(|name| matches!(&*name, b"declare" | b"typeset"));
    let mut options = words.take_while(|word| word.first() == Some(&b'-'));
    declares && options.any(|word| word.contains(&b'f'))
}

/// What `type` and `command -V` say everything about.
fn described(words: &[Argument]) -> Vec<crate::Text> {
    let fixed = |word: &Argument| match word {
        Argument::Word(Word::Fixed(text)) => Some(text.clone()),
        _ => None,
    };
    let mut words: Vec<_> = words.iter().filter_map(fixed).collect();
    let names = words.iter().skip(1).position(|word| !word.starts_with(b"-"));
    let names = words.split_off(names.map_or(words.len(), |at| at + 1));
    let has =
        |letters: &[u8]| words[1..].iter().any(|word| word.iter().any(|b| letters.contains(b)));
    match words.first().map(|name| &**name) {
        Some(b"type") if !has(b"tpPf") => names,
        Some(b"command") if has(b"V") => names,
        _ => Vec::new(),
    }
}

/// Whether what is written goes to /dev/null.
fn throws_output_away(redirect: &tree::Redirect) -> bool {
    use tree::RedirectKind::{CopyOutput, Write, WriteBoth};
    let null = [tree::Piece::Literal(b"/dev/null".to_vec())];
    matches!(redirect.descriptor, None | Some(tree::Target::Number(1)))
        && matches!(&redirect.kind, Write(word) | WriteBoth(word) | CopyOutput(word)
            if *word.pieces == null)
}

/// The text that `eval` or `trap` is given, if it is known.
fn constant_text(words: &[Argument], dialect: Dialect) -> Option<Vec<u8>> {
    let words = known_words(words, dialect);
    match words.first().copied().flatten()? {
        b"eval" => Some(words[1..].iter().copied().collect::<Option<Vec<&[u8]>>>()?.join(&b' ')),
        b"trap" if words.len() > 2 => {
            let text = words.iter().skip(1).find(|word| **word != Some(b"--"))?;
            text.filter(|text| !text.starts_with(b"-")).map(<[u8]>::to_vec)
        }
        _ => None,
    }
}

/// The words that are known, as far as they are: those of the command that `command` or `builtin`
/// runs, if it is one of these.
fn known_words(words: &[Argument], dialect: Dialect) -> Vec<Option<&[u8]>> {
    let fixed = words.iter().map(|word| match word {
        Argument::Word(Word::Fixed(text)) => Some(&**text),
        _ => None,
    });
    let mut words: Vec<Option<&[u8]>> = fixed.collect();
    while let Some(Some(name @ (b"command" | b"builtin"))) = words.first() {
        if *name == b"builtin" && !dialect.profile().commands.builtin_runs {
            break;
        }
        let options = words[1..].iter().take_while(|word| matches!(word, Some(b"-p" | b"--")));
        let taken = 1 + options.count();
        words.drain(..taken);
    }
    words
}

/// What `set` asks for and is not done here.
fn set_asks_for(words: &[Option<&[u8]>], dialect: Dialect) -> Option<String> {
    let mut words = words[1..].iter();
    while let Some(Some([sign @ (b'-' | b'+'), letters @ ..])) = words.next() {
        if letters.is_empty() || letters == b"-" || letters.contains(&b'A') {
            return None;
        }
        let on = *sign == b'-';
        let sign = char::from(*sign);
        for &letter in letters {
            if letter != b'o' {
                if !options::is_done_letter(letter, on, dialect.profile()) {
                    return Some(format!("set {sign}{}", char::from(letter)));
                }
            } else if let Some(name) = words.next() {
                // Which one it is, only an expansion says.
                let Some(name) = name else { return Some(format!("set {sign}o …")) };
                match options::named(name, on, dialect.profile()) {
                    Some((found, really)) if !options::is_done(found.text, really) => {
                        return Some(format!("set {sign}o {}", found.text));
                    }
                    None if dialect.profile().commands.has_other_options => {
                        let name = String::from_utf8_lossy(name);
                        return Some(format!("set {sign}o {name}"));
                    }
                    _ => {}
                }
            }
        }
    }
    None
}

/// What `shopt` asks for and is not done here.
fn shopt_asks_for(words: &[Option<&[u8]>]) -> Option<String> {
    let is_option = |word: &&Option<&[u8]>| word.is_some_and(|word| word.starts_with(b"-"));
    let letters: Vec<u8> =
        words[1..].iter().take_while(is_option).flatten().flat_map(|word| word.to_vec()).collect();
    let on = letters.contains(&b's');
    if !on && !letters.contains(&b'u') {
        return None;
    }
    if words.contains(&None) {
        return Some("shopt …".into());
    }
    let names = words[1..].iter().flatten();
    let mut found = names.filter_map(|name| options::of_shopt(name, letters.contains(&b'o')));
    let found = found.find(|found| !options::is_done(found.text, on))?;
    Some(format!("shopt -{} {}", if on { 's' } else { 'u' }, found.text))
}

/// What a command is that is not run here, if it is none of the script's own functions.
fn not_run_here(words: &[Argument], dialect: Dialect) -> Option<String> {
    let profile = dialect.profile();
    let words = known_words(words, dialect);
    let name = words.first().copied().flatten()?;
    let any = |from: usize, is: &dyn Fn(&[u8]) -> bool| {
        words.iter().skip(from).flatten().any(|word| is(word))
    };
    let what = match name {
        _ if builtin_table::is_left_out(name, dialect) => {
            String::from_utf8_lossy(name).into_owned()
        }
        b"set" => set_asks_for(&words, dialect)?,
        b"shopt" if profile.commands.shopt => shopt_asks_for(&words)?,
        b"trap" if words.get(1) != Some(&Some(b"-")) && words.get(1) != Some(&Some(b"")) => {
            let steps = |word: &[u8]| {
                let condition = Condition::of(word, dialect);
                matches!(condition, Some(Condition::Debug | Condition::Key))
            };
            any(2, &steps).then(|| "trap … DEBUG".to_string())?
        }
        _ if (profile.syntax.left.command)(name, &words[1..]) => {
            String::from_utf8_lossy(name).into_owned()
        }
        _ => return None,
    };
    Some(format!("'{what}' is not run here"))
}

/// How many words of plain text are as much as one with this in it.
fn weight(piece: &tree::Piece) -> usize {
    match piece {
        tree::Piece::Literal(_) | tree::Piece::Quoted(_) => 1,
        tree::Piece::Command(_) | tree::Piece::Process { .. } => 64,
        tree::Piece::Double(pieces) => pieces.iter().map(weight).max().unwrap_or(1),
        _ => 8,
    }
}

/// Whether a word has braces, and something in it that is expanded: if that comes first, only the
/// last word that it comes to has the braces.
fn braces_beside_expansions(word: &tree::Word) -> bool {
    use tree::Piece::{Command, Literal, Parameter};
    let is_expanded = |piece: &tree::Piece| matches!(piece, Parameter(_) | Command(_));
    let has_brace = |piece: &tree::Piece| matches!(piece, Literal(text) if text.contains(&b'{'));
    word.pieces.iter().any(is_expanded) && word.pieces.iter().any(has_brace)
}
