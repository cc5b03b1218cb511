# Threads that run the same functions at the same time. Wherever they look at a marked path, that
# says by hand in which functions and lines they are, innermost first. Where a thread was created is
# its outermost line.
use strict; use warnings; use threads;
sub near { my $n = shift; $n ? near($n - 1, @_) : -e $_[0]; }
sub far {
    -e "/marked/main::far 7,main::work 12,main 16" if shift;
    -e "/marked/main::far 8,main::work 12,main 16";
}
sub work { my $n = shift;
    for (1 .. 100) {
        near(0, "/marked/main::near 5,main::work 12,main 16"); far($n);
    }
}
for my $turn (0 .. 4) {
    my @threads = map { threads->create(\&work, $_) } 0 .. 2;
    for (1 .. 100) {
        near($turn, "/marked/" . "main::near 5," x ($turn + 1) . "main 18");
    }
    $_->join for @threads;
}
