package main

import (
	"strings"

	"fewer.dev/go"
)

// summarize prints what there is in trees, as JSON.
func summarize(walker *walker) int {
	found, err := fewer.Summarize(walker.roots[0], &walker.options)
	complain("fewer", err)
	if found == nil {
		return failedWholly
	}
	var parts []string
	add := func(name, value string) { parts = append(parts, `"`+name+`":`+value) }
	add("v", "1")
	for _, group := range []struct {
		name  string
		space fewer.Space
	}{
		{"directories", found.Directories}, {"files", found.Files}, {"links", found.Links},
		{"other", found.Other}, {"all", found.All()},
	} {
		add(group.name, "{"+space(group.space)+"}")
	}
	var extensions, largest []string
	for _, extension := range found.Extensions {
		name := text(extension.Name)
		if extension.IsRest {
			name = "null"
		}
		extensions = append(extensions, `{"extension":`+name+","+space(extension.Space)+"}")
	}
	for _, file := range found.Largest {
		largest = append(largest, measured(&file, "size"))
	}
	add("extensions", "["+strings.Join(extensions, ",")+"]")
	add("largest", "["+strings.Join(largest, ",")+"]")
	if found.Deepest != nil {
		add("deepest", measured(found.Deepest, "depth"))
	}
	if found.Longest != nil {
		add("longest", measured(found.Longest, "bytes"))
	}
	if found.Newest != nil {
		add("newest", dated(found.Newest))
	}
	if found.Oldest != nil {
		add("oldest", dated(found.Oldest))
	}
	print("{" + strings.Join(parts, ",") + "}\n")
	return statusOf(err, walker.roots)
}
