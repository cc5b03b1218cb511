# Wherever it looks at a marked path, that says by its own account in which functions and lines it
# is, innermost first. A block of `eval` is part of its function.
use strict; use warnings; no warnings qw(redefine recursion);
sub here {
    my ($n, $at, @names) = (1, at(caller(0)));
    while (my @frame = caller($n++)) {
        my ($sub, $text) = @frame[3, 6];
        next if $sub eq '(eval)' && !defined $text;
        push @names, "$sub $at";
        $at = at(@frame);
    }
    return '/marked/' . join ',', @names, "main $at";
}
sub at {
    my (undef, $file, $line) = @_;
    return $file =~ /^\(eval/ ? "$line of $file" : $line;
}

sub one { -e here() }
sub two { one();
    -e here();
    -e here();
    for my $n (1 .. 2) { -e here(); }
}
sub deep { my $n = shift; deep($n - 1) if $n; -e here() }
sub twice { my $n = shift; return -e here() if !$n; twice($n - 1);
    twice($n - 1) }
package Kept {
    use overload '""' => sub { -e main::here(); 'text' };
    sub TIESCALAR { bless [], shift }
    sub FETCH { -e main::here() }
    sub DESTROY { -e main::here() }
}
sub by_number { -e here(); $a <=> $b }
for my $i (0 .. 149) {
    one(); two(); deep($i % 9); twice($i % 4);
    { my $kept = bless {}, 'Kept'; my $text = "$kept"; }
    tie my $tied, 'Kept'; my $value = $tied;
    my @sorted = sort by_number 2, 1;
    @sorted = map { one(); $_ } 1 .. 2;
    my $fresh = sub { -e here(); $i };
    $fresh->();
    eval { one(); $i % 2 ? die : -e here() };
    # Functions that are made anew where others were.
    eval "\n" x ($i % 3) . "sub fresh" . $i % 2 . " { -e main::here() }
        fresh" . $i % 2 . "(); 1" or die $@;
    my $line = 0;
    while ($line++ < 3) { -e here() if $line > 1; }
}
