// How many entries a tree has: fewer_walk from Swift, a batch at a time.
//
//     swiftc walk.swift -o walk $(pkg-config --cflags-only-I --libs fewer) \
//         -I "$(pkg-config --variable=includedir fewer)/fewer"
//     ./walk /usr/share
//
// Prints what `find DIRECTORY | wc -l` prints, if no name has a newline in it.
import CFewer
import Foundation

func giveUp(_ error: OpaquePointer?) -> Never {
    fputs("walk: \(String(cString: fewer_error_message(error)))\n", stderr)
    fewer_error_free(error)
    exit(2)
}

let path = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
var walk: OpaquePointer?
var error: OpaquePointer?
let opened = path.withCString { bytes -> Int32 in
    var root = fewer_text(bytes: bytes, length: strlen(bytes))
    return fewer_walk_open(nil, &root, 1, nil, 0, &walk, &error)
}
if opened != 0 {
    giveUp(error)
}

var entries = 0
var status: Int32 = 0
while true {
    var batch = fewer_walk_batch()
    if fewer_walk_next(walk, &batch, &error) != 0 {
        giveUp(error)
    }
    guard let bytes = batch.bytes else { break }
    entries += batch.entries_count
    // What could not be looked at does not end a walk.
    for failure in UnsafeBufferPointer(start: batch.failures, count: batch.failures_count) {
        fputs("walk: \(String(cString: bytes + Int(failure.message)))\n", stderr)
        status = 1
    }
}
fewer_walk_close(walk)
print(entries)
exit(status)
