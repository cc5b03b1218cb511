# Counts words, and writes the counts through one file.
use strict;
use warnings;

my %counts;
open my $text, '<', 'text' or die $!;
while (<$text>) { $counts{$_}++ for split }
close $text;
open my $out, '>', 'words-perl' or die $!;
print {$out} "$_ $counts{$_}\n" for sort keys %counts;
close $out or die $!;
