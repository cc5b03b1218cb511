package fewer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// asOtherUser runs a test that root would pass for the wrong reason once more, by a user who may
// not read everything; it is done then.
func asOtherUser(t *testing.T) (isDone bool) {
	t.Helper()
	if os.Geteuid() != 0 {
		return false
	}
	// The folder of the test program is root's alone, and so are those of the tests.
	folder, err := os.MkdirTemp("", "fewer-go-")
	check(t, err)
	defer os.RemoveAll(folder)
	check(t, os.Chmod(folder, 0o777|os.ModeSticky))
	content, err := os.ReadFile("/proc/self/exe")
	check(t, err)
	program := filepath.Join(folder, "test")
	check(t, os.WriteFile(program, content, 0o755))
	check(t, os.Chmod(program, 0o755))
	command := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.v")
	command.Dir = folder
	command.Env = append(os.Environ(), "TMPDIR="+folder)
	command.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: 65534, Gid: 65534},
	}
	out, err := command.CombinedOutput()
	if command.ProcessState.ExitCode() == 127 {
		t.Skip("other users may not read the library")
	}
	if err != nil {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	return true
}
