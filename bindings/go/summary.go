package fewer

import (
	"errors"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

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
	var handle *libfewer.Summary
	err := options.open(root, func(scope *libfewer.Scope, roots *libfewer.Text, count uintptr,
		walk *libfewer.WalkOptions, failure **libfewer.Error) int32 {
		return libfewer.SummaryOpen(scope, roots, count, walk, unsafe.Sizeof(*walk), &handle, failure)
	})
	if err != nil {
		return nil, err
	}
	defer libfewer.SummaryClose(handle)
	var facts libfewer.SummaryFacts
	var failure *libfewer.Error
	if err := takeError(libfewer.SummaryFactsOf(handle, &facts, &failure), failure); err != nil {
		return nil, err
	}
	bytes := goString(&facts.Bytes, facts.BytesLength)
	errs := batchErrors(lent(&facts.Failures, facts.FailuresCount), bytes)
	return summaryOf(&facts, bytes), errors.Join(errs...)
}

func summaryOf(facts *libfewer.SummaryFacts, bytes string) *Summary {
	summary := &Summary{
		Directories: Space(facts.Directories),
		Files:       Space(facts.Files),
		Links:       Space(facts.Links),
		Other:       Space(facts.Other),
		Deepest:     extremeOf(facts.Deepest, bytes),
		Longest:     extremeOf(facts.Longest, bytes),
		Newest:      extremeOf(facts.Newest, bytes),
		Oldest:      extremeOf(facts.Oldest, bytes),
	}
	extensions := lent(&facts.Extensions, facts.ExtensionsCount)
	for i := range extensions {
		extension := &extensions[i]
		summary.Extensions = append(summary.Extensions, Extension{
			Name:   bytes[extension.Name:][:extension.NameLength],
			IsRest: extension.IsRest != 0,
			Space:  Space(extension.Space),
		})
	}
	largest := lent(&facts.Largest, facts.LargestCount)
	for i := range largest {
		summary.Largest = append(summary.Largest, *extremeOf(&largest[i], bytes))
	}
	return summary
}

func extremeOf(extreme *libfewer.Extreme, bytes string) *Extreme {
	if extreme == nil {
		return nil
	}
	time := extreme.Time
	return &Extreme{
		Path:  bytes[extreme.Path:][:extreme.PathLength],
		Value: extreme.Value,
		Time:  Time{time.Seconds, time.Nanoseconds, time.Known},
	}
}
