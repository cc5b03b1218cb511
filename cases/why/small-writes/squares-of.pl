#!/usr/bin/perl
# Prints a table of squares, and wants to see each line at once.
use strict;
use warnings;

$| = 1;

package Table;

sub new {
    my ($class, $last) = @_;
    return bless { last => $last }, $class;
}

sub row {
    my ($self, $number) = @_;
    print $number, "\t", $number**2, "\n";
}

sub print_all {
    my ($self) = @_;
    $self->row($_) for 1 .. $self->{last};
}

package main;

Table->new($ARGV[0])->print_all;
