#!/usr/bin/perl
# Lists the names of all pages in a directory without their ending.
use strict;
use warnings;

sub title {
    my ($page) = @_;
    my $title = `basename $page .html`;
    chomp $title;
    return $title;
}

my ($folder) = @ARGV;
my @pages = sort glob("$folder/*.html");
print join(', ', map { title($_) } @pages), "\n";
