#!/usr/bin/perl
# Counts the lines of a log by their level, reading it by sysread.
use strict;
use warnings;

sub next_line {
    my ($log) = @_;
    my $line = '';
    while (sysread($log, my $letter, 1)) {
        return $line if $letter eq "\n";
        $line .= $letter;
    }
    return length $line ? $line : undef;
}

sub count {
    my ($path) = @_;
    my %count;
    open(my $log, '<', $path) or die "$path: $!";
    while (defined(my $line = next_line($log))) {
        $count{(split ' ', $line)[2]}++;
    }
    close($log);
    return %count;
}

my %count = count($ARGV[0]);
print "$_ $count{$_}\n" for sort keys %count;
