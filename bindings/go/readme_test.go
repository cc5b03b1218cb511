package fewer_test

import (
	"os"
	"strings"
	"testing"
)

// What the README shows is run: each block is in the examples, whose output is checked.
func TestTheREADMEHasTheExamples(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	check(t, err)
	source, err := os.ReadFile("example_test.go")
	check(t, err)
	blocks := strings.Split(string(readme), "```go\n")[1:]
	equal(t, len(blocks), 10)
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		indented := "\t" + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n\t")
		if !strings.Contains(string(source), indented) {
			t.Errorf("no example has\n%s", block)
		}
	}
}
