#!/usr/bin/perl
# Prints a table of squares.
use strict;
use warnings;

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
