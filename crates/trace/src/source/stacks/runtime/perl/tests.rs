//! What Perl programs themselves say of their functions, and what was read from memory.

use super::super::super::trial::Folder;
use super::super::trial::{Marked, by_its_own_account, marked, with_lies};
use super::*;
use crate::source::stacks::runtime::copies::Copies;

/// It writes down by `caller` where it is, wherever it makes a marked call. A block of `eval` is
/// part of its function, as it is for readers; `caller` has it for itself.
const PROGRAM: &str = r#"
use strict; use warnings; use utf8; use feature 'say', 'state', 'current_sub';
my @found;
sub mark {
    my ($mark) = @_;
    my ($n, @stack, @at) = (0);
    open(my $none, '<', "/trial/$mark"); @at = (__FILE__, __LINE__);
    while (my ($package, $file, $line, $sub, undef, undef, $text, $required) = caller($n++)) {
        next if $sub eq '(eval)' && !defined $text && !$required;
        push @stack, $sub ne '(eval)' ? $sub : $required ? 'require' : '(eval)', @at;
        @at = ($file, $line);
    }
    push @found, join("\t", $mark, @stack, 'main', @at);
}
package Store {
    sub new { bless {}, shift }
    sub load { my ($self, $deep) = @_;
        return $self->load($deep - 1) if $deep;
        main::mark('method');
    }
    sub DESTROY { main::mark('destroy') }
    sub TIESCALAR { bless [], shift }
    sub FETCH { main::mark('tied'); 1 }
    use overload '""' => sub { main::mark('overload'); 'text' };
}
package main;
sub plain { mark('plain') }
plain();
{ my $store = Store->new; $store->load(3); my $text = "$store"; }
tie my $tied, 'Store'; my $value = $tied;
my $anonymous = sub { mark('anon'); };
$anonymous->();
eval { plain(); 1 } or die;
eval "\n\nplain(); 1" or die $@;
eval "sub made { \n mark('made') } 1" or die $@;
made();
my @sorted = sort { mark('sort') if $a == 1; $a <=> $b } 1, 2;
sub by_number { mark('sort-by'); $a <=> $b }
@sorted = sort by_number 2, 1;
mark('map') for map { plain(); $_ } 1 .. 2;
local $SIG{USR1} = sub { mark('signal') };
kill 'USR1', $$;
local $SIG{__WARN__} = sub { mark('warn') };
warn "careful";
sub größe { mark('utf8') }
größe();
my $long = 'n' x 240;
eval "sub $long { mark('long') } 1" or die $@; { no strict 'refs'; &$long(); }
sub down { my $n = shift; $n ? down($n - 1) : mark('deep') }
{ no warnings 'recursion'; down(300); }
sub hop { goto &plain }
hop();
our $AUTOLOAD;
sub AUTOLOAD { mark('auto') if $AUTOLOAD =~ /unknown/ }
unknown_function();
'x' =~ /x(?{ mark('regex') })/;
require "./helper.pl";
do "./helper.pl";
local $_ = 'x';
s/x/plain(); 'y'/e;
while (my $line = shift @{[]} // do { mark('loop'); undef }) { }
END { open(my $out, '>:utf8', $ARGV[0]); say $out $_ for @found; }
"#;

#[test]
fn functions_are_as_perl_itself_tells_them() {
    let folder = Folder::new("perl");
    let (script, helper, output) =
        (folder.0.join("t.pl"), folder.0.join("helper.pl"), folder.0.join("found"));
    std::fs::write(&script, PROGRAM).unwrap();
    std::fs::write(
        &helper,
        "\n\nmain::mark('file');\nsub of_helper { plain() }\nof_helper();\n1;\n",
    )
    .unwrap();
    let words = [
        "sh",
        "-c",
        "cd \"$1\" && exec perl t.pl \"$2\"",
        "sh",
        folder.0.to_str().unwrap(),
        output.to_str().unwrap(),
    ];
    let found = marked(&words);
    let expected = by_its_own_account(&output);
    for (found, expected) in found.iter().zip(&expected) {
        let of_script =
            |name: &str| name == "t.pl" || name.ends_with("helper.pl") || name.starts_with("(eval");
        let functions = found.functions.iter().filter(|it| of_script(&it.1)).cloned().collect();
        let found = Marked { mark: found.mark.clone(), functions };
        assert_eq!(&found, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 30, "{}", found.len());
}

#[test]
fn threads_and_children_have_their_own_functions() {
    let folder = Folder::new("perl-threads");
    let script = folder.0.join("t.pl");
    let text = "use threads;\n\
        sub look { open(my $none, '<', '/trial/' . shift) }\n\
        sub other { look('thread') }\n\
        threads->create(\\&other)->join;\n\
        sub child { look('child'); exit 0 }\n\
        if (fork == 0) { child() }\n\
        wait;\n\
        look('main');\n";
    std::fs::write(&script, text).unwrap();
    let found = marked(&["perl", script.to_str().unwrap()]);
    for (mark, expected) in [
        ("thread", &[("main::look", 2), ("main::other", 3)][..]),
        ("child", &[("main::look", 2), ("main::child", 5), ("main", 6)]),
        ("main", &[("main::look", 2), ("main", 8)]),
    ] {
        let found = found.iter().find(|found| found.mark == mark).unwrap();
        let own = found.functions.iter().filter(|it| it.1 == script.to_str().unwrap());
        let own: Vec<_> = own.map(|it| (it.0.as_str(), it.2)).collect();
        assert!(own.starts_with(expected), "{mark}: {own:?}");
    }
}

/// An interpreter as it lies in memory: a function that was called by the file.
fn laid_out() -> Vec<u64> {
    let mut words = vec![0u64; 64];
    let start = words.as_ptr() as u64;
    let at = |word: usize| start + 8 * word as u64;
    let (statement, info, contexts, function, body) = (8, 16, 24, 40, 44);
    (words[0], words[1]) = (at(statement), at(info));
    words[info + stack_info::CONTEXTS / 8] = at(contexts);
    words[info + 5] = 1 << 32;
    words[contexts] = context::IS_FUNCTION.into();
    words[contexts + context::STATEMENT / 8] = at(statement);
    words[contexts + 9] = at(function);
    words[function] = at(body);
    words
}

#[test]
fn memory_that_lies_is_read_to_an_end() {
    let mut words = laid_out();
    let start = words.as_ptr() as u64;
    let reach = Reach::Symbols { statement: start, stack_info: start + 8 };
    let contexts = Contexts { reason: 44, function: 72, size: 104 };
    let (layout, this) =
        (Layout { reach, contexts, is_name_inside: true }, std::process::id().cast_signed());
    let read = || {
        let links = Copies::default().with(this, |memory| links(memory, layout, 0));
        let links = links.unwrap_or_default();
        for link in &links {
            link.location(this, layout);
        }
        links.len()
    };
    assert_eq!(read(), 2);
    with_lies(&mut words, FUNCTIONS, read);
}
