# Gives each message the next number of a file that others use, too.
use strict;
use warnings;
use Fcntl qw(:flock);

sub next_numbers {
    my ($count) = @_;
    open my $file, '+<', 'spool/next' or die "spool/next: $!";
    flock $file, LOCK_EX or die "flock: $!";
    chomp(my $number = <$file>);
    seek $file, 0, 0;
    truncate $file, 0;
    print $file $number + $count, "\n";
    close $file or die "spool/next: $!";
    return $number;
}

mkdir 'spool';
open my $new, '>', 'spool/next' or die $!;
print $new "1\n";
close $new;
my $sum = 0;
my $number = next_numbers(1000);
for my $message (1 .. 1000) {
    $sum += $number++ * length "message $message";
}
print "$sum\n";
