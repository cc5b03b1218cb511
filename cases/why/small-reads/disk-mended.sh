# Prints the entries of a log that are about the disk 77, without what is for programmers.
grep -v DEBUG "$1" | grep "disk 77"
