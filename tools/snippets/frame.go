// What the snippets in Go use; each becomes a function. Packages that are not Go's own have
// stand-ins of the same form.
package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

var (
	_ = bufio.NewReader
	_ = rand.Reader
	_ = errors.Is
	_ = fmt.Fprintln
	_ = io.Copy
	_ = fs.ErrNotExist
	_ = net.LookupHost
	_ = exec.Command
	_ = user.LookupId
	_ = filepath.Join
	_ sync.Mutex
	_ = syscall.Statfs
	_ = time.Now
)

type item struct {
	Path string
	Data []byte
}

var (
	path, dir, root, folder, directory, host, name, uid, line string
	file, in, out, w, f                                       *os.File
	conn                                                      *net.TCPConn
	cmd                                                       *exec.Cmd
	block, buf, record                                        []byte
	records                                                   [][]byte
	fd                                                        int
	at, number, size, endMark                                 int64
	marksEnd, showAttributes                                  bool
	made                                                      map[string]bool
	when                                                      time.Time
	stat                                                      syscall.Stat_t
	state                                                     any
	channel                                                   chan int
	items                                                     []item
	paths                                                     []string
	names, found                                              map[string]string
	known                                                     map[string][]string
	spaces                                                    map[uint64]syscall.Statfs_t
)

// What programs have of their own.
func each(what ...any)               {}
func handle(what ...any)             {}
func missing() any                   { return nil }
func save(path string, it any) error { return nil }
func update(state any, item any)     {}
func use(block []byte)               {}
func lastOffset(block []byte) int64  { return 0 }

type unixPackage struct{ LOCK_EX, LOCK_UN int }

func (unixPackage) Flock(fd int, how int) error                { return nil }
func (unixPackage) Getdents(fd int, block []byte) (int, error) { return 0, nil }
func (unixPackage) Syncfs(fd int) error                        { return nil }

var unix unixPackage

type watcher struct{ Events chan struct{ Name string } }

func (*watcher) Add(path string) error { return nil }

type watcherPackage struct{}

func (watcherPackage) NewWatcher() (*watcher, error) { return nil, nil }

var fsnotify watcherPackage

func main() {}

EACH
func NAME() any {
for {
SNIPPET
return nil
}
return nil
}
END
