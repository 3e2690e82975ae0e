//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// give gives the data to who runs the server. PostgreSQL does not run as root; then
// it is postgres or nobody.
func give(dir, data string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		who, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(who.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(who.Gid, 10, 32)
		if err := errors.Join(err1, err2, os.Chmod(dir, 0o711), os.Chown(data, int(uid), int(gid))); err != nil {
			return nil, err
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return nil, errors.New("pgtest: there is neither a user postgres nor nobody to run the server")
}
