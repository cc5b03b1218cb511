# Reads a table as a whole, and writes another through one file.
set file [open rows.csv]
set rows [split [string trimright [read $file] "\n"] "\n"]
close $file
set sum 0
set out [open rows-tcl w]
foreach row $rows {
    lassign [split $row ,] id name number
    incr sum $number
    puts $out "$name;$id"
}
close $out
puts $sum
