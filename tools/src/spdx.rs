//! SPDX licence expressions, as far as Cargo manifests use them: names, `WITH`, `AND`, `OR`,
//! parentheses, and the old `/`, which means `OR`.

/// Whether the expression can be satisfied with `allowed` licences alone.
///
/// `A OR B` needs one of them, `A AND B` both, `A WITH E` exactly that pair in `allowed`.
pub(crate) fn satisfied(expression: &str, allowed: &[&str]) -> Result<bool, String> {
    let mut parser = Parser { tokens: tokens(expression), at: 0, allowed };
    let verdict = parser.any_of()?;
    match parser.peek() {
        None => Ok(verdict),
        Some(token) => Err(format!("'{token}' was not expected in '{expression}'")),
    }
}

fn tokens(expression: &str) -> Vec<String> {
    let mut spaced = String::new();
    for char in expression.chars() {
        match char {
            '(' | ')' => spaced.extend([' ', char, ' ']),
            '/' => spaced.push_str(" OR "),
            _ => spaced.push(char),
        }
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    allowed: &'a [&'a str],
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    /// Takes the next token if it is this word; operators are accepted in any case.
    fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    /// `OR` binds weakest.
    fn any_of(&mut self) -> Result<bool, String> {
        let mut verdict = self.all_of()?;
        while self.take("OR") {
            verdict |= self.all_of()?;
        }
        Ok(verdict)
    }

    fn all_of(&mut self) -> Result<bool, String> {
        let mut verdict = self.one()?;
        while self.take("AND") {
            verdict &= self.one()?;
        }
        Ok(verdict)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let verdict = self.any_of()?;
            return match self.take(")") {
                true => Ok(verdict),
                false => Err("a parenthesis is not closed".to_owned()),
            };
        }
        let mut licence = self.name()?;
        if self.take("WITH") {
            licence = format!("{licence} WITH {}", self.name()?);
        }
        Ok(self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(&licence)))
    }

    fn name(&mut self) -> Result<String, String> {
        let operator = |token: &str| {
            ["AND", "OR", "WITH", "(", ")"].iter().any(|word| token.eq_ignore_ascii_case(word))
        };
        match self.peek() {
            Some(token) if !operator(token) => {
                let name = token.to_owned();
                self.at += 1;
                Ok(name)
            }
            Some(token) => Err(format!("a licence was expected before '{token}'")),
            None => Err("a licence was expected at the end".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &[&str] = &["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "ISC"];

    fn ok(expression: &str) -> bool {
        satisfied(expression, ALLOWED).unwrap()
    }

    #[test]
    fn one_licence_is_allowed_or_not() {
        assert!(ok("MIT"));
        assert!(!ok("GPL-3.0-only"));
    }

    #[test]
    fn or_needs_one_and_and_needs_all() {
        assert!(ok("GPL-2.0 OR MIT"));
        assert!(!ok("GPL-2.0 AND MIT"));
        assert!(ok("MIT AND ISC"));
    }

    #[test]
    fn and_binds_tighter_than_or() {
        assert!(ok("MIT OR GPL-2.0 AND LGPL-2.1"));
        assert!(!ok("(MIT OR GPL-2.0) AND LGPL-2.1"));
        assert!(ok("(MIT OR Apache-2.0) AND ISC"));
    }

    #[test]
    fn the_old_slash_is_or() {
        assert!(ok("MIT/GPL-2.0"));
        assert!(ok("GPL-2.0 / MIT"));
    }

    #[test]
    fn an_exception_is_part_of_the_licence() {
        assert!(ok("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
        assert!(!ok("Apache-2.0 WITH Other-exception"));
        assert!(!ok("MIT WITH LLVM-exception"));
    }

    #[test]
    fn nonsense_is_an_error_and_not_a_licence() {
        for bad in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT ISC", "MIT WITH"] {
            assert!(satisfied(bad, ALLOWED).is_err(), "{bad}");
        }
    }
}
