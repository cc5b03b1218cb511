#!/usr/bin/perl
# Lists the names of all pages in a directory without their ending.
use strict;
use warnings;
use File::Basename qw(basename);

sub title {
    my ($page) = @_;
    return basename($page, '.html');
}

my ($folder) = @ARGV;
my @pages = sort glob("$folder/*.html");
print join(', ', map { title($_) } @pages), "\n";
