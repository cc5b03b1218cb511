#!/usr/bin/perl
# Counts the lines of a log by their level, line by line.
use strict;
use warnings;

sub count {
    my ($path) = @_;
    my %count;
    open(my $log, '<', $path) or die "$path: $!";
    while (my $line = readline($log)) {
        $count{(split ' ', $line)[2]}++;
    }
    close($log);
    return %count;
}

my %count = count($ARGV[0]);
print "$_ $count{$_}\n" for sort keys %count;
