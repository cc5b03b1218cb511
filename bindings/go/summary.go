package fewer

// #include <fewer.h>
import "C"

import "errors"

// A Summary is what there is in trees, in numbers.
type Summary struct {
	Directories Space
	Files       Space // the bytes of a file with several names count once
	Links       Space
	Other       Space
	Extensions  []Extension // the one with the largest size first
	Largest     []Extreme   // files by Value, each once; at most 10
	Deepest     *Extreme    // entry, by the steps in Value; nil if there is none, as the next three
	Longest     *Extreme    // path, by the bytes in Value
	Newest      *Extreme    // file, by Time
	Oldest      *Extreme
}

// All is everything together.
func (s *Summary) All() Space {
	return s.Directories.plus(s.Files).plus(s.Links).plus(s.Other)
}

// An Extension is files whose names end in the same; the name is what is behind the last dot.
type Extension struct {
	Name   string
	IsRest bool // the files of all others, after 65,536 different ones
	Space
}

// An Extreme is an entry that is the most of something.
type Extreme struct {
	Path  string
	Value uint64
	Time  Time // when the newest or oldest was modified
}

// Summarize counts what there is in a tree. The options say what is entered and what counts;
// Targets and Since are EINVAL. What could not be looked at is in the error, joined, and the rest
// is counted.
//
// Price: one statx an entry besides the walk.
func Summarize(root string, options *WalkOptions) (*Summary, error) {
	if options == nil {
		options = &WalkOptions{}
	}
	var handle *C.fewer_summary
	err := options.open(root, func(scope *C.fewer_scope, roots *C.fewer_text, count C.size_t,
		walk *C.fewer_walk_options, failure **C.fewer_error) C.int {
		return C.fewer_summary_open(scope, roots, count, walk, C.sizeof_fewer_walk_options, &handle,
			failure)
	})
	if err != nil {
		return nil, err
	}
	defer C.fewer_summary_close(handle)
	var facts C.fewer_summary_facts
	var failure *C.fewer_error
	if err := takeError(C.fewer_summary_facts_of(handle, &facts, &failure), failure); err != nil {
		return nil, err
	}
	bytes := goString(&facts.bytes, facts.bytes_length)
	errs := batchErrors(lent(&facts.failures, facts.failures_count), bytes)
	return summaryOf(&facts, bytes), errors.Join(errs...)
}

func summaryOf(facts *C.fewer_summary_facts, bytes string) *Summary {
	summary := &Summary{
		Directories: spaceOf(facts.directories),
		Files:       spaceOf(facts.files),
		Links:       spaceOf(facts.links),
		Other:       spaceOf(facts.other),
		Deepest:     extremeOf(facts.deepest, bytes),
		Longest:     extremeOf(facts.longest, bytes),
		Newest:      extremeOf(facts.newest, bytes),
		Oldest:      extremeOf(facts.oldest, bytes),
	}
	extensions := lent(&facts.extensions, facts.extensions_count)
	for i := range extensions {
		extension := &extensions[i]
		summary.Extensions = append(summary.Extensions, Extension{
			Name:   bytes[extension.name:][:extension.name_length],
			IsRest: extension.is_rest != 0,
			Space:  spaceOf(extension.space),
		})
	}
	largest := lent(&facts.largest, facts.largest_count)
	for i := range largest {
		summary.Largest = append(summary.Largest, *extremeOf(&largest[i], bytes))
	}
	return summary
}

func extremeOf(extreme *C.fewer_extreme, bytes string) *Extreme {
	if extreme == nil {
		return nil
	}
	time := extreme.time
	return &Extreme{
		Path:  bytes[extreme.path:][:extreme.path_length],
		Value: uint64(extreme.value),
		Time:  Time{int64(time.seconds), uint32(time.nanoseconds), uint32(time.known)},
	}
}
