package fewer

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// Command is exec.CommandContext for a child that starts in the scope, while this process stays
// where it is. A program with a slash in its name is one in the scope. PWD of the child is the
// scope's logical path. The scope must not be closed before the child has started, and /proc must
// be mounted.
//
// Price: that of Logical now; later what os/exec makes for any child.
func (s *Scope) Command(ctx context.Context, name string, arguments ...string) (*exec.Cmd, error) {
	command := exec.CommandContext(ctx, name, arguments...)
	if s == nil {
		return command, nil
	}
	descriptor, err := s.Descriptor()
	if err != nil {
		return nil, err
	}
	path, err := s.Logical()
	if err != nil {
		return nil, err
	}
	// The child has all descriptors until it runs the program.
	command.Dir = "/proc/self/fd/" + strconv.Itoa(descriptor)
	command.Env = append(os.Environ(), "PWD="+path)
	// A scope that nobody else holds would be closed before that.
	cancel := command.Cancel
	command.Cancel = func() error {
		defer runtime.KeepAlive(s)
		return cancel()
	}
	return command, nil
}
