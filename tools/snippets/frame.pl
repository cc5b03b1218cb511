# Runs the snippets in the folder of the first argument, each in a folder of its own.
use strict;
use warnings;
use lib '.';

our ($socket, $ready, $show_attributes, $number, $size, $when, $uid, $line, $item, $state, $host);
our ($path, $directory, $folder, $name, $from, $to, $fh, $out);
our (@items, @lines, @names, @paths);
our (%made, %places);

# What programs have of their own.
sub enter { } sub found { } sub missing { } sub handle { } sub save { } sub search { } sub show { }
sub update { } sub work { }

require IO::Socket;
my ($snippets, $scratch) = @ARGV;
my $failed = 0;
for my $file (sort glob "$snippets/*") {
    my ($place) = $file =~ m{([^/]+)$};
    mkdir "$scratch/$place"; chdir "$scratch/$place" or die $!;
    ($path, $directory, $folder, $name) = ('file', 'folder', 'folder/new/sub', 'name');
    ($from, $to, $number, $size, $when, $uid) = ('file', 'copy', 1, 2, 1_000_000_000, 0);
    mkdir $directory;
    put($_, "line 1\nline 2\n") for $path, "$directory/$name";
    put("$directory/Local.pm", "package Local; 1;\n");
    @items = @lines = ('one', 'two'); @names = ($name); @paths = ($path);
    ($line, $item, $host) = ('one', 'nothing', 'localhost');
    pipe $ready, my $end or die $!; syswrite $end, 'x';
    ($socket, my $other) = IO::Socket->socketpair(1, 1, 0); $other->syswrite('x');
    open $fh, '<', $path or die $!; open $out, '>', 'out' or die $!;
    open my $in, '<', $file or die $!;
    my $text = do { local $/; <$in> };
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    local $SIG{ALRM} = sub { die "takes too long\n" }; alarm 5;
    eval "package main; $text; 1" or push @warnings, $@;
    alarm 0;
    @warnings = grep { !/masks earlier|redefined|only once|^Useless use/ } @warnings;
    $failed++, print "$place: @warnings" if @warnings;
}
exit($failed > 0);

sub put {
    my ($path, $text) = @_;
    open my $file, '>', $path or die $!;
    print $file $text;
}
