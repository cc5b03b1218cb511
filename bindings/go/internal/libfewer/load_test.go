//go:build !fewer_cgo && !fewer_static

package libfewer

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain is also a program that only loads the library.
func TestMain(m *testing.M) {
	if os.Getenv("FEWER_LOAD") == "" {
		os.Exit(m.Run())
	}
	if err := Load(); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString(String(Version()))
}

// loading is what the program above prints, with other variables.
func loading(t *testing.T, variables ...string) (string, error) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(append(os.Environ(), "FEWER_LOAD=1"), variables...)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestTheVariableNamesTheLibrary(t *testing.T) {
	if found, err := loading(t); err != nil || !strings.Contains(found, ".") {
		t.Error(found, err)
	}
	for _, path := range []string{"/no such place", os.Args[0], "libc.so.6"} {
		found, err := loading(t, "FEWER_LIBRARY="+path)
		if err == nil || !strings.HasPrefix(found, "fewer: ") {
			t.Error(path, found, err)
		}
	}
}

func TestALibraryIsLoadedFromMemory(t *testing.T) {
	path := os.Getenv("FEWER_LIBRARY")
	if path == "" {
		t.Skip("FEWER_LIBRARY does not say where the library is")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before := descriptors(t)
	if _, err := openMemory("no library"); err == nil {
		t.Error("what is no library was loaded")
	}
	if library, err := openMemory(string(content)); err != nil || library == 0 {
		t.Error(err)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestAnotherInterfaceIsRefused(t *testing.T) {
	if err := rightABI(ABI, "0.1.0"); err != nil {
		t.Error(err)
	}
	if err := rightABI(ABI+1, "9.9.9"); err == nil || !strings.Contains(err.Error(), "9.9.9") {
		t.Error(err)
	}
}
